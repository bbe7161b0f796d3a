import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askFor, type RunningServer, startTestServer } from './running-server.ts';

// The server keeps compiled offers in memory. The ranking after a write has to include it, whichever process wrote.

const PROGRAM = fileURLToPath(new URL('../../cli/bin/tarifario.mjs', import.meta.url));
const CUSTOMER = { supply_type: 'LUZ', energia: { e1: 1000 }, w: 1, limit: 200 };

let server: RunningServer;
let key: string;
let accountId: number;
let companyId: number;

beforeAll(async () => {
  server = await startTestServer();
  accountId = await server.addAccount('writer');
  key = await server.addKey(accountId, {});
  const { id: firmId } = await askFor<{ id: number }>(server, key, { path: '/v1/clients', body: { name: 'Asesoría' } });
  const body = { client_id: firmId, name: 'Comercializadora' };
  companyId = (await askFor<{ id: number }>(server, key, { path: '/v1/companies', body })).id;
});

afterAll(() => server.close());

function newOffer(e1: number, more: object = {}) {
  const common = { supply_type: 'LUZ', tariff_type: '2.0TD', territory_peninsula: true, acepta_dni: true };
  return { company_id: companyId, offer_name: `Fija ${e1}`, ...common, e1, ...more };
}

/** Ids and costs, cheapest first, as the server tells them right now. */
async function ranked(body: object = CUSTOMER): Promise<[number, number][]> {
  type Ranked = { results: { offer: { id: number }; cost: { total: number } }[] };
  const { results } = await askFor<Ranked>(server, key, { path: '/v1/offers/efficient', body });
  return results.map(({ offer, cost }) => [offer.id, cost.total]);
}

it('a write through the server is in the very next ranking, every time', async () => {
  for (let round = 1; round <= 20; round++) {
    const { id } = await askFor<{ id: number }>(server, key, { path: '/v1/offers', body: newOffer(0.3 - round / 100) });
    expect((await ranked())[0]).toEqual([id, expect.closeTo(300 - round * 10, 6)]);
  }
  expect(await ranked()).toHaveLength(20);
});

it('a write of another process is in the very next ranking too', async () => {
  const child = spawn(process.execPath, ['--conditions=tarifario-source', PROGRAM, 'serve', '--port', '0'], {
    env: { ...process.env, DATABASE_URL: server.config.databaseUrl, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 600_000,
  });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim().replace('listening on ', '');
  for (const e1 of [0.05, 0.04, 0.03]) {
    const { id } = await askFor<{ id: number }>({ url }, key, { path: '/v1/offers', body: newOffer(e1) });
    expect((await ranked())[0]).toEqual([id, expect.closeTo(e1 * 1000, 6)]);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
