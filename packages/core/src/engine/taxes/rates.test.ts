import { describe, expect, test } from 'vitest';
import { dayAfter } from '../calendar.ts';
import { type SupplyType, TERRITORIES, type Territory } from '../offers/offer.ts';
import { withOperatorRates } from './operator-rates.ts';
import {
  RATES,
  type Rate,
  type RateConcept,
  type RateKind,
  ratesInForce,
  ratesOn,
  type SettledRate,
  undecidedFrom,
} from './rates.ts';

/** Every tax that some customer pays somewhere. */
const TAXES: readonly (readonly [RateConcept, RateKind, SupplyType, readonly Territory[]])[] = [
  ['impuesto_electrico', 'general', 'LUZ', TERRITORIES],
  ['impuesto_electrico_minimo', 'general', 'LUZ', TERRITORIES],
  ['impuesto_electrico_minimo', 'industrial', 'LUZ', TERRITORIES],
  ['iva', 'general', 'LUZ', ['peninsula', 'baleares']],
  ['iva', 'reducido', 'LUZ', ['peninsula', 'baleares']],
  ['iva', 'servicios', 'LUZ', ['peninsula', 'baleares']],
  ['iva', 'general', 'GAS', ['peninsula', 'baleares']],
  ['iva', 'servicios', 'GAS', ['peninsula', 'baleares']],
  ['igic', 'vivienda', 'LUZ', ['canarias']],
  ['igic', 'general', 'LUZ', ['canarias']],
  ['igic', 'servicios', 'LUZ', ['canarias']],
  ['igic', 'general', 'GAS', ['canarias']],
  ['igic', 'servicios', 'GAS', ['canarias']],
  ['ipsi', 'general', 'LUZ', ['ceuta_melilla']],
  ['ipsi', 'servicios', 'LUZ', ['ceuta_melilla']],
  ['ipsi', 'general', 'GAS', ['ceuta_melilla']],
  ['ipsi', 'servicios', 'GAS', ['ceuta_melilla']],
  ['hidrocarburos', 'general', 'GAS', ['peninsula', 'baleares']],
  ['hidrocarburos', 'profesional', 'GAS', ['peninsula', 'baleares']],
];

/** Those that a decree changes by the month. */
const CHANGING = new Set([
  'impuesto_electrico general LUZ',
  'iva reducido LUZ',
  'iva general GAS',
  'hidrocarburos general GAS',
]);

function* daysFrom(first: string, last: string): Generator<string> {
  for (let day = first; day <= last; day = dayAfter(day)) yield day;
}

const isUndecided = (row: Rate) => 'values' in row;

describe('A-108: the table of rates', () => {
  test('has exactly one row of each tax, territory and kind of customer on each day to 2026-10-31', () => {
    for (const [concept, kind, supplyType, territories] of TAXES) {
      for (const territory of territories) {
        for (const day of daysFrom('2021-06-01', '2026-10-31')) {
          const rows = ratesOn(RATES, { concept, kind, supplyType, territory, day });
          expect(rows.length, `${concept} ${kind} ${supplyType} ${territory} ${day}`).toBe(1);
        }
      }
    }
  });

  test('has later no settled row of a tax that decrees change, and else the row that was last appended', () => {
    for (const [concept, kind, supplyType, territories] of TAXES) {
      const isChanging = CHANGING.has(`${concept} ${kind} ${supplyType}`);
      for (const territory of territories) {
        for (const day of daysFrom('2026-11-01', '2027-03-31')) {
          const rows = ratesOn(RATES, { concept, kind, supplyType, territory, day });
          const expected = isChanging ? (day < '2027-01-01' ? ['undecided'] : []) : ['settled'];
          expect(
            rows.map((row) => (isUndecided(row) ? 'undecided' : 'settled')),
            `${concept} ${kind} ${day}`,
          ).toEqual(expected);
        }
      }
    }
  });

  test('is undecided before November 2026 for gas in August and September alone', () => {
    const rows = RATES.filter((row) => isUndecided(row) && row.from < '2026-11-01');
    expect(rows.map(({ concept, from, to }) => [concept, from, to])).toEqual([
      ['iva', '2026-08-01', '2026-08-31'],
      ['hidrocarburos', '2026-08-01', '2026-08-31'],
      ['hidrocarburos', '2026-09-01', '2026-09-30'],
    ]);
  });

  test('has the tax on hydrocarbons in EUR/kWh, where the law has EUR/GJ', () => {
    const values = RATES.filter(({ concept }) => concept === 'hidrocarburos').flatMap((row) =>
      'values' in row ? row.values.map(({ value }) => value) : [row.value],
    );
    const hundredths = values.map((value) => Math.round(value * 1e6) / 36);
    expect(new Set(hundredths)).toEqual(new Set([65, 30, 39, 48, 56, 42, 15]));
  });

  test('names the page of each law in the gazette, but for one whose number is not known', () => {
    const withoutPage = RATES.filter(({ url }) => url === null || !/\?id=BOE-A-\d{4}-\d+$/.test(url));
    expect(withoutPage.map(({ law }) => law)).toEqual(['Orden TED/1487/2024']);
  });

  test('has no territory twice, and rows that end after they begin', () => {
    for (const row of RATES) {
      expect(new Set(row.territories).size).toBe(row.territories.length);
      expect(row.to === null || row.to >= row.from).toBe(true);
    }
  });
});

