import { expect, test } from 'vitest';
import { REGULATED_PRICES } from '../power/regulated-prices.ts';
import { dueRows, firstOpenDay } from './due-rows.ts';
import { withOperatorRates } from './operator-rates.ts';
import { RATES, type SettledRate } from './rates.ts';

const TABLES = { rates: RATES, regulatedPrices: REGULATED_PRICES };
const at = (day: string) => ({ day, supplyType: 'LUZ', territory: 'peninsula' }) as const;
const named = (day: string, tables = TABLES) =>
  dueRows(tables, at(day)).rates.map(({ concept, kind, to }) => `${concept} ${kind} ${to}`);

test('A-108: what ends within 90 days with nothing after it is due, and what is undecided from then on', () => {
  const undecided = ['11-30', '12-31'].flatMap((day) => [
    `impuesto_electrico general 2026-${day}`,
    `iva reducido 2026-${day}`,
  ]);
  // 2026-12-31 is 90 days after 2026-10-02.
  expect(named('2026-10-01')).toEqual(undecided);
  expect(named('2026-10-02')).toEqual([...undecided, 'financiacion_bono general 2026-12-31']);
  expect(dueRows(TABLES, at('2026-10-01')).prices).toEqual([]);
  expect(dueRows(TABLES, at('2026-10-02')).prices).toHaveLength(8);
});

test('A-108: what has ended and is followed by nothing is due as long as nothing is known', () => {
  const ended = ['impuesto_electrico general', 'iva reducido', 'financiacion_bono general'];
  for (const day of ['2027-01-01', '2027-02-01', '2030-01-01']) {
    expect(named(day).toSorted(), day).toEqual(ended.map((name) => `${name} 2026-12-31`).toSorted());
    expect(dueRows(TABLES, at(day)).prices, day).toHaveLength(8);
    expect(firstOpenDay(TABLES, day)).toBe(day);
  }
  const settled = RATES.flatMap((row) =>
    row.to === '2026-12-31' && !('values' in row) ? [{ ...row, from: '2027-02-01', to: null } as SettledRate] : [],
  );
  const tables = { ...TABLES, rates: [...RATES, ...settled] };
  expect(named('2027-01-31', tables)).toContain('financiacion_bono general 2026-12-31');
  expect(named('2027-02-01', tables)).not.toContain('financiacion_bono general 2026-12-31');
});

test('A-108: a row that an operator has appended is due in the place of the one that it follows', () => {
  const [bonus] = RATES.filter(({ concept, to }) => concept === 'financiacion_bono' && to === '2026-12-31');
  const next = { ...bonus, from: '2027-01-01', to: '2027-01-15' } as SettledRate;
  const tables = { ...TABLES, rates: withOperatorRates([next]) };
  expect(named('2026-12-01', tables).filter((name) => name.startsWith('fin'))).toEqual([
    'financiacion_bono general 2027-01-15',
  ]);
});

test('A-108: an undecided row is not due where an operator has settled it from a later day on', () => {
  const rows = RATES.filter((row) => row.from === '2026-12-01' && 'values' in row).map((row) => {
    const { concept, kind, supplyTypes, territories, to, law, url, isCertain } = row;
    return { concept, kind, supplyTypes, territories, to, law, url, isCertain, from: '2026-12-15', value: 5 } as const;
  });
  const tables = { ...TABLES, rates: withOperatorRates(rows) };
  expect(named('2026-12-14', tables)).toContain('impuesto_electrico general 2026-12-31');
  const due = dueRows(tables, at('2026-12-15')).rates;
  expect(due.filter((row) => 'values' in row)).toEqual([]);
  expect(due.map(({ concept }) => concept)).toContain('impuesto_electrico');
});

test('A-108: the first open day is the first that is undecided or follows the last row', () => {
  expect(firstOpenDay(TABLES, '2026-06-01')).toBe('2026-08-01');
  expect(firstOpenDay(TABLES, '2026-11-29')).toBe('2026-11-29');
  expect(firstOpenDay({ ...TABLES, rates: [] }, '2026-12-01')).toBe('2027-01-01');
  expect(firstOpenDay({ rates: [], regulatedPrices: [] }, '2026-12-01')).toBeNull();
});

test('A-108: a row without an end is of a law that has none', () => {
  const open = RATES.filter(({ to }) => to === null).map(({ concept, law }) => `${concept}: ${law}`);
  expect([...new Set(open)]).toEqual([
    'impuesto_electrico_minimo: Ley 38/1992, art. 99.2',
    'iva: Ley 37/1992, art. 90',
    'igic: Ley 4/2012, art. 52.r',
    'igic: Ley 4/2012, art. 54.1.a',
    'igic: Ley 4/2012, art. 51',
    'ipsi: Ley 8/1991, art. 18',
    'hidrocarburos: Ley 38/1992, art. 50',
    'alquiler: Orden IET/1491/2013',
  ]);
});
