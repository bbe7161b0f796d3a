import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@tarifario/runtime';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { type Market, openMarket } from '@tarifario/testkit/http/replicas';
import { type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { newDatabase, onServer, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { quietPort } from '@tarifario/testkit/postgres/quiet-port';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';

/** Two replicas on PostgreSQL behind the proxy files of `deploy/`, restarted one after the other while they are used. */
const CALLERS = 12;
const RUNS = 3;
/** Caddy asks every second whether a replica is ready. */
const NOTICED_MS = 2500;
const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));

const isInstalled = (program: string) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;

let place: Workplace;
let folder: string;
let database: TestDatabase;
let outside: RunningServer;
let market: Market;
let replicas: { readonly port: number; child: ChildProcess }[];
let proxy: ChildProcess | null;

async function startReplica(port: number): Promise<ChildProcess> {
  const settings = { DATABASE_URL: database.url, TRUST_PROXY: '1', MCP_ALLOWED_HOSTS: 'localhost' };
  const env = { ...settings, DRAIN_SECONDS: String(readConfig({}).drainSeconds) };
  const child = place.start(['serve', '--port', String(port)], { env });
  child.stderr?.pipe(process.stderr);
  await addressOf(child);
  return child;
}

/** @returns The port on which the proxy takes HTTPS. */
const PROXIES: Readonly<Record<string, (ports: readonly number[]) => Promise<number>>> = {
  async nginx(ports) {
    const [http, https] = [await quietPort(), await quietPort()];
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
    execFileSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const shipped = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8');
    const lines = ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`);
    const here = shipped
      .replace('server 127.0.0.1:3000 max_fails=0;', lines.join('\n'))
      .replaceAll(/^.*listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
      .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`)
      .replaceAll('tarifario.example.com', 'localhost');
    expect(here).not.toMatch(/:3000|letsencrypt|example\.com/);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const all = `pid ${folder}/pid; error_log stderr; worker_processes 2; events {}
      http { access_log off; ${paths.join(' ')}\n${here}\n}`;
    writeFileSync(join(folder, 'nginx.conf'), all);
    proxy = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']);
    return https;
  },
  async caddy(ports) {
    const [http, https] = [await quietPort(), await quietPort()];
    const shipped = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8');
    writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\nskip_install_trust\nhttp_port ${http}\n}\n${shipped}`);
    proxy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        DOMAIN: `https://localhost:${https}`,
        UPSTREAM: ports.map((port) => `127.0.0.1:${port}`).join(' '),
      },
    });
    return https;
  },
};

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly name?: string;
}

