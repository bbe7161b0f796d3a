import { expect, it } from 'vitest';
import { idField, monthField, numberField } from '../src/fields.ts';

it('ids are accepted from 1 to 2^53 - 1, and a larger one becomes an id that no record has', () => {
  expect(idField.parse(1)).toBe(1);
  expect(idField.parse(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  for (const large of [2 ** 53, 2 ** 53 + 2, Number.MAX_VALUE]) expect(idField.parse(large)).toBe(0);
  for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
    expect(idField.safeParse(wrong).success).toBe(false);
  }
});

it('numbers are finite, and -0 becomes 0', () => {
  expect(Object.is(numberField.parse(-0), 0)).toBe(true);
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
    expect(numberField.safeParse(wrong).success).toBe(false);
  }
});

it('A-12: any real day becomes its month', () => {
  expect(['2024-02-29', '2024-02', '2024-02-01'].map((text) => monthField.parse(text))).toEqual([
    '2024-02-01',
    '2024-02-01',
    '2024-02-01',
  ]);
  expect(monthField.safeParse('2025-02-29').success).toBe(false);
});
