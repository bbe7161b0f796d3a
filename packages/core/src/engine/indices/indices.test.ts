import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SheetRow } from '../cells.ts';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { createMonthMeans, type IndexDay, incompleteDays, indexPrices, mergedDays, spanOf } from './index-days.ts';
import { createIndexFileReader, type IndexChoice } from './index-file.ts';

const ANY: IndexChoice = { geo: null, series: null };

function rowsOf(text: string): readonly SheetRow[] {
  return text.split('\n').map((line, at) => ({
    row: at + 1,
    cells: line.split(';').map((cell, column) => ({ column, value: { kind: 'text', text: cell } })),
  }));
}

function read(content: string | object, choice = ANY): readonly IndexDay[] {
  const reader = createIndexFileReader(choice);
  if (typeof content === 'object') reader.takeJson(content);
  else for (const row of rowsOf(content)) reader.takeRow(row);
  return reader.finish('PVPC');
}

function refusal(content: string | object, choice = ANY): string {
  try {
    read(content, choice);
  } catch (error) {
    if (error instanceof DomainError && 'issues' in error.details)
      return (error.details.issues ?? []).map(({ message }) => inWords(message)).join();
    throw error;
  }
  return 'read';
}

/** As published by ESIOS (1001, mainland); see test-fixtures/README.md. */
const published = (name: string) =>
  readFileSync(new URL(`../../../../../test-fixtures/catalog/${name}`, import.meta.url), 'utf8').trimEnd();
const PVPC = published('pvpc-2.0TD-hourly.csv');
const PVPC_DAYS = read(PVPC);
const FIRST = published('pvpc-2.0TD-hourly-2026-06-22-first.csv');

const quartersOf = (days: readonly IndexDay[]) =>
  days.flatMap(({ day }) => Array.from({ length: 96 }, (_, at) => Date.parse(day) + at * 900_000));

const HEADER = 'id;name;geoid;geoname;value;datetime';
const esios = (...lines: readonly (readonly [geo: string, value: string, instant: string])[]) =>
  [HEADER, ...lines.map(([geo, value, instant]) => `1001;PVPC;${geo};Zona;${value};${instant}`)].join('\n');
const values = (...all: readonly (readonly [value: number | null, instant: string])[]) =>
  all.map(([value, datetime]) => ({ value, datetime, datetime_utc: 'none', geo_id: 8741 }));

describe('A-163: the plain means of published prices', () => {
  it('are those of a second program for four months, with all hours of each', () => {
    const means = createMonthMeans({ tariff: '2.0TD', territory: 'peninsula', community: null });
    for (const day of read(PVPC)) means.add(day);
    expect(means.months()).toEqual([
      { month: '2025-10-01', means: [0.211128, 0.137377, 0.119243], hours: 745, expectedHours: 745 },
      { month: '2026-01-01', means: [0.21956, 0.142875, 0.106462], hours: 744, expectedHours: 744 },
      { month: '2026-03-01', means: [0.215884, 0.126713, 0.107836], hours: 743, expectedHours: 743 },
      { month: '2026-06-01', means: [0.179144, 0.114796, 0.112373], hours: 720, expectedHours: 720 },
    ]);
  });

  it('change with a correction, whose hours replace those that stood', () => {
    const { days, newHours, changedHours } = mergedDays(read(FIRST), read(PVPC));
    expect([newHours, changedHours]).toEqual([2952 - 24, 9]);
    expect(days).toEqual(read(PVPC));
  });

  it('are by the clock of the territory, and by six periods where the tariff has them', () => {
    // An hour of Canarias is the next one of the mainland: 10:00 to 14:00 is P1 of 2.0TD.
    const day = { day: '2026-02-02', prices: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 0.9 : 0)) };
    const first = (territory: 'peninsula' | 'canarias', tariff: '2.0TD' | '3.0TD') => {
      const means = createMonthMeans({ tariff, territory, community: null });
      means.add(day);
      return means.months().map((month) => month.means);
    };
    expect(first('peninsula', '2.0TD')).toEqual([[0.1125, 0, 0]]);
    expect(first('canarias', '2.0TD')).toEqual([[0, 0.1125, 0]]);
    expect(first('peninsula', '3.0TD')[0]?.slice(2)).toEqual([null, null, null, 0]);
  });
});

