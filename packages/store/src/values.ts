import { assert } from '@tarifario/core/service';

export function flag(value: boolean): number {
  return value ? 1 : 0;
}

/** Refuses numbers that are not finite, because a driver would bind NaN as null and JSON would lose it. */
export function finite<T extends number | null>(value: T): T {
  assert(value === null || Number.isFinite(value), 'every number that is stored is finite');
  return value;
}
