import type { Caller } from '../access/caller.ts';
import type { RecordCounts } from '../ports/lists.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice } from './firms.ts';
import { reachFirm } from './reach.ts';

/**
 * How much the caller has of its own; a key that is bound to a firm counts what that firm has.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-34
 */
export async function countRecords(deps: Deps, caller: Caller, input: FirmChoice): Promise<RecordCounts> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    return reader.recordCounts({ accountId: caller.accountId, firmId });
  });
}
