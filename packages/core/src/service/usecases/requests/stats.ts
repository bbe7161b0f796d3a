import type { Caller } from '../../access/caller.ts';
import type { CatalogCounts, RecordCounts } from '../../ports/lists.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Deps } from './deps.ts';
import { type FirmChoice, readFor } from './record-access.ts';

/**
 * Counts the caller's own records; for a key bound to a firm, those of that firm.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-34
 */
export async function countRecords(deps: Deps, caller: Caller, input: FirmChoice): Promise<RecordCounts> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    return reader.counts.records({ owner: caller.accountId, firmId });
  });
}

const NOTHING_BUT_THE_TOTAL = { limit: 1, offset: 0 };

/** The number of records of the catalog. Every write to it counts twice, so only active offers are read one by one. */
export async function catalogCounts(reader: Reader): Promise<CatalogCounts> {
  const totals = await reader.counts.totals('catalog');
  const active = { owner: 'catalog', firmId: null, includeInactive: false } as const;
  const companies = await reader.companies.list(active, NOTHING_BUT_THE_TOTAL);
  return {
    companies: { total: totals.companies, active: companies.total },
    offers: { total: totals.offers, active: await reader.counts.activeOffers('catalog') },
    months: totals.months,
  };
}

/** How many firms of an account are active. */
export async function activeFirmCount(reader: Reader, accountId: number): Promise<number> {
  const active = { owner: accountId, firmId: null, includeInactive: false };
  return (await reader.firms.list(active, NOTHING_BUT_THE_TOTAL)).total;
}
