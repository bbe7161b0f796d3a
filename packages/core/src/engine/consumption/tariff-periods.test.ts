import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import type { Community, Territory } from '../offers/offer.ts';
import { hoursFrom, hoursIn, MEASURED_TARIFFS, type MeasuredTariff, tariffCalendar } from './tariff-periods.ts';

/**
 * The mainland calendar of six periods a second time, copied by hand from the table that a retailer publishes for its
 * customers (respiraenergia.com, "Periodos de discriminación horaria"): a row an hour from 8:00, a column a month.
 */
const PUBLISHED = `
  2 2 3 5 5 4 2 4 4 5 3 2
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  2 2 3 5 5 4 2 4 4 5 3 2
  2 2 3 5 5 4 2 4 4 5 3 2
  2 2 3 5 5 4 2 4 4 5 3 2
  2 2 3 5 5 4 2 4 4 5 3 2
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  1 1 2 4 4 3 1 3 3 4 2 1
  2 2 3 5 5 4 2 4 4 5 3 2
  2 2 3 5 5 4 2 4 4 5 3 2`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' ').map(Number));

type Hours = readonly [period: number, from: number, to: number][];

/** 2.0TD as the law words it: hours from and to. */
const COMMON_HOURS: Hours = [
  [1, 10, 14],
  [1, 18, 22],
  [2, 8, 10],
  [2, 14, 18],
  [2, 22, 24],
  [3, 0, 8],
];
const THREE_PERIODS: Readonly<Record<Territory, Hours>> = {
  peninsula: COMMON_HOURS,
  baleares: COMMON_HOURS,
  canarias: COMMON_HOURS,
  ceuta_melilla: [
    [1, 11, 15],
    [1, 19, 23],
    [2, 8, 11],
    [2, 15, 19],
    [2, 23, 24],
    [3, 0, 8],
  ],
};
/** Where a supply is. */
type Place = readonly [territory: Territory, community: Community | null];
const MORNING_FROM_9 = [
  [9, 14],
  [18, 22],
] as const;
const MORNING_FROM_10 = [
  [10, 15],
  [18, 22],
] as const;
const EVENING_FROM_19 = [
  [10, 15],
  [19, 23],
] as const;
const HOLIDAYS = ['1/1', '1/6', '5/1', '8/15', '10/12', '11/1', '12/6', '12/8', '12/25'];

interface LocalHour {
  readonly day: string;
  readonly month: number;
  readonly hour: number;
  readonly isOff: boolean;
}

/** Every hour of ten years by the clock of a place, from the time zones of the runtime. */
function localHours(timeZone: string): readonly LocalHour[] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    weekday: 'short',
  });
  const hours: LocalHour[] = [];
  for (let at = Date.UTC(2020, 11, 31, 20); at < Date.UTC(2031, 0, 1, 4); at += 3_600_000) {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year, month = '', day = '', weekday = '', hour } = parts;
    if (Number(year) < 2021 || Number(year) > 2030) continue;
    const isOff = ['Sat', 'Sun'].includes(weekday) || HOLIDAYS.includes(`${month}/${day}`);
    hours.push({
      day: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
      month: Number(month),
      hour: Number(hour),
      isOff,
    });
  }
  return hours;
}

const MAINLAND = localHours('Europe/Madrid');
const CANARIES = localHours('Atlantic/Canary');
const HOURS_OF_TEN_YEARS = 3652 * 24;

test('A-79: every instant of ten years has an hour in both time zones', () => {
  expect(MAINLAND).toHaveLength(HOURS_OF_TEN_YEARS);
  expect(CANARIES).toHaveLength(HOURS_OF_TEN_YEARS);
});

test.each([
  ['the mainland', MAINLAND],
  ['the Canary Islands', CANARIES],
])('A-79: every day of ten years has its hours on %s, also when the clock is changed', (_, hours) => {
  const counted = new Map<string, number>();
  for (const { day } of hours) counted.set(day, (counted.get(day) ?? 0) + 1);
  expect(counted.size).toBe(3652);
  for (const [day, count] of counted) expect([day, hoursIn(day)]).toEqual([day, count]);
  const days = [...counted.keys()];
  let sum = 0;
  for (const day of days) {
    sum += counted.get(day) ?? 0;
    expect([day, hoursFrom('2021-01-01', day)]).toEqual([day, sum]);
  }
  expect([...counted.values()].filter((count) => count === 23)).toHaveLength(10);
  expect([...counted.values()].filter((count) => count === 25)).toHaveLength(10);
});