describe('A-108: rows of an operator', () => {
  const NOVEMBER: SettledRate = {
    ...{ concept: 'impuesto_electrico', kind: 'general', supplyTypes: ['LUZ'], territories: ['peninsula'] },
    ...{ from: '2026-11-01', to: '2026-11-30', value: 0.5, law: 'Acuerdo de convalidación' },
    ...{ url: 'https://www.boe.es/', isCertain: true },
  };
  const question = { ...NOVEMBER, supplyType: 'LUZ', territory: 'peninsula', day: '2026-11-15' } as const;

  test.each<[string, Partial<SettledRate>]>([
    ['that are undecided', {}],
    ['that are not known, without an end', { from: '2027-01-01', to: null }],
    ['before the social bonus is known', { concept: 'financiacion_bono', from: '2024-01-01', to: '2024-12-31' }],
  ])('settle days %s', (_, changes) => {
    const row = { ...NOVEMBER, ...changes };
    const table = withOperatorRates([row]);
    expect(ratesOn(table, { ...question, concept: row.concept, day: row.from })[0]).toBe(row);
  });

  test('are in force in place of what they settle, in their territory alone', () => {
    const table = withOperatorRates([NOVEMBER]);
    const at = { day: '2026-11-15', supplyType: 'LUZ', territory: null } as const;
    const taxes = ratesInForce(table, at).filter(({ concept }) => concept === 'impuesto_electrico');
    expect(taxes.map((row) => [row.territory, isUndecided(row)])).toEqual([
      ['peninsula', false],
      ['canarias', true],
      ['baleares', true],
      ['ceuta_melilla', true],
    ]);
  });

  test('leave due what they do not settle', () => {
    const at = { day: '2026-10-15', supplyType: 'LUZ', territory: 'peninsula' } as const;
    const dueOf = (table: readonly Rate[]) =>
      undecidedFrom(table, at).map(({ concept, kind, from }) => `${concept} ${kind} ${from}`);
    const december = ['impuesto_electrico general 2026-12-01', 'iva reducido 2026-12-01'];
    expect(dueOf(RATES)).toEqual(['impuesto_electrico general 2026-11-01', 'iva reducido 2026-11-01', ...december]);
    expect(dueOf(withOperatorRates([NOVEMBER]))).toEqual(['iva reducido 2026-11-01', ...december]);
    const firstHalf = withOperatorRates([{ ...NOVEMBER, to: '2026-11-15' }]);
    expect(dueOf(firstHalf).toSorted()).toEqual(dueOf(RATES).toSorted());
    const nextMonth = undecidedFrom(firstHalf, { ...at, day: '2026-11-10' });
    expect(nextMonth.map(({ concept, from }) => `${concept} ${from}`)).toEqual([
      ...['iva 2026-11-01', 'impuesto_electrico 2026-11-01'],
      ...['impuesto_electrico 2026-12-01', 'iva 2026-12-01'],
    ]);
  });

  test('are not in the table of another territory', () => {
    const [row] = ratesOn(withOperatorRates([NOVEMBER]), { ...question, territory: 'canarias' });
    expect(row && isUndecided(row)).toBe(true);
  });

  test.each<[string, Partial<SettledRate>, string]>([
    ['settled by the table', { from: '2026-10-31' }, 'is settled already: RDL 18/2026'],
    [
      'settled by the table without an end',
      { concept: 'iva', kind: 'servicios' },
      'is settled already: Ley 37/1992, art. 90',
    ],
    ['that end before they begin', { to: '2026-10-31' }, 'has no days'],
    ['that do not exist', { from: '2026-11-31' }, 'has no days'],
    ['with another value than a share', { value: 101 }, 'is a number from 0 to 100'],
    ['with no number', { value: Number.NaN }, 'is a number from 0 to 100'],
    [
      'of a rate that nobody pays there',
      { concept: 'iva', territories: ['canarias'] },
      'does not exist for this supply and territory',
    ],
  ])('of days %s are refused', (_, changes, text) => {
    expect(() => withOperatorRates([{ ...NOVEMBER, ...changes }])).toThrow(text);
  });

  test('of one day are refused the second time', () => {
    expect(() => withOperatorRates([NOVEMBER, { ...NOVEMBER, value: 5.11269632 }])).toThrow(
      'is settled already: Acuerdo de convalidación',
    );
  });

  test('that share a day, a supply and a territory are refused in either order, and accepted where they share only two', () => {
    const wider: SettledRate = { ...NOVEMBER, value: 5.11269632, territories: ['baleares', 'peninsula'] };
    for (const rows of [
      [NOVEMBER, wider],
      [wider, NOVEMBER],
    ])
      expect(() => withOperatorRates(rows)).toThrow('is settled already: Acuerdo de convalidación');
    const elsewhere: SettledRate = { ...wider, territories: ['baleares'] };
    expect(withOperatorRates([NOVEMBER, elsewhere]).slice(0, 2)).toEqual([elsewhere, NOVEMBER]);
  });
});
