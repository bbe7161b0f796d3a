import { GAS_BODY, HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { requestOf } from '@tarifario/testkit/http/http-world';
import { askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Twenty tenants, each with a word of its own in everything it has, all at once over one server.

const TENANTS = 20;
const CALLS = 200;
const wordOf = (tenant: number) => `canario${String.fromCharCode(97 + tenant)}zz`;

let server: RunningServer;
const keys: string[] = [];
const firms: number[] = [];

beforeAll(async () => {
  server = await startMcpServer();
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const word = wordOf(tenant);
    const key = await server.addKey(await server.addAccount(`t${tenant}`), {});
    const make = async (id: string, body: object) => {
      const { id: made } = await askFor<{ id: number }>(server, key, requestOf(id, { body }));
      return made;
    };
    const client_id = await make('createClient', { name: `Firma ${word}` });
    const company_id = await make('createCompany', { client_id, name: `Casa ${word}` });
    for (const body of [LUZ_BODY, GAS_BODY])
      await make('createOffer', { ...body, company_id, offer_name: `Oferta ${word}` });
    keys.push(key);
    firms.push(client_id);
  }
});
afterAll(() => server.close());

it('A-48: 200 calls at once with 20 keys are each answered for their own tenant and their own message', async () => {
  const ask = async (call: number) => {
    const tenant = call % TENANTS;
    const questions: readonly [tool: string, args: object][] = [
      ['list_offers', {}],
      ['rank_offers', HOUSEHOLD],
      ['rank_offers', { supply_type: 'GAS', consumo_gas: 100 }],
      ['list_companies', {}],
      ['get_client', { id: firms[tenant] }],
    ];
    const [name, args] = questions[Math.floor(call / TENANTS) % questions.length] ?? [];
    // Half of them have the same id as everybody else's.
    const id = call % 2 === 0 ? 1 : `call-${call}`;
    const { status, text } = await post(
      server,
      keys[tenant] ?? '',
      request('tools/call', { name, arguments: args }, id),
    );
    return { tenant, id, status, text };
  };
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, call) => ask(call)));
  expect(answers).toHaveLength(CALLS);
  for (const { tenant, id, status, text } of answers) {
    expect(status).toBe(200);
    const message = JSON.parse(text);
    expect([message.id, message.result.isError]).toEqual([id, false]);
    expect(new Set(text.match(/canario\wzz/g))).toEqual(new Set([wordOf(tenant)]));
  }
});
