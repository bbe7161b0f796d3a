import type { Account, Company, Store } from '@tarifario/core/service';
import { postgresStore } from '../../src/postgres.ts';
import { openPool, POSTGRES_DEFAULTS, type PostgresOptions } from '../../src/postgres-pool.ts';
import { manyOffers, NOW } from '../sample-offers.ts';

/** A store as a separate process would open it, with its reports. */
export interface OpenedStore {
  readonly store: Store;
  readonly reports: unknown[];
}

export function openWith(url: string, options: PostgresOptions = {}): OpenedStore {
  const reports: unknown[] = [];
  const all = { ...POSTGRES_DEFAULTS, ...options, report: (error: unknown) => reports.push(error) };
  return { store: postgresStore(openPool(url, all), all), reports };
}

export interface Tenant {
  readonly account: Account;
  readonly company: Company;
}

export async function countOffers(store: Store, { account }: Tenant): Promise<number> {
  return store.read(async (reader) => {
    return (await reader.recordCounts({ owner: account.id, firmId: null })).offers.LUZ.total;
  });
}

/** Adds offers, in a unit of work about the account alone. */
export async function insert(store: Store, { account, company }: Tenant, count: number): Promise<void> {
  const context = { ...NOW, concerns: [account.id] };
  await store.write(context, (writer) => writer.insertOffers(account.id, manyOffers(company.id, count)));
}
