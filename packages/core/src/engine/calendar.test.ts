import { expect, test } from 'vitest';
import { daysBefore, monthFor, monthNumber, secondsAfter } from './calendar.ts';

const two = (n: number) => String(n).padStart(2, '0');

test('A-12: a month is written as itself or as any real day of it', () => {
  expect(monthFor('2026-02')).toBe('2026-02-01');
  expect(monthFor('2024-02-29')).toBe('2024-02-01');
  expect(monthFor('2000-02-29')).toBe('2000-02-01');
});

test('A-12: for eight years and leap years of a century, the real days are those of the calendar', () => {
  for (const year of [1896, 1900, 1999, 2000, 2023, 2024, 2025, 2100]) {
    for (let month = 0; month <= 13; month++) {
      const isMonth = month >= 1 && month <= 12;
      const first = isMonth ? `${year}-${two(month)}-01` : null;
      expect(monthFor(`${year}-${two(month)}`)).toBe(first);
      const lastDay = isMonth ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
      for (let day = 0; day <= 32; day++) {
        const isReal = day >= 1 && day <= lastDay;
        expect(monthFor(`${year}-${two(month)}-${two(day)}`), `${year}-${month}-${day}`).toBe(isReal ? first : null);
      }
    }
  }
});

test('A-12: a day that does not exist, or a text that is not a day, has no month', () => {
  const wrong = ['2025-02-30', '1900-02-29', '2025-1-1', '', ' 2025-01', '2025-01 ', '2025-01-01T00:00:00Z', '25-01'];
  for (const text of wrong) expect(monthFor(text), text).toBeNull();
});

test('months are counted from year 0, so that their difference is a number of months', () => {
  expect(monthNumber('0000-01-01')).toBe(0);
  expect(monthNumber('2026-01-01') - monthNumber('2025-12-01')).toBe(1);
  expect(monthNumber('2026-01-01') - monthNumber('2024-01-01')).toBe(24);
  expect(monthNumber('2026-10-01') - monthNumber('1026-10-01')).toBe(12_000);
});

test('seconds after an instant follow the calendar, over the ends of months and years', () => {
  const instants = [
    '2026-01-01T00:00:00.000Z',
    '2024-02-28T23:59:59.999Z',
    '1999-12-31T23:59:01.007Z',
    '2025-02-28T12:00:00.500Z',
  ];
  for (const instant of instants) {
    for (const seconds of [0, 1, 59, 60, 3599, 86_399, 86_400, 86_401, 2_678_400, 40_000_000, 400_000_000]) {
      const expected = new Date(Date.parse(instant) + seconds * 1000).toISOString();
      expect(secondsAfter(instant, seconds), `${instant} + ${seconds}`).toBe(expected);
    }
  }
});

test('days before an instant follow the calendar, over the ends of months and years', () => {
  for (const instant of ['2026-03-01T07:08:09.010Z', '2000-12-31T23:59:59.999Z', '0400-01-02T00:00:00.000Z']) {
    for (const days of [0, 1, 2, 27, 28, 31, 59, 60, 366, 1461, 36_524, 140_000]) {
      const expected = new Date(Date.parse(instant) - days * 86_400_000).toISOString();
      expect(daysBefore(instant, days), `${instant} - ${days}`).toBe(expected);
    }
  }
});

test('an instant before the year 0 is refused', () => {
  expect(daysBefore('0000-03-01T01:02:03.004Z', 10)).toBe('0000-02-20T01:02:03.004Z');
  expect(daysBefore('0000-03-01T01:02:03.004Z', 60)).toBe('0000-01-01T01:02:03.004Z');
  expect(daysBefore('0000-03-01T01:02:03.004Z', 61)).toBe('0000-01-01T01:02:03.004Z');
  expect(daysBefore('0001-01-02T01:02:03.004Z', 5000)).toBe('0000-01-01T01:02:03.004Z');
});
