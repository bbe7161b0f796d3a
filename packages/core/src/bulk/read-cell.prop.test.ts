import { toCellValue } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { assert, describe, expect, test } from 'vitest';
import type { CellValue } from '../engine/cells.ts';
import { BULK_FORMATS } from '../engine/errors.ts';
import { inWords } from '../engine/messages/message.ts';
import { createMarks } from '../engine/number-text.ts';
import { readCell } from './read-cell.ts';
import { bulkSheets } from './sheets.ts';

/** By header; of several columns the one of the first sheet. */
const COLUMNS = new Map(
  bulkSheets('own')
    .flatMap(({ columns }) => columns)
    .toReversed()
    .map((column) => [column.header, column]),
);

/** A cell about which no other one says anything. */
const ALONE = { dates1904: false, place: 0, marks: createMarks() };

function read(header: string, value: CellValue, dates1904 = false) {
  const column = COLUMNS.get(header);
  assert(column, header);
  const reading = readCell(value, column, { ...ALONE, dates1904 });
  if ('open' in reading) return createMarks().meant(0, reading.open, column.max) ?? 'open';
  return 'fault' in reading ? 'wrong' : reading.content;
}

const text = (words: string): CellValue => ({ kind: 'text', text: words });
const number = (value: number): CellValue => ({ kind: 'number', text: String(value), number: value });

describe('numbers', () => {
  test.each([
    ['0,15', 0.15],
    ['0.15', 0.15],
    [' 12 ', 12],
    ['-1,5', -1.5],
    ['+3', 3],
    [',5', 0.5],
    ['5,', 5],
    ['1,5E-7', 1.5e-7],
    ['1.234', 1.234],
    ['0,1 €', 0.1],
  ])('the text %j is %d', (words, value) => expect(read('e1', text(words))).toBe(value));

  test.each([
    ['1.234,5', 1234.5],
    ['1 000', 1000],
    ['1.200', 'open'],
    ['15.000', 'open'],
    ['15,000', 15],
  ])('A-104: the text %j of a commission is %s', (words, value) => expect(read('commission', text(words))).toBe(value));

  test.each(['1,2,3', '12abc', '60 €/año', '1e999', 'Infinity', 'NaN', '0x10', '--1', '.', '1 00', '١'])(
    'the text %j is no number',
    (words) => expect(read('e1', text(words))).toBe('wrong'),
  );

  test('a number that the reader could not parse is no number, name, month, choice or id', () => {
    for (const header of ['e1', 'offer_name', 'reference_month', 'supply_type', 'offer_id', 'communities']) {
      expect(read(header, { kind: 'number', text: '1e999', number: null }), header).toBe('wrong');
      expect(read(header, { kind: 'boolean', value: true }), header).toBe('wrong');
    }
  });

  test('minus zero becomes zero', () => {
    expect(read('e1', number(-0))).toBe(0);
    expect(read('e1', text('-0'))).toBe(0);
  });

  test('A-43: every double is read back from its shortest text, with a point or a comma', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    holds(
      fc.property(doubles, (value) => {
        expect(read('e1', toCellValue(value))).toBe(value);
        expect(read('e1', text(String(value)))).toBe(value);
        expect(read('e1', text(String(value).replace('.', ',')))).toBe(value);
      }),
      500,
    );
  });
});

describe('formats', () => {
  const shownAs = (value: number, format: 'percent' | 'date'): CellValue => ({
    ...{ kind: 'number', text: String(value), number: value },
    format,
  });
  test.each([
    ['descuento_energia_pct', shownAs(0.1, 'percent'), 10],
    ['descuento_energia_pct', shownAs(0.07, 'percent'), 7],
    ['descuento_potencia_pct', shownAs(0.0525, 'percent'), 5.25],
    ['penalizacion_pct', shownAs(0.05, 'percent'), 5],
    ['penalizacion_pct', shownAs(1, 'percent'), 100],
    ['penalizacion_pct', text('5 %'), 5],
    ['penalizacion_pct', text('2,5%'), 2.5],
    ['penalizacion_pct', number(5), 5],
    ['e1', text('0,12 €/kWh'), 0.12],
    ['gas_fixed', text('4,5 EUR/mes'), 4.5],
  ])('of %s: %j is %d', (header, value, expected) => expect(read(header, value)).toBe(expected));

  test.each([
    ['e1', shownAs(0.1, 'percent'), 'is a percentage, and must be EUR/kWh'],
    ['p1', text('10 %'), 'is a percentage, and must be EUR/kW·día'],
    ['descuento_meses', shownAs(12, 'percent'), 'is a percentage, and must be meses'],
    ['offer_name', shownAs(0.1, 'percent'), 'is a percentage, and the column has none'],
    ['acepta_dni', shownAs(1, 'percent'), 'is a percentage, and the column has none'],
    ['potencia_min_kw', shownAs(46_177, 'date'), 'is a date, which'],
    ['gas_fixed', text('60 €/año'), 'must be a number'],
    ['offer_name', shownAs(46_025, 'date'), 'is a date, which'],
  ])('of %s: %j is refused', (header, value, fault) => {
    const column = COLUMNS.get(header);
    assert(column, header);
    const reading = readCell(value, column, ALONE);
    expect('fault' in reading && inWords(reading.fault)).toContain(fault);
  });

  test.each([
    [46_022.999_490_74, '2026-01-01'],
    [46_022.999_31, '2026-01-01'],
    [46_023.000_5, '2026-01-01'],
    [46_022.998, '2025-12-01'],
  ])('the date %d, up to a minute before midnight the next day, is of %s', (serial, month) => {
    expect(read('reference_month', shownAs(serial, 'date'))).toBe(month);
  });
});

