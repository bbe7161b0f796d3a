import type { Ranking } from '@tarifario/client';
import { beforeAll, expect, it } from 'vitest';
import { positionOf, reweighed, TOLERANCE_STEP, toleranceAt } from '../src/ranking/preference.ts';
import { addOffers, describePage, EVIL } from './browser.ts';
import { DRAWN, HOUSEHOLD, openForm, rankHousehold, savedTable, shownIds, showPlot } from './household.ts';

const POSITIONS = Array.from({ length: 15 }, (_, index) => index);

describePage('the sliders of 200 offers', (site) => {
  beforeAll(async () => {
    const { total } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    await addOffers(site, 200 - total);
  });

  it('A-102: give the answer that the server gives, bit by bit, at 30 positions', async () => {
    const answered = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    expect(answered.total).toBe(200);
    for (const index of POSITIONS) {
      const w = Math.round((1000 * index) / 14) / 1000;
      const tolerancia = toleranceAt(index / 14);
      for (const [wish, sent] of [
        [{ weight: w }, { w }],
        [{ tolerance: tolerancia }, { tolerancia }],
      ] as const) {
        const asked = await site.ask('/v1/offers/efficient', { ...HOUSEHOLD, ...sent });
        expect(JSON.parse(JSON.stringify(reweighed(answered, wish)))).toEqual(asked);
      }
    }
  });

  it('move by keyboard: the page shows the order of the server at each of 30 positions, and sends no request', async () => {
    const { page, requests, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const before = requests.length;
    for (const [name, key] of [
      ['w', 'ArrowRight'],
      ['tolerancia', 'ArrowLeft'],
    ] as const) {
      if (name === 'tolerancia') await showPlot(page);
      for (const _ of POSITIONS) {
        await page.locator(`[name=${name}]`).press(key);
        const position = Number(await page.locator(`[name=${name}]`).inputValue());
        const sent = name === 'w' ? { w: position } : { tolerancia: toleranceAt(position) };
        const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, ...sent });
        expect(await shownIds(page)).toEqual(results.slice(0, DRAWN).map(({ offer }) => offer.id));
      }
    }
    expect(requests).toHaveLength(before);
    await close();
  });

  it('have a position for each tolerance, so that a key moves the slider from every position', () => {
    for (let step = 0; step * TOLERANCE_STEP <= 1; step++) {
      const position = step * TOLERANCE_STEP;
      expect(positionOf(toleranceAt(position))).toBeCloseTo(position, 9);
    }
  });

  it('draw no more than the rows in sight at each step, and each of them once', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const steps = await page.evaluate<readonly Step[]>(STEPS);
    expect(steps.map(({ drawn }) => drawn)).toEqual(steps.map(() => DRAWN));
    expect(Math.max(...steps.map(({ added }) => added))).toBeLessThanOrEqual(DRAWN);
    expect(new Set(steps.map(({ first }) => first)).size).toBeGreaterThan(1);
    await close();
  });

  it('show names with markup or formulas as text, and run nothing', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByRole('searchbox').fill('onerror');
    await page.locator('[data-offer] th', { hasText: EVIL.offer }).waitFor();
    await showPlot(page);
    await page.locator('.winners button', { hasText: EVIL.offer }).waitFor();
    await showPlot(page, false);
    expect(await page.locator('[data-offer]').innerText()).toContain(EVIL.company);
    // In the drawer and on the paper too.
    await page.locator('[data-offer] .name').press('Enter');
    await page.getByRole('dialog', { name: EVIL.offer }).getByText(EVIL.company).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-offer] input[type=checkbox]').check();
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.frameLocator('iframe').getByText(EVIL.offer).first().waitFor();
    const inFrame = "document.querySelector('iframe').contentDocument.querySelectorAll('img, script, a, link').length";
    expect(await page.evaluate(`[window.evil, document.images.length, ${inFrame}]`)).toEqual([undefined, 0, 0]);
    await close();
  });

  it.each([
    ['that may see commissions', 'full_access'],
    ['that may not', 'public'],
  ] as const)('A-102: are saved with a key %s as the screen has them, in a CSV that runs nothing', async (_, name) => {
    const key = site.keys[name];
    const rank = async (w?: number) => {
      const asked = { ...HOUSEHOLD, impuestos: { fecha: '2026-10-15' }, contrato_actual: { factura_total: 1000 }, w };
      return (await site.ask<Ranking>('/v1/offers/efficient', asked, key)).results;
    };
    const [results, byCost] = [await rank(), await rank(1)];
    const { page, close } = await site.open({ key });
    await openForm(page);
    await page.getByLabel('Con su factura').check();
    await page.getByLabel('Lo que paga en el periodo').fill('1000');
    await rankHousehold(page);
    const advised = name === 'public' ? [] : ['Comisión € en 365 días', 'Puntuación'];
    const inDays = (names: readonly string[], tax: string) => names.map((one) => `${one} € en 365 días (${tax})`);
    const headOf = (columns: readonly string[]) => [
      ...[
        '#',
        'Oferta',
        'Comercializadora',
        'Indexadas',
        ...inDays(['Factura', 'Ahorro'], 'con impuestos'),
        ...columns,
      ],
      ...inDays(['Total', 'Energía', 'Potencia', 'Servicios'], 'sin impuestos'),
    ];
    const cells = (...values: readonly (number | null | undefined)[]) =>
      values.map((value) => String(value ?? '').replace('.', ','));
    const rowOf = (one: Ranking['results'][number], columns: readonly string[]) => [
      ...cells(one.factura_estimada?.total, one.ahorro?.factura),
      ...(columns.length > 0 ? cells(one.commission?.total, one.nota) : []),
      ...cells(one.cost.total, one.cost.energia, one.cost.potencia, one.cost.servicios),
    ];
    const whole = await savedTable(page);
    expect(whole.name).toBe('ofertas-200-de-200.csv');
    expect(whole.head).toEqual(headOf(advised));
    expect(whole.rows.map(([place]) => place)).toEqual(results.map((_one, index) => String(index + 1)));
    expect(whole.rows.map((row) => row.slice(4))).toEqual(results.map((one) => rowOf(one, advised)));
    expect(whole.rows.map(([, , , indexed]) => indexed !== '')).toEqual(results.map((one) => one.indexada !== null));
    const evil = whole.rows.filter(([, offer]) => offer === `"${EVIL.offer.replaceAll('"', '""')}"`);
    expect(evil.map(([, , retailer]) => retailer)).toEqual([`"'${EVIL.company.replaceAll('"', '""')}"`]);
    expect(whole.rows.flat().filter((cell) => /^"?([=+@\t]|-\D)/.test(cell))).toEqual([]);
    if (name === 'full_access') {
      await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
      await page.locator('[aria-busy=false] thead').getByText('Puntuación').waitFor();
    }
    await page.getByRole('searchbox').fill('oferta');
    await page.locator('.ranking thead').getByRole('button', { name: 'Potencia' }).press('Enter');
    await page.locator('.ranking thead').getByRole('button', { name: 'Energía' }).press('Enter');
    await page.locator('.ranking thead').getByRole('button', { name: 'Energía' }).press('Enter');
    const part = await savedTable(page);
    const found = byCost.filter(({ offer }) => /oferta/i.test(`${offer.offer_name} ${offer.company.name}`));
    expect(found.length).toBeLessThan(200);
    expect(part.name).toBe(`ofertas-${found.length}-de-200.csv`);
    expect(part.head).toEqual(headOf([]));
    const dearestFirst = found.toSorted((a, b) => b.cost.energia - a.cost.energia);
    expect(part.rows.map((row) => row.slice(4))).toEqual(dearestFirst.map((one) => rowOf(one, [])));
    await close();
  });

  it('A-102: ask the server above 200 offers, once they rest', async () => {
    await addOffers(site, 1, 'Una más');
    const { page, requests, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText('al mover un control se pregunta al servidor').waitFor();
    const before = requests.length;
    await page.locator('[name=w]').press('End');
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, w: 1 });
    await expect.poll(() => shownIds(page)).toEqual(results.slice(0, DRAWN).map(({ offer }) => offer.id));
    expect(requests.length - before).toBe(1);
    await close();
  });
});

/** What a step of the slider did: the rows that are there, those that came, and the first of them. */
interface Step {
  readonly drawn: number;
  readonly added: number;
  readonly first: string;
}

/** 20 steps of the slider, each until its change is in the document. */
const STEPS = `(async () => {
  const slider = document.querySelector('[name=w]');
  const rows = document.querySelector('.ranking tbody');
  const steps = [];
  let added = 0;
  const note = (records) => {
    for (const { addedNodes } of records) added += addedNodes.length;
  };
  const observer = new MutationObserver(note);
  observer.observe(rows, { childList: true });
  for (let step = 0; step < 20; step++) {
    added = 0;
    slider.value = String((step * 7 % 20) / 20);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
    note(observer.takeRecords());
    const offers = rows.querySelectorAll('[data-offer]');
    steps.push({ drawn: offers.length, added, first: offers[0].dataset.offer });
  }
  return steps;
})()`;
