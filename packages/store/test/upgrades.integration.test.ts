import { readFileSync } from 'node:fs';
import { changeOf, type Store } from '@tarifario/core/service';
import { migrate, openStore, pendingMigrations } from '@tarifario/store';
import { emptyDatabase, onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { temporaryPlace } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MIGRATIONS, type Migration } from '../src/migrations/index.ts';
import { PAST_COLUMNS } from '../src/offer-columns.ts';
import { migratePostgres, pendingInPostgres } from '../src/postgres/open.ts';
import { migrateSqlite, pendingInSqlite } from '../src/sqlite/open.ts';
import { insert, NOW, sampleTenant, type Tenant } from './sample-offers.ts';

/** A database without tables, and what an operator does to it by hand. */
interface Place {
  readonly url: string;
  execute(text: string): Promise<unknown>;
  /** All that is in it. */
  content(): Promise<unknown>;
  remove(): unknown;
}

interface Engine {
  readonly name: string;
  readonly newPlace: () => Promise<Place>;
  readonly migrateTo: (
    url: string,
    migrations: readonly Migration[],
  ) => Promise<{ readonly applied: readonly string[] }>;
  readonly pendingOf: (url: string, migrations: readonly Migration[]) => Promise<readonly string[]>;
}

const sqlite: Engine = {
  name: 'SQLite',
  newPlace: async () => {
    const { path, url, remove } = temporaryPlace();
    // As every file of the program is.
    const execute = async (text: string) => new Database(path).exec(`pragma journal_mode = wal; ${text}`).close();
    return { url, execute, content: async () => readFileSync(path), remove };
  },
  migrateTo: (url, migrations) => migrateSqlite(url, { migrations }),
  pendingOf: pendingInSqlite,
};

const ALL_TABLES = `select tablename, query_to_xml(format('select * from %I', tablename), true, false, '')::text as rows
  from pg_tables where schemaname = 'public' order by tablename`;

const postgres: Engine = {
  name: 'PostgreSQL',
  newPlace: async () => {
    const { url, drop } = await emptyDatabase();
    const execute = (text: string) => onServer(url, (client) => client.query(text));
    return { url, execute, content: async () => (await execute(ALL_TABLES)).rows, remove: drop };
  },
  migrateTo: (url, migrations) => migratePostgres(url, { migrations }),
  pendingOf: (url, migrations) => pendingInPostgres(url, { migrations }),
};

const forBoth = (name: string, text: string): Migration => ({ name, sqlite: text, postgres: text });
/** As the recipe of an offer field has it. */
const SECOND = forBoth(
  '0002-second',
  `create table seconds (id integer primary key);
   alter table offers add column second integer not null default 2;
   alter table offer_versions add column second integer;`,
);
const BROKEN = forBoth('0003-broken', 'create table thirds (id integer); insert into nowhere values (1);');

const OFFER_OF_BEFORE = `
  insert into companies (id, name, name_folded, is_active, revision, created_at, updated_at)
    values (3, 'Alba', 'alba', 1, 1, '2026', '2026');
  insert into offers (id, company_id, supply_type, offer_name, tariff_type, is_indexed, commission_value, commission_type,
      consumption_tiers, accepts_dni, accepts_cif, accepts_cdad, territory_peninsula, territory_canarias,
      territory_baleares, territory_ceuta_melilla, communities, is_active, has_solar_panels, power_tiers, revision,
      created_at, updated_at)
    values (7, 3, 'LUZ', 'Luz', '2.0TD', 0, 0, 'fixed', '[]', 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, '[]', 1, '2026', '2026');`;

/** What the copy of a row has of it. */
const COPIED: Readonly<Record<string, string>> = {
  companies: 'name, name_folded, is_active, revision, created_at, updated_at',
  offers: `supply_type, offer_name, tariff_type, is_indexed, commission_value, commission_type, consumption_tiers, accepts_dni,
    accepts_cif, accepts_cdad, territory_peninsula, territory_canarias, territory_baleares, territory_ceuta_melilla,
    communities, is_active, has_solar_panels, power_tiers, revision, created_at, updated_at`,
};

