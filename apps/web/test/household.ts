import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

export const HOUSEHOLD = {
  supply_type: 'LUZ',
  energia: { e1: 1200, e2: 900, e3: 1400 },
  potencia: { p1: 4.6, p2: 4.6 },
  tariff_type: '2.0TD',
  territory: 'peninsula',
  client_type: 'dni',
  limit: 200,
};

/** A day whose rates are decided, so that bills are answered. */
export const setDay = (page: Page, day = '2026-10-15') => page.locator('[name=fecha]').fill(day);

/** What is typed into the fields of the form, by their names on the wire. */
export async function typeHousehold(page: Page, other: Readonly<Record<string, string>> = {}): Promise<void> {
  if (await page.locator('[name=taxes]').isChecked()) await setDay(page);
  for (const [name, value] of Object.entries({ ...HOUSEHOLD.energia, ...HOUSEHOLD.potencia, ...other })) {
    await page.locator(`[name="${name}"]`).fill(String(value).replace('.', ','));
  }
}

/** What is typed into the table of maxima, by month and period, as `enero P1`. */
export async function typeMaxima(page: Page, cells: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(cells)) await page.getByLabel(`${name} kW`).fill(text);
}

/** The ids of the offers in the order of the table. */
export function shownIds(page: Page): Promise<number[]> {
  return page.locator('[data-offer]').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-offer'))));
}

/** The rows that the table has at most, however long the list is. */
export const DRAWN = 40;

/** The ids of all offers of the table, which draws those in sight. */
export async function allIds(page: Page): Promise<number[]> {
  const ids = new Set<number>();
  for (let isEnd = false; !isEnd; ) {
    for (const id of await shownIds(page)) ids.add(id);
    isEnd = await page.evaluate<boolean>(`(async () => {
      const list = document.querySelector('.tall');
      const before = list.scrollTop;
      list.scrollBy(0, list.clientHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return list.scrollTop === before;
    })()`);
  }
  await page.locator('.tall').evaluate((list) => Reflect.set(list, 'scrollTop', 0));
  return [...ids];
}

/** Types it, asks, and waits for the table. */
export async function rankHousehold(page: Page, other?: Readonly<Record<string, string>>): Promise<void> {
  await typeHousehold(page, other);
  await page.locator('[name=p2]').press('Enter');
  await page.locator('[data-offer]').first().waitFor();
}

/** The table that the page in Spanish saves: the name of the file, its columns, and its rows. */
export async function savedTable(page: Page, button = 'Descargar (CSV)') {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).press('Enter');
  const saved = await saving;
  const text = await readFile(await saved.path(), 'utf8');
  const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const [head = [], ...rows] = lines.map((line) => line.split(';'));
  return { name: saved.suggestedFilename(), head, rows };
}
