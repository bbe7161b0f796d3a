import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NOW } from './sample-offers.ts';
import { tenantOnSqlite } from './tenant-on-sqlite.ts';

const { world } = tenantOnSqlite();

/** The turns of the event loop in which some works were done; everything done in one turn stopped all else together. */
async function turnsOf(works: readonly ((done: () => void) => Promise<unknown>)[]): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await nextTurn();
      turn += 1;
    }
  })();
  const turns: number[] = [];
  await Promise.all(works.map((work) => work(() => turns.push(turn))));
  isOver = true;
  await counting;
  return turns;
}

it('units of work that waited for the writer run in separate turns of the event loop', async () => {
  const write = (done: () => void) => world.store.write(NOW, async () => done());
  const turns = await turnsOf(Array.from({ length: 10 }, () => write));
  expect(new Set(turns).size).toBe(10);
});

it('reads that waited for a connection run in separate turns of the event loop', async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  const reads = Array.from({ length: 8 }, () => world.store.read(() => release));
  await nextTurn();
  const read = (done: () => void) => world.store.read(async () => done());
  const counted = turnsOf(Array.from({ length: 20 }, () => read));
  resolve();
  const turns = await counted;
  const together = Math.max(...[...Map.groupBy(turns, (turn) => turn).values()].map((group) => group.length));
  // One for each of the eight connections.
  expect(together).toBeLessThanOrEqual(8);
  await Promise.all(reads);
});
