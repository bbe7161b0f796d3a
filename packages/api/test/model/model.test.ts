import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { begin } from './beginning.ts';
import { commandLists, runList } from './commands.ts';
import { SCOPES } from './model.ts';
import { prepareSystems } from './systems.ts';

// The service over SQLite, the service in memory and a model of the rules are asked the same, and agree on every answer.

let prepared: Awaited<ReturnType<typeof prepareSystems>>;

beforeAll(async () => {
  prepared = await prepareSystems(begin);
});

afterAll(() => prepared.remove());

const SEED = 20_260_131;

it('the service does what the model says, over SQLite and in memory', { timeout: 240_000 }, async () => {
  const tally = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(commandLists(40), async (commands) => {
      const systems = await prepared.open();
      try {
        await runList(systems, commands, tally);
      } finally {
        await systems.close();
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
  if (process.env.TALLY)
    console.log(
      [...tally]
        .sort()
        .map(([a, b]) => `${a} ${b}`)
        .join('\n'),
    );
  // Each operation was asked in earnest: it succeeded, and it refused where it can.
  const answered = [...tally.keys()];
  const statuses = (operation: string) =>
    answered.filter((entry) => entry.startsWith(`${operation} `)).map((entry) => Number(entry.split(' ')[1]));
  for (const operation of Object.keys(SCOPES)) {
    expect(Math.min(...statuses(operation)), operation).toBeLessThan(300);
    expect(Math.max(...statuses(operation)), operation).toBeGreaterThanOrEqual(400);
  }
});
