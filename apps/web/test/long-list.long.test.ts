import type { Ranking } from '@tarifario/client';
import { beforeAll, expect, it } from 'vitest';
import { addOffers, describePage, type Site, type WatchedPage } from './browser.ts';
import { allIds, DRAWN, HOUSEHOLD, rankHousehold, savedTable, shownIds, showPlot } from './household.ts';

describePage('a list of more than 400 offers', (site) => {
  let all: readonly number[];
  beforeAll(async () => {
    await addOffers(site, 400, 'Larga');
    all = await serverIds({});
  });

  async function serverIds(input: object): Promise<readonly number[]> {
    const answers = [0, 200, 400].map((offset) =>
      site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, ...input, offset }),
    );
    return (await Promise.all(answers)).flatMap(({ results }) => results.map(({ offer }) => offer.id));
  }

  it('A-102: is read to its end by keyboard, in the order of the server, and begins again at another weight', async () => {
    expect(all.length).toBeGreaterThan(400);
    expect(new Set(all).size).toBe(all.length);
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    expect(await shownIds(page)).toEqual(all.slice(0, DRAWN));
    await page.getByRole('button', { name: `Leer las ${all.length - 200} que faltan` }).press('Enter');
    await page.getByRole('button', { name: /^Leer (las )?\d/ }).waitFor({ state: 'detached' });
    expect(await allIds(page)).toEqual(all);
    await page.locator('[name=w]').press('End');
    const other = await serverIds({ w: 1 });
    await expect.poll(() => shownIds(page)).toEqual(other.slice(0, DRAWN));
    await page.getByRole('button', { name: 'Leer 200 más' }).press('Enter');
    await page.getByText('400 leídas').waitFor();
    expect(await allIds(page)).toEqual(other.slice(0, 400));
    const { name, rows } = await savedTable(page);
    expect([name, rows.length]).toEqual([`ofertas-400-de-${all.length}.csv`, 400]);
    await close();
  });

  it('keeps a chosen offer from the end of the list chosen at another weight, and says that no proposal can have it', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText('de 200 leídas').waitFor();
    await page.getByRole('button', { name: 'Leer 200 más' }).press('Enter');
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, limit: 1, offset: 350 });
    await page.getByRole('searchbox').fill(results[0]?.offer.offer_name ?? '');
    await page.locator(`[data-offer="${all[350]}"] input`).check();
    // The choice is in sight of the tick, and leads to the comparison.
    const tray = page.locator('.tray');
    expect((await tray.boundingBox())?.y).toBeLessThan(900);
    await tray.getByRole('button', { name: 'Ver la comparación' }).press('Enter');
    await expect.poll(() => page.locator('#chosen-title').evaluate((one) => one.matches(':focus'))).toBe(true);
    const name = await page.locator('.comparison thead .name').innerText();
    await page.getByText(`No está entre ellas: ${name.split('\n')[0]}.`).waitFor();
    expect(await page.getByRole('button', { name: 'Crear propuesta' }).isDisabled()).toBe(true);
    await page.getByRole('searchbox').fill('');
    await page.locator('[name=w]').press('ArrowRight');
    await page.getByText('de 200 leídas').waitFor();
    expect(await page.locator('.comparison thead .name').innerText()).toBe(name);
    await page.getByText('Elegidas: 1 de 4').waitFor();
    await close();
  });

  it('that has changed since it was begun says to compare again, and adds nothing', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await addOffers(site, 1, 'Otra');
    await page.getByRole('button', { name: 'Leer 200 más' }).press('Enter');
    await page.getByText('Las ofertas han cambiado entretanto').waitFor();
    await page.getByText('de 200 leídas').waitFor();
    await close();
  });
});

describePage('a list of 5,000 offers', (site) => {
  it('draws a few rows wherever it is scrolled to, and is searched', async () => {
    const { total: before } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    if (before < 5000) await addOffers(site, 5000 - before, 'Cinco mil');
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText('Se ven 200 de 200 leídas, de 5.000 en total.').waitFor();
    await findsByName(site, { page, sent });
    for (const _ of [1, 2, 3]) await page.locator('[name=w]').press('ArrowRight');
    expect(await page.locator('[name=w]').getAttribute('aria-valuetext')).toBe('53 % ahorro · 47 % comisión');
    await page.locator('section[aria-busy=false]').waitFor();
    await showPlot(page);
    await page.locator('.trade-off').getByText('200 de 5.000 ofertas').waitFor();
    await showPlot(page, false);
    await page.getByRole('button', { name: 'Leer las 4800 que faltan' }).press('Enter');
    await expect.poll(() => page.locator('.ranking').getAttribute('aria-rowcount')).toBe('5001');
    const firsts = new Set<number | undefined>();
    for (let step = 0; step <= 30; step++) {
      await page.evaluate(SCROLL_ON);
      const ids = await shownIds(page);
      expect(ids).toHaveLength(DRAWN);
      firsts.add(ids[0]);
    }
    expect(firsts.size).toBeGreaterThan(25);
    await page.keyboard.press('/');
    await page.keyboard.type('oferta 4711');
    await expect.poll(() => page.locator('[data-offer]').count()).toBe(1);
    await close();
  });
});

/** An offer that was not read is found by the service, at its place. What is typed of a supply point is not sent. */
async function findsByName(site: Site, { page, sent }: Pick<WatchedPage, 'page' | 'sent'>): Promise<void> {
  const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, q: 'oferta 4711' });
  const { offer, puesto = 0 } = results[0] ?? {};
  expect(puesto).toBeGreaterThan(200);
  const box = page.getByRole('searchbox');
  await box.fill('oferta 4711');
  const row = page.locator(`[data-offer="${offer?.id}"]`);
  await row.waitFor();
  expect(await row.locator('td').nth(1).innerText()).toBe(String(puesto));
  await page.getByText('Se ven 1 de 1 con ese nombre, de 5.000 en total.').waitFor();
  expect(sent.filter((body) => body.includes('"q":'))).toHaveLength(1);
  await row.getByRole('button').press('Enter');
  await page.getByRole('dialog').getByText('Frente a la más barata').waitFor();
  await page.keyboard.press('Escape');
  await box.fill('ES002100000000');
  await page.getByText('Se ven 0 de 200 leídas').waitFor();
  expect(await page.locator('section[aria-labelledby=ranking-title]').getAttribute('aria-busy')).toBe('false');
  await box.fill('');
  await page.getByText('Se ven 200 de 200 leídas').waitFor();
}

/** Scrolls by 160 rows or so, until the next frame is drawn. */
const SCROLL_ON = `(async () => {
  scrollBy(0, document.documentElement.scrollHeight / 31);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;