describe('A-163: a publication is read the same in each form', () => {
  const stamps = [
    ['2026-03-29T01:00:00+01:00', 101.5],
    ['2026-03-29T03:00:00+02:00', -2.25],
  ] as const;
  const expected = [{ index: 'PVPC', day: '2026-03-29', prices: [0.1015, -0.00225, ...new Array(22).fill(null)] }];
  const all = values(...stamps.map(([instant, value]) => [value, instant] as const));
  it.each([
    ['CSV of ESIOS', esios(...stamps.map(([at, value]) => ['8741', String(value), at] as const))],
    [
      'CSV of ESIOS with commas',
      esios(...stamps.map(([at, value]) => ['8741', String(value).replace('.', ','), at] as const)),
    ],
    [
      'CSV of ESIOS in another order',
      esios(...stamps.toReversed().map(([at, value]) => ['8741', String(value), at] as const)),
    ],
    ['JSON of ESIOS', { indicator: { values: all } }],
    [
      'JSON of ESIOS by UTC',
      {
        indicator: {
          values: stamps.map(([at, value]) => ({ value, geo_id: 8741, datetime_utc: new Date(at).toISOString() })),
        },
      },
    ],
    [
      'REData',
      {
        included: [
          {
            type: 'PVPC',
            attributes: { values: all.map((one) => ({ ...one, datetime: one.datetime.replace('+', '.000+') })) },
          },
        ],
      },
    ],
  ])('%s', (_form, content) => {
    expect(read(content)).toEqual(expected);
  });

  it('OMIE, whose numbers count the hours of the local day, and quarter-hours from October 2025 on', () => {
    const day = (text: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${text.replaceAll('-', ';')};${at + 1};9999;${at + 1};`);
    const file = (...lines: readonly string[]) => ['MARGINALPDBC;', ...lines, '*'].join('\n');
    const prices = indexPrices(read(file(...day('2025-03-30', 23), '*', 'MARGINALPDBC;', ...day('2025-03-31', 24))));
    const at = (instant: string) => prices.atQuarter(Date.parse(instant));
    expect([at('2025-03-30T00:00+01:00'), at('2025-03-30T03:15+02:00'), at('2025-03-30T23:00+02:00')]).toEqual([
      0.001, 0.003, 0.023,
    ]);
    expect([at('2025-03-31T00:00+02:00'), at('2025-03-29T23:00+01:00')]).toEqual([0.001, null]);
    const quarters = indexPrices(read(file(...day('2025-10-26', 100))));
    const of = (instant: string) => quarters.atQuarter(Date.parse(instant));
    expect([of('2025-10-26T02:45+02:00'), of('2025-10-26T02:00+01:00'), of('2025-10-26T23:45+01:00')]).toEqual([
      0.012, 0.013, 0.1,
    ]);
    const both = indexPrices(read(file(...day('2025-09-30', 24), ...day('2025-10-01', 96))));
    const on = (instant: string) => both.atQuarter(Date.parse(instant));
    expect([on('2025-09-30T23:45+02:00'), on('2025-10-01T00:00+02:00'), on('2025-10-01T00:15+02:00')]).toEqual([
      0.024, 0.001, 0.002,
    ]);
  });

  it('has quarter-hours where one instant is between two hours, else hours', () => {
    const quarter = esios(['8741', '4', '2026-03-01T00:00:00Z'], ['8741', '8', '2026-03-01T00:15:00Z']);
    expect(read(quarter)[0]?.prices.slice(0, 5)).toEqual([0.004, 0.008, null, null, null]);
    expect(read(esios(['8741', '4', '2026-03-01T00:00:00Z']))[0]?.prices).toHaveLength(24);
    expect(read(esios(['8741', '0.07500000000000001', '2026-03-01T00:00:00Z']))[0]?.prices[0]).toBeCloseTo(
      0.000075,
      12,
    );
  });

  it('of several zones or series has the one that is named', () => {
    const zones = esios(['8741', '4', '2026-03-01T00:00:00Z'], ['8742', '5', '2026-03-01T00:00:00Z']);
    expect(read(zones, { ...ANY, geo: '8742' })[0]?.prices[0]).toBe(0.005);
    const included = ['PVPC', 'Spot'].map((type, at) => ({
      type,
      attributes: { values: values([at, '2026-03-01T00:00:00Z']) },
    }));
    expect(read({ included }, { ...ANY, series: 'Spot' })[0]?.prices[0]).toBe(0.001);
    expect(refusal(zones)).toBe('it has several: name one with --geo: 8741, 8742');
    expect(refusal({ included })).toBe('it has several: name one with --serie: PVPC, Spot');
  });
});

describe('A-163: a publication is refused with the line or the instant', () => {
  const at = '2026-03-01T00:00:00Z';
  const omie = (...lines: readonly string[]) => ['MARGINALPDBC;', ...lines].join('\n');
  const hours = (count: number) => Array.from({ length: count }, (_, hour) => `2025;02;01;${hour + 1};1;1;`);
  const unknown = 'it is no publication of ESIOS, REData or OMIE';
  it.each<readonly [string | object, string]>([
    ['fecha;precio\n2026-03-01;1', unknown],
    ['', unknown],
    [{ data: [] }, unknown],
    [{ included: [{ type: 'PVPC' }] }, unknown],
    [HEADER, 'it has no price'],
    [esios(['8741', '', at]), 'it has no price'],
    [{ indicator: { values: values([null, at]) } }, 'it has no price'],
    [esios(['8741', '1', at], ['8741', 'caro', '2026-03-01T01:00:00Z']), 'line 3: no price in EUR/MWh'],
    [esios(['8741', '1.000,5', at]), 'line 2: no price in EUR/MWh'],
    [esios(['8741', '10000.1', at]), 'line 2: a price beyond 10 EUR/kWh'],
    [esios(['8741', '-10000.1', at]), 'line 2: a price beyond 10 EUR/kWh'],
    [esios(['8741', '1', '2026-03-01 00:00']), 'line 2: no instant at which an hour or a quarter-hour begins'],
    [esios(['8741', '1', '2026-02-30T00:00:00Z']), 'line 2: no instant at which an hour or a quarter-hour begins'],
    [esios(['8741', '1', '2026-03-01T00:10:00Z']), 'line 2: no instant at which an hour or a quarter-hour begins'],
    [
      esios(['8741', '1', at], ['8741', '2', '2026-03-01T01:00:00+01:00']),
      'line 3: an instant that the file has with another price',
    ],
    [
      { indicator: { values: values([1, at], [2, at]) } },
      `the price of ${at}: an instant that the file has with another price`,
    ],
    [omie(...hours(23)), '2025-02-01 has 23 of its 24 prices'],
    [omie(...hours(25)), 'line 26: the day has 24 prices'],
    [omie(...hours(24).slice(1)), '2025-02-01 has 23 of its 24 prices'],
    [omie('2025;02;30;1;1;1;'), 'line 2: no day with a number of its hours'],
    [omie('2025;02;01;1;1;'), 'line 2: no price in EUR/MWh'],
    [omie(...hours(24), '2025;02;01;3;1;7;'), 'line 26: an instant that the file has with another price'],
  ])('%j: %s', (content, message) => {
    expect(refusal(content)).toBe(message);
  });

  it.each<readonly [string, IndexChoice, string]>([
    [esios(['8741', '1', at]), { ...ANY, geo: '8742' }, '--geo 8742 is not in it; it has 8741'],
    [esios(['8741', '1', at]), { ...ANY, series: 'PVPC' }, '--serie PVPC is not in it; it has -'],
    [omie(...hours(24)), { ...ANY, geo: '8741' }, '--geo 8741 is not in it; it has -'],
  ])('%j with %j: %s', (content, choice, message) => {
    expect(refusal(content, choice)).toBe(message);
  });

  it('and 10 EUR/kWh is none too many, either way, and an instant may come twice with one price', () => {
    const again = esios(['8741', '10000', at], ['8741', '-10000', '2026-03-01T01:00:00Z'], ['8741', '10000', at]);
    expect(read(again)[0]?.prices.slice(0, 2)).toEqual([10, -10]);
  });
});

describe('A-163: days that are merged', () => {
  const price = fc.option(fc.integer({ min: -20, max: 20 }).map((eur) => eur / 8));
  const day = fc.constantFrom('2026-03-01', '2026-03-02');
  const list = fc.constantFrom(24, 96).chain((length) => fc.array(price, { minLength: length, maxLength: length }));
  const days = fc
    .uniqueArray(fc.record({ day, prices: list }), { selector: (one) => one.day })
    .map((all) => all.map((one): IndexDay => ({ index: 'A', ...one })));
  const quarters = Array.from({ length: 192 }, (_, at) => Date.parse('2026-03-01') + at * 900_000);

  it('have each new price, the old ones where there is no new one, and count what changed', () => {
    fc.assert(
      fc.property(days, days, (stored, put) => {
        const { days: merged, newHours, changedHours } = mergedDays(stored, put);
        const [old, given, now] = [stored, put, [...stored, ...merged]].map(indexPrices);
        let [added, changed] = [0, 0];
        for (const time of quarters) {
          const [before, sent] = [old?.atQuarter(time) ?? null, given?.atQuarter(time) ?? null];
          expect(now?.atQuarter(time)).toBe(sent ?? before);
          if (sent !== null && before === null) added += 0.25;
          if (sent !== null && before !== null && sent !== before) changed += 0.25;
        }
        expect([newHours, changedHours]).toEqual([added, changed]);
      }),
      { seed: 20_261_129, numRuns: 100 },
    );
  });

  it('are the same whatever the order of the rows of a file, and of imports that do not overlap', () => {
    const [header = '', ...lines] = PVPC.split('\n');
    const indexed = lines.map((line, at) => ({ line, at }));
    const byTime = ({ days: merged }: { readonly days: readonly IndexDay[] }, stored: readonly IndexDay[]) => {
      const prices = indexPrices([...stored, ...merged]);
      return quartersOf(PVPC_DAYS).map((time) => prices.atQuarter(time));
    };
    const expected = byTime({ days: PVPC_DAYS }, []);
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer()), fc.integer({ min: 1, max: lines.length - 1 }), (keys, cut) => {
        const order = [...keys.take(lines.length)];
        const shuffled = indexed.toSorted((a, b) => (order[a.at] ?? 0) - (order[b.at] ?? 0)).map(({ line }) => line);
        const [one, other] = [shuffled.slice(0, cut), shuffled.slice(cut)].map((part) =>
          read([header, ...part].join('\n')),
        );
        expect(read([header, ...shuffled].join('\n'))).toEqual(PVPC_DAYS);
        for (const [first = [], second = []] of [
          [one, other],
          [other, one],
        ]) {
          expect(byTime(mergedDays(first, second), first)).toEqual(expected);
        }
      }),
      { seed: 20_261_129, numRuns: 5 },
    );
  });

  it('are incomplete where an hour of the local day has no price', () => {
    const flat = (text: string, length = 24) => ({ index: 'A', day: text, prices: new Array(length).fill(0.1) });
    const [before, lastOfOctober] = [flat('2025-10-25'), flat('2025-10-26', 96)];
    const span = { from: '2025-10-25', to: '2025-10-26' };
    expect(incompleteDays(span, indexPrices([before, lastOfOctober]))).toEqual(['2025-10-25']);
    // From 22:00 UTC on it is Saturday in summer.
    expect(incompleteDays(span, indexPrices([flat('2025-10-24'), before, lastOfOctober]))).toEqual([]);
    const prices = lastOfOctober.prices.with(4, null);
    expect(incompleteDays(span, indexPrices([flat('2025-10-24'), before, { ...lastOfOctober, prices }]))).toEqual([
      '2025-10-26',
    ]);
  });

  it('have the span of their prices, by the clock of the mainland', () => {
    const prices = new Array(24).fill(null);
    expect(spanOf([{ day: '2026-01-01', prices: prices.with(22, 1) }])).toEqual({
      from: '2026-01-01',
      to: '2026-01-01',
    });
    expect(spanOf([{ day: '2026-01-01', prices: prices.with(23, 1) }])).toEqual({
      from: '2026-01-02',
      to: '2026-01-02',
    });
    expect([spanOf([]), spanOf([{ day: '2026-01-01', prices }])]).toEqual([null, null]);
  });
});