/** Six periods as the law words them: months by type of day, hours of the two levels, and the periods of each type. */
const SIX_PERIODS: readonly {
  readonly place: Place;
  readonly months: Readonly<Record<'A' | 'B' | 'B1' | 'C', readonly number[]>>;
  readonly high: readonly (readonly [from: number, to: number])[];
  readonly levels: Readonly<Record<'A' | 'B' | 'B1' | 'C', readonly [high: number, medium: number]>>;
  readonly hoursOf2026: readonly number[];
}[] = [
  {
    place: ['peninsula', null],
    months: { A: [1, 2, 7, 12], B: [3, 11], B1: [6, 8, 9], C: [4, 5, 10] },
    high: MORNING_FROM_9,
    levels: { A: [1, 2], B: [2, 3], B1: [3, 4], C: [4, 5] },
    hoursOf2026: [756, 975, 886, 1022, 441, 4680],
  },
  {
    place: ['baleares', 'baleares'],
    months: { A: [6, 7, 8, 9], B: [5, 10], B1: [1, 2, 12], C: [3, 4, 11] },
    high: MORNING_FROM_10,
    levels: { A: [1, 2], B: [2, 3], B1: [3, 4], C: [4, 5] },
    hoursOf2026: [792, 985, 836, 1012, 455, 4680],
  },
  {
    place: ['canarias', null],
    months: { A: [7, 8, 9, 10], B: [11, 12], B1: [1, 2, 3], C: [4, 5, 6] },
    high: MORNING_FROM_10,
    levels: { A: [1, 3], B: [2, 3], B1: [2, 4], C: [4, 5] },
    hoursOf2026: [783, 936, 903, 1010, 448, 4680],
  },
  {
    place: ['ceuta_melilla', 'ceuta'],
    months: { A: [1, 2, 8, 9], B: [7, 10], B1: [3, 11, 12], C: [4, 5, 6] },
    high: EVENING_FROM_19,
    levels: { A: [1, 4], B: [2, 3], B1: [2, 4], C: [3, 5] },
    hoursOf2026: [747, 972, 884, 1029, 448, 4680],
  },
  {
    place: ['ceuta_melilla', 'melilla'],
    months: { A: [1, 7, 8, 9], B: [2, 12], B1: [6, 10, 11], C: [3, 4, 5] },
    high: EVENING_FROM_19,
    levels: { A: [1, 2], B: [2, 3], B1: [3, 4], C: [4, 5] },
    hoursOf2026: [774, 971, 863, 1024, 448, 4680],
  },
];

