import fc from 'fast-check';
import { begin } from './beginning.ts';
import { commandLists, runList } from './commands.ts';
import { factoriesOf } from './factories.ts';
import type { Service } from './systems.ts';

/** How many lists of commands, of how many at most. */
export interface Extent {
  readonly seed: number;
  readonly numRuns: number;
  readonly maxCommands: number;
  /** Over PostgreSQL too; needs a server. */
  readonly onPostgres?: boolean;
}

/**
 * Runs lists of commands on the model and on the service over each kind of store, which have to agree on everything.
 *
 * @returns How often each operation was answered with each status: entries such as `getOffer 404`.
 * @throws Error with the seed and the shortest list on which they differ.
 */
export async function agree(extent: Extent): Promise<ReadonlyMap<string, number>> {
  const { seed, numRuns, maxCommands, onPostgres = false } = extent;
  const tally = new Map<string, number>();
  const factories = await factoriesOf(begin, { onPostgres });
  const property = fc.asyncProperty(commandLists(maxCommands), async (commands) => {
    const services: Service[] = [];
    try {
      for (const { make } of factories) services.push(await make());
      await runList(services, commands, tally);
    } finally {
      for (const { close } of services) await close();
    }
  });
  try {
    await fc.assert(property, { seed, numRuns });
  } finally {
    for (const { remove } of factories) await remove();
  }
  return tally;
}

/** The statuses of one operation in a tally. */
export function statusesOf(tally: ReadonlyMap<string, number>, operation: string): readonly number[] {
  return [...tally.keys()]
    .filter((entry) => entry.startsWith(`${operation} `))
    .map((entry) => Number(entry.split(' ')[1]));
}
