import type { Issue } from './errors.ts';
import { say } from './messages/message.ts';

/** Maximum contracted power, included. */
export const MAX_KW = 1e6;

/** Maximum consumption or export of a period, included. */
export const MAX_KWH = 1e9;

/** Above this a connection of low voltage is no longer 2.0TD (Circular CNMC 3/2020, art. 6). */
export const MAX_KW_OF_2_0TD = 15;

/** Most days of a calculation period, included. */
export const MAX_DAYS = 1100;

/** The name of a series of prices by the hour, such as `PVPC`. */
export const INDEX_NAME = /^[A-Z0-9][A-Z0-9_-]{0,31}$/;
export const MAX_INDEX_NAME_LENGTH = 32;

/** The highest price of an hour, EUR/kWh, included, above and below 0. */
export const MAX_INDEX_PRICE = 10;

/**
 * The lowest and the highest value of a number, both included. Refusals name the unit as well, because a number out of its
 * bounds was most likely meant in another unit.
 */
export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly isWhole?: true;
}

/** Contracted or demanded power. */
export const KW = { min: 0, max: MAX_KW, unit: 'kW' } as const satisfies Bounds;

/** One shared list, because a file has a million numbers, and nearly all of them are right. */
export const NOTHING: readonly Issue[] = [];

/** The fault of a number, if it has one; `null` is no number and allowed. */
export function checkNumber(path: string, value: number | null, bounds: Bounds): readonly Issue[] {
  return value === null ? NOTHING : checkAmount(path, value, bounds);
}

/** The same for a required number. Text from a program in JavaScript compares as a number and adds as text. */
export function checkAmount(path: string, value: number, { min, max, unit, isWhole }: Bounds): readonly Issue[] {
  const fits = typeof value === 'number' && value >= min && value <= max;
  if (fits && (!isWhole || Number.isInteger(value))) return NOTHING;
  const text = isWhole ? 'must be a whole number of {min} to {max} {unit}' : 'must be between {min} and {max} {unit}';
  return [{ path, message: say(text, { min, max, unit }) }];
}

/** The same for a list by period, where `null` is allowed. */
export function checkPeriods(path: string, values: readonly (number | null)[], bounds: Bounds): readonly Issue[] {
  // Stryker disable next-line ConditionalExpression,ArrowFunction: the same answer without a list for what is right
  if (values.every((value) => checkNumber(path, value, bounds) === NOTHING)) return NOTHING;
  return values.flatMap((value, index) => checkNumber(`${path}.${index}`, value, bounds));
}
