import { monthFor, monthNumber } from '@tarifario/core';
import { expect, test } from 'vitest';

test('a month is named by itself or by any real day of it', () => {
  expect(monthFor('2026-02')).toBe('2026-02-01');
  expect(monthFor('2024-02-29')).toBe('2024-02-01');
  expect(monthFor('2000-02-29')).toBe('2000-02-01');
});

test('a day that does not exist names no month', () => {
  for (const text of [
    '2025-02-30',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-01',
    '2025-01-00',
    '2025-1-1',
    '2025-01-32',
    '',
    ' 2025-01',
    '2025-01-01T00:00:00Z',
  ]) {
    expect(monthFor(text), text).toBeNull();
  }
});

test('months are counted so that their difference is a number of months', () => {
  expect(monthNumber('2026-01-01') - monthNumber('2025-12-01')).toBe(1);
  expect(monthNumber('2026-01-01') - monthNumber('2024-01-01')).toBe(24);
});
