import type { Caller } from '../access/caller.ts';
import type { CatalogCounts, RecordCounts } from '../ports/lists.ts';
import type { Reader } from '../ports/stores.ts';
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
    return reader.recordCounts({ owner: caller.accountId, firmId });
  });
}

/** How much the catalog has. */
export async function catalogCounts(reader: Reader): Promise<CatalogCounts> {
  const { companies, offers } = await reader.recordCounts({ owner: 'catalog', firmId: null });
  const { months } = await reader.recordTotals('catalog');
  const { LUZ, GAS } = offers;
  return { companies, offers: { total: LUZ.total + GAS.total, active: LUZ.active + GAS.active }, months };
}