describe('booleans', () => {
  const yes = [
    text('TRUE'),
    text('true'),
    text('SI'),
    text('Sí'),
    text('Sí'),
    text('1'),
    text(' x '),
    number(1),
    text('VERDADERO'),
  ];
  const no = [text('FALSE'), text('No'), text('0'), number(0), text('Falso')];
  test.each([...yes, { kind: 'boolean', value: true } as const])('%j is yes', (value) =>
    expect(read('acepta_dni', value)).toBe(true),
  );
  test.each([...no, { kind: 'boolean', value: false } as const])('%j is no', (value) =>
    expect(read('acepta_dni', value)).toBe(false),
  );
  test.each([text('y'), text('ja'), number(2), text('10')])('%j is neither', (value) =>
    expect(read('acepta_dni', value)).toBe('wrong'),
  );
});

describe('days', () => {
  test.each([
    '2026-01-05',
    '05/01/2026',
    '5/1/26',
    '5.1.2026',
    '2026/01/05',
    '05-01-2026 00:00:00',
    '2026-01-05T00:00:00',
  ])('the text %j is the fifth of January', (words) => expect(read('vigente_desde', text(words))).toBe('2026-01-05'));

  test.each(['2025-02-30', '31/02/2026', '01/13/2026', '2026-1-5', '05/01/2026 10:00', '05/01/1926', '05/01'])(
    'the text %j is no day',
    (words) => expect(read('vigente_desde', text(words))).toBe('wrong'),
  );
});

describe('months', () => {
  test.each([
    ['2026-01', '2026-01-01'],
    [' 2026-01-31 ', '2026-01-01'],
    ['1/2026', '2026-01-01'],
    ['2026/01', '2026-01-01'],
    ['31/01/2026 0:00', '2026-01-01'],
  ])('the text %j is %s', (words, month) => expect(read('reference_month', text(words))).toBe(month));

  test.each(['2026-13', '2025-02-30', '13/2026', '31/02/2026', 'enero', '2026'])('the text %j is no month', (words) =>
    expect(read('reference_month', text(words))).toBe('wrong'),
  );

  test('a date is a number of days, counted from 1900 or from 1904', () => {
    // 2026-01-01 is day 46023 where the calendar has a 1900-02-29.
    expect(read('reference_month', number(46_023))).toBe('2026-01-01');
    expect(read('reference_month', number(46_023.75))).toBe('2026-01-01');
    expect(read('reference_month', number(46_022))).toBe('2025-12-01');
    expect(read('reference_month', number(46_023 - 1462), true)).toBe('2026-01-01');
  });

  test('A-43: every day from 1990 to 2199 is in its month', () => {
    const first = Date.UTC(1990, 0, 1) / 86_400_000;
    const last = Date.UTC(2199, 11, 31) / 86_400_000;
    for (let day = first; day <= last; day += 1) {
      const month = `${new Date(day * 86_400_000).toISOString().slice(0, 7)}-01`;
      if (read('reference_month', number(day + 25_569)) !== month) expect(day).toBe(month);
    }
    expect(read('reference_month', number(first + 25_568))).toBe('wrong');
    expect(read('reference_month', number(last + 25_570))).toBe('wrong');
  });

  test.each([2026, 202_601, 0, -1])('%d typed as a number is no day', (value) =>
    expect(read('reference_month', number(value))).toBe('wrong'),
  );
});

describe('names, choices and ids', () => {
  test('a name may be typed as a number', () => {
    expect(read('offer_name', number(100))).toBe('100');
    expect(read('offer_name', text(' Plan A '))).toBe(' Plan A ');
    expect(read('offer_name', { kind: 'boolean', value: true })).toBe('wrong');
  });

  test('a choice is accepted in any case', () => {
    expect(read('supply_type', text(' luz '))).toBe('LUZ');
    expect(read('commission_type', text('PER_MWH'))).toBe('per_mwh');
    expect(read('commission_type', text('per_kw'))).toBe('wrong');
    expect(read('supply_type', number(1))).toBe('wrong');
  });

  test('communities are separated by commas or semicolons', () => {
    expect(read('communities', text('madrid, Galicia;murcia,'))).toEqual(['madrid', 'galicia', 'murcia']);
    expect(read('communities', text('madrid, atlantis'))).toBe('wrong');
    expect(read('communities', number(1))).toBe('wrong');
  });

  test('an id is a whole number from 1 on', () => {
    expect(read('offer_id', number(7))).toBe(7);
    expect(read('offer_id', text('7'))).toBe(7);
    for (const value of [0, -1, 1.5, 2 ** 53, 1e300]) expect(read('offer_id', number(value))).toBe('wrong');
  });
});

test.each(BULK_FORMATS)(
  'A-43: no column of the format %s accepts a formula or an error, and each may be blank',
  (format) => {
    for (const column of bulkSheets(format).flatMap((sheet) => sheet.columns)) {
      expect(readCell({ kind: 'formula' }, column, ALONE)).toEqual({ fault: 'must not be a formula' });
      expect(readCell({ kind: 'error', text: '#REF!' }, column, ALONE)).toEqual({ fault: 'must not be an error' });
      expect(readCell(text(' \t'), column, ALONE)).toEqual({ content: null });
    }
  },
);
