import { postgresUrl } from '@tarifario/testkit/postgres/databases';
import { runsOf } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { operations } from '../../src/index.ts';
import { agree, statusesOf } from './agreement.ts';
import { MODELLED } from './model.ts';

// The service over SQLite, over PostgreSQL and a model of the rules, written from the specification and not from
// the code, get the same requests. They agree on every answer: status, body, ids, stamps, order and totals. A request that
// is refused leaves every row of every table as it was. Where they do not, the shortest list of commands is shown;
// `agree({ seed, ... })` with the seed shown repeats it.

it('the model has every operation that writes', () => {
  // Templates only ask for the right to write, a proposal has what a ranking answers, and no other answer depends on
  // a webhook.
  const writing = operations.filter(
    ({ id, scopes }) => !/^bulkTemplate|Proposal$|Webhook/.test(id) && scopes.some((scope) => scope.endsWith(':write')),
  );
  expect(MODELLED).toEqual(expect.arrayContaining(writing.map(({ id }) => id)));
});

it('A-12, A-21, A-22, A-24, A-26, A-29, A-30, A-34, A-38, A-51: the service does what the model predicts, over SQLite', async () => {
  const tally = await agree({ seed: 9, numRuns: runsOf(36, 500), maxCommands: 120 });
  // Each operation has both succeeded and been refused.
  for (const operation of MODELLED) {
    expect(Math.min(...statusesOf(tally, operation)), operation).toBeLessThan(300);
    expect(Math.max(...statusesOf(tally, operation)), operation).toBeGreaterThanOrEqual(400);
  }
  for (const refused of [
    'createOffer 422',
    'bulkPatchOffers 422',
    'updateOffer 422',
    'createClient 409',
    'bulkUpdateOffers 422',
  ]) {
    expect(tally.get(refused), refused).toBeGreaterThan(5);
  }
});

it.skipIf(postgresUrl === null)('the service over PostgreSQL does what the model predicts', async () => {
  const tally = await agree({ seed: 6, numRuns: runsOf(4, 50), maxCommands: 120, onPostgres: true });
  expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  expect(tally.get('createClient 409')).toBeGreaterThan(0);
});
