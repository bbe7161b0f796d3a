import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUSTOMERS, customer, isWorkday, published, readingOf, series } from '../../../test/hourly-customers.ts';
import { CURVE_DIALECTS, type CurveHour as MadeUpHour, PLAIN_STYLE } from '../../../testing/curve-files.ts';
import type { Day } from '../calendar.ts';
import type { CurveTerms } from '../consumption/curve.ts';
import { startOfDay } from '../consumption/tariff-periods.ts';
import { QUARTER_MS } from './index-days.ts';

/** Of published prices, by a second program. */
const REFERENCES = [
  ['home', '2026-06', [0.012448755, 0.005811682, -0.003891956], null],
  ['panels', '2026-06', [0.057794275, 0.071104114, 0.026648093], 0.083588438],
  ['car', '2026-06', [0.012448755, 0.005811682, 0.01108745], null],
  ['office', '2026-06', [-0.027289773, -0.020910003, 0], null],
  ['panels', '2025-10', [0.049352053, 0.032714357, 0.014482008], 0.117796518],
  ['panels', '2026-01', [0.022022736, 0.004534702, 0.00845101], 0.138984683],
  ['panels', '2026-03', [0.061932287, 0.039550271, 0.013029619], 0.115791616],
] as const;

describe('A-164: the hours of a customer beside the plain mean', () => {
  const days = published();
  it.each(REFERENCES)('%s in %s, to the last digit', (name, month, differences, surplus) => {
    const { months, unpricedHours } = readingOf(customer([month], CUSTOMERS[name]), days);
    expect([months, unpricedHours]).toEqual([[{ differences, surplus }], 0]);
  });

  it('cost the home of June 1.152267 EUR more than by means: 41.829771 beside 40.677504', () => {
    const { effectEur, curve } = readingOf(customer(['2026-06'], CUSTOMERS.home), days);
    const means = [0.179144, 0.114796, 0.112373];
    const byMeans = curve.consumptionKwh.reduce((sum, kwh, period) => sum + kwh * (means[period] ?? 0), 0);
    expect(effectEur).toBeCloseTo(41.829771 - 40.677504, 3);
    expect(byMeans).toBeCloseTo(40.677504, 3);
  });

  it.each(
    CURVE_DIALECTS.flatMap((dialect) =>
      (['number', 'begin', 'end'] as const).map((clock) => [dialect, clock] as const),
    ),
  )('are the same hours in a file of %s by %s, in the months in which the clock is changed too', (dialect, clock) => {
    for (const month of ['2025-10', '2026-03']) {
      const hours = customer([month], CUSTOMERS.home);
      const plain = readingOf(hours, days, { dialect: 'plain' });
      const again = readingOf(hours, days, { dialect, style: { ...PLAIN_STYLE, clock } });
      expect(again.months).toEqual(plain.months);
    }
  });
});

/** Random, and the same for one instant. */
const priceAt = (seed: number) => (time: number) => ((Math.sin(time / 3.6e6 + seed) * 43758.5453) % 1) / 4;

describe('A-164: laws of the differences', () => {
  const territory = fc.constantFrom('peninsula', 'canarias', 'baleares', 'ceuta_melilla');
  const month = fc.constantFrom('2025-10', '2026-02', '2026-03');
  const asked = fc.record({ seed: fc.nat(999), territory, month, load: fc.nat(99) });
  const load = (of: number) => (day: Day, hour: number) =>
    [((of + hour * 7 + Number(day.slice(8))) % 9) / 4, hour % 5] as const;
  const law = (
    work: (one: { seed: number; territory: CurveTerms['territory']; month: string; load: number }) => void,
  ) => fc.assert(fc.property(asked, work), { seed: 20_261_129, numRuns: 12 });
  const valuesOf = (reading: ReturnType<typeof readingOf>) =>
    reading.months.flatMap((one) => [...(one?.differences ?? [null]), one?.surplus ?? null]).map(Number);

  it('they are the mean of the hours that were bought less that of all hours, hour by hour', () => {
    law(({ seed, territory: where, month: of, load: own }) => {
      const hours = customer([of], load(own));
      const [price, terms] = [priceAt(seed), { tariff: '2.0TD', territory: where } as const];
      const { months, curve } = readingOf(hours, series([of], price), { terms });
      const bought = hours.reduce((sum, hour) => {
        const time = startOfDay(hour.day, where) + (hour.number - 1) * 4 * QUARTER_MS;
        return sum + hour.kwh * price(time);
      }, 0);
      const means = readingOf(
        customer([of], () => [1, 0]),
        series([of], price),
        { terms },
      );
      expect(valuesOf(means).slice(0, 3)).toEqual([0, 0, 0]);
      const whole = curve.consumptionKwh.reduce((sum, kwh, period) => {
        const flat = readingOf(
          customer([of], () => [1, 0]),
          series([of], price),
          { terms },
        );
        const mean = meanOf(hours, price, { where, period, energy: flat.curve.consumptionKwh });
        return sum + kwh * (Number(months[0]?.differences[period]) + mean);
      }, 0);
      expect(whole).toBeCloseTo(bought, 5);
    });
  });

  it('consumption times k has the same, a series plus c too but for surplus, and a series times k has k times them', () => {
    law(({ seed, territory: where, month: of, load: own }) => {
      const terms = { tariff: '2.0TD', territory: where } as const;
      const price = priceAt(seed);
      const read = (k: number, change: (value: number) => number) =>
        valuesOf(
          readingOf(
            customer([of], (day, hour) => load(own)(day, hour).map((kwh) => kwh * k) as [number, number]),
            series([of], (time) => change(price(time))),
            { terms },
          ),
        );
      const plain = read(1, (value) => value);
      expect(read(4, (value) => value)).toEqual(plain);
      const [raised, doubled] = [read(1, (value) => value + 0.5), read(1, (value) => value * 2)];
      for (const [at, value] of plain.entries()) {
        expect(raised[at]).toBeCloseTo(value + (at === 3 ? 0.5 : 0), 8);
        expect(doubled[at]).toBeCloseTo(value * 2, 8);
      }
    });
  });

  it('quarter-hours that repeat the hours give those of the hours, and two parts of a month weigh as the whole', () => {
    law(({ seed, month: of, load: own }) => {
      const price = priceAt(seed);
      const hours = customer([of], load(own));
      const byHour = readingOf(hours, series([of], price));
      const quarters = series([of], (time) => price(time - (time % (4 * QUARTER_MS))), 96);
      expect(valuesOf(readingOf(hours, quarters))).toEqual(valuesOf(byHour));
      const parts = [hours.filter(({ day }) => day.slice(8) <= '11'), hours.filter(({ day }) => day.slice(8) > '11')];
      const read = parts.map((part) => readingOf(part, series([of], price)));
      for (const period of [0, 1, 2]) {
        const weighted = read.reduce(
          (sum, { curve, months }) =>
            sum + (curve.consumptionKwh[period] ?? 0) * Number(months[0]?.differences[period]),
          0,
        );
        expect(weighted / (byHour.curve.consumptionKwh[period] ?? 0)).toBeCloseTo(
          Number(byHour.months[0]?.differences[period]),
          7,
        );
      }
    });
  });
});

