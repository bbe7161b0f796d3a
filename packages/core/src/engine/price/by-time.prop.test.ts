import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byYearAndMonth } from './customer.ts';

const SEED = 14;

describe('an amount by year and by month', () => {
  it.each([
    [67.95, 30, 826.73, 68.89],
    [62.14, 32, 708.78, 59.07],
    [1200, 365, 1200, 100],
    [1200.06, 365, 1200.06, 100.01],
    [-100.06, 365, -100.06, -8.34],
    [0, 1, 0, 0],
    // Half a cent is rounded once, and not before it is put into a year.
    [649.425, 365, 649.43, 54.12],
    [-649.424999, 365, -649.42, -54.12],
  ])('of %d EUR in %d days is %d EUR a year and %d EUR a month', (amountEur, days, yearEur, monthEur) => {
    expect(byYearAndMonth(amountEur, { days })).toEqual({ yearEur, monthEur });
  });

  it('A-91: is the exact quotient to half a cent, and twelve months are the year to 6 cents', () => {
    const amountCents = fc.integer({ min: -100_000_000, max: 100_000_000 });
    fc.assert(
      fc.property(amountCents, fc.integer({ min: 1, max: 1100 }), (cents, days) => {
        const { yearEur, monthEur } = byYearAndMonth(cents / 100, { days });
        const [yearCents, monthCents] = [Math.round(yearEur * 100), Math.round(monthEur * 100)];
        // Whole numbers alone: |year * days - cents * 365| is at most half of days.
        expect(2 * Math.abs(yearCents * days - cents * 365)).toBeLessThanOrEqual(days);
        expect(2 * Math.abs(monthCents * 12 * days - cents * 365)).toBeLessThanOrEqual(12 * days);
        expect(Math.abs(12 * monthCents - yearCents)).toBeLessThanOrEqual(6);
      }),
      { seed: SEED },
    );
  });
});
