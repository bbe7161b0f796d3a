import type { PageOf, Proposal, ProposalEntry, Ranking } from '@tarifario/client';
import { further } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addOffers, describePage, type Site } from './browser.ts';
import { DRAWN, HOUSEHOLD, rankHousehold, shownIds, typeMaxima } from './household.ts';

type Result = Ranking['results'][number];

const RANKINGS = '**/v1/offers/efficient';
const QUESTION = { ...HOUSEHOLD, impuestos: { fecha: '2026-10-15' } };

const spanish = (value: number) => value.toFixed(2).replace('.', ',');
const turn = (page: Page) => page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
const billOf = ({ factura_estimada, cost }: Result) => factura_estimada?.total ?? cost.total;
const byBill = (results: readonly Result[]) =>
  results.toSorted((a, b) => billOf(a) - billOf(b) || a.cost.total - b.cost.total || a.offer.id - b.offer.id);
const namesOf = (results: readonly Result[]) => results.map(({ offer }) => offer.offer_name);
const idsOf = (results: readonly Result[]) => results.map(({ offer }) => offer.id);

/** Ticks the first offers of the list. */
async function tick(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
}

/** Two offers that cost the same, of which the one that pays more was made later. */
async function addTwins({ ask }: Site): Promise<void> {
  const { results } = await ask<PageOf<{ readonly id: number }>>('/v1/companies');
  const whom = { company_id: results[0]?.id, supply_type: 'LUZ', acepta_dni: true, territory_peninsula: true };
  const prices = { tariff_type: '2.0TD', e1: 0.05, e2: 0.05, e3: 0.05, p1: 0.01, p2: 0.01, commission_type: 'fixed' };
  await ask('/v1/offers', { ...whom, ...prices, offer_name: 'Paga menos', commission: 1 });
  await ask('/v1/offers', { ...whom, ...prices, offer_name: 'Paga más', commission: 2, fee_power: 3 });
}

describePage('A-121: turned to the customer', (site) => {
  let byCommission: readonly Result[];
  beforeAll(async () => {
    await addTwins(site);
    byCommission = (await site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, w: 0 })).results;
  });

  it('the chosen offers stand in the order of what is paid, side by side and in the tray', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('Home');
    await expect.poll(() => shownIds(page)).toEqual(idsOf(byCommission).slice(0, DRAWN));
    await tick(page, 4);
    const ticked = byCommission.slice(0, 4);
    const paid = namesOf(byBill(ticked));
    expect(paid).not.toEqual(namesOf(ticked));
    const heads = async () => {
      const texts = await page.locator('.comparison thead .name').allInnerTexts();
      return texts.map((text) => text.split('\n')[0]);
    };
    const tray = async () => (await page.locator('.tray').innerText()).split('\n')[0]?.split(' · ');
    expect([await heads(), await tray()]).toEqual([namesOf(ticked), namesOf(ticked)]);
    await turn(page);
    await expect.poll(async () => [await heads(), await tray()]).toEqual([paid, paid]);
    await close();
  });

  further('the offers at the right power are in that order too, and else in that of the slider', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await typeMaxima(page, { 'todo el año P1': '3,2', 'todo el año P2': '2,9' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    await page.getByRole('button', { name: 'Comparar con la potencia óptima' }).press('Enter');
    const twice = page.locator('[data-twice] th');
    await twice.first().waitFor();
    const potencia = { p1: 3.2, p2: 2.9 };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, potencia, w: 0 });
    const [paid, advised] = [byBill(results), results].map((list) => namesOf(list).slice(0, 5));
    expect(paid).not.toEqual(advised);
    await page.locator('[name=w]').press('Home');
    await expect.poll(() => twice.allInnerTexts()).toEqual(advised);
    await turn(page);
    await expect.poll(() => twice.allInnerTexts()).toEqual(paid);
    await close();
  });

  it('no notice is about commissions, and no offer is the first one for its commission', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const fee = page.getByText('El fee de potencia');
    const marks = page.locator('[data-offer] [aria-label*="fee"]');
    await page.locator('[name=w]').press('End');
    await expect.poll(async () => [await fee.count(), await marks.count()]).toEqual([1, 1]);
    const last = page.locator('.name').getByText('Paga más', { exact: true });
    const opensMargin = async () => {
      await last.press('Enter');
      await page.getByRole('dialog').getByText('Es la más barata').waitFor();
      const count = await page.getByText('Hasta dónde pueden subir sus precios').count();
      await page.keyboard.press('Escape');
      return count;
    };
    expect(await opensMargin()).toBe(1);
    await turn(page);
    await expect.poll(async () => [await fee.count(), await marks.count()]).toEqual([0, 0]);
    expect(await opensMargin()).toBe(0);
    await close();
  });

  further('a proposal is the one of the advisor, at his weight, and its addressee stays', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('Home');
    await tick(page, 3);
    const sheet = page.frameLocator('iframe');
    const make = async () => {
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.locator('iframe').waitFor();
    };
    await make();
    const addressee = page.getByLabel('Destinatario');
    await addressee.fill('Ana García');
    await page.getByLabel('Versión interna').check();
    await make();
    await sheet.getByText('Versión interna').waitFor();
    expect(await addressee.inputValue()).toBe('Ana García');
    await sheet.getByText('Para: Ana García').waitFor();
    await turn(page);
    await make();
    expect(await addressee.inputValue()).toBe('Ana García');
    await sheet.getByText('Para: Ana García').waitFor();
    expect(await sheet.locator('body').innerText()).not.toMatch(/comisi|versión interna/i);
    const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals');
    expect(results).toHaveLength(1);
    const { request, offer_ids } = await site.ask<Proposal>(`/v1/proposals/${results[0]?.id}`);
    expect([request.w, offer_ids]).toEqual([0, idsOf(byCommission).slice(0, 3)]);
    // A proposal with other content has no addressee yet.
    await page.getByLabel('Comentario para el cliente').fill('Vence en junio');
    await make();
    expect(await addressee.inputValue()).toBe('');
    await close();
  });

  further('the button says beforehand that the other sections stay as they are', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const button = page.getByRole('button', { name: 'Vista cliente' });
    expect(await button.getAttribute('title')).toContain('Solo en el estudio');
    await turn(page);
    await expect.poll(() => button.getAttribute('title')).not.toContain('comisi');
    await close();
  });
});

