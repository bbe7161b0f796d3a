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
export async function setDay(page: Page, day = '2026-10-15'): Promise<void> {
  await openForm(page);
  await page.locator('[name=fecha]').fill(day);
}

/** Opens all fields of the supply, where they are not yet asked for or folded to a line. */
export async function openForm(page: Page): Promise<void> {
  const form = page.locator('.question');
  await form.first().waitFor();
  for (const name of ['Escribir los datos', 'Type the figures', 'Editar', 'Edit']) {
    const button = form.getByRole('button', { name, exact: true });
    if (await button.isVisible()) await button.press('Enter');
  }
  const more = page.locator('details.more:not([open]) > summary');
  if (await more.isVisible()) await more.press('Enter');
}

/** The plot in place of the table, or the table again. */
export const showPlot = (page: Page, isShown = true): Promise<void> =>
  page.getByRole('button', { name: isShown ? 'Gráfico' : 'Tabla' }).press('Enter');

/** What is typed into the fields of the form, by their names on the wire. */
export async function typeHousehold(page: Page, other: Readonly<Record<string, string>> = {}): Promise<void> {
  await openForm(page);
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
  await scrollToTop(page);
  for (let isEnd = false; !isEnd; ) {
    for (const id of await shownIds(page)) ids.add(id);
    isEnd = await page.evaluate<boolean>(`(async () => {
      const before = scrollY;
      scrollBy(0, innerHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return scrollY === before;
    })()`);
  }
  await scrollToTop(page);
  return [...ids];
}

/** Once the rows there are drawn. */
const scrollToTop = (page: Page) =>
  page.evaluate(
    `(async () => {
      scrollTo(0, 0);
      for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve));
    })()`,
  );

/** Types it, asks, waits for the table, and opens the form again. */
export async function rankHousehold(page: Page, other?: Readonly<Record<string, string>>): Promise<void> {
  await typeHousehold(page, other);
  await page.locator('[name=p2]').press('Enter');
  await page.locator('[data-offer]').first().waitFor();
  await openForm(page);
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
