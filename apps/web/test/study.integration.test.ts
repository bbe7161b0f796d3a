import type { Ranking } from '@tarifario/client';
import { further, isFullLength } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addOffers, describePage } from './browser.ts';
import { DRAWN, HOUSEHOLD, openForm, rankHousehold, shownIds, showPlot, typeHousehold } from './household.ts';
import { openOffice } from './office.ts';

const OLD = 'Los datos han cambiado';
const RANK = { name: 'Comparar ofertas' };
const PROPOSE = { name: 'Crear propuesta' };

const tick = (page: Page, index: number) => page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText ?? ""');
/** The names of chosen offers in the table side by side. */
const chosenNames = (page: Page) => page.locator('.comparison thead .name').allInnerTexts();

describePage('a study of one customer', (site) => {
  further('A-121: whose form has changed calls its answer old, and proposes nothing of it', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await tick(page, 0);
    const top = () => page.evaluate<number>('document.querySelector(".ranking").getBoundingClientRect().top + scrollY');
    const atRest = await top();
    // Half a form is no question.
    await page.locator('[name=p1]').fill('');
    await page.locator('[name=p2]').fill('');
    await page.getByText(OLD).waitFor();
    expect(await page.getByRole('button', PROPOSE).isDisabled()).toBe(true);
    expect(await page.locator('.stale .ranking').count()).toBe(1);
    expect(await top()).toBe(atRest);
    const before = sent.length;
    await page.locator('[name=p1]').fill('4,6');
    await page.locator('[name=p2]').fill('4,60');
    await page.getByText(OLD).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', PROPOSE).isDisabled()).toBe(false);
    expect(sent.slice(before).filter((text) => text.includes('"p2":4.6')).length).toBeLessThanOrEqual(1);
    await close();
  });

  further(
    'A-121: whose form rests is ranked again by itself, at what was typed last, and the focus stays',
    async () => {
      const { page, sent, close } = await site.open({ key: site.keys.full_access });
      await rankHousehold(page);
      await tick(page, 0);
      const names = await chosenNames(page);
      const before = sent.length;
      const e1 = page.locator('[name=e1]');
      await e1.fill('');
      await e1.pressSequentially('2400');
      await page.getByText(OLD).waitFor();
      await page.getByText(OLD).waitFor({ state: 'detached' });
      expect(sent.at(-1)).toContain('"e1":2400');
      expect(await e1.evaluate((field) => field.matches(':focus'))).toBe(true);
      expect(await chosenNames(page)).toEqual(names);
      // Not once for each key, however slow the machine.
      expect(sent.length - before).toBeLessThan(4);
      const energia = { ...HOUSEHOLD.energia, e1: 2400 };
      const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, energia });
      expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
      await close();
    },
  );

  further('A-121: whose question is refused once waits for a press, and changes meanwhile ask nothing', async () => {
    const { page, requests, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const detail = { code: 'rate_limited', message: 'too many requests' };
    const answer = { status: 429, headers: { 'Retry-After': '1' }, json: { detail } };
    await page.route('**/v1/offers/efficient', (route) => route.fulfill(answer), { times: 1 });
    await page.locator('[name=e1]').fill('2400');
    await page.getByText('Ya se puede reintentar').waitFor();
    const before = requests.length;
    await page.clock.install();
    await page.locator('[name=e1]').fill('2500');
    await page.clock.runFor(5000);
    expect(requests).toHaveLength(before);
    expect(await page.getByRole('button', PROPOSE).count()).toBe(0);
    await page.locator('[name=p2]').press('Enter');
    await page.getByText(OLD).waitFor({ state: 'detached' });
    expect(requests).toHaveLength(before + 1);
    await close(/429/);
  });

  further('A-121: that is ranked again keeps ticks, sliders and comment where they still hold', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('ArrowRight');
    for (const index of [0, 2]) await tick(page, index);
    await page.getByLabel('Comentario para el cliente').fill('Vence en junio');
    const names = await chosenNames(page);
    await page.locator('[name=e1]').fill('1300');
    await page.getByRole('button', RANK).first().press('Enter');
    await page.getByText(OLD).waitFor({ state: 'detached' });
    expect(await chosenNames(page)).toEqual(names);
    expect(await page.locator('[name=w]').inputValue()).toBe('0.51');
    expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe('Vence en junio');
    await page.locator('[name=w]').press('ArrowRight');
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', {
      ...HOUSEHOLD,
      energia: { ...HOUSEHOLD.energia, e1: 1300 },
      w: 0.52,
    });
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    await close();
  });

  it('A-103: is still there when the page is loaded again in the middle, without key, supply point or answer', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('ArrowRight');
    for (const index of [0, 1]) await tick(page, index);
    await page.getByLabel('Comentario para el cliente').fill('Para ES 0021 0000 0000 0001 AB 0F, junio');
    const names = await chosenNames(page);
    await page.getByLabel('Enlace del QR').fill('https://comparador.cnmc.gob.es/?cups=ES0021000000000001AB0F&cp=28');
    await page.getByRole('searchbox', { name: 'Buscar por nombre' }).fill('a');
    await page.locator('[name=dias]').fill('1.2');
    await page.getByRole('link', { name: 'Cartera' }).click();
    expect(new URL(page.url()).pathname).toBe('/app/cartera');
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(kept).toContain('1200');
    expect(kept.match(/0021 0000|tarifario_|cost\\*"|commission\\*":/g)).toBe(null);
    for (const leave of [() => page.reload(), () => page.getByRole('button', { name: 'Salir' }).click()]) {
      await leave();
      await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Cartera de clientes' }).waitFor();
    }
    await page.goBack();
    await openForm(page);
    expect(await page.locator('[name=dias]').inputValue()).toBe('1.2');
    expect(await page.getByLabel('Enlace del QR').inputValue()).toBe('https://comparador.cnmc.gob.es/?cups=&cp=28');
    await page.locator('[name=dias]').fill('');
    await page.locator('[name=p2]').press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(await chosenNames(page)).toEqual(names);
    expect(await page.getByRole('searchbox', { name: 'Buscar por nombre' }).inputValue()).toBe('a');
    expect(await page.locator('[name=w]').inputValue()).toBe('0.51');
    expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe('Para , junio');
    // Where it rests, a part of a day is asked for and refused.
    await close(/400/);
  });

  further('A-103: that was answered is so again, folded, once the page is loaded again with the same key', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await tick(page, 0);
    const names = await chosenNames(page);
    await page.reload();
    const before = sent.length;
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(await chosenNames(page)).toEqual(names);
    expect(await page.locator('[name=e1]').isVisible()).toBe(false);
    expect(await page.getByText(OLD).count()).toBe(0);
    expect(sent.slice(before).filter((text) => text.includes('"e1":1200'))).toHaveLength(1);
    await close();
  });

  further('A-121: that is gone back to from the offers is at their prices, and the form is as it was', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key });
    await rankHousehold(page);
    const before = await page.locator('[data-offer]').first().innerText();
    await page.getByRole('link', { name: 'Ofertas', exact: true }).press('Enter');
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { e1: 0.9 });
    await page.getByRole('link', { name: 'Estudio', exact: true }).press('Enter');
    await expect.poll(() => page.locator('[data-offer]').first().innerText()).not.toBe(before);
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await close();
  });

  further('A-103: that another key goes on with keeps what was typed, and no preference or choice', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await showPlot(page);
    await page.locator('.winners button').first().press('Enter');
    await showPlot(page, false);
    await tick(page, 0);
    await expect.poll(() => page.evaluate('sessionStorage["tarifario.study"]')).toMatch(/"weight".*"id"/);
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(site.keys.public);
    await page.keyboard.press('Enter');
    await page.getByRole('button', RANK).waitFor();
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await expect.poll(() => page.evaluate('sessionStorage["tarifario.study"]')).not.toMatch(/"weight"|"id"/);
    await close();
  });

  further('A-121: without contracted power is not ranked until it is typed, or said to have none', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await typeHousehold(page, { p1: '', p2: '' });
    await page.locator('[name=e1]').press('Enter');
    await page.getByText('Escriba la potencia').waitFor();
    await page.locator('[name=p1]').fill('4600');
    await page.locator('[name=e1]').press('Enter');
    await page.getByText('¿4,6 kW? Escriba kW, no W').waitFor();
    expect(sent.join()).not.toContain('/v1/offers');
    await page.getByLabel('Sin término de potencia').check();
    await page.locator('[name=e1]').press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(sent.at(-1)).toContain('"potencia":{}');
    await close();
  });

  further(
    'A-121: a refused question shows the mistake at its field, in words and units, without a button to repeat it',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await openForm(page);
      await page.getByLabel('Con sus precios').check();
      await typeHousehold(page, { 'contrato_actual.e1': '19', 'contrato_actual.p1': '30,66' });
      await page.locator('[name=p2]').press('Enter');
      await page.getByText('¿Céntimos? Escriba 0,19').waitFor();
      await page.getByText('¿Al año? Al día son 0,084').waitFor();
      await typeHousehold(page, { 'contrato_actual.e1': '0,19', 'contrato_actual.p1': '0,084', dias: '99999' });
      await page.locator('[name=p2]').press('Enter');
      const alert = page.getByRole('alert');
      await alert.getByText('Revise los campos marcados').waitFor();
      expect(await alert.innerText()).not.toContain('dias');
      expect(await page.getByRole('button', { name: 'Reintentar' }).count()).toBe(0);
      const days = page.locator('[name=dias]');
      await expect.poll(() => days.evaluate((field) => field.matches('[aria-invalid=true]:focus'))).toBe(true);
      const described = (field: object) =>
        String(Reflect.get(field, 'parentElement').parentElement.querySelector('.fault')?.innerText);
      expect(await days.evaluate(described)).toMatch(/366|como máximo/);
      await days.fill('');
      await page.locator('[name=fecha]').fill('1900-01-01');
      await page.locator('[name=p2]').press('Enter');
      await page.locator('[name=fecha][aria-invalid=true]').waitFor();
      await page.getByText('no puede ser anterior al 2021-01-01').waitFor();
      expect(await alert.innerText()).not.toContain('impuestos');
      await close(/422|400/);
    },
  );

  further('A-114: has an offer such as the PVPC as the present contract, and folds to a line', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Es una oferta').check();
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    await page.getByText('Elija la oferta que tiene').waitFor();
    const offers = page.locator('[name="contrato_actual.offer_id"]');
    await offers.selectOption({ label: await offers.locator('option', { hasText: 'PVPC 2.0TD' }).first().innerText() });
    await rankHousehold(page, { 'contrato_actual.services_cost': '3' });
    const body = JSON.parse(sent.at(-1)?.replace(/^\S+ /, '') ?? '{}');
    expect(body.contrato_actual).toEqual({ offer_id: expect.any(Number), services_cost: 3 });
    const { actual } = await site.ask<Ranking>('/v1/offers/efficient', body);
    await page.getByRole('button', { name: 'Plegar' }).press('Enter');
    await page.getByText('2.0TD · 3.500 kWh/año · 4,6 kW · hoy').waitFor();
    expect(await page.locator('[name=e1]').isVisible()).toBe(false);
    expect(actual?.cost?.total).toBeGreaterThan(36);
    const edit = page.getByRole('button', { name: 'Editar' });
    await edit.press('Enter');
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await close();
  });

  further('says its result in a sentence, to which the focus goes, on a telephone too', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: { width: 360, height: 740 } });
    await typeHousehold(page);
    await page.getByRole('button', RANK).press('Enter');
    const heading = page.getByRole('heading', { name: 'Resultado' });
    await heading.waitFor();
    await expect.poll(() => focused(page)).toBe('Resultado');
    const top = await heading.evaluate((one) => Reflect.get(one.getBoundingClientRect(), 'top'));
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(740);
    const { results, total } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    const sentence = await page.locator('.summary [role=status]').innerText();
    expect(sentence).toContain(`${total} ofertas. ${results[0]?.offer.offer_name}: `);
    // A press that fails leaves the focus where it was.
    await openForm(page);
    await page.route('**/v1/offers/efficient', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', RANK).first().press('Enter');
    await page.getByText('No se llega al servidor').waitFor();
    expect(await focused(page)).toBe('Comparar ofertas');
    await close(/ERR_FAILED/);
  });

  further('has a name for each control in the tree that screen readers get', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await tick(page, 0);
    const tools = await page.context().newCDPSession(page);
    const { nodes } = await tools.send('Accessibility.getFullAXTree');
    await tools.detach();
    const roles = /^(slider|textbox|checkbox|radio|button|combobox|spinbutton|link)$/i;
    const controls = nodes.filter(({ ignored, role }) => !ignored && roles.test(String(role?.value)));
    const nameOf = ({ name }: (typeof nodes)[number]) => String(name?.value ?? '').trim();
    expect(controls.length).toBeGreaterThan(40);
    expect(controls.filter((one) => nameOf(one) === '').map(({ role }) => role?.value)).toEqual([]);
    const sliders = controls.filter(({ role }) => role?.value === 'slider').map(nameOf);
    expect(sliders).toEqual(['Prioridad']);
    await close();
  });
});

if (isFullLength) {
  describePage('the slider of 201 offers', (site) => {
    beforeAll(async () => {
      const { total } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
      await addOffers(site, 201 - total);
    });

    it('A-102: follows each key at once, and the list is busy until the order of the server is there', async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await rankHousehold(page);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/v1/offers/efficient', async (route) => {
        await held;
        await route.continue();
      });
      for (let press = 0; press < 3; press++) await page.locator('[name=w]').press('ArrowRight');
      expect(await page.locator('[name=w]').inputValue()).toBe('0.53');
      expect(await page.locator('[name=w]').getAttribute('aria-valuetext')).toBe('53 % ahorro · 47 % comisión');
      await page.locator('section[aria-busy=true]').waitFor();
      release();
      await page.locator('section[aria-busy=false]').waitFor();
      const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, w: 0.53 });
      expect(await shownIds(page)).toEqual(results.slice(0, DRAWN).map(({ offer }) => offer.id));
      await close();
    });
  });
}
