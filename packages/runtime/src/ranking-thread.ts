// What a thread that only ranks needs of this machine: stores, logs and meters would take it longer to load than the rest.
import { createPlainKernel, type RankingKernel, type Sieve } from '@tarifario/core';
import { createSimdKernel, createSimdSieve } from '@tarifario/kernel-simd';

/** The kernel that is fastest on this machine; all answer alike. */
export function fastestKernel(): RankingKernel {
  return createSimdKernel() ?? createPlainKernel();
}

/** What leaves offers out for portfolios, where this machine has a way that pays. */
export function fastestSieve(): Sieve | null {
  return createSimdSieve();
}

export { csvTables } from '@tarifario/sheets';
