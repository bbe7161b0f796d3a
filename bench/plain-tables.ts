import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OfferTerms } from '@tarifario/core/service';
import Database from 'better-sqlite3';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';

interface Tables {
  readonly offers: Record<string, number | string | null>;
  readonly consumption_tiers: Record<string, number | string | null>;
  readonly power_tiers: Record<string, number | string | null>;
}

/** Offers in plain tables: one row for each offer, one row for each tier. */
export interface PlainTables {
  /** Updates offer by offer and replaces its tiers one by one, in one transaction. */
  replace(terms: readonly OfferTerms[]): Promise<void>;
  close(): Promise<void>;
}

/** The types of an engine for a given key, a generated key, and a number. */
interface Types {
  readonly key: string;
  readonly serial: string;
  readonly number: string;
}

/** In a new SQLite file, with the settings of the store. */
export async function openPlainSqlite(terms: readonly OfferTerms[]): Promise<PlainTables> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-plain-'));
  const handle = new Database(join(folder, 'plain.db'));
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = FULL');
  handle.pragma('foreign_keys = ON');
  const types = { key: 'integer', serial: 'integer', number: 'real' };
  const tables = await openPlainTables(new SqliteDialect({ database: handle }), types, terms);
  const close = async () => {
    await tables.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...tables, close };
}

/** In a new schema of a PostgreSQL database, on one connection. */
export async function openPlainPostgres(url: string, terms: readonly OfferTerms[]): Promise<PlainTables> {
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c search_path=tarifario_plain' });
  await pool.query('drop schema if exists tarifario_plain cascade');
  await pool.query('create schema tarifario_plain');
  const types = { key: 'bigint', serial: 'bigserial', number: 'double precision' };
  return await openPlainTables(new PostgresDialect({ pool }), types, terms);
}

async function openPlainTables(dialect: Dialect, types: Types, terms: readonly OfferTerms[]): Promise<PlainTables> {
  const db = new Kysely<Tables>({ dialect });
  const [example] = terms;
  if (!example) throw new RangeError('there are offers');
  for (const text of tablesFor(types, rowOf(example))) await sql.raw(text).execute(db);
  await db.transaction().execute(async (transaction) => {
    for (const [index, one] of terms.entries()) {
      await transaction
        .insertInto('offers')
        .values({ id: index + 1, ...rowOf(one) })
        .execute();
      await insertTiers(transaction, index + 1, one);
    }
  });
  return {
    replace: (changed) =>
      db.transaction().execute(async (transaction) => {
        for (const [index, one] of changed.entries()) {
          const id = index + 1;
          await transaction.updateTable('offers').set(rowOf(one)).where('id', '=', id).execute();
          await transaction.deleteFrom('consumption_tiers').where('offer_id', '=', id).execute();
          await transaction.deleteFrom('power_tiers').where('offer_id', '=', id).execute();
          await insertTiers(transaction, id, one);
        }
      }),
    close: () => db.destroy(),
  };
}

function tablesFor({ key, serial, number }: Types, example: object): readonly string[] {
  const columns = Object.entries(example).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? 'text' : number}`,
  );
  const tiers = `id ${serial} primary key, offer_id ${key} not null references offers (id), lower ${number} not null, upper ${number}, value ${number} not null, type text not null`;
  return [
    `create table offers (id ${key} primary key, ${columns.join(', ')})`,
    ...['consumption_tiers', 'power_tiers'].flatMap((table) => [
      `create table ${table} (${tiers})`,
      `create index ${table}_offer on ${table} (offer_id)`,
    ]),
  ];
}

async function insertTiers(db: Kysely<Tables>, id: number, terms: OfferTerms): Promise<void> {
  const rowsOf = (tiers: readonly { from: number; to: number | null; value: number; type: string }[]) =>
    tiers.map(({ from, to, value, type }) => ({ offer_id: id, lower: from, upper: to, value, type }));
  for (const row of rowsOf(terms.consumptionTiers)) await db.insertInto('consumption_tiers').values(row).execute();
  const powerTiers = terms.supplyType === 'LUZ' ? terms.powerTiers : [];
  for (const row of rowsOf(powerTiers)) await db.insertInto('power_tiers').values(row).execute();
}

function rowOf(terms: OfferTerms): Record<string, number | string | null> {
  const prices = terms.supplyType === 'LUZ' ? [...terms.energyEurPerKwh, ...terms.powerEurPerKwDay] : [];
  const flags = { ...terms.accepts, ...terms.territories };
  return {
    company_id: terms.companyId,
    supply_type: terms.supplyType,
    offer_name: terms.offerName,
    tariff_type: terms.tariffType,
    is_indexed: Number(terms.isIndexed),
    services: terms.servicesEurPerMonth,
    commission: terms.commissionValue,
    commission_type: terms.commissionType,
    is_active: Number(terms.isActive),
    ...Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, Number(value)])),
    ...Object.fromEntries(prices.map((price, index) => [`price_${index}`, price])),
  };
}
