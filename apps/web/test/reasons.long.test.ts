import type { Ranking } from '@tarifario/client';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf, type Look } from './axe.ts';
import { describePage } from './browser.ts';
import { HOUSEHOLD, rankHousehold } from './household.ts';

const LOOKS: readonly Look[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
];
const MARGIN = 'Hasta dónde pueden subir sus precios';
const PAST = 'Qué habría costado en los años pasados';
const OTHER_USE = 'Con otro consumo';

/** A figure as the page writes it. */
const spanish = (value: number | null | undefined, decimals = 2, most = decimals) =>
  new Intl.NumberFormat('es-ES', {
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: most, useGrouping: 'always' },
  }).format(value ?? Number.NaN);

const QUESTION = { ...HOUSEHOLD, impuestos: { fecha: '2026-10-15' } };
const openOffer = async (page: Page, name = '') => {
  await page.locator('[data-offer] .name').getByText(name, { exact: true }).press('Enter');
  return page.getByRole('dialog', { name });
};
const asked = (sent: readonly string[], member: string) => sent.filter((text) => text.includes(`"${member}":true`));

/** One that is the cheapest of much consumption, and two of which the dearer one before tax has the lower bill. */
const OFFERS = [
  { offer_name: 'Mucho consumo', e1: 0.03, e2: 0.03, e3: 0.03, services_cost: 30 },
  { offer_name: 'Sin servicio', e1: 0.13, e2: 0.12, e3: 0.1 },
  { offer_name: 'Con servicio', e1: 0.113, e2: 0.103, e3: 0.083, services_cost: 5 },
];

