import fc, { type IAsyncProperty, type IProperty } from 'fast-check';

/**
 * The same examples every time; LAW_SEED asks for others, LAW_EFFORT for more of them. LAW_SHRINK=no stops at the
 * first example that breaks a law, where only the verdict matters.
 */
const seed = Number(process.env.LAW_SEED ?? 20_261_120);
const effort = Number(process.env.LAW_EFFORT ?? 1);

// Lists as long as their maximum allows: a ranking of one offer shows little.
fc.configureGlobal({ baseSize: 'medium' });

function parameters(runs: number) {
  return { seed, numRuns: Math.ceil(runs * effort), endOnFailure: process.env.LAW_SHRINK === 'no' };
}

/** Checks a law on `runs` examples (times LAW_EFFORT) and throws the smallest one that breaks it. */
export function holds<T>(property: IProperty<T>, runs = 100): void {
  fc.assert(property, parameters(runs));
}

/** The same for a law that takes time. */
export async function holdsAlways<T>(property: IAsyncProperty<T>, runs: number): Promise<void> {
  await fc.assert(property, parameters(runs));
}
