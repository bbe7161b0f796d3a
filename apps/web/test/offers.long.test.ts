import type { Ranking } from '@tarifario/client';
import { beforeAll, expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, shownIds, showPlot } from './household.ts';
import { openOffice } from './office.ts';

const OUTLINE = (element: object) =>
  String(Reflect.get(Reflect.get(globalThis, 'getComputedStyle')(element), 'outlineStyle'));

describePage('the offers of a ranking', (site) => {
  let ranking: Ranking;
  beforeAll(async () => {
    const impuestos = { fecha: '2026-10-15' };
    ranking = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, impuestos, explicar: true });
  });
  const idsOf = (fits: (result: Ranking['results'][number]) => boolean) =>
    ranking.results.filter(fits).map(({ offer }) => offer.id);

  it('are searched, filtered and sorted as a view: places and scores stay, and nothing is asked', async () => {
    const { page, requests, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const before = requests.length;
    await page.getByRole('searchbox', { name: 'Buscar por nombre' }).fill('ENERGIA');
    const named = idsOf(({ offer }) => /energ[ií]a/i.test(`${offer.offer_name} ${offer.company.name}`));
    expect(named.length).toBeGreaterThan(0);
    expect(await shownIds(page)).toEqual(named);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Indexadas' }).press('Enter');
    expect(await shownIds(page)).toEqual(idsOf(({ indexada }) => indexada !== null));
    // A colour marks what is pressed, won or chosen; in forced colours a line does.
    await page.locator('[data-offer] input[type=checkbox]').first().check();
    await page.emulateMedia({ forcedColors: 'active' });
    for (const told of ['.chip[aria-pressed=true]', '.bands .now', 'tr.chosen']) {
      expect(await page.locator(told).first().evaluate(OUTLINE)).toBe('solid');
    }
    await showPlot(page);
    expect(await page.locator('.winners .now').first().evaluate(OUTLINE)).toBe('solid');
    await showPlot(page, false);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.getByRole('button', { name: 'Precio fijo' }).press('Enter');
    expect(await shownIds(page)).toEqual(idsOf(({ indexada }) => indexada === null));
    await page.getByRole('button', { name: 'Precio fijo' }).press('Enter');
    const retailer = ranking.results[3]?.offer.company.name ?? '';
    await page.getByLabel('Comercializadora').selectOption(retailer);
    expect(await shownIds(page)).toEqual(idsOf(({ offer }) => offer.company.name === retailer));
    await page.getByLabel('Comercializadora').selectOption('');
    const commission = page.getByRole('columnheader', { name: 'Comisión €' });
    for (const _ of [0, 1]) await commission.getByRole('button').press('Enter');
    expect(await commission.getAttribute('aria-sort')).toBe('descending');
    const paid = ranking.results.toSorted((a, b) => (b.commission?.total ?? 0) - (a.commission?.total ?? 0));
    const [first] = await shownIds(page);
    expect(paid.find(({ offer }) => offer.id === first)?.commission?.total).toBe(paid[0]?.commission?.total);
    const place = ranking.results.findIndex(({ offer }) => offer.id === first) + 1;
    expect(await page.locator('[data-offer] td:nth-child(2)').first().innerText()).toBe(String(place));
    expect(requests).toHaveLength(before);
    await close();
  });

  it('for customers with panels are left out, or ranked alone, where that is chosen', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Ofertas para placas').selectOption('No');
    await rankHousehold(page);
    const ranked = (placas_solares: boolean) =>
      site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, placas_solares });
    expect(await shownIds(page)).toEqual((await ranked(false)).results.map(({ offer }) => offer.id));
    expect((await ranked(false)).total).toBeLessThan(ranking.total);
    await page.getByLabel('Ofertas para placas').selectOption('Solo esas');
    await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
    await expect.poll(() => sent.at(-1)).toContain('"placas_solares":true');
    const { results } = await ranked(true);
    await expect.poll(() => shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    await close();
  });

  it('A-126: are ranked by the terms that are asked for, and those that do not say them are counted in words', async () => {
    const office = await openOffice(site);
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { permanencia_meses: 12, energia_verde: true });
    const { page, sent, close } = await site.open({ key: office.key });
    const body = { ...HOUSEHOLD, permanencia_max: 12, energia_verde: true };
    const asked = await site.ask<Ranking>('/v1/offers/efficient', body, office.key);
    const askedIds = asked.results.map(({ offer }) => offer.id);
    const left = asked.avisos.find(({ codigo }) => codigo === 'terminos_desconocidos')?.total ?? 0;
    expect([askedIds.includes(office.offerId), left > 1]).toEqual([true, true]);
    await openForm(page);
    await page.getByLabel('Energía renovable').selectOption('sí');
    await rankHousehold(page, { permanencia_max: '12' });
    expect(sent.at(-1)).toContain('"permanencia_max":12');
    expect(await shownIds(page)).toEqual(askedIds);
    const notice = page.locator('.notices li', { hasText: 'no dicen la permanencia' });
    expect(await notice.textContent()).toContain(`(${left} ofertas)`);
    await page.locator('[name=permanencia_max]').fill('61');
    await page.locator('[name=p2]').press('Enter');
    await page.locator('[name=permanencia_max][aria-invalid=true]').waitFor();
    await close(/400/);
  });

  it('that a warning names are marked in their rows, with its text', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const named = new Set(ranking.avisos.flatMap(({ offer_ids }) => offer_ids));
    expect(named.size).toBeGreaterThan(0);
    const marked = await page.locator('[data-offer]:has([aria-label^="Unas ofertas incluyen los servicios"])').count();
    expect(marked).toBe(ranking.avisos.find(({ codigo }) => codigo === 'ssaa_mezclados')?.total ?? 0);
    await close();
  });

  it('of a company say up to which price of balancing services the cheapest one stays so', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Titular').selectOption('cif');
    await rankHousehold(page);
    const { avisos } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, client_type: 'cif' });
    const price = avisos.find(({ codigo }) => codigo === 'ssaa_mezclados')?.umbral_eur_mwh ?? Number.NaN;
    // In cents, and never more than it is.
    const said = `mientras cuesten hasta ${(Math.floor(price * 100) / 100).toFixed(2).replace('.', ',')} €/MWh`;
    await page.getByText(/^\d+ avisos$/).press('Enter');
    await page.locator('summary', { hasText: said }).waitFor();
    await close();
  });

  it('open in a drawer with prices, terms and why they cost more, and the focus comes back', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const dear = ranking.results.findLast(({ indexada }) => indexada !== null);
    const name = page.getByRole('button', { name: dear?.offer.offer_name ?? '', exact: true });
    await name.press('Enter');
    const drawer = page.getByRole('dialog', { name: dear?.offer.offer_name ?? '' });
    await drawer.getByText('Frente a la más barata, sin impuestos').waitFor();
    const text = await drawer.innerText();
    for (const { diferencia } of dear?.porque ?? []) {
      if (diferencia !== 0) expect(text).toContain(Math.abs(diferencia).toFixed(2).replace('.', ','));
    }
    await drawer.getByText('Ver los meses en una tabla').press('Enter');
    await drawer
      .getByRole('row', { name: /^[a-z]{3,4} 20\d\d/ })
      .first()
      .waitFor();
    expect(sent.filter((body) => body.includes('explicar'))).toHaveLength(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => name.evaluate((one) => one.matches(':focus'))).toBe(true);
    // So does a point of the plot, which a finger does not hit exactly.
    await showPlot(page);
    const point = page.locator(`.plot circle[data-id="${dear?.offer.id}"]`);
    await point.scrollIntoViewIfNeeded();
    const { x, y } = (await point.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.click(x + 4, y + 4);
    await drawer.getByText('Frente a la más barata, sin impuestos').waitFor();
    await page.keyboard.press('Escape');

    await close();
  });

  it('turned to the customer are in the order of what is paid, without a commission on the screen', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('Home');
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
    const bill = (result: Ranking['results'][number]) => result.factura_estimada?.total ?? Number.NaN;
    const byBill = ranking.results.toSorted(
      (a, b) => bill(a) - bill(b) || a.cost.total - b.cost.total || a.offer.id - b.offer.id,
    );
    expect(await shownIds(page)).toEqual(byBill.map(({ offer }) => offer.id));
    expect(await page.locator('main').innerText()).not.toMatch(/comisi|◆|precio ·/i);
    expect(await page.locator('.plot, [type=range]').count()).toBe(0);
    await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
    expect(await page.locator('[name=w]').inputValue()).toBe('0');
    await close();
  });

  it('with a discount and a permanence say in the drawer what they cost once it has ended', async () => {
    const { results: companies } = await site.ask<{ readonly results: readonly { readonly id: number }[] }>(
      '/v1/companies',
    );
    const made = {
      company_id: companies[0]?.id,
      offer_name: 'Con descuento',
      supply_type: 'LUZ',
      tariff_type: '2.0TD',
    };
    const prices = { e1: 0.13, e2: 0.12, e3: 0.1, p1: 0.08, p2: 0.01, acepta_dni: true, territory_peninsula: true };
    const terms = { descuento_energia_pct: 20, descuento_meses: 6, permanencia_meses: 12 };
    const { id } = await site.ask<{ readonly id: number }>('/v1/offers', { ...made, ...prices, ...terms });
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator(`[data-offer="${id}"] .name`).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Con descuento' });
    await drawer.getByRole('row', { name: 'Permanencia (meses) 12' }).waitFor();
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    const cost = results.find(({ offer }) => offer.id === id)?.coste_sin_descuento ?? Number.NaN;
    await drawer.getByText(`Cuando acabe el descuento: ${cost.toFixed(2).replace('.', ',')} €`).waitFor();
    await close();
  });
});
