import type { Scope } from '@tarifario/core/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runsOf, shareOf } from '../../../packages/store/test/share.ts';
import { fillServer } from '../../http/test/http-world.ts';
import type { RunningServer } from '../../http/test/running-server.ts';
import { request, startMcpServer } from './mcp-server.ts';
import { OTHER_METHODS, questions } from './questions.ts';
import { WAYS } from './ways.ts';

// Two services that differ only in commissions. An agent that may not see commissions must not be able to tell which of
// the two it calls, whatever it calls.

const BOT: readonly Scope[] = ['offers:read', 'catalog:read'];

interface Side {
  readonly server: RunningServer;
  readonly filled: Awaited<ReturnType<typeof fillServer>>;
  readonly bot: string;
}

let sides: readonly [Side, Side];

async function openSide(pays: (base: number) => number): Promise<Side> {
  const server = await startMcpServer();
  const filled = await fillServer(server, 'alike', pays);
  return { server, filled, bot: await server.addKey(filled.accountId, { scopes: BOT }) };
}

beforeAll(async () => {
  sides = [await openSide((base) => base), await openSide((base) => (base === 50 ? 0 : 1000 - base))];
});
afterAll(() => Promise.all(sides.map(({ server }) => server.close())));

/** Without the instants at which records were made, and the hash that depends on one. */
const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{64}/g, '(time)');

it('A-26: the two sides differ for those who may see commissions', async () => {
  const rank = request('tools/call', { name: 'get_offer', arguments: { id: sides[0].filled.sample.luzId } });
  const [one, other] = await Promise.all(
    sides.map(async ({ server, filled }) => (await WAYS[0]?.open(server, filled.key)(rank))?.text),
  );
  expect(one).not.toBe(other);
});

it.each(WAYS)(
  'A-26: $name, an agent without commissions:read gets the same answer on both sides',
  async ({ open, turn }) => {
    const asks = sides.map(({ server, bot }) => open(server, bot));
    expect(sides[1].filled.sample).toEqual(sides[0].filled.sample);
    const messages = [
      ...shareOf(questions(sides[0].filled.sample, 50), 3, turn).map(([name, args]) =>
        request('tools/call', { name, arguments: args }),
      ),
      ...OTHER_METHODS.map(([method, params]) => request(method, params)),
    ];
    expect(messages.length).toBeGreaterThan(runsOf(50, 150));
    for (const message of messages) {
      const [one, other] = await Promise.all(asks.map((ask) => ask(message)));
      expect(timeless(other?.text ?? ''), JSON.stringify(message)).toBe(timeless(one?.text ?? ''));
    }
  },
);
