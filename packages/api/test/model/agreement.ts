import fc from 'fast-check';
import { begin } from './beginning.ts';
import { commandLists, runList } from './commands.ts';
import { prepareSystems } from './systems.ts';

/** How many lists of commands, of how many at most. */
export interface Extent {
  readonly seed: number;
  readonly numRuns: number;
  readonly maxCommands: number;
}

/**
 * Runs lists of commands on the model and on the service over SQLite and in memory, which have to agree on everything.
 *
 * @returns How often each operation was answered with each status: entries such as `getOffer 404`.
 * @throws Error with the seed and the shortest list on which they differ.
 */
export async function agree({ seed, numRuns, maxCommands }: Extent): Promise<ReadonlyMap<string, number>> {
  const tally = new Map<string, number>();
  const prepared = await prepareSystems(begin);
  const property = fc.asyncProperty(commandLists(maxCommands), async (commands) => {
    const systems = await prepared.open();
    try {
      await runList(systems, commands, tally);
    } finally {
      await systems.close();
    }
  });
  try {
    await fc.assert(property, { seed, numRuns });
  } finally {
    prepared.remove();
  }
  return tally;
}

/** The statuses of one operation in a tally. */
export function statusesOf(tally: ReadonlyMap<string, number>, operation: string): readonly number[] {
  return [...tally.keys()]
    .filter((entry) => entry.startsWith(`${operation} `))
    .map((entry) => Number(entry.split(' ')[1]));
}