/** @returns The status, or what broke. */
function call(port: number, agent: Agent, { method, path, body, name }: Call): Promise<number | string> {
  const headers = {
    'X-API-Key': market.key,
    Accept: 'application/json, text/event-stream',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(name === undefined ? {} : { 'Idempotency-Key': name }),
  };
  return new Promise((resolve) => {
    const how = { host: 'localhost', port, path, headers, agent, rejectUnauthorized: false, timeout: 60_000 };
    const sent = request({ ...how, method: method ?? (body === undefined ? 'GET' : 'POST') }, (response) => {
      text(response).then(
        () => resolve(response.statusCode ?? 0),
        (error: Error) => resolve(error.message),
      );
    });
    sent.on('error', (error) => resolve(error.message));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

beforeEach(async () => {
  place = await openWorkplace();
  folder = temporaryFolder();
  database = await newDatabase();
  outside = await startTestServer({ databaseUrl: database.url });
  market = await openMarket({ first: outside }, 'nuestra', CALLERS);
  replicas = [];
  for (let i = 0; i < 2; i += 1) {
    const port = await quietPort();
    replicas.push({ port, child: await startReplica(port) });
  }
});

afterEach(async () => {
  for (const child of [proxy, ...replicas.map((replica) => replica.child)]) {
    if (child === null || child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  proxy = null;
  await outside.close();
  await database.drop();
  await rm(folder, { recursive: true });
  await place.remove();
});

interface Tally {
  /** How often each thing that is no success came. */
  readonly lost: Record<string, number>;
  done: number;
  /** Names of the offers whose making was acknowledged. */
  readonly made: Set<string>;
  /** How often a toggle of an offer was acknowledged. */
  readonly toggles: Map<number, number>;
}

/** One caller, until the test stops it: reads, rankings, tools and writes in turn, on one connection. */
async function callOn(port: number, caller: number, { tally, goesOn }: { tally: Tally; goesOn: () => boolean }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const offerId = market.offerIds[caller] ?? 0;
  const ranking = { supply_type: 'LUZ', energia: { e1: 1200 }, limit: 5 };
  const tool = { name: 'list_offers', arguments: { limit: 2 } };
  const terms = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true, e1: 0.1 };
  for (let turn = 0; goesOn(); turn += 1) {
    const name = `${caller}-${turn}-${Math.random()}`;
    const offer = { company_id: market.companyId, offer_name: name, commission: 0, ...terms };
    const turns: readonly Call[] = [
      { path: '/v1/offers?limit=5' },
      { path: '/v1/offers/efficient', body: ranking },
      { path: '/v1/offers', body: offer, name },
      {
        path: '/v1/offers/efficient/batch',
        body: { customers: [{ supply_type: 'LUZ', energia: { e1: 9 }, ref: 'a' }] },
      },
      { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool } },
      { method: 'PATCH', path: `/v1/offers/${offerId}/toggle`, name },
    ];
    const next = turns[turn % turns.length] ?? { path: '/' };
    const status = await call(port, agent, next);
    if (typeof status === 'string' || status >= 300) {
      const what = `${next.method ?? ''} ${next.path.replace(/\/\d+/, '/{id}')}: ${status}`;
      tally.lost[what] = (tally.lost[what] ?? 0) + 1;
      continue;
    }
    tally.done += 1;
    if (next.path === '/v1/offers') tally.made.add(name);
    if (next.method === 'PATCH') tally.toggles.set(offerId, (tally.toggles.get(offerId) ?? 0) + 1);
  }
  agent.destroy();
}

describe.each(Object.keys(PROXIES))('%s', (name) => {
  const has = isInstalled(name) && inject('postgresUrl') !== null;
  if (!has) console.warn(`!!! NOT TESTED: no ${name} or no PostgreSQL is here, so nothing was restarted behind it !!!`);

  it.runIf(has).each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    'loses no call and does none twice while its replicas are restarted one after the other, run %i',
    async (run) => {
      const port = (await PROXIES[name]?.(replicas.map((replica) => replica.port))) ?? 0;
      const messages: string[] = [];
      proxy?.stderr?.on('data', (lines) => messages.push(String(lines)));
      const probe = new Agent();
      await expect.poll(() => call(port, probe, { path: '/readyz' }), { timeout: 60_000, interval: 200 }).toBe(200);
      const tally: Tally = { lost: {}, done: 0, made: new Set(), toggles: new Map() };
      let isOver = false;
      const calling = Array.from({ length: CALLERS }, (_, caller) =>
        callOn(port, caller, { tally, goesOn: () => !isOver }),
      );
      await sleep(1000);
      for (const replica of replicas) {
        replica.child.kill('SIGTERM');
        expect(await once(replica.child, 'exit')).toEqual([0, null]);
        replica.child = await startReplica(replica.port);
        await sleep(NOTICED_MS);
      }
      isOver = true;
      await Promise.all(calling);
      const { done, lost } = tally;
      console.log(`${name}, run ${run}: ${done} calls done, lost:`, lost);
      expect(lost, messages.slice(-20).join('')).toEqual({});
      expect(done).toBeGreaterThan(20 * CALLERS);
      const { rows } = await onServer(database.url, (client) =>
        client.query('select id, offer_name, is_active from offers'),
      );
      const made = rows.filter((row) => !market.offerIds.includes(Number(row.id))).map((row) => row.offer_name);
      expect(made.toSorted()).toEqual([...tally.made].toSorted());
      for (const [offerId, times] of tally.toggles) {
        expect(times).toBeGreaterThan(0);
        expect(Boolean(rows.find(({ id }) => Number(id) === offerId)?.is_active), `${times} times`).toBe(
          times % 2 === 0,
        );
      }
    },
  );
});
