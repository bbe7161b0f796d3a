import { type CalculationPeriod, YEAR } from './customer.ts';

/**
 * An amount of a calculation period as those of a year and of a month: by its days, of which a year has 365, and twelve
 * months are a year.
 *
 * @param amountEur - In cents; below 0 too, as a saving may be.
 * @returns EUR, each rounded to cents from the same amount, a half away from zero: twelve months differ from the year by
 *   6 cents at most.
 */
export function byYearAndMonth(
  amountEur: number,
  { days }: Pick<CalculationPeriod, 'days'>,
): {
  /** EUR a year. */
  readonly yearEur: number;
  /** EUR a month. */
  readonly monthEur: number;
} {
  const cents = Math.round(Math.abs(amountEur) * 100) * YEAR.days;
  const rounded = (divisor: number) => (Math.sign(amountEur) * Math.floor(cents / divisor + 0.5)) / 100;
  return { yearEur: rounded(days), monthEur: rounded(days * YEAR.months) };
}
