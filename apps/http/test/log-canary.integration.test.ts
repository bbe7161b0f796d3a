import { DatabaseSync } from 'node:sqlite';
import { operations } from '@tarifario/api';
import type { goodCalls } from '@tarifario/testkit/api/sample';
import { asRecord } from '@tarifario/testkit/api/world';
import { FORM_TYPE, formBytes, xlsxFile } from '@tarifario/testkit/http/forms';
import { fillServer, requestOf } from '@tarifario/testkit/http/http-world';
import { type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { expectNoTrace } from '@tarifario/testkit/leaks';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Everything that callers send is planted with a word; a server that logs all it can is asked everything, in ways that
// succeed, that are refused and that fail within the server. The word is in nothing that the process writes.

const CANARY = 'kanarien';
/** Sent where text of any form goes: in a name, a password, an e-mail address, an address, a header, an id. */
const PLANTED = {
  offer_name: `${CANARY} nombre`,
  name: `${CANARY} nombre`,
  email: `${CANARY}@correo.example`,
  current_password: `${CANARY} molinos`,
  new_password: `${CANARY} molinos nuevos`,
  file_name: `${CANARY}.xlsx`,
  image_url: `https://${CANARY}.example/x.png`,
  logo_url: `https://${CANARY}.example/y.png`,
  tariff_type: `${CANARY}`,
  community: `${CANARY}`,
};

let server: ServerProcess;
let key: string;
let accountId: number;
let calls: ReturnType<typeof goodCalls>;
const junkKeys = ['', CANARY, `Bearer ${CANARY}`];

beforeAll(async () => {
  server = await startServerProcess({ logLevel: 'trace', metricsPort: 0 });
  ({ key, accountId, calls } = await fillServer(server, `${CANARY}-cuenta`));
});

afterAll(() => server.close());

interface Variant {
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** JSON when left out. */
  readonly contentType?: string;
  /** The headers of the key; `X-API-Key` when left out. */
  readonly keyHeaders?: Readonly<Record<string, string>>;
}

/** Files with the word in their names, cells and headers, and beside them; the last is no workbook. */
function formsOf(id: string): readonly Pick<Variant, 'body' | 'contentType'>[] {
  if (!operations.find((row) => row.id === id)?.input.sentAs.includes('multipart')) return [];
  const fileName = `${CANARY}.xlsx`;
  const bytes = xlsxFile({
    ofertas: [
      ['offer_name', CANARY],
      [CANARY, CANARY],
    ],
    [CANARY]: [[CANARY]],
  });
  const forms = [
    { fileName, bytes },
    { fileName, bytes, fields: { [CANARY]: CANARY } },
    { fileName, bytes: new TextEncoder().encode(CANARY) },
  ];
  const broken = [`multipart/form-data; boundary=${CANARY}`, `multipart/form-data; ${CANARY}`];
  return [
    ...forms.map((form) => ({ body: formBytes(form), contentType: FORM_TYPE })),
    ...broken.map((contentType) => ({ body: CANARY, contentType })),
  ];
}

/** The ways of calling one operation. */
function variantsOf(id: string): readonly Variant[] {
  const good = requestOf(id, calls[id]);
  const body = good.body === undefined ? undefined : asRecord(good.body);
  const planted = body && { ...body, ...Object.fromEntries(Object.entries(PLANTED).filter(([name]) => name in body)) };
  const search = good.path.includes('?') ? '&' : '?';
  const write = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  const normal = { ...good, key, body: write(planted) };
  const wrong = requestOf(id, { ...calls[id], params: { id: `${CANARY}-id`, month: `${CANARY}-mes` } });
  return [
    normal,
    { ...normal, path: `${good.path}${search}company_name=${CANARY}` },
    { ...normal, path: `${good.path}${search}${CANARY}=${CANARY}&client_id=${CANARY}` },
    { ...normal, path: wrong.path },
    { ...normal, path: `${good.path.split('?')[0]}/${CANARY}` },
    { ...normal, body: body && write({ ...body, [CANARY]: CANARY }) },
    { ...normal, body: body && write({ ...Object.fromEntries(Object.keys(body).map((name) => [name, CANARY])) }) },
    { ...normal, body: body && `{"${CANARY}": ${CANARY}` },
    { ...normal, method: 'PUT' },
    ...formsOf(id).map((form) => ({ ...normal, ...form })),
    ...junkKeys.map((junk) => ({ ...normal, key: junk })),
    { ...normal, key: server.service.secrets.newKey().key },
    { ...normal, keyHeaders: { Authorization: `Bearer ${key}` } },
    { ...normal, keyHeaders: { Authorization: `Bearer ${CANARY}` } },
    { ...normal, keyHeaders: { Authorization: `Bearer ${CANARY}`, 'X-API-Key': key } },
  ];
}

async function send({
  path,
  method,
  key: own,
  body,
  contentType = 'application/json',
  ...rest
}: Variant): Promise<number> {
  const { keyHeaders = { 'X-API-Key': own, Authorization: `Basic ${CANARY}` } } = rest;
  const headers = {
    'X-Request-Id': `${CANARY} no id`,
    'Content-Type': contentType,
    ...keyHeaders,
    Cookie: `sesion=${CANARY}`,
    'User-Agent': CANARY,
    Referer: `https://${CANARY}.example/`,
    'X-Forwarded-For': '198.51.100.77',
    Forwarded: 'for=198.51.100.77',
  };
  const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Calls every operation: as it should be, and in one of `every` other ways, for the next operation in others; at full
 * length in all ways. An operation with a limit is called in three times as many ways, so that `every` 3 reaches the limit.
 *
 * @returns The statuses of the answers.
 */
async function askEverything(every: number): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const [turn, { id, limits }] of operations.entries()) {
    const ways = shareOf(variantsOf(id), limits.length > 0 ? every / 3 : every, turn);
    for (const way of ways) statuses.add(await send(way));
  }
  return statuses;
}

