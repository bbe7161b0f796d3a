import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import type { Territory } from '../offers/offer.ts';
import { hoursFrom, hoursIn, MEASURED_TARIFFS, tariffCalendar } from './tariff-periods.ts';

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

describe('A-79: every hour of 2021 to 2030 is in the period that a second source says', () => {
  test('of six periods on the mainland', () => {
    const { periodsOf, energyPeriods, powerPeriods } = tariffCalendar('6.1TD', 'peninsula');
    expect([energyPeriods, powerPeriods]).toEqual([6, 6]);
    const counts = new Array<number>(6).fill(0);
    for (const { day, month, hour, isOff } of MAINLAND) {
      const expected = isOff || hour < 8 ? 6 : (PUBLISHED[hour - 8]?.[month - 1] ?? 0);
      const { energy, power } = periodsOf(day);
      if (energy[hour] !== expected - 1 || power[hour] !== expected - 1) expect([day, hour, energy[hour]]).toEqual([]);
      counts[expected - 1] = (counts[expected - 1] ?? 0) + 1;
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(HOURS_OF_TEN_YEARS);
    for (const count of counts) expect(count).toBeGreaterThan(4000);
  });

  test.each(Object.entries(THREE_PERIODS))('of 2.0TD in %s', (territory, ranges) => {
    const { periodsOf, energyPeriods, powerPeriods } = tariffCalendar('2.0TD', territory as Territory);
    expect([energyPeriods, powerPeriods]).toEqual([3, 2]);
    for (const { day, hour, isOff } of territory === 'canarias' ? CANARIES : MAINLAND) {
      const [period] = isOff ? [3] : (ranges.find(([, from, to]) => hour >= from && hour < to) ?? [0]);
      const power = isOff || hour < 8 ? 2 : 1;
      const periods = periodsOf(day);
      if (periods.energy[hour] !== period - 1 || periods.power[hour] !== power - 1) expect([day, hour]).toEqual([]);
    }
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
  'A-79: the tariff %s has a calendar on the mainland; elsewhere a tariff of six periods has none',
  (tariff) => {
    expect(tariffCalendar(tariff, 'peninsula').energyPeriods).toBe(tariff === '2.0TD' ? 3 : 6);
    if (tariff === '2.0TD') return;
    for (const territory of ['canarias', 'baleares', 'ceuta_melilla'] as const) {
      expect(() => tariffCalendar(tariff, territory)).toThrow(DomainError);
    }
  },
);

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
