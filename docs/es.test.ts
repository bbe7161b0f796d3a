import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CURVE_NOTICES,
  INVOICE_NOTICES,
  POWER_NOTICES,
  SHOWN_COST_PARTS,
  SPANISH,
  WARNING_CODES,
} from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { COMMON } from '../apps/web/src/texts/common.ts';
import { CUSTOMER } from '../apps/web/src/texts/customer.ts';
import { noticeText, REASONS, reasonText } from '../apps/web/src/texts/notices.ts';
import { OFFICE } from '../apps/web/src/texts/office.ts';
import { RANKING } from '../apps/web/src/texts/ranking.ts';
import { SETTINGS } from '../apps/web/src/texts/settings.ts';

/** The manual in Spanish against the texts of the page. */
const page = readFileSync(join(import.meta.dirname, 'es/manual.md'), 'utf8');

/** Each table of notices, by the line above it. */
const TABLES: readonly (readonly [title: string, codes: readonly string[], textOf: (code: string) => string | null])[] =
  [
    ['De la lista:', WARNING_CODES, noticeOf],
    ['De las ofertas excluidas:', Object.keys(REASONS), (code) => reasonText(code, 'es', 'P3')],
    ['De la factura:', INVOICE_NOTICES, noticeOf],
    ['De la curva:', CURVE_NOTICES, noticeOf],
    ['De la potencia:', POWER_NOTICES, noticeOf],
  ];

function noticeOf(code: string): string | null {
  return noticeText(code, 'es', { said: '…', territory: '…' });
}

/** The section of a table, up to the next title. */
function sectionOf(title: string): string {
  return page.split(/(?=^De .*:$)/m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

/** What to do about each notice, by its text: it is written by hand. */
function adviceIn(section: string): ReadonlyMap<string, string> {
  const rows = section.matchAll(/^\|(?: `\w+` \|)? ([^|]*) \| ([^|]*) \|$/gm);
  return new Map([...rows].map(([, text = '', advice = '']) => [text, advice]));
}

/** The rows of a table: without those that an earlier one has. Only codes of the list come out, in a CSV. */
function rowsOf([title, codes, textOf]: (typeof TABLES)[number]): readonly (readonly [code: string, text: string])[] {
  const earlier = TABLES.slice(
    0,
    TABLES.findIndex(([name]) => name === title),
  ).flatMap((table) => rowsOf(table));
  const known = new Set(earlier.map(([, text]) => text));
  return codes.map((code) => [code, textOf(code) ?? ''] as const).filter(([, text]) => !known.has(text));
}

function madeSection(table: (typeof TABLES)[number], place: number): string {
  const [title] = table;
  const advice = adviceIn(sectionOf(title));
  const rows = rowsOf(table).map(([code, text]) => {
    const cells = [...(place === 0 ? [`\`${code}\``] : []), text, advice.get(text) ?? ''];
    return `| ${cells.join(' | ')} |\n`;
  });
  const head =
    place === 0
      ? '| Código | La página dice | Qué hacer |\n|---|---|---|\n'
      : '| La página dice | Qué hacer |\n|---|---|\n';
  return `${title}\n\n${head}${rows.join('')}`;
}

test('the tables of notices have every text of the page once, those of the list with their codes', async () => {
  const [byHand = ''] = page.split('De la lista:');
  // A new notice is written by `npx vitest run docs/es.test.ts -u`. What to do is written by hand.
  await expect(`${byHand}${TABLES.map(madeSection).join('\n')}`).toMatchFileSnapshot('es/manual.md');
});

test.each(TABLES)('the table %s says what to do about each notice', (...table) => {
  const advice = adviceIn(sectionOf(table[0]));
  expect(rowsOf(table).filter(([, text]) => !advice.get(text))).toEqual([]);
});

test('every name and message in bold is one of the page or of the service', () => {
  const shown = (text: string) => text.replaceAll(/\{=?\w+\}/g, '…');
  const texts = [
    ...Object.values({ ...COMMON, ...CUSTOMER, ...RANKING, ...OFFICE, ...SETTINGS }).map(([es]) => es),
    ...Object.values(SPANISH),
  ];
  const known = new Set([...texts.map(shown), ...SHOWN_COST_PARTS.map(({ es }) => es)]);
  const named = [...page.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
