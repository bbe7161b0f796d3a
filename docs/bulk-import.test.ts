import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bulkSheets,
  COMMUNITIES,
  FIELD_LIST,
  fieldPartsOf,
  isTierSheet,
  type SheetColumn,
} from '@tarifario/core/service';
import { describe, expect, test } from 'vitest';

/** The page about spreadsheets against the names, bounds and caps that core has. */
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/bulk-import.md'), 'utf8');

/** The section of a sheet. */
function sectionOf(sheet: string): string {
  return page.split(/^(?=###? )/m).find((part) => part.startsWith(`### ${sheet}\n`)) ?? '';
}

const rowsIn = (section: string) => section.split('\n').filter((line) => line.startsWith('| `'));
const cellsOf = (row: string) =>
  row
    .slice(2, -1)
    .split('|')
    .map((cell) => cell.trim());

function allowed({ kind, choices, min, max }: SheetColumn): string {
  if (kind === 'communities') return `: the ${COMMUNITIES.length} names`;
  if (choices.length > 0) return `: ${choices.join(', ')}`;
  if (kind === 'text') return `, up to ${max} characters`;
  if (min === null) return '';
  return max === null ? `, from ${min}` : `, ${min} to ${max}`;
}

/** The cells of the table for a column of core; the six periods of a price are one row. */
function cellsFor(column: SheetColumn): readonly string[] {
  const { header, kind, unit, supplyType } = column;
  const name = /^\w1$/.test(header) ? `\`${header}\`..\`${header[0]}6\`` : `\`${header}\``;
  const content = `${kind}${allowed(column)}${unit === null ? '' : ` ${unit}`}`;
  return [name, supplyType ? `${content} (${supplyType})` : content];
}

/** The columns that name the offer of a row of prices or tiers, and its version, which only the table of `ofertas` has. */
const NAMING = ['offer_id', 'cliente', 'company_name', 'offer_name', 'version'];

/** The columns that the table of a sheet has; the six periods of a price are one. */
function tabled({ name, columns }: ReturnType<typeof bulkSheets>[number]): readonly SheetColumn[] {
  const hasAll = ['ofertas', 'borrar'].includes(name);
  return columns.filter(({ header }) => !/^\w[2-6]$/.test(header) && (hasAll || !NAMING.includes(header)));
}

const ENGLISH = new Map(FIELD_LIST.flatMap(fieldPartsOf).map(({ wire, en }) => [wire, en ?? '']));

/** The section with the table that core generates. Its hand-written texts stay. */
function madeSection(sheet: ReturnType<typeof bulkSheets>[number]): string {
  const { name } = sheet;
  const section = sectionOf(name);
  const words = new Map(
    rowsIn(section)
      .map(cellsOf)
      .map((cells) => [cells[0], cells.at(-1) ?? '']),
  );
  const rows = tabled(sheet).map((column) => {
    const cells = cellsFor(column);
    const mark = column.isCommission && !isTierSheet(name) ? '**c** ' : '';
    const text = words.get(cells[0]) ?? mark + (ENGLISH.get(column.header) ?? '');
    return `| ${[...cells, text].join(' | ')} |`.replaceAll(/ {2}/g, ' ');
  });
  return section.replace(rowsIn(section).join('\n'), () => rows.join('\n'));
}

test('A-41: each table has the columns of its sheet in their order, with kind, unit, bounds and supply', async () => {
  const made = bulkSheets('own').reduce(
    (text, sheet) => text.replace(sectionOf(sheet.name), () => madeSection(sheet)),
    page,
  );
  // A new column is written by `npx vitest run docs/bulk-import.test.ts -u`.
  await expect(made).toMatchFileSnapshot('bulk-import.md');
});

describe.each(bulkSheets('own').map((sheet) => [sheet.name, sheet] as const))('the table of %s', (name, sheet) => {
  test('marks what is needed and what is about commissions', () => {
    const marks = tabled(sheet).map(({ isNeeded, isCommission }) => [isNeeded, isCommission && !isTierSheet(name)]);
    const words = rowsIn(madeSection(sheet)).map((row) => cellsOf(row).at(-1) ?? '');
    expect(words.map((each) => [each.startsWith('needed'), each.startsWith('**c**')])).toEqual(marks);
    expect(page.includes(`### ${name}\n\nOne row a tier of consumption, **c** as a whole`)).toBe(
      name === 'tramos_consumo',
    );
  });
});

test('A-41: rows of prices and tiers begin with what names their offer, and end with its version', () => {
  for (const { name, columns } of bulkSheets('own').slice(1, -1)) {
    const headers = columns.map(({ header }) => header);
    expect([name, [...headers.slice(0, 4), headers.at(-1)]]).toEqual([name, NAMING]);
  }
  expect(page).toContain('begins with `offer_id`, `cliente`, `company_name` and `offer_name`, and ends with `version`');
});

test('A-41: the catalog differs in the two columns that the page names', () => {
  for (const [index, sheet] of bulkSheets('catalog').entries()) {
    const own = bulkSheets('own')[index]?.columns.filter(({ header }) => header !== 'cliente') ?? [];
    const renamed = own.map(({ header }) => (header === 'offer_id' ? 'catalog_offer_id' : header));
    expect(sheet.columns.map(({ header }) => header)).toEqual(renamed);
  }
});
