import { readDemoReadings } from '@tarifario/cli/demo';
import type { ClientDetail, PageOf, ProposalEntry, Ranking } from '@tarifario/client';
import { further } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { faultsOf, type Look } from './axe.ts';
import { describePage, holdAnswer } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, shownIds, typeHousehold } from './household.ts';

const NOTE = 'Vence en junio <img src=x onerror="window.evil = 1">';

const LOOKS: readonly Look[] = [{ viewport: { width: 1280, height: 900 }, colorScheme: 'light' }];

describePage('the proposals of the page', (site) => {
  it('A-169: beside them are the studies of the last days, by keys alone: one is opened again, deleted, and none is kept', async () => {
    const { page, close } = await site.open({ key: await site.server.addKey(site.accountId, {}) });
    await rankHousehold(page, { e1: '1234' });
    await page.locator('[name=p2]').press('n');
    expect(await page.locator('[name=e1]').inputValue()).toBe('1234');
    await page.getByRole('link', { name: 'Propuestas', exact: true }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Nuevo estudio').waitFor();
    // Behind the help no key does anything.
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    expect(await page.locator('[name=e1]').inputValue()).toBe('1234');
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    const study = page.locator('[data-study]');
    await study.waitFor();
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await study.getByRole('button', { name: /^2.0TD · 3.534 kWh/ }).press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(await page.locator('[name=e1]').inputValue()).toBe('1234');
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    // Opened again and ranked again it is still one.
    await study.getByRole('button', { name: /^Quitar/ }).press('Enter');
    await expect.poll(() => study.count()).toBe(0);
    await page.getByRole('link', { name: 'Ajustes', exact: true }).press('Enter');
    await page.locator('[name=dias_estudios]').selectOption('nunca');
    await page.getByRole('link', { name: 'Estudio', exact: true }).press('Enter');
    await rankHousehold(page, { e1: '1235' });
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toMatch(/123[45]/);
    await page.evaluate('localStorage.clear()');
    await close();
  });

  it('A-134: of the same thing are one, also after a reload; it is printed, verified, and opened again as a study', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    const path = () => new URL(page.url()).pathname;
    const make = async () => {
      await rankHousehold(page, { p1: '4,6', p2: '3,45' });
      const ticks = page.getByRole('checkbox', { name: /^Elegir / });
      for (const index of [0, 2]) await ticks.nth(index).check();
      await page.locator('.fold').getByLabel('Referencia del cliente').fill('Bar Luna ES0021000000000001JN');
      await page.getByLabel('Comentario para el cliente').fill(NOTE);
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.getByRole('button', { name: 'Imprimir' }).waitFor();
      // What was made is in sight.
      await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Imprimir');
    };
    await make();
    const ids = (await shownIds(page)).filter((_, index) => index === 0 || index === 2);
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    // By itself, and then folded.
    await page.locator('[data-offer]').first().waitFor();
    await make();
    const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals');
    expect(results).toMatchObject([{ ref: 'Bar Luna', estado: 'borrador' }]);

    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    const row = page.locator('[data-proposal]');
    expect(await row.locator('td').first().innerText()).toBe('Bar Luna');
    expect(await row.innerText()).toContain(results[0]?.resumen?.offer_name);
    await row.getByLabel(/^Estado/).selectOption('aceptada');
    await expect
      .poll(async () => (await site.ask<ProposalEntry>(`/v1/proposals/${results[0]?.id}`)).estado)
      .toBe('aceptada');
    await page.getByLabel('Buscar por cliente').fill('luna');
    await page.locator('[name=estado]').selectOption('rechazada');
    await page.getByText('Ninguna propuesta es así').waitFor();
    await page.locator('[name=estado]').selectOption('aceptada');
    await row.waitFor();
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await page.locator('[data-proposal] a').press('Enter');
    await page.getByRole('heading', { name: `Propuesta ${results[0]?.id} · Bar Luna` }).waitFor();
    await page.locator('.panel').getByText('2.0TD · 3.500 kWh/año · 4,6 kW').waitFor();
    expect(
      await page
        .getByLabel(/^Estado: Propuesta/)
        .locator('visible=true')
        .inputValue(),
    ).toBe('aceptada');
    expect(path()).toBe(`/app/propuestas/${results[0]?.id}`);
    await page.getByText(NOTE).first().waitFor();
    await page.getByRole('button', { name: 'Verificar' }).press('Enter');
    await page.getByText('Verificada: con las ofertas de aquel día sale lo mismo').waitFor();
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    const sheet = page.frameLocator('main > div > div:not([hidden]) iframe');
    await sheet.getByText(NOTE).waitFor();
    await page.locator('[name=destinatario]:visible').fill('Ana <b>García</b>');
    await sheet.getByText('Para: Ana <b>García</b>').waitFor();
    expect(sent.join('\n')).not.toContain('García');
    expect(await page.evaluate(`JSON.stringify({ ...sessionStorage, ...localStorage })`)).not.toContain('García');

    await page.getByRole('button', { name: 'Abrir como un estudio nuevo' }).press('Enter');
    expect(path()).toBe('/app/estudio');
    await expect.poll(() => page.locator('[name=p2]').inputValue()).toBe('3,45');
    // It is ranked by itself, and says what has to be typed again.
    await page.getByLabel('Comentario para el cliente').waitFor();
    await page.getByText(/^Estudio abierto de la propuesta \d+.*El destinatario y el CUPS no se guardan/).waitFor();
    expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe(NOTE);
    expect(await page.getByLabel('Referencia del cliente').inputValue()).toBe('Bar Luna');
    const ticked = page.locator('[data-offer]:has(input:checked)');
    expect(await ticked.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-offer'))))).toEqual(ids);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await close();
  });

  further('A-88: is deleted once that is confirmed, and the same thing is another one then', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const make = () => page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    const lastId = async () =>
      (await site.ask<PageOf<ProposalEntry>>('/v1/proposals?limit=200')).results.at(-1)?.id ?? 0;
    const before = await lastId();
    await rankHousehold(page, { p1: '4,6', p2: '3,47' });
    await page
      .getByRole('checkbox', { name: /^Elegir / })
      .first()
      .check();
    await make();
    await expect.poll(lastId).toBeGreaterThan(before);
    const first = await lastId();
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator(`[data-proposal="${first}"] a`).press('Enter');
    const remove = page.getByRole('button', { name: 'Eliminar la propuesta' });
    page.once('dialog', (dialog) => void dialog.dismiss());
    await remove.press('Enter');
    await site.ask(`/v1/proposals/${first}`);
    page.once('dialog', (dialog) => void dialog.accept());
    await remove.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/propuestas');
    await expect.poll(() => page.locator(`[data-proposal="${first}"]`).count()).toBe(0);
    await page.getByRole('link', { name: 'Estudio', exact: true }).press('Enter');
    await make();
    await expect.poll(lastId).toBeGreaterThan(first);
    // The sheet of the one that is deleted is not there.
    await close(/404/);
  });

  further('A-134: opened again while a ranking is under way keeps its ticks, and is ranked after it', async () => {
    const [offer] = (await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, w: 1 })).results.slice(-1);
    const body = {
      request: { ...HOUSEHOLD, energia: { e1: 77 }, fecha_firma: '2026-10-15' },
      offer_ids: [offer?.offer.id],
    };
    const { id } = await site.ask<ProposalEntry>('/v1/proposals', body);
    const { page, close } = await site.open({ key: site.keys.full_access });
    let release = () => {};
    const isFree = new Promise<void>((resolve) => {
      release = resolve;
    });
    // An answer without the offer of the proposal.
    await page.route(
      '**/v1/offers/efficient',
      async (route) => {
        await isFree;
        await route.continue({ postData: { ...route.request().postDataJSON(), limit: 1 } });
      },
      { times: 1 },
    );
    await page.getByLabel('Enlace del QR').fill(readDemoReadings().invoiceUrl);
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await page.getByText('Factura leída').waitFor();
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator(`[data-proposal="${id}"] a`).press('Enter');
    await page.getByRole('button', { name: 'Abrir como un estudio nuevo' }).press('Enter');
    await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe('77');
    release();
    await page.locator(`[data-offer="${offer?.offer.id}"] input:checked`).waitFor();
    await page.getByText('El formulario no tiene estos datos de la pregunta: día de la firma.').waitFor();
    // What was read of the other invoice is not said of this one.
    expect(await page.getByLabel('Enlace del QR').inputValue()).toBe('');
    expect(await page.getByText('Factura leída').count()).toBe(0);
    await close();
  });

  further('opened over the study of another customer replace it whole, and Deshacer brings it back whole', async () => {
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, w: 1 });
    const [proposed = 0, own = 0] = results.map(({ offer }) => offer.id);
    const body = { request: HOUSEHOLD, offer_ids: [proposed], nota: 'Para Berta' };
    const { id } = await site.ask<ProposalEntry>('/v1/proposals', body);
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page, { e1: '1777' });
    await page.locator(`[data-offer="${own}"] input`).check();
    const comment = page.getByLabel('Comentario para el cliente');
    await comment.fill('Para Ana');
    const openStudy = async () => {
      await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
      await page.locator(`[data-proposal="${id}"] a`).press('Enter');
      await page.getByRole('button', { name: 'Abrir como un estudio nuevo' }).press('Enter');
    };
    const isShown = async (e1: string, text: string, offerId: number) => {
      await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe(e1);
      await page.locator(`[data-offer="${offerId}"] input:checked`).waitFor();
      expect(await comment.inputValue()).toBe(text);
      expect(await page.locator('[data-offer] input:checked').count()).toBe(1);
    };
    await openStudy();
    await isShown('1200', 'Para Berta', proposed);
    await page.getByText(/^Estudio abierto de la propuesta/).waitFor();
    await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
    await isShown('1777', 'Para Ana', own);
    expect(await page.getByText(/^Estudio abierto de la propuesta/).count()).toBe(0);
    // One of gas too, where no file is read.
    const file = Buffer.from(
      'ref;supply_type;tariff_type;territory;client_type;consumo_gas\nBerta;GAS;RL.2;peninsula;dni;5000',
    );
    await page.getByRole('link', { name: 'Cartera' }).press('Enter');
    await page
      .locator('.drop', { hasText: 'clientes' })
      .locator('input')
      .setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer: file });
    await page.locator('[data-line]').getByRole('button').press('Enter');
    await expect.poll(() => page.locator('[name=consumo_gas]').inputValue()).toBe('5000');
    await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
    await isShown('1777', 'Para Ana', own);
    await close();
  });

  it('A-91: have no sheet with commissions where the box was unticked before it arrived', async () => {
    const [offer] = (await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, w: 1 })).results;
    const body = { request: HOUSEHOLD, offer_ids: [offer?.offer.id] };
    const { id } = await site.ask<ProposalEntry>('/v1/proposals', body);
    const { page, close } = await site.open({ key: site.keys.full_access, at: `propuestas/${id}` });
    const box = page.getByRole('checkbox', { name: /comisiones/ });
    await box.check();
    const { held, release } = await holdAnswer(page, `**/v1/proposals/${id}.html*`);
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    await held;
    await box.uncheck();
    release();
    await page.locator('button[aria-disabled=false]', { hasText: 'Ver la hoja' }).waitFor();
    expect(await page.getByRole('button', { name: 'Imprimir' }).count()).toBe(0);
    await box.check();
    await page.getByRole('button', { name: 'Imprimir' }).waitFor();
    await close();
  });

  further(
    'are made once where another request with the same name is still answered: the page waits, and asks again',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await page.getByRole('link', { name: 'Estudio' }).waitFor();
      await rankHousehold(page);
      await page
        .getByRole('checkbox', { name: /^Elegir / })
        .first()
        .check();
      let refusals = 0;
      const names = new Set<string | undefined>();
      await page.route('**/v1/proposals', (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        names.add(route.request().headers()['idempotency-key']);
        refusals += 1;
        if (refusals > 2) return route.fallback();
        return route.fulfill({ status: 409, json: { detail: { code: 'idempotency_in_flight', message: 'no' } } });
      });
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.getByRole('button', { name: 'Imprimir' }).waitFor();
      expect([refusals, names.size]).toEqual([3, 1]);
      await close(/409/);
    },
  );

  further(
    'A-144: of a study for one firm are asked and printed for it, and the browser remembers the firm',
    async () => {
      const { id } = await site.ask<ClientDetail>('/v1/clients', { name: 'Asesoría Sur' });
      const { page, requests, close } = await site.open({ key: site.keys.full_access });
      await openForm(page);
      await page.locator('[name=firma]').selectOption('Asesoría Sur');
      await rankHousehold(page);
      expect(requests.filter((url) => url.endsWith(`/v1/offers/efficient?client_id=${id}`))).not.toEqual([]);
      await page
        .getByRole('checkbox', { name: /^Elegir / })
        .first()
        .check();
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.frameLocator('iframe').getByText('Asesoría Sur').first().waitFor();
      const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals?limit=200');
      expect(results.at(-1)).toMatchObject({ client_id: id });
      await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
      expect(await page.locator('[name=firma]').inputValue()).toBe(String(id));
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('[name=firma]').inputValue()).toBe(String(id));
      await close();
    },
  );

  it('A-90: with a key that may not see commissions have none, and those with commissions are not there', async () => {
    const { page, answers, close } = await site.open({ key: site.keys.public, at: 'propuestas' });
    await page.getByText('Aún no hay propuestas').waitFor();
    await page.goto(`${site.server.url}/app/propuestas/1#key=${site.keys.public}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('No existe, o su clave de acceso no lo alcanza.');
    expect(answers.join()).not.toMatch(/"comision_extra":\d/);
    await close(/404/);
  });
});
