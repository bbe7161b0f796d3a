import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillServer, requestOf } from '@tarifario/testkit/http/http-world';
import { openConnection } from '@tarifario/testkit/http/raw-http';
import { ask, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Many kinds of attack at once, by one account and by nobody, while another account works.

const ROUNDS = 12;
/** The account here has no ceiling of calls, so this is far more than one may ask for in a minute. */
const MAX_GROWTH_MB = 150;
/** What `npm start` starts Node with. */
const nodeFlags =
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8').match(/--max-semi-space-size=\d+/g) ?? [];
const MARKS = 'e'.concat('\u0301'.repeat(400_000));

let server: ServerProcess;
let attacker: Awaited<ReturnType<typeof fillServer>>;
let other: Awaited<ReturnType<typeof fillServer>>;

beforeAll(async () => {
  server = await startServerProcess({ metricsPort: 0 }, { nodeFlags });
  attacker = await fillServer(server, 'atacante');
  other = await fillServer(server, 'otra');
});

afterAll(() => server.close());

async function residentMb(): Promise<number> {
  const page = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(page)?.[1] ?? Number.NaN) / 2 ** 20;
}

/** What an honest day brings: calls of all kinds, a file that is made, one that is read, and the pages. */
async function warmUp(): Promise<void> {
  for (let call = 0; call < 300; call += 1) {
    for (const id of ['listOffers', 'rankOffers', 'exportOffers']) {
      expect((await ask(server, other.key, requestOf(id, other.calls[id]))).status).toBe(200);
    }
  }
  for (const id of ['bulkTemplateOffers', 'bulkUpdateOffers', 'rankPortfolio', 'getUsageSummary']) {
    expect((await ask(server, other.key, requestOf(id, other.calls[id]))).status, id).toBe(200);
  }
  for (const path of ['/docs/', '/docs/swagger-ui-bundle.js', '/openapi.json']) await fetch(server.url + path);
}

/** Bytes on a connection whose answer nobody reads, closed some seconds later. */
async function unread(bytes: string): Promise<void> {
  const socket = await openConnection(server.url);
  socket.on('error', () => {});
  socket.pause();
  socket.write(bytes);
  await sleep(2000);
  socket.destroy();
}

const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

async function attack(): Promise<void> {
  const send = (path: string, body: unknown) => ask(server, attacker.key, { path, body }).catch(() => null);
  const { clientId } = attacker.sample;
  const customer = { supply_type: 'LUZ', energia: { e1: 100 }, potencia: { p1: 4 } };
  const months = Array.from({ length: 1000 }, (_, i) => {
    const mes = `${2000 + Math.floor((i % 37) / 12)}-${String(1 + (i % 12)).padStart(2, '0')}`;
    return { ...customer, ref: `${i}`, mes };
  });
  const slowHead = `POST /v1/offers/efficient/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${attacker.key}\r\n`;
  const slow = `${slowHead}Content-Type: application/json\r\nContent-Length: 2097152\r\n\r\n${' '.repeat(2_000_000)}`;
  const repeat = (count: number, work: () => Promise<unknown>) => Array.from({ length: count }, work);
  await Promise.all([
    ...repeat(4, () => send('/v1/companies', { client_id: clientId, name: MARKS })),
    ...repeat(4, () => send('/v1/offers/efficient', { ...customer, tariff_type: MARKS })),
    ...repeat(2, () => send('/v1/offers/efficient/batch', { customers: months })),
    ...repeat(40, () => ask(server, attacker.key, { path: '/v1/usage/summary' })),
    ...repeat(20, () => ask(server, attacker.key, requestOf('exportOffers', attacker.calls.exportOffers))),
    ...repeat(4, () => unread(head('/docs/swagger-ui-bundle.js').repeat(1300))),
    ...repeat(4, () => unread(head('/v1/offers').repeat(1300))),
    ...repeat(100, () => unread(head('/openapi.json', `X-Fill: ${'x'.repeat(12_000)}\r\n`).slice(0, -4))),
    ...repeat(60, () => unread(slow)),
    ...repeat(20, () => ask(server, 'tfk_unknown', { path: `/v1/offers?${'a&'.repeat(5000)}` })),
  ]);
}

it('under many attacks at once the service grows by less than 150 MB, answers others, and loses no confirmed write', async () => {
  await warmUp();
  const before = await residentMb();
  let highest = before;
  const statuses = new Set<number>();
  const written: unknown[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const list = await ask(server, other.key, { path: '/v1/offers?limit=5' });
      const ready = await ask(server, other.key, { path: '/readyz' });
      const companies = { client_id: other.sample.clientId, name: `Otra ${written.length}` };
      const company = await ask(server, other.key, { path: '/v1/companies', body: companies });
      for (const { status } of [list, ready, company]) statuses.add(status);
      if (company.status === 201) written.push(JSON.parse(company.text).id);
      highest = Math.max(highest, await residentMb());
    }
  };
  const working = work();
  for (let round = 0; round < ROUNDS; round += 1) await attack();
  isOver = true;
  await working;
  expect([...statuses].sort()).toEqual([200, 201]);
  expect(written.length).toBeGreaterThanOrEqual(ROUNDS);
  await server.kill();
  const scope = { owner: other.accountId, firmId: null, includeInactive: true };
  const { results } = await server.service.store.read((reader) =>
    reader.companies.list(scope, { limit: 100_000, offset: 0 }),
  );
  expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining(written));
  process.stdout.write(`${before.toFixed()} MB before, ${highest.toFixed()} MB at most\n`);
  expect(highest - before).toBeLessThan(MAX_GROWTH_MB);
});