/** Of a key only the prefix is shown, and of a password not even its hash. */
const secrets = () => ({
  trace: new RegExp(String.raw`${CANARY}|${key.slice(0, 13)}|198\.51\.100\.77|127\.0\.0\.1|::1|argon2`, 'i'),
});

describe('a server that logs all it can', () => {
  it('logs nothing that callers send, whether the request succeeds or fails', async () => {
    const statuses = await askEverything(3);
    for (const status of [200, 201, 400, 401, 404, 405, 429]) expect([...statuses]).toContain(status);
    expect(Math.max(...statuses)).toBeLessThan(500);
    await expect.poll(() => server.logLines.length).toBeGreaterThan(operations.length * 4);
    expectNoTrace(secrets(), { log: server.logLines });
    expect(server.logLines.join('')).toContain(key.slice(0, 12));
  });

  it('logs nothing of it when the database fails either, but does log the failure', async () => {
    // The server may be writing down its calls.
    const database = new DatabaseSync(server.config.databaseUrl.replace('sqlite:', ''), { timeout: 60_000 });
    for (const table of ['offers', 'firms', 'companies', 'accounts', 'uploads']) {
      database.exec(`CREATE TRIGGER broken_${table} BEFORE UPDATE ON ${table}
        BEGIN SELECT RAISE(ABORT, 'planted failure'); END`);
      database.exec(`CREATE TRIGGER broken_new_${table} BEFORE INSERT ON ${table}
        BEGIN SELECT RAISE(ABORT, 'planted failure'); END`);
    }
    expect([...(await askEverything(6))]).toContain(500);
    database.exec('DROP TABLE offer_versions; ALTER TABLE firms RENAME TO away');
    database.close();
    expect([...(await askEverything(6))]).toContain(500);
    const stderr = () => server.logLines.join('\n');
    await expect.poll(stderr).toMatch(/planted failure/);
    await expect.poll(stderr).toMatch(/no such table/);
    expectNoTrace(secrets(), { log: server.logLines });
  });

  it('records calls without the address, the key or anything that was sent', async () => {
    const { status, stderr } = await server.stop();
    expect(status).toBe(0);
    expectNoTrace(secrets(), { stderr });
    const database = new DatabaseSync(server.config.databaseUrl.replace('sqlite:', ''), { timeout: 60_000 });
    const tables = ['usage_log', 'usage_endpoints'];
    const rows = tables.map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()));
    const own = database.prepare('SELECT count(*) AS calls FROM usage_log WHERE account_id = ?').get(accountId);
    database.close();
    expect(Number(own?.calls)).toBeGreaterThan(operations.length * 4);
    expectNoTrace(secrets(), { rows });
  });
});
