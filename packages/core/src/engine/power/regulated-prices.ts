import { type Day, dayNumber } from '../calendar.ts';
import { assert } from '../errors.ts';
import { decimalDigits, isWithin } from '../numbers.ts';
import { type PerPeriod, perPeriod } from '../periods.ts';
import { checkOperatorRow, holdsOn, type RowByDay, uncertain } from '../rows-by-day.ts';
import type { LeastPowerPrices } from './least-prices.ts';

/** The access tariffs whose contracted power is optimized. */
export const POWER_TARIFFS = ['2.0TD', '3.0TD', '6.1TD'] as const;
export type PowerTariff = (typeof POWER_TARIFFS)[number];

/** What a regulated price is of, with its unit. The names are wire values. */
export const REGULATED_UNITS = {
  /** Tolls of transport and distribution. */
  peajes: 'EUR/kW·año',
  /** Charges of the system. */
  cargos: 'EUR/kW·año',
  peajes_y_cargos: 'EUR/kW·año',
  /** Excess of power, by type of meter. */
  exceso_tipos_4_5: 'EUR/kW·día',
  exceso_tipos_1_3: 'EUR/kW',
} as const;
export type RegulatedConcept = keyof typeof REGULATED_UNITS;

/** A regulated price of contracted power. */
export interface RegulatedPrice extends RowByDay {
  readonly concept: RegulatedConcept;
  readonly tariff: PowerTariff;
  /** EUR/kW and year, or as `REGULATED_UNITS` says; by period, P1 first; `null`: the tariff has no such period. */
  readonly prices: PerPeriod<number | null>;
}

const YEAR_2026 = { from: '2026-01-01', to: '2026-12-31' };
const TOLLS = { ...YEAR_2026, ...uncertain('Resolución de la CNMC BOE-A-2025-26348', '2025-26348') };
const CHARGES = { ...YEAR_2026, ...uncertain('Orden TED/1524/2025', '2025-26705') };
const BOTH = uncertain('Resolución de la CNMC BOE-A-2025-26348, Orden TED/1524/2025 (BOE-A-2025-26705)', '2025-26348');
const EXCESS_2025 = {
  ...{ from: '2025-04-01', to: '2025-12-31' },
  ...uncertain('Resolución de la CNMC BOE-A-2025-5341', '2025-5341'),
};

// biome-ignore format: one row a line
/** The regulated prices of contracted power by law and date. */
export const REGULATED_PRICES: readonly RegulatedPrice[] = [
  { concept: 'peajes_y_cargos', tariff: '2.0TD', prices: [27.704413, 0.725423, null, null, null, null], ...YEAR_2026, ...BOTH },
  { concept: 'peajes', tariff: '3.0TD', prices: [14.935084, 7.894323, 2.502996, 1.907795, 0.535313, 0.535313], ...TOLLS },
  { concept: 'cargos', tariff: '3.0TD', prices: [5.441843, 2.723298, 1.978538, 1.978538, 1.978538, 0.906974], ...CHARGES },
  { concept: 'exceso_tipos_4_5', tariff: '3.0TD', prices: [0.168944, 0.089294, 0.028322, 0.021656, 0.006126, 0.006126], ...EXCESS_2025 },
  { concept: 'exceso_tipos_4_5', tariff: '3.0TD', prices: [0.171373, 0.090584, 0.028721, 0.021891, 0.006142, 0.006142], ...TOLLS },
  { concept: 'exceso_tipos_1_3', tariff: '3.0TD', prices: [3.325715, 1.757877, 0.557353, 0.424794, 0.119179, 0.119179], ...TOLLS },
  { concept: 'peajes', tariff: '6.1TD', prices: [23.946498, 12.687713, 4.747747, 3.339695, 0.070979, 0.062703], ...TOLLS },
  { concept: 'cargos', tariff: '6.1TD', prices: [5.64887, 2.826996, 2.054134, 2.054134, 2.054134, 0.941478], ...CHARGES },
  { concept: 'exceso_tipos_1_3', tariff: '6.1TD', prices: [3.431797, 1.818277, 0.680379, 0.478581, 0.010172, 0.008984], ...TOLLS },
];

