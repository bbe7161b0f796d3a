import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  askFor,
  type RunningServer,
  type ServerProcess,
  startServerProcess,
  startTestServer,
} from './running-server.ts';

// Many requests at once, half of them to each of two servers in processes of their own over one database file: what is
// acknowledged is true, and nobody gets past a rule because others came at the same moment.

let server: RunningServer;
let other: ServerProcess;
let accountId: number;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  other = await startServerProcess({ databaseUrl: server.config.databaseUrl });
  accountId = await server.addAccount('carrera');
  key = await server.addKey(accountId, {});
});

afterAll(async () => {
  await other.close();
  await server.close();
});

interface Named {
  readonly id: number;
  readonly is_active: boolean;
}

type Request = Parameters<typeof ask>[2];

/** Sends all of them at once, in turn to one server and the other. */
function atOnce(requests: readonly Request[]): Promise<Answer[]> {
  return Promise.all(requests.map((request, index) => ask(index % 2 === 0 ? server : other, key, request)));
}

const times = (count: number, request: (index: number) => Request) =>
  Array.from({ length: count }, (_, index) => request(index));

/** How often each status came. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function codesOf(answers: readonly Answer[], status: number): readonly string[] {
  const refused = answers.filter((answer) => answer.status === status);
  return [...new Set(refused.map(({ text }) => String(JSON.parse(text).detail.code)))];
}

const newClient = (name: string) => askFor<Named>(server, key, { path: '/v1/clients', body: { name } });

async function newOffer(name: string): Promise<string> {
  const client = await newClient(name);
  const company = { client_id: client.id, name };
  const { id: company_id } = await askFor<Named>(server, key, { path: '/v1/companies', body: company });
  const terms = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true, e1: 0.1 };
  const body = { company_id, offer_name: name, ...terms };
  return `/v1/offers/${(await askFor<Named>(server, key, { path: '/v1/offers', body })).id}`;
}

describe('an offer', () => {
  it('changed, toggled and changed in a batch at once keeps all of it', async () => {
    const path = await newOffer('De todos');
    const id = Number(path.split('/').at(-1));
    const fields = ['e2', 'e3', 'e4', 'p1', 'p2', 'services_cost'];
    const batches = ['e5', 'e6', 'p3', 'fee_power'];
    const answers = await atOnce([
      ...fields.map((field, i) => ({ method: 'PATCH', path, body: { [field]: (i + 1) / 100 } })),
      ...batches.map((field) => {
        return { path: '/v1/offers/bulk-patch', body: { offer_ids: [id], updates: { [field]: 0.5 } } };
      }),
      { method: 'PATCH', path: `${path}/toggle` },
    ]);
    expect(tally(answers)).toEqual({ 200: 11 });
    expect(await askFor(other, key, { path })).toMatchObject({
      ...Object.fromEntries(fields.map((field, i) => [field, (i + 1) / 100])),
      ...Object.fromEntries(batches.map((field) => [field, 0.5])),
      e1: 0.1,
      is_active: false,
    });
  });

  it('gets a month that twenty write at once created by one and replaced by the others', async () => {
    const path = await newOffer('Indexada');
    await askFor(server, key, { method: 'PATCH', path, body: { is_indexed: true } });
    const month = (i: number) => ({ reference_month: '2026-01', e1: i / 100 });
    const answers = await atOnce(times(20, (i) => ({ path: `${path}/indexed-prices`, body: month(i) })));
    expect(tally(answers)).toEqual({ 200: 19, 201: 1 });
    const { total } = await askFor<{ total: number }>(other, key, { path: `${path}/indexed-prices` });
    expect(total).toBe(1);
  });
});

describe('an upload', () => {
  const newUpload = () => askFor<Named>(server, key, { path: '/v1/uploads', body: { file_name: 'ofertas.xlsx' } });

  it('cancelled and tried again by many at once becomes one of the two, once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = `/v1/uploads/${(await newUpload()).id}`;
      const answers = await atOnce(times(20, (i) => ({ method: i % 4 < 2 ? 'DELETE' : 'PATCH', path })));
      expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
      expect(codesOf(answers, 409)).toEqual(['wrong_state']);
      expect(await askFor(other, key, { path })).toMatchObject({ status: 'cancelled' });
    }
  });

  it('is cancelled or taken up for work, and never both', async () => {
    const { store, clock } = server.service;
    for (let round = 0; round < 10; round += 1) {
      const { id } = await newUpload();
      const start = { from: 'pending', to: 'processing', finishedAt: null } as const;
      const [answers, taken] = await Promise.all([
        atOnce(times(2, () => ({ method: 'DELETE', path: `/v1/uploads/${id}` }))),
        store.write({ keyId: null, at: clock.now() }, (writer) => writer.updateUpload(accountId, id, start)),
      ]);
      const cancelled = tally(answers)[200] ?? 0;
      expect(cancelled + (taken === null ? 0 : 1)).toBe(1);
      const { status } = await askFor<{ status: string }>(other, key, { path: `/v1/uploads/${id}` });
      expect(status).toBe(cancelled === 1 ? 'cancelled' : 'processing');
    }
  });
});
