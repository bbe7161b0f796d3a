import type { Store } from '@tarifario/core/service';
import { postgresUrl } from '@tarifario/testkit/postgres/databases';
import { describe, expect, test } from 'vitest';
import { insert, NOW, type Tenant } from './sample-offers.ts';
import { tenantOnPostgres } from './tenant-on-postgres.ts';
import { tenantOnSqlite } from './tenant-on-sqlite.ts';

interface World {
  readonly world: Tenant & { readonly store: Store };
  /** Runs statements past the store. */
  readonly sql: (text: string) => Promise<unknown>;
}

const onSqlite = (): World => {
  const { world, raw } = tenantOnSqlite();
  const sql = async (text: string) => raw((handle) => handle.exec(text));
  return { world, sql };
};

/** As this release writes: earlier ones are held back before their rows are looked at. */
const onPostgres = (): World => {
  const { world, sql } = tenantOnPostgres();
  return { world, sql: (text) => sql(`set tarifario.locks = 'owners'; ${text}`) };
};

const WRONG_VALUES = [
  "update offers set energy_1 = 'dear'",
  "update offers set is_active = 'yes'",
  'update offers set is_active = 2',
  "update offers set supply_type = 'AGUA'",
  'update offers set gas_energy = 0.1',
  'update offers set offer_name = null',
  "insert into monthly_prices (owner_id, offer_id, month, supply_type) select owner_id, id, '2026-01-02', 'LUZ' from offers",
  `insert into uploads (account_id, kind, file_name, status, result, created_at, updated_at)
   select id, 'file', 'a', 'pending', '{"a":', '', '' from accounts`,
];

describe('what is append-only', () => {
  const { world, sql } = onSqlite();

  test('A-23, A-52: a SQLite database refuses changes of versions of offers and of the record of catalog writes', async () => {
    await insert(world.store, world, 1);
    await world.store.write(NOW, async (writer) => {
      const counts = { companies: { total: 0, active: 0 }, offers: { total: 0, active: 0 }, months: 0 };
      const what = { operation: 'bulk_update', recordId: null, fileHash: null } as const;
      await writer.catalog.recordWrite({ ...what, accountId: world.account.id, before: counts, after: counts });
    });
    for (const table of ['offer_versions', 'catalog_audit']) {
      await expect(sql(`update ${table} set key_id = 1`)).rejects.toThrow('append-only');
      await expect(sql(`delete from ${table}`)).rejects.toThrow('append-only');
    }
    const [versions, writes] = await world.store.read(async (reader) => [
      await reader.offers.versions(world.account.id, 1),
      (await reader.catalog.writes({ limit: 9, offset: 0 })).results,
    ]);
    expect([versions?.length, writes?.length]).toEqual([1, 1]);
  });
});

describe.each([
  { engine: 'SQLite', open: onSqlite, isHere: true },
  { engine: 'PostgreSQL', open: onPostgres, isHere: postgresUrl !== null },
])('a $engine database refuses by itself', ({ engine, open, isHere }) => {
  describe.skipIf(!isHere)('whatever program writes', () => {
    const { world, sql } = open();

    test('a value of another type, or out of its bounds', async () => {
      await insert(world.store, world, 1);
      for (const change of WRONG_VALUES) {
        await expect(sql(change), change).rejects.toThrow(
          /cannot store|constraint failed|violates|invalid input syntax/,
        );
      }
    });

    test('the deletion of an offer, which has versions', async () => {
      await insert(world.store, world, 1);
      await expect(sql('delete from offers')).rejects.toThrow(/foreign key/i);
      expect(await world.store.read((reader) => reader.offers.versions(world.account.id, 1))).toHaveLength(1);
    });

    test('rows that point into another account, or from the catalog into one', async () => {
      await insert(world.store, world, 1);
      await sql(`insert into accounts (id, name, email, email_folded, password_hash, is_active, is_catalog_editor, created_at)
          values (77, 'b', 'b', 'b', 'x', 1, 0, '');
        insert into firms (id, account_id, name, name_folded, catalog_default, is_active, revision, created_at, updated_at)
          values (77, 77, 'f', 'f', 'all', 1, 1, '', '');
        insert into companies (id, owner_id, account_id, firm_id, name, name_folded, is_active, revision, created_at, updated_at)
          values (77, 77, 77, 77, 'c', 'c', 1, 1, '', '');
        insert into tier_lists (id, owner_id, digest, tiers)
          values (7, 77, cast('' as ${engine === 'SQLite' ? 'blob' : 'bytea'}), '[]')`);
      for (const change of [
        'update offers set company_id = 77',
        'update offers set owner_id = 0, account_id = null',
        'update offers set owner_id = 77, account_id = 77, company_id = 77',
        `insert into monthly_prices (owner_id, offer_id, month, supply_type) select 77, id, '2026-01-01', 'LUZ' from offers`,
        `insert into offer_versions (owner_id, offer_id, revision, changed_at, before) select 77, id, 1, '', '' from offers`,
        `insert into offer_versions (owner_id, offer_id, revision, changed_at, before, power_tiers_id)
         select owner_id, id, 1, '', '', 7 from offers`,
        'update companies set firm_id = 77 where id <> 77',
        'update firms set account_id = 77 where id <> 77',
        `insert into catalog_subscriptions (firm_id, company_id, account_id, is_subscribed, revision)
         values (77, 77, 77, 1, 1)`,
      ]) {
        await expect(sql(change), change).rejects.toThrow(/foreign key/i);
      }
    });

    test('A-25: rights that follow from damaged scopes', async () => {
      const terms = { accountId: world.account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
      await world.store.write(NOW, (writer) =>
        writer.keys.insert({ ...terms, fullAccess: false, scopes: ['offers:read'] }),
      );
      const keyWith = async (scopes: string) => {
        await sql(`update api_keys set scopes = '${scopes}'`);
        return (await world.store.read((reader) => reader.keys.byHash('h')))?.key;
      };
      const empty = ['', 'null', '[]', '[""]', '["bogus"]', '{}', '"*"', 'true', '[null]'];
      for (const scopes of [...empty, '["OFFERS:WRITE"]', '[["offers:write"]]', '["offers:rea']) {
        expect(await keyWith(scopes), scopes).toMatchObject({ fullAccess: false, scopes: [] });
      }
      expect((await keyWith('["bogus", "catalog:read", 7]'))?.scopes).toEqual(['catalog:read']);
    });
  });
});
