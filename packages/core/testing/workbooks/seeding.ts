import type { BulkState } from '../../src/bulk/state.ts';
import type { BulkFormat } from '../../src/engine/errors.ts';
import { type Caller, maySeeCommissions, type Scope } from '../../src/service/access/caller.ts';
import { QUOTAS } from '../../src/service/access/limits.ts';
import type { Company, Firm } from '../../src/service/firms/firm.ts';
import type { RecordOwner } from '../../src/service/ports/lists.ts';
import type { OwnerChanges } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { callerOf } from '../callers.ts';
import { at, newAccount } from '../contract/world.ts';

/** Whose offers were put into a store, and for whom files are applied to them. */
export interface Seeded {
  readonly owner: RecordOwner;
  readonly caller: Caller;
}

type Seed = BulkState & { readonly firms: readonly Firm[]; readonly companies: readonly Company[] };

/** Puts offers with their companies and firms into a store, under ids of its own. */
export async function seed(store: Store, format: BulkFormat, state: Seed): Promise<Seeded> {
  const account = await newAccount(store);
  const owner = format === 'catalog' ? 'catalog' : account.id;
  await store.write(at(1), async (writer) => {
    const firmIds = new Map<number | null, number>();
    for (const firm of state.firms) firmIds.set(firm.id, (await writer.firms.insert(account.id, firm)).id);
    const companyIds = new Map<number, number>();
    for (const { id, name, logoUrl, isActive, ...company } of state.companies) {
      const firmId = firmIds.get(company.firmId) ?? null;
      companyIds.set(id, (await writer.companies.insert(owner, { firmId, name, logoUrl, isActive })).id);
    }
    const terms = state.offers.map(({ offer }) => ({ ...offer, companyId: companyIds.get(offer.companyId) ?? 0 }));
    const offers = await writer.offers.insert(owner, terms);
    const months = state.offers.flatMap((entry, index) =>
      entry.months.map((price) => ({ offerId: offers[index]?.id ?? 0, before: null, price })),
    );
    await writer.months.put(owner, months);
  });
  return { owner, caller: writerOf(account.id, ['offers:write', 'catalog:write', 'commissions:read']) };
}

function writerOf(accountId: number, scopes: readonly Scope[]): Caller {
  const rights = { fullAccess: false, scopes: new Set(scopes), isCatalogEditor: true };
  return callerOf({ accountId, keyId: 7, quotas: QUOTAS.business, ...rights });
}

/** The same caller, who may or may not see commissions. */
export function seeing(caller: Caller, isSeeing: boolean): Caller {
  if (maySeeCommissions(caller) === isSeeing) return caller;
  return writerOf(caller.accountId, [
    'offers:write',
    'catalog:write',
    ...(isSeeing ? ['commissions:read' as const] : []),
  ]);
}

export function recordsOfOwner(store: Store, owner: RecordOwner): Promise<OwnerChanges> {
  return store.read((reader) => reader.changes.since(owner, 0));
}