describePage('A-116: the reasons of a ranking', (site) => {
  beforeAll(async () => {
    const { results } = await site.ask<{ readonly results: readonly { readonly id: number }[] }>('/v1/companies');
    const whom = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true };
    for (const offer of OFFERS) {
      await site.ask('/v1/offers', { company_id: results[0]?.id, ...whom, p1: 0.08, p2: 0.01, ...offer });
    }
  });

  const rank = (members: object, key?: string) =>
    site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, ...members }, key);

  it('of an indexed offer say what it would have cost in past years, once that is opened', async () => {
    const { results } = await rank({ retrospectiva: true });
    const indexed = results.find(({ retrospectiva }) => (retrospectiva?.ventanas ?? 0) > 0);
    const past = indexed?.retrospectiva;
    expect(past?.veces_mas_barata).not.toBeNull();
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const drawer = await openOffer(page, indexed?.offer.offer_name);
    await drawer.getByText('Frente a la más barata, sin impuestos').waitFor();
    expect(asked(sent, 'retrospectiva')).toEqual([]);
    await drawer.getByText(PAST).press('Enter');
    for (const [name, value] of [
      ['El mejor', past?.minimo],
      ['La mediana', past?.mediana],
      ['El peor', past?.maximo],
      ['Los últimos 12 meses', past?.ultimo],
      ['Como mucho, más barata en', past?.ventaja_max],
      ['Como mucho, más cara en', past?.arrepentimiento_max],
    ] as const) {
      await drawer.getByRole('row', { name: `${name} ${spanish(value)} €`, exact: true }).waitFor();
    }
    await drawer.getByText(`${past?.veces_mas_barata} de ${past?.ventanas} veces`).waitFor();
    expect(asked(sent, 'retrospectiva')).toHaveLength(1);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await close();
  });

  it('of the first offer say how far each price may rise, at the weight of the slider, and of another nothing', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('ArrowRight');
    const { results, margen = [] } = await rank({ margen: true, w: 0.51 });
    const [first, second] = results;
    const other = await openOffer(page, second?.offer.offer_name);
    await other.getByText(/Frente a la más barata|Es la más barata/).waitFor();
    expect(await other.getByText(MARGIN).count()).toBe(0);
    await page.keyboard.press('Escape');
    const drawer = await openOffer(page, first?.offer.offer_name);
    expect(asked(sent, 'margen')).toEqual([]);
    await drawer.getByText(MARGIN).press('Enter');
    await drawer.getByText('51 % ahorro · 49 % comisión').waitFor();
    const rows = await drawer.locator('details', { hasText: MARGIN }).getByRole('row').allInnerTexts();
    expect(rows).toHaveLength(margen.length);
    for (const [index, { sube_hasta }] of margen.entries()) {
      expect(rows[index]).toContain(sube_hasta === null ? 'cualquier precio' : `→ ${spanish(sube_hasta, 2, 6)} €`);
    }
    expect(asked(sent, 'margen')).toHaveLength(1);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await close();
  });

  it('in the customer view are those by cost, of the offer that the drawer is of, without a commission', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
    const { results } = await rank({ explicar: true, margen: true, w: 1 });
    const [before, dear] = ['Sin servicio', 'Con servicio'].map((name) =>
      results.findIndex(({ offer }) => offer.offer_name === name),
    );
    expect(before).toBeLessThan(dear ?? -1);
    const shown = await page.locator('[data-offer] .name').allInnerTexts();
    expect(shown.indexOf('Con servicio')).toBeLessThan(shown.indexOf('Sin servicio'));
    const drawer = await openOffer(page, 'Con servicio');
    await drawer.getByText(/Frente a la más barata|Es la más barata/).waitFor();
    const text = await drawer.innerText();
    for (const { diferencia } of results[dear ?? -1]?.porque ?? [])
      if (diferencia !== 0) expect(text).toContain(spanish(Math.abs(diferencia)));
    await page.keyboard.press('Escape');
    const first = await openOffer(page, results[0]?.offer.offer_name);
    await first.getByText(MARGIN).press('Enter');
    await first.getByText('Precio hasta el que').waitFor();
    expect(asked(sent, 'margen').at(-1)).toContain('"w":1');
    expect(await page.locator('main').innerText()).not.toMatch(/comisi/i);
    await close();
  });

  it('of a key that may not see commissions are those by cost', async () => {
    const { page, answers, close } = await site.open({ key: site.keys.public });
    await rankHousehold(page);
    const { results, margen = [] } = await rank({ margen: true }, site.keys.public);
    const drawer = await openOffer(page, results[0]?.offer.offer_name);
    await drawer.getByText(MARGIN).press('Enter');
    const known = margen.find(({ sube_hasta }) => sube_hasta !== null);
    await drawer
      .getByText(`→ ${spanish(known?.sube_hasta, 2, 6)} €`)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(OTHER_USE).press('Enter');
    await page
      .getByRole('cell', { name: results[0]?.offer.offer_name ?? '' })
      .first()
      .waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/comisi/i);
    expect(answers.join('\n')).not.toMatch(/"(commission|nota_comision|comision_\w+)":(?!null)/);
    await close();
  });

  it('name the cheapest offer at each consumption, once that is opened, and at another question again', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    expect(asked(sent, 'umbrales_consumo')).toEqual([]);
    await page.getByText(OTHER_USE).press('Enter');
    const table = page.getByRole('region', { name: OTHER_USE });
    const shownFor = async (energia: { readonly e1: number; readonly e2: number; readonly e3: number }) => {
      const { umbrales_consumo = [], results } = await rank({ energia, umbrales_consumo: true });
      expect(umbrales_consumo.length).toBeGreaterThan(1);
      const kwh = energia.e1 + energia.e2 + energia.e3;
      const rows = umbrales_consumo.map(({ factor_desde, factor_hasta, offer_id }) => {
        const name = results.find(({ offer }) => offer.id === offer_id)?.offer.offer_name;
        const isToday = factor_desde <= 1 && 1 < factor_hasta;
        return [spanish(kwh * factor_desde, 0), spanish(kwh * factor_hasta, 0), name, isToday];
      });
      const shown = async () => {
        const texts = await table.locator('tbody tr').allInnerTexts();
        return texts.map((text, index) =>
          rows[index]?.map((part) =>
            typeof part === 'boolean' ? text.includes('este estudio') : text.includes(part ?? '-'),
          ),
        );
      };
      const expected = rows.map(([_from, _to, _name, isToday]) => [true, true, true, isToday]);
      await expect.poll(shown).toEqual(expected);
    };
    await shownFor(HOUSEHOLD.energia);
    expect(asked(sent, 'umbrales_consumo')).toHaveLength(1);
    // Neither the weight nor the view changes what is the cheapest.
    await page.locator('[name=w]').press('Home');
    await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
    expect(asked(sent, 'umbrales_consumo')).toHaveLength(1);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    // The form rests sooner than a busy machine gets to look at what is still shown.
    const { promise: isSeen, resolve } = Promise.withResolvers<void>();
    await page.route('**/v1/offers/efficient', async (route) => {
      if (route.request().postData()?.includes('2400')) await isSeen;
      return route.continue();
    });
    await page.locator('[name=e1]').fill('2400');
    await page.getByText('Los datos han cambiado').waitFor();
    await shownFor(HOUSEHOLD.energia);
    resolve();
    await shownFor({ ...HOUSEHOLD.energia, e1: 2400 });
    expect(asked(sent, 'umbrales_consumo')).toHaveLength(2);
    await close();
  });

  it('of a study whose form has changed say in the drawer that they are of before', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    // The form rests sooner than a busy machine gets to the drawer.
    await page.route('**/v1/offers/efficient', (route) =>
      route.request().postData()?.includes('2400') ? undefined : route.continue(),
    );
    await page.locator('[name=e1]').fill('2400');
    await page.getByText('Los datos han cambiado').waitFor();
    await page.locator('[data-offer] .name').first().press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('estas ofertas son las de antes').waitFor();
    await drawer.getByText(MARGIN).press('Enter');
    await drawer.getByText('Precio hasta el que').waitFor();
    expect(asked(sent, 'margen').at(-1)).toContain('"e1":1200');
    await close();
  });

  it('of an offer that is no longer at its place are none, and the drawer says so', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.route('**/v1/offers/efficient', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      return route.fulfill({ response, json: { ...answer, results: [] } });
    });
    await page.locator('[data-offer] .name').first().press('Enter');
    await page.getByRole('dialog').getByText('Las ofertas han cambiado entretanto').waitFor();
    await close();
  });
});