describe('A-79: every hour of 2021 to 2030 is in the period that a second source says', () => {
  test('of six periods on the mainland', () => {
    const { periodsOf } = tariffCalendar('6.1TD', 'peninsula');
    for (const { day, month, hour, isOff } of MAINLAND) {
      const expected = isOff || hour < 8 ? 6 : (PUBLISHED[hour - 8]?.[month - 1] ?? 0);
      const { energy, power } = periodsOf(day);
      if (energy[hour] !== expected - 1 || power[hour] !== expected - 1) expect([day, hour, energy[hour]]).toEqual([]);
    }
  });

  test.each(SIX_PERIODS)('of six periods in $place.0, $place.1', ({ place, months, high, levels, hoursOf2026 }) => {
    const { periodsOf, energyPeriods, powerPeriods } = tariffCalendar('6.1TD', ...place);
    expect([energyPeriods, powerPeriods]).toEqual([6, 6]);
    expect(
      Object.values(months)
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const counts = new Array<number>(6).fill(0);
    let classified = 0;
    for (const { day, month, hour, isOff } of place[0] === 'canarias' ? CANARIES : MAINLAND) {
      const type = (['A', 'B', 'B1', 'C'] as const).find((each) => months[each].includes(month)) ?? 'A';
      const isHigh = high.some(([from, to]) => hour >= from && hour < to);
      const expected = isOff || hour < 8 ? 6 : levels[type][isHigh ? 0 : 1];
      const { energy, power } = periodsOf(day);
      if (energy[hour] !== expected - 1 || power[hour] !== expected - 1) expect([day, hour, energy[hour]]).toEqual([]);
      classified += 1;
      if (day.startsWith('2026')) counts[expected - 1] = (counts[expected - 1] ?? 0) + 1;
    }
    expect(classified).toBe(HOURS_OF_TEN_YEARS);
    expect(counts).toEqual(hoursOf2026);
  });

  test.each(Object.entries(THREE_PERIODS))('of 2.0TD in %s', (territory, ranges) => {
    const { periodsOf, energyPeriods, powerPeriods } = tariffCalendar('2.0TD', territory as Territory);
    expect([energyPeriods, powerPeriods]).toEqual([3, 2]);
    const counts = [0, 0, 0];
    for (const { day, hour, isOff } of territory === 'canarias' ? CANARIES : MAINLAND) {
      const [period] = isOff ? [3] : (ranges.find(([, from, to]) => hour >= from && hour < to) ?? [0]);
      const power = isOff || hour < 8 ? 2 : 1;
      const periods = periodsOf(day);
      if (periods.energy[hour] !== period - 1 || periods.power[hour] !== power - 1) expect([day, hour]).toEqual([]);
      if (day.startsWith('2026')) counts[period - 1] = (counts[period - 1] ?? 0) + 1;
    }
    expect(counts).toEqual([2040, 2040, 4680]);
  });
});

test('A-79: sources differ about 9:00 on the mainland; here the high hours are 9 to 14', () => {
  const { energy } = tariffCalendar('3.0TD', 'peninsula').periodsOf('2026-01-07');
  expect(energy.slice(8, 15)).toEqual([1, 0, 0, 0, 0, 0, 1]);
});

test.each([
  ['Good Friday', '2026-04-03'],
  ['a Monday after a holiday on Sunday', '2026-11-02'],
  ['a holiday of one community', '2026-04-23'],
])('A-79: %s is a working day', (_, day) => {
  expect(tariffCalendar('2.0TD', 'peninsula').periodsOf(day).energy[10]).toBe(0);
});

test.each(MEASURED_TARIFFS)(
  'A-79: the tariff %s has a calendar in every zone; of six periods they are those of 3.0TD',
  (tariff) => {
    for (const { place } of SIX_PERIODS) {
      const { energyPeriods, periodsOf } = tariffCalendar(tariff, ...place);
      expect(energyPeriods).toBe(tariff === '2.0TD' ? 3 : 6);
      if (tariff !== '2.0TD')
        expect(periodsOf('2026-07-01')).toEqual(tariffCalendar('3.0TD', ...place).periodsOf('2026-07-01'));
    }
  },
);

test.each<[MeasuredTariff, Place, string]>([
  ['3.0TD', ['ceuta_melilla', null], 'community ceuta and melilla have different hours: name one of them'],
  ['3.0TD', ['peninsula', 'canarias'], 'community canarias is not in peninsula'],
  ['2.0TD', ['ceuta_melilla', 'madrid'], 'community madrid is not in ceuta_melilla'],
])('A-79: %s in %j is refused: %s', (tariff, place, expected) => {
  const refusal = catching(() => tariffCalendar(tariff, ...place));
  expect(refusal.code).toBe('business_rule');
  const issues = 'issues' in refusal.details ? (refusal.details.issues ?? []) : [];
  expect(issues.map(({ path, message }) => `${path} ${inWords(message)}`)).toEqual([expected]);
});

function catching(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('nothing was refused');
}

test('A-79: 2.0TD in Ceuta and Melilla needs no community', () => {
  const { energy } = tariffCalendar('2.0TD', 'ceuta_melilla').periodsOf('2026-01-07');
  for (const city of ['ceuta', 'melilla'] as const)
    expect(tariffCalendar('2.0TD', 'ceuta_melilla', city).periodsOf('2026-01-07').energy).toEqual(energy);
});

/** Months of which the operator's prices lack a day, see test-fixtures/catalog/SOURCES.md. */
const LACKING = ['2022-04-01', '2022-06-01', '2024-12-01', '2026-07-01'];

test('A-79: the published monthly prices are means over the days of their months', () => {
  const file = join(import.meta.dirname, '../../../../../test-fixtures/catalog/pvpc-2.0TD-monthly.csv');
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  expect(lines).toHaveLength(124);
  const counted = new Map<string, Set<string>>();
  for (const { day } of MAINLAND) {
    const month = `${day.slice(0, 7)}-01`;
    counted.set(month, (counted.get(month) ?? new Set()).add(day));
  }
  for (const line of lines) {
    const [, month = '', , , , days] = line.split(',');
    const expected = (counted.get(month)?.size ?? 0) - (LACKING.includes(month) ? 1 : 0);
    expect([month, Number(days)]).toEqual([month, expected]);
  }
});

test('A-79: a text that is not a day has no periods', () => {
  expect(() => tariffCalendar('2.0TD', 'peninsula').periodsOf('2026-02-30')).toThrow(RangeError);
});
