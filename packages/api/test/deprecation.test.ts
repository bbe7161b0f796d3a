import { createWorld, operationOf } from '@tarifario/testkit/api/world';
import { expect, it } from 'vitest';
import { operations } from '../src/index.ts';

const deprecated = { since: '2027-01-01', sunset: '2027-07-01', link: 'https://tarifario.example/changes' };
const TOLD = {
  Deprecation: '@1798761600',
  Sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
  Link: '<https://tarifario.example/changes>; rel="deprecation"',
};

it('A-101: an operation whose row is deprecated has the headers in every answer, refusals too', async () => {
  const world = await createWorld();
  const row = { ...operationOf('listOffers'), deprecated };
  const answers = [
    await world.send(row),
    await world.send(row, { query: 'limit=x' }),
    await world.send(row, { key: 'junk' }),
    await world.send(row, { ifNoneMatch: '*' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 304]);
  for (const { headers } of answers)
    expect(headers).toMatchObject({ ...TOLD, Link: expect.stringContaining(TOLD.Link) });
});

it('A-101: an operation whose row is not deprecated has none of the headers', async () => {
  const world = await createWorld();
  const { headers } = await world.send('getAccount');
  for (const name of Object.keys(TOLD)) expect(headers).not.toHaveProperty(name);
  expect(operations.filter((operation) => operation.deprecated !== null)).toEqual([]);
});
