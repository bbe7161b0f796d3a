import type { Client, PageOf } from '@tarifario/client';
import { further } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage, EVIL, holdAnswer } from './browser.ts';
import { openOffice } from './office.ts';

const rows = '[data-stored-offer]';
/** From July on, as the page writes them. */
const MONTHS = ['jul', 'ago', 'sept', 'oct'];
/** A price of a month, as `E1 2026-07`. */
const cellOf = (page: Page, name: string) =>
  page.getByLabel(
    name
      .replace(/^E/, 'Energía P')
      .replace(/^P(?=\d)/, 'Potencia P')
      .replace(/2026-(\d\d)$/, (_, month) => `${MONTHS[Number(month) - 7]} 2026`),
    { exact: true },
  );
const field = (page: Page, wire: string) => page.locator(`[data-field=${wire}] :is(input, select)`);

describePage('the offers of the page', (site) => {
  it('are found by their retailer, and one is changed in place, with its history, by keyboard alone', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key, at: 'ofertas?owner=own' });
    await page.locator(rows).waitFor();
    expect(await page.locator(rows).innerText()).toContain('79,15 € al año');
    await page.keyboard.press('/');
    await page.keyboard.type('nadie');
    await page.getByText('0 de 0 ofertas').waitFor();
    await page.getByRole('searchbox').fill('HYPER');
    await page.getByRole('link', { name: EVIL.offer }).press('Enter');
    await page.getByRole('heading', { name: EVIL.offer }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/ofertas/${office.offerId}`);
    const save = page.getByRole('button', { name: /^Guardar/ });
    expect(await save.isDisabled()).toBe(true);
    await field(page, 'e1').fill('no');
    await field(page, 'e1').press('Enter');
    await page.getByText('Escriba un número').waitFor();
    await field(page, 'e1').fill('0,1875');
    await field(page, 'p1').fill('36,5');
    await page.getByText('¿Al año? Al día son 0,1').waitFor();
    await field(page, 'p1').fill('-1');
    await field(page, 'communities').selectOption(['madrid', 'aragon']);
    await page.getByRole('button', { name: 'Añadir un tramo' }).first().press('Enter');
    await page.getByLabel('Desde MWh 1').fill('0');
    await page.getByLabel('Comisión 1').fill('40,5');
    await save.press('Enter');
    await page.locator('[data-field=p1] .fault', { hasText: /\w/ }).waitFor();
    expect(await page.locator('[data-field=p1] .fault').innerText()).toMatch(/entre 0 y 1/);
    await expect.poll(() => page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field')).toBe('p1');
    await field(page, 'p1').fill('0,09');
    await save.press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({
      ...{ e1: 0.1875, e2: 0.15, p1: 0.09, communities: ['aragon', 'madrid'] },
      commission_tiers: [{ consumption_from: 0, consumption_to: null, commission: 40.5, commission_type: 'fixed' }],
    });
    await page.getByText('Precio de la energía en P1: 0,2 → 0,1875').waitFor();
    await page.getByText('Tramos por consumo: – → 0 MWh – sin límite: 40,5 € al año').waitFor();
    await page.goBack();
    await page.locator(rows, { hasText: '0,1875' }).waitFor();
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await close(/422/);
  });

  further(
    'A-130: are searched without accents and ordered by their heads, as the address says, also after a reload',
    async () => {
      const office = await openOffice(site);
      const { id: company_id } = (await office.call('GET', `/v1/offers/${office.offerId}`)).company as { id: number };
      const names = [
        'Ñandú Única',
        'nandu sola',
        'Zeta 100%',
        ...Array.from({ length: 120 }, (_, index) => `Tarifa ${1000 + index}`),
      ];
      for (const offer_name of names) {
        const prices = { e1: 0.2, e2: 0.15, e3: 0.1, p1: 0.08, p2: 0.01 };
        const terms = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true };
        await office.call('POST', '/v1/offers', { company_id, offer_name, ...terms, ...prices });
      }
      const { page, sent, close } = await site.open({
        key: office.key,
        at: 'ofertas?q=NANDU&sort=-offer_name&owner=own',
      });
      const shown = () => page.locator(`${rows} th a`).allInnerTexts();
      const search = () => new URL(page.url()).search;
      await page.getByText('2 de 2 ofertas').waitFor();
      expect(await shown()).toEqual(['Ñandú Única', 'nandu sola']);
      expect(await page.getByRole('searchbox').inputValue()).toBe('NANDU');
      await page.getByRole('button', { name: 'Oferta', exact: true }).press('Enter');
      await page.locator('th:not([aria-sort]) .sort', { hasText: 'Oferta' }).waitFor();
      await page.getByRole('button', { name: 'Oferta', exact: true }).press('Enter');
      await page.locator('th[aria-sort=ascending] .sort', { hasText: 'Oferta' }).waitFor();
      await expect.poll(shown).toEqual(['nandu sola', 'Ñandú Única']);
      await page.keyboard.press('Tab');
      await page.getByRole('searchbox').fill('%');
      await expect.poll(shown).toEqual(['Zeta 100%']);
      await page.getByRole('searchbox').fill('tarifa');
      await page.getByText('100 de 120 ofertas').waitFor();
      await page.getByRole('button', { name: 'Ver 20 más' }).press('Enter');
      await page.getByText('120 de 120 ofertas').waitFor();
      expect(await shown()).toEqual(names.slice(3));
      await page.getByRole('button', { name: 'Cambiada' }).press('Enter');
      await page.locator('th[aria-sort=descending] .sort', { hasText: 'Cambiada' }).waitFor();
      await expect.poll(async () => (await shown())[0]).toBe('Tarifa 1119');
      expect(search()).toBe('?q=tarifa&sort=-updated_at&owner=own');
      await page.getByRole('link', { name: 'Tarifa 1119' }).press('Enter');
      await page.getByRole('heading', { name: 'Tarifa 1119' }).waitFor();
      expect(search()).toBe('');
      await page.goBack();
      await page.locator(rows).first().waitFor();
      expect(search()).toBe('?q=tarifa&sort=-updated_at&owner=own');
      await page.getByRole('link', { name: 'Estudio' }).click();
      await page.getByRole('link', { name: 'Ofertas', exact: true }).click();
      await expect.poll(search).toBe('?q=tarifa&sort=-updated_at&owner=own');
      await page.reload();
      await page.getByLabel('Clave de acceso').fill(office.key);
      await page.keyboard.press('Enter');
      await page.getByText('100 de 120 ofertas').waitFor();
      expect((await shown())[0]).toBe('Tarifa 1119');
      await page.getByRole('searchbox').fill('zeta ES0021000000000001AB0F');
      await expect.poll(shown).toEqual(['Zeta 100%']);
      expect(page.url() + sent.join('\n')).not.toContain('ES0021');
      await close();
    },
  );

  further('A-126: are found by their terms, and those that do not say them are counted', async () => {
    const office = await openOffice(site);
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { permanencia_meses: 12 });
    const { page, close } = await site.open({ key: office.key, at: 'ofertas?owner=own' });
    await page.locator(rows).waitFor();
    const desk = page.locator('section[aria-labelledby=offers-title]');
    const months = desk.getByLabel('Permanencia máxima');
    await months.fill('11');
    await page.getByText('0 de 0 ofertas', { exact: true }).waitFor();
    await months.fill('12');
    await page.getByText('1 de 1 oferta', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(office.key);
    await page.keyboard.press('Enter');
    await page.getByText('1 de 1 oferta', { exact: true }).waitFor();
    expect(await months.inputValue()).toBe('12');
    // A number that no offer has does not change the list.
    await months.fill('61');
    expect(await months.evaluate((one) => one.matches(':invalid'))).toBe(true);
    await desk.getByLabel('Precio fijo mínimo').fill('6');
    await page.getByText('0 de 0 ofertas Fuera: 1 oferta sin ese dato.').waitFor();
    await desk.getByLabel('Precio fijo mínimo').fill('');
    await page.getByText('1 de 1 oferta', { exact: true }).waitFor();
    await desk.getByLabel('Energía renovable').selectOption('no');
    await page.getByText('0 de 0 ofertas Fuera: 1 oferta sin ese dato.').waitFor();
    await desk.getByLabel('Energía renovable').selectOption('Da igual');
    await page.locator(rows).waitFor();
    await close();
  });

  further(
    'A-134: keep what was typed over a reload, and say at each field what somebody else has changed meanwhile',
    async () => {
      const office = await openOffice(site);
      const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
      await field(page, 'e1').fill('0,19');
      await field(page, 'e2').fill('0,14');
      const path = `/v1/offers/${office.offerId}`;
      await office.call('PATCH', path, { e1: 0.21, e3: 0.11 });
      await page.getByRole('button', { name: 'Guardar' }).press('Enter');
      await page.getByText('Alguien lo ha cambiado entretanto').waitFor();
      await page.locator('[data-field=e1]', { hasText: 'ahora es 0,21' }).waitFor();
      expect(await page.getByText('Otra persona lo ha cambiado').count()).toBe(1);
      expect(await field(page, 'e3').inputValue()).toBe('0,11');
      expect(await office.call('GET', path)).toMatchObject({ e1: 0.21, e2: 0.15 });
      await page.reload();
      await page.getByLabel('Clave de acceso').fill(office.key);
      await page.keyboard.press('Enter');
      await page.locator('[data-field=e1]', { hasText: 'ahora es 0,21' }).waitFor();
      expect(await field(page, 'e1').inputValue()).toBe('0,19');
      await page.getByRole('button', { name: 'Guardar' }).press('Enter');
      await page.getByText('Guardado.').waitFor();
      expect(await office.call('GET', path)).toMatchObject({ e1: 0.19, e2: 0.14, e3: 0.11 });
      await close(/412/);
    },
  );

  further('A-134: name a value that somebody else has changed in words, as the history does', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
    const tier = { consumption_from: 0, consumption_to: null, commission: 40.5, commission_type: 'fixed' };
    await field(page, 'communities').selectOption(['madrid']);
    await field(page, 'vigente_hasta').fill('2027-03-31');
    await field(page, 'commission_type').selectOption('per_mwh');
    await field(page, 'acepta_dni').selectOption('no');
    await page.getByRole('button', { name: 'Añadir un tramo' }).first().press('Enter');
    await page.getByLabel('Desde MWh 1').fill('0');
    await page.getByLabel('Comisión 1').fill('20');
    await office.call('PATCH', `/v1/offers/${office.offerId}`, {
      ...{ communities: ['galicia', 'aragon'], vigente_hasta: '2027-01-31', commission_tiers: [tier] },
    });
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    const isNow = async (wire: string, text: string) =>
      page.locator(`[data-field=${wire}] .fault`).getByText(`ahora es ${text}.`, { exact: false }).waitFor();
    await isNow('communities', 'Aragón, Galicia');
    await isNow('vigente_hasta', '31 de enero de 2027');
    await isNow('commission_tiers', '0 MWh – sin límite: 40,5 € al año');
    // It is said in the window, and no field is seen through it.
    const said = await page.getByRole('alert').boundingBox();
    expect(said?.y).toBeGreaterThan(48);
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    const ground = await page.evaluate("getComputedStyle(document.querySelector('.apply')).backgroundColor");
    expect(ground).not.toMatch(/, 0\)$/);
    expect(await page.getByText('Otra persona lo ha cambiado').count()).toBe(3);
    const history = await page.locator('[aria-labelledby=offer-history]').innerText();
    expect(history).toContain('– → 31 de enero de 2027');
    expect(history).toContain('– → Aragón, Galicia');
    await close(/412/);
  });

  further('A-134: keep what was typed while a change was being saved, and save it the next time', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
    const path = `/v1/offers/${office.offerId}`;
    const save = page.getByRole('button', { name: 'Guardar' });
    const { held, release } = await holdAnswer(page, `**${path}`, 'PATCH');
    await field(page, 'e1').fill('0,19');
    await field(page, 'e2').fill('0,14');
    await field(page, 'e3').fill('0,110');
    await save.press('Enter');
    await held;
    await field(page, 'e1').fill('0,18');
    // As it was before.
    await field(page, 'e2').fill('0,15');
    await field(page, 'requisitos').fill('Con domiciliación');
    release();
    await page.getByText('Precio de la energía en P1: 0,2 → 0,19').waitFor();
    const typed = () => Promise.all(['e1', 'e2', 'e3', 'requisitos'].map((wire) => field(page, wire).inputValue()));
    expect(await typed()).toEqual(['0,18', '0,15', '0,11', 'Con domiciliación']);
    expect(await page.getByText(/Otra persona|Guardado/).count()).toBe(0);
    await save.press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await office.call('GET', path)).toMatchObject({ e1: 0.18, e2: 0.15, e3: 0.11 });
    expect(await typed()).toEqual(['0,18', '0,15', '0,11', 'Con domiciliación']);
    // The page is left while a save runs: afterwards the saved value is no change of somebody else.
    const leaving = await holdAnswer(page, `**${path}`, 'PATCH');
    await field(page, 'e3').fill('0,120');
    await save.press('Enter');
    await leaving.held;
    await page.getByRole('link', { name: 'Todas las ofertas' }).press('Enter');
    leaving.release();
    await page.locator(rows).first().waitFor();
    await page.goBack();
    await page.getByText('Precio de la energía en P3: 0,11 → 0,12').waitFor();
    expect(await page.getByText('Otra persona').count()).toBe(0);
    await close();
  });

  further.each([360, 1600])(
    'have fields of one offer at %i px that are wide enough and end before the next one',
    async (width) => {
      const office = await openOffice(site);
      const viewport = { width, height: 800 };
      const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}`, viewport });
      await field(page, 'e1').waitFor();
      const inputs = await page.locator('.unit-box input:visible').evaluateAll((all) =>
        all.map((one) => {
          const spill = Number(one.parentElement?.scrollWidth) - Number(one.parentElement?.clientWidth);
          return { name: one.closest('[data-field]')?.getAttribute('data-field'), width: one.clientWidth, spill };
        }),
      );
      expect(inputs.length).toBeGreaterThan(20);
      expect(inputs.filter(({ width: own, spill }) => own < 44 || spill > 0)).toEqual([]);
      expect((await page.locator('.unit').allInnerTexts()).join()).not.toContain('EUR');
      await close();
    },
  );

  further('A-165: follow the hours of an index that is typed in their form', async () => {
    const { results } = await site.ask<{ results: readonly { id: number }[] }>('/v1/catalog/offers?q=Transparente');
    const [{ id } = expect.fail()] = results;
    const { page, close } = await site.open({ key: site.keys.full_access, at: `ofertas/${id}` });
    const save = page.getByRole('button', { name: /^Guardar/ }).first();
    const hours = page.getByRole('group', { name: 'Precio por horas' });
    await field(page, 'indice').fill('pvpc');
    await field(page, 'indice_factor').fill('1,05');
    await save.press('Enter');
    await hours.locator('[data-field=indice] .fault', { hasText: /\w/ }).waitFor();
    await field(page, 'indice').fill('PVPC');
    await save.press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await hours.locator('[data-field]').count()).toBe(3);
    expect(await site.ask(`/v1/catalog/offers/${id}`)).toMatchObject({ indice: 'PVPC', indice_factor: 1.05 });
    await close(/4\d\d/);
  });

  it('A-26: have no commission with a key that may not see any, and none that another key typed', async () => {
    const office = await openOffice(site);
    const masked = await office.addKey({ scopes: ['offers:read', 'offers:write'] });
    const { page, answers, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
    await field(page, 'commission').fill('81,25');
    // Nor does the cache of the browser keep an answer.
    const cached = (path: string) =>
      page.evaluate<string>(`fetch('${path}', {
        cache: 'only-if-cached', mode: 'same-origin', headers: { 'X-API-Key': '${office.key}', 'Accept-Language': 'es' },
      }).then(({ status }) => String(status), () => 'none')`);
    expect(answers.join()).toContain('79.15');
    expect(await cached(`/v1/offers/${office.offerId}`)).toMatch(/none|504/);
    await page.goto(`${site.server.url}/app/ofertas`);
    const before = answers.length;
    await page.getByLabel('Clave de acceso').fill(masked);
    await page.keyboard.press('Enter');
    await page.locator(rows).waitFor();
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toMatch(/81[.,]25|79[.,]15/);
    await page.locator(`${rows} a`).press('Enter');
    await field(page, 'e1').fill('0,2001');
    expect(await page.locator('[data-field^=commission]').count()).toBe(0);
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.getByText('Guardado.').waitFor();
    await page.getByRole('link', { name: 'Todas las ofertas' }).click();
    await page.locator(rows, { hasText: '0,2001' }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/comisi|tramo/i);
    const kept = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    expect([kept, ...answers.slice(before)].join()).not.toMatch(/81[.,]25|79[.,]15/);
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.2001, commission: 79.15 });
    await close(/504|ERR_CACHE_MISS/);
  });

  further(
    'A-134: that are indexed have their months changed, added and deleted in place, but not over somebody else',
    async () => {
      const office = await openOffice(site);
      const path = `/v1/offers/${office.offerId}`;
      await office.call('PATCH', path, { is_indexed: true });
      const months = `${path}/indexed-prices`;
      for (const month of ['2026-07', '2026-08', '2026-09']) {
        await office.call('POST', months, { reference_month: month, e1: 0.2, e2: 0.15, e3: 0.1, p1: 0.08 });
      }
      const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
      const cell = (name: string) => cellOf(page, name);
      const save = page.locator('[aria-labelledby=offer-months]').getByRole('button', { name: 'Guardar' });
      await cell('E1 2026-09').fill('mucho');
      await save.press('Enter');
      await page.getByText('Escriba un número').waitFor();
      await cell('E1 2026-09').fill('-99');
      for (const name of ['E1', 'E2', 'E3', 'P1']) await cell(`${name} 2026-07`).fill('');
      await page.getByRole('button', { name: 'Añadir el mes' }).press('Enter');
      await cell('E1 2026-10').fill('0,22');
      await cell('E2 2026-10').fill('-0,01');
      await expect.poll(() => page.evaluate<string>('JSON.stringify(sessionStorage)')).toContain('-0,01');
      await page.reload();
      await page.getByLabel('Clave de acceso').fill(office.key);
      await page.keyboard.press('Enter');
      await save.press('Enter');
      await page.locator('[data-field="2026-09.e1"] .fault', { hasText: '-0,99' }).waitFor();
      await cell('E1 2026-09').fill('0,21');
      await save.press('Enter');
      await page.getByText('Guardado.').waitFor();
      const pricesOf = ({ results }: Awaited<ReturnType<typeof office.call>>) =>
        (results as readonly Record<string, unknown>[]).map(({ reference_month, e1, e2, p1 }) => [
          reference_month,
          e1,
          e2,
          p1,
        ]);
      const saved = [
        ['2026-08-01', 0.2, 0.15, 0.08],
        ['2026-09-01', 0.21, 0.15, 0.08],
        ['2026-10-01', 0.22, -0.01, null],
      ];
      expect(pricesOf(await office.call('GET', months))).toEqual(saved);
      const changes = await page.locator('[aria-labelledby=offer-history]').innerText();
      expect(changes).toMatch(/Precios del mes: – → ago 2026 \(Precio de la energía P1 0,2 €\/kWh, /);
      expect(changes).not.toMatch(/[a-z]_[a-z]|\d{4}-\d\d/);
      expect(await cell('E1 2026-07').count()).toBe(0);
      await cell('E1 2026-08').fill('0,19');
      await cell('E3 2026-08').fill('0,09');
      await office.call('POST', months, { reference_month: '2026-08', e1: 0.3, e2: 0.15, e3: 0.1 });
      await save.press('Enter');
      await page.locator('[data-field="2026-08.e1"]', { hasText: 'ahora es 0,3' }).waitFor();
      expect(await page.getByText('Otra persona lo ha cambiado').count()).toBe(1);
      expect(await cell('P1 2026-08').inputValue()).toBe('');
      expect(pricesOf(await office.call('GET', months))[0]).toEqual(['2026-08-01', 0.3, 0.15, null]);
      await save.press('Enter');
      await page.getByText('Guardado.').waitFor();
      expect(pricesOf(await office.call('GET', months))[0]).toEqual(['2026-08-01', 0.19, 0.15, null]);
      await close(/404|412|422/);
    },
  );

  further(
    'A-134: that are indexed say which months were saved where another one is in dispute or refused',
    async () => {
      const office = await openOffice(site);
      const path = `/v1/offers/${office.offerId}`;
      await office.call('PATCH', path, { is_indexed: true });
      const months = `${path}/indexed-prices`;
      for (const month of ['2026-07', '2026-08']) {
        await office.call('POST', months, { reference_month: month, e1: 0.2, e2: 0.15, e3: 0.1 });
      }
      const { page, close } = await site.open({ key: office.key, at: `ofertas/${office.offerId}` });
      const cell = (name: string) => cellOf(page, name);
      const desk = page.locator('[aria-labelledby=offer-months]');
      const save = desk.getByRole('button', { name: 'Guardar' });
      const addMonth = async (month: string) => {
        await desk.locator('[type=month]').fill(month);
        await page.getByRole('button', { name: 'Añadir el mes' }).press('Enter');
      };
      await addMonth('2026-10');
      await cell('E1 2026-10').fill('0,130');
      await cell('E1 2026-08').fill('0,19');
      await cell('E2 2026-07').fill('0,14');
      await office.call('POST', months, { reference_month: '2026-08', e1: 0.3, e2: 0.15, e3: 0.1 });
      const { held, release } = await holdAnswer(page, `**${months}`, 'POST');
      await save.press('Enter');
      await held;
      await cell('E2 2026-10').fill('0,12');
      release();
      const alert = desk.getByRole('alert');
      await alert.getByText('Alguien lo ha cambiado entretanto').waitFor();
      await page.locator('[data-field="2026-08.e1"]', { hasText: 'ahora es 0,3' }).waitFor();
      expect(await alert.innerText()).toMatch(/Solo se ha guardado: oct 2026\.$/);
      expect(await page.getByText('Otra persona lo ha cambiado').count()).toBe(1);
      expect(await cell('E1 2026-10').inputValue()).toBe('0,13');
      expect(await cell('E2 2026-10').inputValue()).toBe('0,12');
      // A month that is deleted meanwhile keeps what was typed.
      await cell('E1 2026-08').fill('0,2');
      await fetch(`${site.server.url}${months}/2026-07`, { method: 'DELETE', headers: { 'X-API-Key': office.key } });
      await save.press('Enter');
      await page.locator('[data-field="2026-07.e2"]', { hasText: 'ahora es –' }).waitFor();
      expect(await alert.innerText()).toMatch(/Solo se ha guardado: oct 2026, ago 2026\.$/);
      expect(await cell('E2 2026-07').inputValue()).toBe('0,14');
      await save.press('Enter');
      await page.getByText('Guardado.').waitFor();
      // What is refused of the month itself is said, and the month goes when it is discarded.
      await addMonth('1900-01');
      await desk.locator('[data-field="1900-01.e1"] input').fill('0,1');
      await save.press('Enter');
      await alert.getByText('Mes: tiene que ser un mes de 1990-01').waitFor();
      expect(await alert.innerText()).not.toContain('campos marcados');
      await desk.getByRole('button', { name: 'Descartar' }).press('Enter');
      await desk.locator('[data-field="1900-01.e1"]').waitFor({ state: 'detached' });
      expect((await office.call('GET', months)).results).toMatchObject([
        { reference_month: '2026-07-01', e1: null, e2: 0.14 },
        { reference_month: '2026-08-01', e1: 0.2 },
        { reference_month: '2026-10-01', e1: 0.13, e2: 0.12 },
      ]);
      await close(/404|412|422/);
    },
  );

  further('of the catalog are marked, and a key that may not change them reads them', async () => {
    const reader = await site.server.addKey(site.accountId, { scopes: ['offers:read', 'catalog:read'] });
    const { page, close } = await site.open({ key: reader, at: 'ofertas' });
    // Nothing has to be chosen: own and catalog are found together.
    await page.locator(rows, { hasText: 'del catálogo' }).first().getByRole('link').press('Enter');
    await page.getByText('Esta clave no permite cambiar el catálogo').waitFor();
    const at = new URL(page.url()).pathname.replace('/app/', '');
    expect(await field(page, 'e3').count()).toBe(1);
    for (const name of ['e4', 'p3']) expect(await field(page, name).count()).toBe(0);
    expect(await field(page, 'e1').evaluate((field) => Reflect.get(field, 'readOnly'))).toBe(true);
    await close();
    // One that could, were it not of one firm.
    const [firm] = (await site.ask<PageOf<Client>>('/v1/clients')).results;
    const bound = await site.server.addKey(site.accountId, { firmId: firm?.id ?? 0 });
    const seen = await site.open({ key: bound, at });
    await seen.page.getByText('Esta clave es de una sola asesoría').waitFor();
    expect(await seen.page.getByText('(catalog:write)').count()).toBe(0);
    await seen.close();
  });
});
