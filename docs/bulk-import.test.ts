import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  BULK_WARNINGS,
  bulkSheets,
  COMMUNITIES,
  FILE_CAPS,
  MAX_ATTEMPTS,
  type SheetColumn,
  UPLOAD_FILE_DAYS,
} from '@tarifario/core/service';
import { describe, expect, test } from 'vitest';

/** The page about spreadsheets against the names, bounds and caps that core has. */
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/bulk-import.md'), 'utf8');
const text = page.replaceAll(/\s+/g, ' ');

type Line = readonly string[];

/** The rows of the table under a heading, `e1`..`e6` as six. */
function linesUnder(heading: string): readonly Line[] {
  const section = page.split(/^### /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.flatMap((line) => {
    const [name = '', ...cells] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const range = /^`(\w)1`..`\w6`$/.exec(name)?.[1];
    const names = range ? [1, 2, 3, 4, 5, 6].map((period) => range + period) : [name.replaceAll('`', '')];
    return names.map((each) => [each, ...cells]);
  });
}

function allowed({ kind, choices, min, max }: SheetColumn): string {
  if (kind === 'communities') return `the ${COMMUNITIES.length} names`;
  if (choices.length > 0) return choices.join(', ');
  if (kind === 'text') return `up to ${max} characters`;
  if (min === null) return '';
  return max === null ? `from ${min}` : `${min} to ${max}`;
}

describe.each(bulkSheets('own').map((sheet) => [sheet.name, sheet] as const))('the table of %s', (name, sheet) => {
  const lines = linesUnder(name);

  test('A-41: has its columns in their order, with kind, unit, bounds and supply', () => {
    const columns = sheet.columns.map((column) => [
      column.header,
      column.kind,
      column.unit ?? '',
      allowed(column),
      column.supplyType ?? '',
    ]);
    expect(lines.map((line) => line.slice(0, 5))).toEqual(columns);
  });

  test('marks what is needed and what is about commissions', () => {
    const marks = sheet.columns.map(({ isNeeded, isCommission }) => [isNeeded, isCommission && !sheet.isCommission]);
    expect(lines.map(([, , , , , words = '']) => [words.startsWith('needed'), words.startsWith('**c**')])).toEqual(
      marks,
    );
    expect(page.includes(`### ${name}\n\nOne row a tier of consumption, **c** as a whole`)).toBe(
      name === 'tramos_consumo',
    );
  });
});

test('A-41: the catalog differs in the two columns that the page names', () => {
  for (const [index, sheet] of bulkSheets('catalog').entries()) {
    const own = bulkSheets('own')[index]?.columns.filter(({ header }) => header !== 'cliente') ?? [];
    const renamed = own.map(({ header }) => (header === 'offer_id' ? 'catalog_offer_id' : header));
    expect(sheet.columns.map(({ header }) => header)).toEqual(renamed);
  }
});

test('the page names every warning, cap and span of time as core has it', () => {
  for (const warning of BULK_WARNINGS) expect(page).toContain(`\`${warning}\``);
  const { sentBytes, unpackedBytes, entries, rows, columns, cellBytes } = FILE_CAPS;
  const [sentMb, unpackedMb] = [sentBytes, unpackedBytes].map((bytes) => bytes / 2 ** 20);
  const grouped = `${rows / 1000} 000`;
  expect(text).toContain(
    `${sentMb} MB as sent, ${unpackedMb} MB unpacked, ${entries} parts of the zip, ${grouped} rows and ${columns} columns a sheet, ${cellBytes / 1024} KB a cell`,
  );
  expect([UPLOAD_FILE_DAYS, text.includes('is kept for seven days')]).toEqual([7, true]);
  expect([MAX_ATTEMPTS, text.includes('given up when that has happened three times')]).toEqual([3, true]);
});

test('the picture is there, and small enough to be looked at', () => {
  const [, picture = ''] = /!\[[^\]]+\]\((images\/[\w-]+\.png)\)/.exec(page) ?? [];
  expect(statSync(join(root, 'docs', picture)).size).toBeLessThan(200_000);
});
