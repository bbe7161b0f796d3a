import { postgresUrl } from '@tarifario/testkit/postgres/databases';
import { expect, it } from 'vitest';
import { agree } from './agreement.ts';

// As model.test.ts, for longer lists and many more of them.

it.each([1, 2, 3, 4])('the service does what the model predicts, sequence after sequence: seed %i', async (seed) => {
  const tally = await agree({ seed, numRuns: 1500, maxCommands: 150 });
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50_000);
});

it.skipIf(postgresUrl === null).each([5, 6])(
  'the service over PostgreSQL does what the model predicts: seed %i',
  async (seed) => {
    const tally = await agree({ seed, numRuns: 200, maxCommands: 150, onPostgres: true });
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5000);
  },
);