/** The concepts whose sum is the price of contracted power. */
export function pricedConcepts(tariff: PowerTariff): readonly RegulatedConcept[] {
  return tariff === '2.0TD' ? ['peajes_y_cargos'] : ['peajes', 'cargos'];
}

/** The rows of a day, of a tariff or of all, in the order of the table; an empty list: nothing is known of it. */
export function regulatedPricesOn(
  day: Day,
  tariff: PowerTariff | null = null,
  table: readonly RegulatedPrice[] = REGULATED_PRICES,
): readonly RegulatedPrice[] {
  return table.filter((row) => holdsOn(row, day) && (tariff === null || row.tariff === tariff));
}

/** The periods of power of a tariff, 0 for P1. */
export function powerPeriodsOf(tariff: PowerTariff): readonly number[] {
  return tariff === '2.0TD' ? [0, 1] : [0, 1, 2, 3, 4, 5];
}

/** An annual price as one of a day, without the decimals behind the sixth. */
const DIGITS_OF_YEAR = 365n * 10n ** 6n;

//
/**
 * Tolls and charges of a day, without the tariffs for which one of them is not known.
 *
 * @throws RangeError for a day that does not exist.
 */
export function leastPowerPrices(day: Day, table: readonly RegulatedPrice[] = REGULATED_PRICES): LeastPowerPrices {
  assert(dayNumber(day) !== null, 'prices are those of a real day, YYYY-MM-DD');
  const known = POWER_TARIFFS.map((tariff) => [
    tariff,
    regulatedPricesOn(day, tariff, table).filter(({ concept }) => pricedConcepts(tariff).includes(concept)),
  ]) satisfies readonly (readonly [PowerTariff, readonly RegulatedPrice[]])[];
  return Object.fromEntries(
    known.flatMap(([tariff, rows]) => {
      if (rows.length < pricedConcepts(tariff).length) return [];
      const sumIn = (period: number) =>
        rows.reduce((sum, { prices }) => sum + decimalDigits(prices[period] ?? 0, 12), 0n);
      const own = powerPeriodsOf(tariff);
      const least = perPeriod((period) => (own.includes(period) ? Number(sumIn(period) / DIGITS_OF_YEAR) / 1e6 : null));
      return [[tariff, least]];
    }),
  );
}

/** Maximum price of a row, included. */
const MAX_PRICE = 1000;

//
/**
 * The regulated prices with those of an operator, for days that are not known here.
 *
 * @throws RangeError for a row that is none, of a price that the tariff does not have, or of a day that is settled.
 */
export function withOperatorPrices(
  rows: readonly RegulatedPrice[],
  table: readonly RegulatedPrice[] = REGULATED_PRICES,
): readonly RegulatedPrice[] {
  const all = [...table];
  for (const row of rows) {
    const { concept, tariff, prices, from } = row;
    const name = `${concept} of ${tariff} from ${from}`;
    const excess: readonly RegulatedConcept[] = tariff === '2.0TD' ? [] : ['exceso_tipos_4_5', 'exceso_tipos_1_3'];
    assert([...pricedConcepts(tariff), ...excess].includes(concept), `${name} does not exist`);
    const own = powerPeriodsOf(tariff);
    const isPriced = prices.every((price, period) =>
      own.includes(period) ? price !== null && isWithin(price, MAX_PRICE) : price === null,
    );
    assert(isPriced, `${name} has a price from 0 to ${MAX_PRICE} in each period of its tariff`);
    const settled = all.filter((other) => other.concept === concept && other.tariff === tariff);
    checkOperatorRow(row, name, settled);
    all.push(row);
  }
  return all;
}
