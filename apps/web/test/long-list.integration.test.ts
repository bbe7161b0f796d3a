import type { Ranking } from '@tarifario/client';
import { beforeAll, expect, it } from 'vitest';
import { addOffers, describePage } from './browser.ts';
import { HOUSEHOLD, rankHousehold, shownIds } from './household.ts';

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
    await page.getByRole('button', { name: 'Mostrar 200' }).press('Enter');
    expect(await shownIds(page)).toEqual(all.slice(0, 200));
    await page.getByRole('button', { name: 'Mostrar 200 más' }).press('Enter');
    await page.getByRole('button', { name: `Mostrar ${all.length - 400} más` }).press('Enter');
    await expect.poll(() => shownIds(page)).toEqual(all);
    expect(await page.getByRole('button', { name: /^Mostrar/ }).count()).toBe(0);
    await page.locator('[name=w]').press('End');
    const other = await serverIds({ w: 1 });
    await expect.poll(() => shownIds(page)).toEqual(other.slice(0, 200));
    await page.getByRole('button', { name: 'Mostrar 200 más' }).press('Enter');
    await expect.poll(() => shownIds(page)).toEqual(other.slice(0, 400));
    await close();
  });

  it('keeps a chosen offer from the end of the list chosen at another weight, and says that no proposal can have it', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByText(`200 de ${all.length} ofertas`).waitFor();
    await page.getByRole('button', { name: 'Mostrar 200' }).press('Enter');
    await page.getByRole('button', { name: 'Mostrar 200 más' }).press('Enter');
    await page.locator(`[data-offer="${all[350]}"] input`).check();
    // The choice is in sight of the tick, and leads to the comparison.
    const tray = page.locator('.tray');
    expect((await tray.boundingBox())?.y).toBeLessThan(900);
    await tray.getByRole('button').press('Enter');
    await expect.poll(() => page.locator('#chosen-title').evaluate((one) => one.matches(':focus'))).toBe(true);
    const name = await page.locator('.comparison thead .name').innerText();
    await page.getByText(`No está entre ellas: ${name.split('\n')[0]}.`).waitFor();
    expect(await page.getByRole('button', { name: 'Crear propuesta' }).isDisabled()).toBe(true);
    await page.locator('[name=w]').press('ArrowRight');
    await expect.poll(() => shownIds(page)).toHaveLength(200);
    expect(await page.locator('.comparison thead .name').innerText()).toBe(name);
    await page.getByText('Elegidas: 1 de 4').waitFor();
    await close();
  });

  it('that has changed since it was begun says to compare again, and adds nothing', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByRole('button', { name: 'Mostrar 200' }).press('Enter');
    await addOffers(site, 1, 'Otra');
    await page.getByRole('button', { name: 'Mostrar 200 más' }).press('Enter');
    await page.getByText('Las ofertas han cambiado entretanto').waitFor();
    expect(await shownIds(page)).toHaveLength(200);
    await close();
  });
});
