import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OfferTerms } from '@tarifario/core';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

interface Tables {
  readonly offers: Record<string, number | string | null>;
  readonly consumption_tiers: Record<string, number | string | null>;
  readonly power_tiers: Record<string, number | string | null>;
}

const TIER_COLUMNS =
  'offer_id integer not null references offers (id), lower real not null, upper real, value real not null, type text not null';

/** Offers in tables as one would make them: a row an offer, a row a tier. Same settings of SQLite as the store. */
export interface PlainTables {
  /** Updates offer by offer and replaces its tiers one by one, in one transaction. */
  replace(terms: readonly OfferTerms[]): Promise<void>;
  close(): Promise<void>;
}

export async function openPlainTables(terms: readonly OfferTerms[]): Promise<PlainTables> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-plain-'));
  const handle = new Database(join(folder, 'plain.db'));
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = FULL');
  handle.pragma('foreign_keys = ON');
  const [example] = terms;
  if (!example) throw new RangeError('there are offers');
  const columns = Object.entries(rowOf(example)).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? 'text' : 'real'}`,
  );
  handle.exec(`create table offers (id integer primary key, ${columns.join(', ')});
    create table consumption_tiers (id integer primary key, ${TIER_COLUMNS});
    create index consumption_tiers_offer on consumption_tiers (offer_id);
    create table power_tiers (id integer primary key, ${TIER_COLUMNS});
    create index power_tiers_offer on power_tiers (offer_id)`);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: handle }) });
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
    close: async () => {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