describePage('A-121: more than 200 offers turned to the customer', (site) => {
  beforeAll(() => addOffers(site, 300, 'Larga'));

  it('are shown and announced once their order by cost has come, and not before', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await tick(page, 1);
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, w: 1 });
    const said = page.locator('#summary-text');
    await expect.poll(() => said.innerText()).toContain('de comisión');
    const { promise: isSeen, resolve: fail } = Promise.withResolvers<void>();
    // As where the server is not reached, once it was seen what is shown while it is asked.
    await page.route(RANKINGS, async (route) => {
      await isSeen;
      await route.abort();
    });
    await turn(page);
    await expect.poll(() => said.innerText()).toBe('Un momento…');
    const nothingIsShown = async () =>
      expect([await shownIds(page), await page.locator('.notices, .ranking').count()]).toEqual([[], 0]);
    await nothingIsShown();
    fail();
    await page.getByRole('alert').getByText('No se llega al servidor').waitFor();
    await expect.poll(() => said.innerText()).toBe('');
    await nothingIsShown();
    await page.getByText('Elegidas: 1 de 4').waitFor();
    await page.unroute(RANKINGS);
    await page.getByRole('button', { name: 'Reintentar' }).press('Enter');
    const paid = byBill(results);
    await expect.poll(() => shownIds(page)).toEqual(idsOf(paid).slice(0, DRAWN));
    expect(await said.innerText()).toContain(paid[0]?.offer.offer_name);
    await close(/ERR_FAILED/);
  });

  further('are proposed at the weight of the advisor where he sees them, and else by cost', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('Home');
    const rank = (w: number) => site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, w });
    const [advised, byCost] = [await rank(0), await rank(1)];
    await expect.poll(() => shownIds(page)).toEqual(idsOf(advised.results).slice(0, DRAWN));
    await turn(page);
    await expect.poll(() => shownIds(page)).toEqual(idsOf(byBill(byCost.results)).slice(0, DRAWN));
    const seen = new Set(idsOf(advised.results));
    const proposedAt = async (isSeen: boolean) => {
      const { offer } = byCost.results.find((one) => seen.has(one.offer.id) === isSeen) ?? {};
      await page.getByRole('searchbox').fill(offer?.offer_name ?? '');
      await page.locator(`[data-offer="${offer?.id}"] input`).check();
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.locator('iframe').waitFor();
      const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals');
      return (await site.ask<Proposal>(`/v1/proposals/${results.at(-1)?.id}`)).request.w;
    };
    expect(await proposedAt(true)).toBe(0);
    expect(await proposedAt(false)).toBe(1);
    await close();
  });

  further(
    'keep a tick when they are ranked again, whatever its score, and then have the order of the advisor',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await rankHousehold(page);
      await page.locator('[name=w]').press('Home');
      const rank = (w: number, e1 = 1200) =>
        site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, energia: { ...HOUSEHOLD.energia, e1 }, w });
      await turn(page);
      const [seen, byCost] = [new Set(idsOf((await rank(0)).results)), byBill((await rank(1)).results)];
      await expect.poll(() => shownIds(page)).toEqual(idsOf(byCost).slice(0, DRAWN));
      const { offer } = byCost.find((one) => !seen.has(one.offer.id)) ?? {};
      await page.getByRole('searchbox').fill(offer?.offer_name ?? '');
      await page.locator(`[data-offer="${offer?.id}"] input`).check();
      await page.getByRole('searchbox').fill('');
      await page.locator('[name=e1]').fill('1210');
      const now = byBill((await rank(1, 1210)).results);
      await page.locator('#summary-text', { hasText: spanish(billOf(now[0] as Result)) }).waitFor();
      await page.getByText('Elegidas: 1 de 4').waitFor();
      await turn(page);
      const advised = await rank(0, 1210);
      await expect.poll(() => shownIds(page)).toEqual(idsOf(advised.results).slice(0, DRAWN));
      await close();
    },
  );

  further('are compared at the right power by cost, once that is asked for', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await typeMaxima(page, { 'todo el año P1': '3,2', 'todo el año P2': '2,9' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    const compare = page.getByRole('button', { name: 'Comparar con la potencia óptima' });
    await compare.press('Enter');
    const twice = page.locator('[data-twice] th');
    await twice.first().waitFor();
    await turn(page);
    await expect.poll(() => twice.count()).toBe(0);
    await compare.press('Enter');
    const potencia = { p1: 3.2, p2: 2.9 };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...QUESTION, potencia, w: 1 });
    await expect.poll(() => twice.allInnerTexts()).toEqual(namesOf(byBill(results)).slice(0, 5));
    const asked = sent.filter((text) => text.includes('"potencia":{"p1":3.2,"p2":2.9}'));
    expect(asked.at(-1)).toContain('"w":1');
    await close();
  });
});
