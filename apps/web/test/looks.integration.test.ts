import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from './axe.ts';
import { type Desk, hasBrowser, openDesk } from './browser.ts';
import { rankHousehold } from './household.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
/** Set to write the pictures of `docs/app.md`. */
const writesPictures = process.env.SCREENSHOTS !== undefined;

const SIZES = [
  ['wide', { width: 1600, height: 1000 }],
  ['narrow', { width: 360, height: 800 }],
  ['between', { width: 768, height: 1024 }],
] as const;
const LOOKS = SIZES.flatMap(([size, viewport]) =>
  (['light', 'dark'] as const).map((look) => ({ size, viewport, look })),
);

describe.skipIf(!hasBrowser)('the page', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());

  it.each(LOOKS)('$size and $look breaks no rule of axe, and is not wider than the screen', async (shown) => {
    const { size, viewport, look } = shown;
    const { page, close } = await desk.open({ viewport, colorScheme: look });
    await page.getByLabel('Clave de la API').fill('no');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Clave de la API').fill(desk.keys.full_access);
    await page.keyboard.press('Enter');
    await page.getByLabel('Por lo que cuesta').check();
    await page.locator('[name="contrato_actual.coste_total"]').fill('690');
    await rankHousehold(page);
    if (writesPictures && size !== 'between') {
      if (size === 'narrow') await page.locator('.trade-off').scrollIntoViewIfNeeded();
      if (size === 'narrow') await page.locator('.trade-off').evaluate((card) => card.scrollIntoView());
      await page.screenshot({ path: join(IMAGES, `app-${size}-${look}.png`) });
    }
    for (const index of [0, 2]) await page.locator('[data-offer] input[type=checkbox]').nth(index).check();
    await page.getByRole('button', { name: 'Meses de PVPC 2.0TD' }).click();
    await page.getByRole('img', { name: /Precio de la energía en/ }).waitFor();
    await page.locator('.comparison').getByText('Precio de la energía P1').waitFor();
    await page.getByText('Ofertas sin precio para este suministro').click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    await close(/401/);
  });
});
