import { expect, it, type TestOptions } from 'vitest';

/** Whether tests go their full length, as under `npm run test:long`; else they run a share of similar cases. */
export const isFullLength = process.env.TEST_LENGTH === 'full';

/**
 * Of many things that are alike the first and one of `every` others, the same in each run; at full length all of them.
 *
 * @param turn - Which ones: those of `every` turns are together all of them.
 */
export function shareOf<T>(things: readonly T[], every: number, turn = 0): readonly T[] {
  if (isFullLength) return things;
  return things.filter((_, index) => index === 0 || (index + turn) % every === 0);
}

/** What `fixedWork` takes of a processor where each limit was met, with nothing beside it. */
const FIXED_WORK_MS = 12;

function fixedWork(): number {
  const before = process.threadCpuUsage();
  const texts = Array.from({ length: 20_000 }, (_, n) => String((n * 7919) % 20_011)).sort();
  JSON.parse(JSON.stringify(texts));
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** How many times as long a limit of time is as on a quiet machine, 1 to 4: as a fixed work takes at this moment. */
export const slowness = (): number =>
  Math.min(4, Math.max(1, Math.min(...Array.from({ length: 5 }, fixedWork)) / FIXED_WORK_MS));

/** Fails at full length where something took the limit or more, in milliseconds. `npm test` judges no time. */
export function expectWithin(ms: number, limitMs: number): void {
  if (isFullLength) expect(ms).toBeLessThan(limitMs * slowness());
}

interface Further {
  (title: string, run: () => Promise<void> | void): void;
  (title: string, options: TestOptions, run: () => Promise<void>): void;
}

/** A test that runs at full length alone: beside it stand those that `npm test` runs. */
export const further: Pick<typeof it, 'each'> & Further = isFullLength
  ? it
  : Object.assign(() => {}, { each: () => () => {} });

/** How many random cases a law is tried on. */
export function runsOf(share: number, full: number): number {
  return isFullLength ? full : share;
}

/** How many random cases each law of a contract is tried on: a quarter, because SQLite tries all of them. */
export function runsOfContract(full: number): number {
  return runsOf(Math.ceil(full / 4), full);
}
