import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isFullLength } from './share.ts';

export interface Watched<T> {
  readonly value: T;
  readonly wallMs: number;
  /** The longest that this thread was at work between two looks, in time of a processor: what others do does not count. */
  readonly blockedMs: number;
  /** How much more memory this process held at its highest, apart from the space for what was just made. */
  readonly grownMb: number;
}

/**
 * For tests that measure: what others do on the machine only ever adds to what is measured, and not each time, while
 * what the program does itself is there in every attempt. `npm test` measures nothing, and tries nothing again.
 */
export const RETRY_ON_NOISE = { retry: isFullLength ? 3 : 0 };

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * What this process holds. The space for what was just made is left out: the engine chooses its size, within bounds, and
 * any traffic that is lively enough grows it.
 */
function heldBytes(): number {
  const young = getHeapSpaceStatistics().filter(({ space_name }) => space_name.startsWith('new_'));
  return young.reduce((rest, space) => rest - space.physical_space_size, process.memoryUsage.rss());
}

/** Looks at the event loop and the memory of this process while something runs. */
export async function watched<T>(run: () => Promise<T>): Promise<Watched<T>> {
  collectGarbage();
  const before = heldBytes();
  let highest = before;
  let blockedMs = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    blockedMs = Math.max(blockedMs, (user + system) / 1000);
    highest = Math.max(highest, heldBytes());
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 2);
  const started = performance.now();
  try {
    const value = await run();
    look();
    return { value, wallMs: performance.now() - started, blockedMs, grownMb: (highest - before) / 2 ** 20 };
  } finally {
    clearInterval(timer);
  }
}

/** Processes that this one has started and that still run. */
export async function runningChildren(): Promise<number> {
  // The handle of a process that has ended is given back a turn of the event loop later.
  await new Promise((resolve) => setTimeout(resolve, 1));
  return process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;
}
