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

/** The last cells of a table, by code: what to do is written by hand. */
function adviceIn(section: string): ReadonlyMap<string, string> {
  const rows = section.matchAll(/^\| `(\w+)` \|.*\| ([^|]*) \|$/gm);
  return new Map([...rows].map(([, code = '', advice = '']) => [code, advice]));
}

function madeSection([title, codes, textOf]: (typeof TABLES)[number]): string {
  const advice = adviceIn(sectionOf(title));
  const rows = codes.map((code) => `| \`${code}\` | ${textOf(code)} | ${advice.get(code) ?? ''} |\n`);
  const head = '| Código | La página dice | Qué hacer |\n|---|---|---|\n';
  return `${title}\n\n${head}${rows.join('')}`;
}

test('the tables of notices have every code with the text of the page', async () => {
  const [byHand = ''] = page.split('De la lista:');
  // A new code is written by `npx vitest run docs/es.test.ts -u`. What to do is written by hand.
  await expect(`${byHand}${TABLES.map(madeSection).join('\n')}`).toMatchFileSnapshot('es/manual.md');
});

test.each(TABLES)('the table %s says what to do about each notice', (title, codes) => {
  const advice = adviceIn(sectionOf(title));
  expect(codes.filter((code) => !advice.get(code))).toEqual([]);
});

test('every name and message in bold is one of the page or of the service', () => {
  const shown = (text: string) => text.replaceAll(/\{=?\w+\}/g, '…');
  const texts = [
    ...Object.values({ ...COMMON, ...CUSTOMER, ...OFFICE, ...SETTINGS }).map(([es]) => es),
    ...Object.values(SPANISH),
  ];
  const known = new Set([...texts.map(shown), ...SHOWN_COST_PARTS.map(({ es }) => es)]);
  const named = [...page.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