const ENGINES = postgresUrl === null ? [sqlite] : [sqlite, postgres];

describe.each(ENGINES)('a database of $name', ({ name, newPlace, migrateTo, pendingOf }) => {
  let place: Place;
  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => place.remove());

  describe('of an earlier release', () => {
    let running: Store;
    let tenant: Tenant;
    beforeEach(async () => {
      await migrate(place.url);
      running = await openStore(place.url);
      tenant = await sampleTenant(running);
    });
    afterEach(() => running.close());

    /** Everything that an account has, with the past of its first offer. */
    const recordsIn = (store: Store) =>
      store.read(async (reader) => {
        const records = await reader.changes.since(tenant.account.id, 0);
        return { records, versions: await reader.offers.versions(tenant.account.id, records.offers[0]?.offer.id ?? 0) };
      });
    const rename = async (store: Store, offerName: string) => {
      const { records } = await recordsIn(store);
      const [before] = records.offers.map(({ offer }) => offer);
      if (!before) throw new Error('an offer was expected');
      const change = changeOf(before, { ...before, offerName });
      await store.write(NOW, (writer) => writer.offers.update(tenant.account.id, change ? [change] : []));
    };

    test('keeps its records when it is migrated, and the running program goes on', async () => {
      await insert(running, tenant, 3);
      await rename(running, 'Segunda');
      const before = await recordsIn(running);
      const all = [...MIGRATIONS, SECOND];
      expect(await pendingOf(place.url, all)).toEqual([SECOND.name]);
      expect(await migrateTo(place.url, all)).toEqual({ applied: [SECOND.name] });
      expect(await pendingOf(place.url, all)).toEqual([]);
      expect(await migrateTo(place.url, all)).toEqual({ applied: [] });
      expect(await recordsIn(running)).toEqual(before);
      await insert(running, tenant, 1);
      await rename(running, 'Tercera');
      const opened = await openStore(place.url);
      const after = await recordsIn(opened);
      expect(after).toEqual(await recordsIn(running));
      expect(after.records.offers).toHaveLength(4);
      expect(after.versions).toHaveLength(3);
      await opened.close();
    });

    test('keeps the tiers of versions that name a list, also where this release writes beside it', async () => {
      const [offer] = await insert(running, tenant, 1);
      const id = Number(offer?.id);
      await place.execute(`drop index offer_versions_tiers;
        alter table offer_versions drop column consumption_tiers; alter table offer_versions drop column power_tiers;
        delete from migrations where name = '0003-tiers-of-versions'`);
      const list = (value: number) => [{ from: 0, to: null, value, type: 'fixed' }];
      const former = (value: number) => `insert into tier_lists (owner_id, digest, tiers)
          values (${tenant.account.id}, cast('${value}' as ${name === 'SQLite' ? 'blob' : 'bytea'}), '${JSON.stringify(list(value))}');
        insert into offer_versions (owner_id, offer_id, revision, changed_at, before, consumption_tiers_id, power_tiers_id, ${PAST_COLUMNS})
          select owner_id, id, 2, '', '{"kind":"terms"}', (select max(id) from tier_lists), (select max(id) from tier_lists), ${PAST_COLUMNS} from offers`;
      await place.execute(former(7));
      expect(await migrateTo(place.url, MIGRATIONS)).toEqual({ applied: ['0003-tiers-of-versions'] });
      const opened = await openStore(place.url);
      await rename(opened, 'Segunda');
      await place.execute(former(8));
      await rename(opened, 'Tercera');
      const versions = await opened.read((reader) => reader.offers.versions(tenant.account.id, id));
      const tiersIn = (key: 'consumptionTiers' | 'powerTiers') =>
        versions.flatMap(({ before }) => (before.kind === 'terms' ? [Reflect.get(before.offer, key)] : []));
      // The second version has none of its own: its tiers are those of the next one.
      expect(tiersIn('consumptionTiers')).toEqual([list(7), list(8), list(8), offer?.consumptionTiers]);
      expect(tiersIn('powerTiers')).toEqual([list(7), list(8), list(8), Reflect.get(offer ?? {}, 'powerTiers')]);
      await opened.close();
    });

    test('A-162: has what it had stored counted, to the byte', async () => {
      const tiers = Array.from({ length: 9 }, (_, i) => ({ from: i, to: i + 1, value: 5, type: 'fixed' as const }));
      const offers = await insert(running, tenant, 3);
      const { id } = tenant.account;
      for (const consumptionTiers of [tiers, []]) {
        const changes = offers.flatMap(
          (before) => changeOf(before, { ...before, consumptionTiers }, { isBlind: true }) ?? [],
        );
        await running.write(NOW, (writer) => writer.offers.update(id, changes));
      }
      await rename(running, 'Añil 😀');
      const proposal = {
        firmId: null,
        isMasked: false,
        ownRevision: 1,
        catalogRevision: 0,
        sha256: '',
        seal: '',
        ...{ note: null, ref: null, summary: null, words: null },
      };
      await running.write(NOW, (writer) =>
        writer.proposals.insert(id, { ...proposal, companies: '[]', content: '{"ñ":"😀"}' }),
      );
      const storedBy = (owner: number) => running.read((reader) => reader.counts.stored(owner));
      const before = await storedBy(id);
      expect(before).toMatchObject({ historyBytes: expect.any(Number), proposalsBytes: 15 });
      await place.execute(`
        drop table stored_bytes; alter table subscriptions drop column history_quota;
        alter table subscriptions drop column proposals_quota;
        delete from migrations where name = '0012-stored-bytes'`);
      expect(await migrateTo(place.url, MIGRATIONS)).toEqual({ applied: ['0012-stored-bytes'] });
      expect([await storedBy(id), await storedBy(99)]).toEqual([before, { historyBytes: 0, proposalsBytes: 0 }]);
    });

    test('stays as it is when a migration fails, also without those before it', async () => {
      await expect(migrateTo(place.url, [...MIGRATIONS, SECOND, BROKEN])).rejects.toThrow('nowhere');
      expect(await pendingOf(place.url, [...MIGRATIONS, SECOND])).toEqual([SECOND.name]);
      await expect(place.execute('select * from seconds')).rejects.toThrow('seconds');
    });
  });

  test('that has offers without contracts gets them, and has no contract of any', async () => {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name === '0004-contracts'),
    );
    await migrateTo(place.url, before);
    await place.execute(OFFER_OF_BEFORE);
    const { applied } = await migrateTo(place.url, MIGRATIONS);
    expect(applied).toContain('0004-contracts');
    const store = await openStore(place.url);
    const [record] = await store.read((reader) => reader.offers.byId('catalog', [7]));
    expect(record?.offer).toMatchObject({ maxPowerKw: null, validTo: null, discountMonths: null, isGreen: null });
    expect(record?.offer.requirements).toBeNull();
    await store.close();
  });

  test('that has firms without logos gets them, and an earlier release goes on beside it', async () => {
    const until = MIGRATIONS.findIndex(({ name }) => name === '0009-logos-of-firms');
    await migrateTo(place.url, MIGRATIONS.slice(0, until));
    const firm = (id: number) => `insert into firms (id, account_id, name, name_folded, image_url, catalog_default,
        is_active, revision, created_at, updated_at) values (${id}, 1, 'F${id}', 'f${id}', null, 'all', 1, 1, '2026', '2026');`;
    await place.execute(`insert into accounts (id, name, email, email_folded, password_hash, is_active,
        is_catalog_editor, created_at) values (1, 'A', 'a@b.es', 'a@b.es', '', 1, 0, '2026'); ${firm(7)}`);
    const { applied } = await migrateTo(place.url, MIGRATIONS);
    expect(applied[0]).toBe('0009-logos-of-firms');
    await place.execute(firm(8));
    const store = await openStore(place.url);
    const logos = () =>
      store.read((reader) => Promise.all([7, 8].map(async (id) => (await reader.firms.detail(1, id))?.logo)));
    expect(await logos()).toEqual([null, null]);
    await store.write(NOW, (writer) => writer.firms.update(1, 7, { logo: 'data:x' }));
    // What an earlier release writes of a firm.
    await place.execute("update firms set name = 'G', name_folded = 'g', image_url = null, revision = 9 where id = 7");
    expect(await logos()).toEqual(['data:x', null]);
    expect(await store.read((reader) => reader.firms.get(1, 7))).toMatchObject({ name: 'G' });
    await store.close();
  });

  test('that has files in the queue keeps who sent them, and an earlier release goes on beside it', async () => {
    const until = MIGRATIONS.findIndex(({ name }) => name === '0010-keys-of-uploads');
    await migrateTo(place.url, MIGRATIONS.slice(0, until));
    const noBytes = name === 'SQLite' ? "x''" : "''";
    const queued = (
      id: number,
    ) => `insert into uploads (id, account_id, kind, file_name, size_bytes, status, created_at,
        updated_at) values (${id}, 1, 'offers_bulk_update', 'x', 0, 'pending', '2026', '2026');
      insert into upload_files (upload_id, account_id, key_id, kept_at, bytes) values (${id}, 1, 3, '2026', ${noBytes});`;
    await place.execute(`insert into accounts (id, name, email, email_folded, password_hash, is_active,
        is_catalog_editor, created_at) values (1, 'A', 'a@b.es', 'a@b.es', '', 1, 0, '2026'); ${queued(7)}`);
    await migrateTo(place.url, MIGRATIONS);
    await place.execute(queued(8));
    const store = await openStore(place.url);
    const uploads = await store.read((reader) => Promise.all([7, 8].map((id) => reader.uploads.get(1, id))));
    expect(uploads).toMatchObject([
      { keyId: 3, hasFile: true },
      { keyId: null, hasFile: true },
    ]);
    await store.close();
  });

  test('whose keys are without owners gets them with all that it has, and the releases before only read', async () => {
    const until = MIGRATIONS.findIndex(({ name }) => name === '0020-keys-by-owner');
    await migrateTo(place.url, MIGRATIONS.slice(0, until));
    const copyOf = (table: string, changed: Readonly<Record<string, string>>, where: string) => `
      insert into ${table} (${Object.keys(changed)}, ${COPIED[table]}) select ${Object.values(changed)}, ${COPIED[table]}
      from ${table} where ${where};`;
    // Those of that release: later ones add columns.
    const past = PAST_COLUMNS.filter((column) => `company_id, ${COPIED.offers}`.split(/,\s*/).includes(column));
    const asBefore = name === 'SQLite' ? '' : "set tarifario.locks = 'rows';";
    await place.execute(`${asBefore} insert into accounts (id, name, email, email_folded, password_hash, is_active,
        is_catalog_editor, created_at) values (1, 'A', 'a@b.es', 'a@b.es', '', 1, 0, '2026');
      insert into firms (id, account_id, name, name_folded, image_url, catalog_default, is_active, revision, created_at,
        updated_at) values (5, 1, 'F', 'f', null, 'all', 1, 1, '2026', '2026');
      ${OFFER_OF_BEFORE} ${copyOf('companies', { id: '4', account_id: '1', firm_id: '5' }, 'id = 3')}
      ${copyOf('offers', { id: '8', account_id: '1', company_id: '4' }, 'id = 7')}
      insert into catalog_subscriptions (firm_id, company_id, account_id, is_subscribed, revision) values (5, 3, 1, 1, 1);
      insert into monthly_prices (offer_id, month, supply_type, energy_1)
        values (7, '2026-01-01', 'LUZ', 0.1), (8, '2026-01-01', 'LUZ', 0.2), (8, '2026-02-01', 'LUZ', 0.3);
      insert into tier_lists (id, owner_id, digest, tiers)
        values (6, 1, cast('7' as ${name === 'SQLite' ? 'blob' : 'bytea'}), '[{"from":0,"to":null,"value":7,"type":"fixed"}]');
      insert into offer_versions (id, offer_id, revision, changed_at, before) values (3, 7, 1, '2026', '{"kind":"created"}');
      insert into offer_versions (id, offer_id, revision, changed_at, before, consumption_tiers_id, power_tiers_id, ${past})
        select 4, id, 1, '2026', '{"kind":"terms"}', 6, null, ${past} from offers where id = 8;
      insert into revisions (owner_id, revision, companies, offers, months) values (0, 1, 1, 1, 1), (1, 1, 1, 1, 2);`);
    expect((await migrateTo(place.url, MIGRATIONS)).applied[0]).toBe('0020-keys-by-owner');
    const store = await openStore(place.url);
    const read = (owner: 'catalog' | 1, id: number) =>
      store.read(async (reader) => ({
        offers: (await reader.changes.since(owner, 0)).offers.map(({ offer }) => offer.id),
        months: (await reader.months.of(owner, [7, 8]))
          .get(id)
          ?.map((month) => Reflect.get(month, 'energyEurPerKwh')[0]),
        versions: (await reader.offers.versions(owner, id)).map(({ before }) => before),
      }));
    expect(await read('catalog', 7)).toEqual({ offers: [7], months: [0.1], versions: [{ kind: 'created' }] });
    const { versions, ...own } = await read(1, 8);
    expect(own).toEqual({ offers: [8], months: [0.2, 0.3] });
    expect(versions).toMatchObject([{ kind: 'terms', offer: { id: 8, consumptionTiers: [{ value: 7 }] } }]);
    expect(await read(1, 7)).toMatchObject({ months: undefined, versions: [] });
    expect(await store.read((reader) => reader.catalog.subscriptions(1))).toMatchObject([{ firmId: 5, companyId: 3 }]);
    const decided = { firmId: 5, companyId: 3, isSubscribed: false };
    await store.write(NOW, (writer) => writer.catalog.putSubscription(1, decided));
    expect(await store.read((reader) => reader.catalog.subscriptions(1))).toEqual([decided]);
    // SQLite refuses what they write by itself: the owner is missing.
    for (const before of ['', asBefore]) {
      const written = `insert into revisions (owner_id, revision) values (9, 1);
        insert into offer_versions (offer_id, revision, changed_at, before) values (8, 1, '', '');`;
      await expect(place.execute(`${before} ${written}`)).rejects.toThrow(/earlier releases only read|owner_id/);
      await place.execute('delete from revisions where owner_id = 9');
    }
    const month = `insert into monthly_prices (offer_id, month, supply_type) values (8, '2026-01-01', 'LUZ')
      on conflict (offer_id, month) do nothing`;
    await expect(place.execute(`${asBefore} ${month}`)).rejects.toThrow(
      /earlier releases only read|ON CONFLICT clause/,
    );
    await store.close();
  });

  test.each([
    ['monthly_prices', '(offer_id, month, supply_type) values', "'2026-01-01', 'LUZ'"],
    ['offer_versions', '(offer_id, revision, changed_at, before) values', `1, '', '{"kind":"created"}'`],
  ])('that has rows of %s without their offers is refused as it is, with what to do', async (table, into, values) => {
    const until = MIGRATIONS.findIndex((migration) => migration.name === '0018-write-locks');
    await migrateTo(place.url, MIGRATIONS.slice(0, until));
    const without = name === 'SQLite' ? 'pragma foreign_keys = off' : 'set session_replication_role = replica';
    const rows = Array.from({ length: 22 }, (_, i) => `(${40 + i}, ${values})`);
    if (table === 'offer_versions') rows.push(rows[0] ?? '');
    await place.execute(
      `${OFFER_OF_BEFORE} ${without}; insert into ${table} ${into} (7, ${values}), ${rows.join(', ')}`,
    );
    const content = await place.content();
    const refused = await migrateTo(place.url, MIGRATIONS).catch((error: Error) => error.message);
    expect(refused).toContain(
      `cannot be used: 0020-keys-by-owner: ${table} has ${rows.length} rows of 22 offers that are not there: offer_id 40, 41,`,
    );
    expect(refused).toMatch(/, 59, \.\.\.\. Restore these offers, or back up and run: D.*;$/);
    expect(await place.content()).toEqual(content);
    await place.execute(/run: (.*)$/.exec(String(refused))?.[1] ?? '');
    expect((await migrateTo(place.url, MIGRATIONS)).applied).toContain('0020-keys-by-owner');
    const store = await openStore(place.url);
    const kept = await store.read(async (reader) =>
      table === 'monthly_prices'
        ? (await reader.months.of('catalog', [7])).get(7)
        : await reader.offers.versions('catalog', 7),
    );
    expect(kept).toHaveLength(1);
    await store.close();
  });

  test('that has events for webhooks keeps them and gives no id again, and an earlier release goes on beside it', async () => {
    const until = MIGRATIONS.findIndex(({ name }) => name === '0016-tested-webhooks');
    await migrateTo(place.url, MIGRATIONS.slice(0, until));
    const queued = (data: string) => `insert into webhook_events (webhook_id, type, data, created_at, due_at, attempts,
        traceparent) values (3, 'upload.finished', '${data}', '2026', '2026', 2, 'trace');`;
    await place.execute(`insert into accounts (id, name, email, email_folded, password_hash, is_active,
        is_catalog_editor, created_at) values (1, 'A', 'a@b.es', 'a@b.es', '', 1, 0, '2026');
      insert into api_keys (id, account_id, prefix, secret_hash, is_active, full_access, scopes, created_at)
        values (2, 1, '', '', 1, 1, '[]', '2026');
      insert into webhooks (id, account_id, key_id, url, events, secret, cursor_secret, cursor, own_revision,
          catalog_revision, lease_until, created_at)
        values (3, 1, 2, 'https://a.example.com', '[]', '', '', '{}', 0, 0, '2026', '2026');
      ${queued('{"uploadId":1}')} ${queued('{"uploadId":2}')} delete from webhook_events where id = 2;`);
    await migrateTo(place.url, MIGRATIONS);
    await place.execute(queued('{"uploadId":3}'));
    const store = await openStore(place.url);
    const test = { type: 'webhook.test', data: {} } as const;
    const made = await store.write(NOW, (writer) => writer.webhooks.queueFor(1, 3, test));
    expect(made).toMatchObject({ ...test, attempts: 0 });
    const events: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      await store.write({ ...NOW, at: '2027' }, async (writer) => {
        for (const claimed of await writer.webhooks.claim('2028', 9)) {
          events.push(claimed.event);
          await writer.webhooks.settle(claimed, null);
        }
      });
    }
    const told = { type: 'upload.finished', createdAt: '2026', traceparent: 'trace', attempts: 2 };
    expect(events).toEqual([
      { ...told, id: 1, data: { uploadId: 1 } },
      { ...told, id: 3, data: { uploadId: 3 } },
      made,
    ]);
    await store.close();
  });

  test.each([
    ['of an earlier build, with a record of its migrations', "insert into migrations values ('0001-initial', '2026')"],
    ['with such tables and an empty record', ''],
    ['with such tables and no record', 'drop table migrations'],
  ])('%s is refused by all that opens it, and not touched', async (_what, text) => {
    await place.execute(`create table migrations (name text, applied_at text);
      create table accounts (id integer); insert into accounts values (7); ${text}`);
    const content = await place.content();
    for (const attempt of [openStore, migrate, pendingMigrations]) {
      await expect(attempt(place.url)).rejects.toThrow(
        /cannot be used: its tables are those of an earlier build or of another program: .* to a new database/,
      );
    }
    expect(await place.content()).toEqual(content);
  });
});
