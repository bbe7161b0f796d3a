import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLIND_SCOPES, buildVectorWorld, readVectors } from '../../../packages/api/test/vectors.ts';
import { differencesOf } from '../../../test-fixtures/vectors/oracle/differences.mjs';
import { requestOf } from './http-world.ts';
import { type Answer, ask, askFor, type RunningServer, startTestServer } from './running-server.ts';

// The vectors asked over a socket, of a server on a SQLite file. They only read, so those about the same offers share one.

const vectors = readVectors();
const worlds = [...Map.groupBy(vectors, ({ given }) => JSON.stringify(given.offers)).values()];

it('the vectors are at least 40, each tested once', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(40);
  expect(worlds.flat()).toHaveLength(vectors.length);
});

describe.each(worlds.map((world) => ({ first: world[0]?.name, world })))('offers of "$first"', ({ world }) => {
  let server: RunningServer;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    server = await startTestServer();
    const accountId = await server.addAccount('vectors');
    keys.set('full', await server.addKey(accountId, {}));
    keys.set('no-commissions', await server.addKey(accountId, { scopes: BLIND_SCOPES }));
    const target = {
      store: server.service.store,
      ask: (id: string, sent: Parameters<typeof requestOf>[1]) =>
        askFor(server, keys.get('full') ?? '', requestOf(id, sent)),
    };
    await buildVectorWorld(target, world[0]?.given.offers ?? []);
  });

  afterAll(() => server.close());

  it.each(world)('$file: $name', async ({ given, expect: expected }) => {
    const { operation, ...sent } = given.request;
    const answer = await ask(server, keys.get(given.caller) ?? '', requestOf(operation, sent));
    expect(differencesOf(expected, wireOf(answer))).toEqual([]);
  });
});

function wireOf({ status, text }: Answer): object {
  return { status, body: JSON.parse(text) };
}
