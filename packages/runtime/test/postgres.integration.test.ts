import {
  endConnections,
  newDatabase,
  onServer,
  PostgresClient,
  postgresUrl,
  type TestDatabase,
} from '@tarifario/testkit/postgres/databases';
import { askService, operatorOf } from '@tarifario/testkit/service';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createImportWorker } from '../src/import-worker.ts';
import { compose, createLog, type Service } from '../src/index.ts';

describe.skipIf(postgresUrl === null)('a service over PostgreSQL', () => {
  let database: TestDatabase;
  let service: Service;
  let key: string;
  let firmId: number;
  let offerId: number;
  const lines: string[] = [];

  beforeAll(async () => {
    database = await newDatabase();
    const log = createLog('warn', (line) => lines.push(line));
    service = await compose(database.url, log);
    const operator = operatorOf(service);
    key = await operator.addKey(await operator.addAccount('a'), {});
    firmId = await create('createClient', { name: 'Norte' });
    const company_id = await create('createCompany', { client_id: firmId, name: 'Uno' });
    const sold = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true, e1: 0.1 };
    offerId = await create('createOffer', { company_id, offer_name: 'O', ...sold });
    await ask('rankOffers', { body: RANKING });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const RANKING = { supply_type: 'LUZ', energia: { e1: 100 } };

  type Sent = Parameters<typeof askService>[3];
  const ask = (id: string, sent?: Sent) => askService(service, key, id, sent);

  async function create(id: string, body: object): Promise<number> {
    const answer = await ask(id, { body });
    expect(answer).toMatchObject({ status: 201, body: { id: expect.any(Number) } });
    return Number(Object(answer.body).id);
  }

  /** Lists what is sent to the database from now on. */
  function watchQueries() {
    const original = PostgresClient.prototype.query;
    const texts: string[] = [];
    const query = vi.spyOn(PostgresClient.prototype, 'query').mockImplementation(function (this: object, ...args) {
      texts.push(typeof args[0] === 'string' ? args[0] : Object(args[0]).text);
      return Reflect.apply(original, this, args);
    });
    return { texts, query };
  }

  /** What a request that reads sends to the database, the least of three tries: statements, and beginnings of transactions. */
  async function costOf(id: string, sent: Sent = {}) {
    const tries: { status: number; queries: number; begins: number }[] = [];
    while (tries.length < 3) {
      const { texts, query } = watchQueries();
      const { status } = await ask(id, sent);
      // What ends a read is sent after its answer, and nobody waits for it.
      const ended = () => texts.filter((text) => text === 'rollback').length;
      const isOver = () => ended() >= begun(texts);
      // Calls are recorded and uploads looked for now and then, and that is not part of this one.
      const isDisturbed = () =>
        ended() > begun(texts) || texts.some((text) => /read committed|usage_|clock_timestamp|^commit$/.test(text));
      await expect.poll(() => isOver() || isDisturbed()).toBe(true);
      query.mockRestore();
      const begins = begun(texts);
      // Of what disturbs a single statement may be in between.
      if (!isDisturbed()) tries.push({ status, queries: texts.length - 2 * begins, begins });
    }
    return tries.toSorted((a, b) => a.queries - b.queries)[0];
  }

  function begun(texts: readonly string[]): number {
    return texts.filter((text) => text.startsWith('begin')).length;
  }

  it('asks the database three times for a ranking, in three round trips', async () => {
    const cost = { status: 200, queries: 3, begins: 0 };
    expect(await costOf('rankOffers', { body: RANKING })).toEqual(cost);
    expect(await costOf('recommendOffers', { query: 'consumption_mwh=1' })).toEqual(cost);
  });

  it('sends the same queries for offers of a cached account, whatever the filter', async () => {
    const cost = { status: 200, queries: 3, begins: 0 };
    const params = { id: String(offerId) };
    expect(await costOf('listOffers')).toEqual(cost);
    expect(await costOf('listOffers', { query: `client_id=${firmId}` })).toEqual(cost);
    expect(await costOf('listCatalogOffers')).toEqual(cost);
    expect(await costOf('getOffer', { params })).toEqual(cost);
    expect(await costOf('calculateCommission', { params, query: 'consumption_mwh=1' })).toEqual(cost);
  });

  it('asks the database three times for a list, in a transaction with one query', async () => {
    const cost = { status: 200, queries: 3, begins: 1 };
    expect(await costOf('listClients')).toEqual(cost);
    expect(await costOf('listCompanies')).toEqual(cost);
    expect(await costOf('getClient', { params: { id: String(firmId) } })).toEqual(cost);
  });

  it('A-98: asks the database three times, without a transaction, for an answer that the caller has already', async () => {
    const cost = { status: 304, queries: 3, begins: 0 };
    const params = { id: String(firmId) };
    const requests: [string, Sent][] = [
      ['listOffers', {}],
      ['listClients', {}],
      ['listCompanies', { query: `client_id=${firmId}` }],
      ['getClient', { params }],
      ['listCatalogSubscriptions', { params }],
      ['exportOffers', {}],
      ['bulkTemplateOffers', {}],
    ];
    for (const [id, sent] of requests) {
      const ifNoneMatch = [(await ask(id, sent)).headers.ETag ?? ''];
      expect([id, (await ask(id, { ...sent, ifNoneMatch })).status]).toEqual([id, 304]);
      expect([id, await costOf(id, { ...sent, ifNoneMatch })]).toEqual([id, cost]);
    }
  });

  it('A-66, A-162: changes an offer with If-Match in eight round trips: beginning, look at the quota and commit included', async () => {
    const params = { id: String(offerId) };
    const tries: (readonly string[])[] = [];
    // What runs in the background may add statements to a try, and takes none away.
    for (const price of [0.2, 0.21, 0.22, 0.23, 0.24]) {
      const ifMatch = [(await ask('getOffer', { params })).headers.ETag ?? ''];
      const { texts, query } = watchQueries();
      const { status } = await ask('updateOffer', { params, body: { e1: price }, ifMatch });
      query.mockRestore();
      expect(status).toBe(200);
      tries.push(texts);
    }
    const [least = []] = tries.toSorted((a, b) => a.length - b.length);
    expect([least.length, least.at(-1)]).toEqual([8, 'commit']);
  });

  it('sends one more query for the client that a list is restricted to', async () => {
    const cost = { status: 200, queries: 4, begins: 1 };
    expect(await costOf('listCompanies', { query: `client_id=${firmId}` })).toEqual(cost);
  });

  it.each([
    ['listOffers', 'company_name=%00'],
    ['listOffers', 'company_name=a%00b'],
    ['listOffers', `company_name=${encodeURIComponent(String.fromCharCode(0xfffd))}`],
    ['listOffers', 'tariff_type=%00'],
    ['listOffers', 'company_id=9007199254740991'],
    ['listOffers', 'client_id=9007199254740991'],
    ['listOffers', 'offset=1000000&limit=200'],
    ['listCatalogOffers', 'company_id=2147483648'],
    ['listUsage', 'endpoint=%00'],
    ['listUsage', 'status_code=599'],
    ['listUsage', 'from=0001-01-01T00:00:00Z'],
    ['listUploads', 'client_id=2147483648'],
    ['compareOffers', 'ids=9007199254740991&ids=2147483648'],
  ])('answers %s?%s, or refuses it, without a bug', async (id, query) => {
    lines.length = 0;
    expect((await ask(id, { query })).status).toBeLessThan(500);
    expect(lines).toEqual([]);
  });

  it('counts calls in the database', async () => {
    const { rows } = await onServer(database.url, (client) => client.query('select key, used from rate_buckets'));
    expect(rows).toEqual([{ key: 'account:1', used: expect.stringMatching(/^[1-9]/) }]);
  });

  it('applies files with database settings from the environment that are not in the address', async () => {
    const { username, host, pathname } = new URL(database.url);
    vi.stubEnv('PGUSER', username);
    const bugs: unknown[] = [];
    const worker = createImportWorker({
      databaseUrl: `postgres://${host}${pathname}`,
      reportBug: (error) => bugs.push(error),
    });
    expect(await worker.next()).toBe(false);
    await worker.close();
    expect(bugs).toEqual([]);
  });

  it('is not ready while the database is read-only, and answers every call 503', async () => {
    const set = async (value: 'on' | 'off') => {
      const text = `alter database ${database.name} set default_transaction_read_only = ${value}`;
      await onServer(postgresUrl, (client) => client.query(text));
      await endConnections(database);
    };
    await expect.poll(service.isReady).toBe(true);
    await set('on');
    for (const id of ['listOffers', 'createClient']) {
      expect([id, (await ask(id, { body: { name: 'N' } })).status]).toEqual([id, 503]);
    }
    await expect.poll(service.isReady).toBe(false);
    await set('off');
    await expect.poll(service.isReady).toBe(true);
    expect((await ask('listOffers')).status).toBe(200);
  });

  it('is ready while the database can be used, and refuses with 503 while it cannot', async () => {
    expect(await service.isReady()).toBe(true);
    await onServer(database.url, (client) => client.query('alter table migrations rename to away'));
    await expect.poll(service.isReady).toBe(false);
    await onServer(database.url, (client) => client.query('alter table away rename to migrations'));
    const rename = (from: string, to: string) =>
      onServer(postgresUrl, (client) => client.query(`alter database ${from} rename to ${to}`));
    // A limit of 0 connections would let the service's own pool back in before the rename: it is a superuser here.
    await onServer(postgresUrl, (client) => client.query(`alter database ${database.name} allow_connections false`));
    await endConnections(database);
    await rename(database.name, `${database.name}_away`);
    for (const id of ['listOffers', 'rankOffers', 'createClient']) {
      const { status, headers, body } = await ask(id, { body: id === 'rankOffers' ? RANKING : { name: 'N' } });
      expect({ status, body }).toMatchObject({ status: 503, body: { detail: { code: 'unavailable' } } });
      expect(headers['Retry-After']).toBe('1');
    }
    await expect.poll(service.isReady).toBe(false);
    await rename(`${database.name}_away`, database.name);
    await onServer(postgresUrl, (client) => client.query(`alter database ${database.name} allow_connections true`));
    expect((await ask('listOffers')).status).toBe(200);
    await expect.poll(service.isReady).toBe(true);
    expect(lines.join('')).toContain('the database failed');
  });
});
