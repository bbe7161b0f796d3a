import { roundHalfUp } from '@tarifario/core/service';

/** An amount of money on the wire: EUR with 6 decimals, never -0. */
export function toWireEur(amountEur: number): number {
  return roundHalfUp(amountEur, 6) + 0;
}

/** A nota on the wire: 4 decimals. */
export function toWireNota(score: number): number {
  return roundHalfUp(score, 4) + 0;
}

/** A percentage on the wire: 2 decimals. */
export function toWirePercent(percent: number): number {
  return roundHalfUp(percent, 2) + 0;
}

/** The same number; 0 for -0, which JSON and databases treat in different ways. */
export function withoutMinusZero(value: number): number {
  return value + 0;
}
