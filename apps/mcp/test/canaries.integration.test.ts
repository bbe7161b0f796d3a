import type { Tool } from '@tarifario/api';
import type { Scope } from '@tarifario/core/service';
import { fillServer } from '@tarifario/testkit/http/http-world';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { AMOUNTS, expectNoTrace } from '@tarifario/testkit/leaks';
import { post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { runsOf, shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OTHER_METHODS, questions, TOOLS } from './questions.ts';
import { type Ask, WAYS } from './ways.ts';

// Two services that differ only in commissions. Those of the first are numbers that occur nowhere else. The bot that talks
// to customers calls every tool in every way: no answer may contain one of them, and it must not be able to tell which of
// the two it calls.

/** As `key create --mcp` makes them. */
const MCP: readonly Scope[] = ['offers:read', 'catalog:read'];

let server: RunningServer;
let filled: Awaited<ReturnType<typeof fillServer>>;
/** The second service. */
let other: RunningServer;
/** One of the account in each service, and one of a firm in the first. */
let keys: { readonly bot: string; readonly otherBot: string; readonly ofFirm: string };
/** Whether each tool was refused. */
const outcomes = new Map<string, Set<boolean>>();

beforeAll(async () => {
  [server, other] = [await startMcpServer({ logLevel: 'trace' }), await startMcpServer()];
  filled = await fillServer(server, 'bot', AMOUNTS.planted);
  // In the first the offer with tiers pays most, here nothing: offers of the same cost must not come in another order.
  const others = (base: number) => ([3, 12, 50].includes(base) ? 0 : 1000 - base);
  const { accountId, sample } = await fillServer(other, 'bot', others);
  expect(sample).toEqual(filled.sample);
  keys = {
    bot: await server.addKey(filled.accountId, { scopes: MCP }),
    otherBot: await other.addKey(accountId, { scopes: MCP }),
    ofFirm: await server.addKey(filled.accountId, { scopes: MCP, firmId: sample.clientId }),
  };
});
afterAll(() => Promise.all([server.close(), other.close()]));

it('planted commissions are visible to callers who may see commissions, so the search can find them', async () => {
  const inTool = await post(
    server,
    filled.key,
    request('tools/call', { name: 'get_offer', arguments: { id: filled.sample.luzId } }),
  );
  expect(inTool.text).toMatch(AMOUNTS.trace);
  const agent = await server.addKey(filled.accountId, { scopes: [...MCP, 'commissions:read'] });
  const best = await post(
    server,
    agent,
    request('tools/call', { name: 'recommend_offers', arguments: { consumption_mwh: 1 } }),
  );
  expect(best.text).toMatch(AMOUNTS.trace);
});

/** Without the instants at which records were made, and the hash that depends on one. */
const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{64}/g, '(time)');

/** The questions of a way, with the names of their tools. */
function callsOf(turn: number) {
  const calls = shareOf(questions(filled.sample, AMOUNTS.planted(50)), 3, turn).map(([name, args]) => ({
    name,
    message: request('tools/call', { name, arguments: args }),
  }));
  const others = OTHER_METHODS.map(([method, params]) => ({ name: null, message: request(method, params) }));
  return [...calls, ...others];
}

/** Expects that an answer has no planted commission, and notes whether its tool was refused. */
function check({ name, message }: ReturnType<typeof callsOf>[number], { headers, text }: Awaited<ReturnType<Ask>>) {
  expectNoTrace(AMOUNTS, { [JSON.stringify(message)]: headers + text });
  if (name === null) return;
  const { result } = JSON.parse(text);
  outcomes.set(name, (outcomes.get(name) ?? new Set()).add(result === undefined || result.isError));
}

it.each(WAYS)(
  'A-26: no answer $name to an agent without commissions:read depends on commissions, or contains one',
  async ({ open, turn }) => {
    const [ask, askOther] = [open(server, keys.bot), open(other, keys.otherBot)];
    const calls = callsOf(turn);
    expect(calls.length).toBeGreaterThan(runsOf(50, 150));
    for (const call of calls) {
      const [one, two] = await Promise.all([ask(call.message), askOther(call.message)]);
      expect(timeless(two.text), JSON.stringify(call.message)).toBe(timeless(one.text));
      check(call, one);
    }
  },
);

it.each(WAYS)('A-26: no answer $name to an agent of one firm contains a commission', async ({ open, turn }) => {
  const ask = open(server, keys.ofFirm);
  for (const call of callsOf(turn)) check(call, await ask(call.message));
});

it('A-26: each tool that such an agent may call has succeeded in these answers', async () => {
  expect([...outcomes.keys()].toSorted()).toEqual(TOOLS.toSorted());
  const tools: readonly Tool[] = JSON.parse((await post(server, keys.bot, request('tools/list'))).text).result.tools;
  for (const { name } of tools) expect(outcomes.get(name), name).toContain(false);
  for (const name of ['recommend_offers', 'calculate_commission', 'list_clients'])
    expect(outcomes.get(name)).toEqual(new Set([true]));
  expectNoTrace(AMOUNTS, { log: server.logLines });
});