/** The plain mean of a period of a month, hour by hour; all hours of it are in the file. */
function meanOf(
  hours: readonly MadeUpHour[],
  price: (time: number) => number,
  {
    where,
    period,
    energy,
  }: { readonly where: CurveTerms['territory']; readonly period: number; readonly energy: readonly number[] },
): number {
  let sum = 0;
  for (const { day, number } of hours) {
    const one = readingOfPeriod(day, number, where);
    if (one === period) sum += price(startOfDay(day, where) + (number - 1) * 4 * QUARTER_MS);
  }
  return sum / (energy[period] ?? 1);
}

/** Circular 3/2020: by working day and hour. */
function readingOfPeriod(day: Day, number: number, where: CurveTerms['territory']): number {
  const hour = number - 1;
  const holidays = ['2025-10-12', '2025-11-01', '2026-01-01', '2026-01-06'];
  if (!isWorkday(day) || holidays.includes(day) || hour < 8) return 2;
  const late = where === 'ceuta_melilla' ? 1 : 0;
  const isPeak = [10, 11, 12, 13, 18, 19, 20, 21].map((one) => one + late).includes(hour);
  return isPeak ? 0 : 1;
}

describe('A-164: what lacks prices', () => {
  const of = '2026-02';
  const home = customer([of], CUSTOMERS.panels);
  const without = (isMissing: (time: number) => boolean) =>
    series([of], (time) => (isMissing(time) ? null : priceAt(1)(time)));
  const start = startOfDay('2026-02-01', 'peninsula');
  const hourOf = (time: number) => Math.floor((time - start) / 3.6e6);

  it('an entry has its index with 95 % of the prices of its month, and not with less', () => {
    // February has 672 hours, of which 33.6 may be missing.
    const most = readingOf(
      home,
      without((time) => hourOf(time) >= 0 && hourOf(time) < 33),
    );
    expect([most.months.map(Boolean), most.unpricedHours]).toEqual([[true], 33]);
    const fewer = readingOf(
      home,
      without((time) => hourOf(time) >= 0 && hourOf(time) < 34),
    );
    expect([fewer.months, fewer.unpricedHours, fewer.effectEur]).toEqual([[null], 34, 0]);
  });

  it('hours without a price leave both sums', () => {
    const twice = readingOf(
      customer([of], () => [1, 0]),
      without((time) => hourOf(time) === 20),
    );
    const once = readingOf(
      customer([of], (_day, hour) => [hour === 20 ? 1 : 0.25, 0]),
      without(() => false),
    );
    expect([twice.unpricedHours, once.unpricedHours]).toEqual([1, 0]);
    expect(twice.months[0]?.differences).toEqual([0, 0, 0]);
  });

  it('an entry whose period, or surplus, has no priced hour has no index', () => {
    const sunday = customer([of], (day, hour) => [day === `${of}-02` && hour === 10 ? 1 : 0, 0]);
    const monday = start + 34 * 3.6e6;
    expect(
      readingOf(
        sunday,
        without((time) => time === monday),
      ).months,
    ).toEqual([null]);
    expect(
      readingOf(
        sunday,
        without(() => false),
      ).months,
    ).toEqual([{ differences: [expect.any(Number), null, null], surplus: null }]);
    const sold = customer([of], (day, hour) => [1, day === `${of}-02` && hour === 10 ? 1 : 0]);
    expect(
      readingOf(
        sold,
        without((time) => time === monday),
      ).months,
    ).toEqual([null]);
  });

  it('an entry with a difference that a question would refuse has no index', () => {
    const evening = customer([of], (_day, hour) => [hour === 20 ? 1 : 0, 0]);
    const between = (eur: number) => series([of], (time) => (hourOf(time) % 24 === 20 ? eur : -eur));
    expect(readingOf(evening, between(10)).months).toEqual([null]);
    // Punta has eight hours, of which seven cost -5.
    expect(readingOf(evening, between(5)).months[0]?.differences).toEqual([8.75, null, expect.any(Number)]);
  });

  it('an hour of the customer in which one quarter-hour has no price has none', () => {
    const quarters = series([of], (time) => (time === start + 3 * QUARTER_MS ? null : priceAt(2)(time)), 96);
    expect(readingOf(home, quarters).unpricedHours).toBe(1);
  });
});
