import { join } from 'node:path';
import { shareOf } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf, type Look, showAs } from './axe.ts';
import { describePage } from './browser.ts';
import { openForm, rankHousehold } from './household.ts';

const IMAGES = join(import.meta.dirname, '../../../docs/images');
/** Set to write the pictures of `docs/app.md`. */
const writesPictures = process.env.SCREENSHOTS !== undefined;

const WIDE = { width: 1600, height: 1000 };
const NARROW = { width: 360, height: 800 };
const BETWEEN = { width: 768, height: 1024 };
/** Each size and each scheme is in the share. */
const LOOKS: readonly Look[] = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: WIDE, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'light' },
  { viewport: BETWEEN, colorScheme: 'light' },
  { viewport: BETWEEN, colorScheme: 'dark' },
];

describePage('the page', (site) => {
  it('breaks no rule of axe, and is not wider than the screen, at each size and in each colour scheme', async () => {
    const looks = shareOf(LOOKS, 2);
    const { page, close } = await site.open();
    await page.getByLabel('Clave de acceso').fill('no');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page, looks)).toEqual([]);
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await openForm(page);
    await page.getByLabel('Con su importe').check();
    await page.locator('[name="contrato_actual.coste_total"]').fill('690');
    await rankHousehold(page);
    // What is saved is known before tax alone, beside a bill with taxes.
    expect(await page.locator('.summary [role=status]').innerText()).toMatch(
      /con impuestos.* €\/año menos que hoy \(sin impuestos\)/,
    );
    if (writesPictures) await writePictures(page);
    for (const index of [0, 2]) await page.locator('[data-offer] input[type=checkbox]').nth(index).check();
    await page.locator('.comparison').getByText('Precio de la energía P1').waitFor();
    await page.getByText('Ofertas que no se comparan').click();
    expect(await faultsOf(page, looks)).toEqual([]);
    await page.getByRole('button', { name: 'PVPC 2.0TD' }).click();
    await page.getByRole('img', { name: /Precio de la energía en/ }).waitFor();
    expect(await faultsOf(page, looks.slice(0, 1))).toEqual([]);
    await close(/401/);
  });
});

async function writePictures(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Plegar' }).press('Enter');
  for (const look of LOOKS.filter(({ viewport }) => viewport !== BETWEEN)) {
    await showAs(page, look);
    const isNarrow = look.viewport === NARROW;
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: join(IMAGES, `app-${isNarrow ? 'narrow' : 'wide'}-${look.colorScheme}.png`) });
  }
}
