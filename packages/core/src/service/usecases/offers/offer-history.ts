import { differenceOf, type ValueChange } from '../../../engine/offers/difference.ts';
import type { MonthlyPrice, Offer } from '../../../engine/offers/offer.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import type { Page, PageOf, RecordOwner } from '../../ports/lists.ts';
import type { OfferVersion } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Deps } from '../requests/deps.ts';
import {
  NO_SUCH_OFFER,
  notFound,
  ownerOf,
  type RecordChoice,
  readFor,
  visibleOffers,
} from '../requests/record-access.ts';

/** What a caller did to an offer. */
export interface OfferEvent {
  readonly changedAt: string;
  /** The key of the change; `null`: the command line, or another account's key for an offer of the catalog. */
  readonly keyId: number | null;
  readonly change:
    | { readonly kind: 'created' }
    | { readonly kind: 'terms'; readonly values: readonly ValueChange[] }
    /** `null`: there was, or is, no such month. */
    | { readonly kind: 'month'; readonly before: MonthlyPrice | null; readonly after: MonthlyPrice | null };
}

/**
 * The changes of an offer that the caller may see, the newest first. A caller who may not see commissions gets no
 * changes of commissions; where the request is restricted to a firm, an own offer has none from before it moved there.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-87
 */
export async function offerHistory(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { id, firmId: requestedFirmId, page }: RecordChoice & { readonly page: Page },
): Promise<PageOf<OfferEvent>> {
  const seesCommissions = maySeeCommissions(caller);
  const events = await readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
    const [record] = await visibleOffers(reader, caller, { offerIds: [id], firmId, seesCommissions });
    if (!record) throw notFound(NO_SUCH_OFFER);
    const { offer } = record;
    const owner = ownerOf(caller, record);
    const months = (await reader.months.of(owner, [id])).get(id) ?? [];
    const present = { offer, months };
    const versions = await reader.offers.versions(owner, id, { seesCommissions });
    if (owner === 'catalog') return eventsOf(versions, present).map((event) => ({ ...event, keyId: null }));
    const own = firmId === null ? versions : await sinceMoveTo(reader, versions, { owner: caller.accountId, firmId });
    return eventsOf(own, present);
  });
  return { total: events.length, results: events.slice(page.offset, page.offset + page.limit) };
}

/** The versions of an offer since it last moved to a firm. For the firm the move is its creation. */
async function sinceMoveTo(
  reader: Reader,
  versions: readonly OfferVersion[],
  { owner, firmId }: { readonly owner: RecordOwner; readonly firmId: number },
): Promise<readonly OfferVersion[]> {
  const others = new Set<number>();
  for (const companyId of new Set(versions.flatMap((version) => formerCompany(version) ?? []))) {
    if ((await reader.companies.get(owner, companyId))?.firmId !== firmId) others.add(companyId);
  }
  const start = versions.findLastIndex((version) => others.has(formerCompany(version) ?? 0));
  return versions.slice(Math.max(0, start)).map((version, index) => {
    return index === 0 && start >= 0 ? { ...version, before: { kind: 'created' } } : version;
  });
}

function formerCompany({ before }: OfferVersion): number | null {
  return before.kind === 'terms' ? before.offer.companyId : null;
}

/** A version has the state before; the state after is in the next version, or is the present one. */
function eventsOf(
  versions: readonly OfferVersion[],
  present: { readonly offer: Offer; readonly months: readonly MonthlyPrice[] },
): readonly OfferEvent[] {
  let offer = present.offer;
  const months = new Map<string, MonthlyPrice | null>(present.months.map((price) => [price.month, price]));
  return versions.toReversed().flatMap(({ before, changedAt, keyId }): OfferEvent[] => {
    if (before.kind === 'created') return [{ changedAt, keyId, change: before }];
    if (before.kind === 'month') {
      const after = months.get(before.month) ?? null;
      months.set(before.month, before.price);
      return [{ changedAt, keyId, change: { kind: 'month', before: before.price, after } }];
    }
    const values = differenceOf(before.offer, offer);
    offer = before.offer;
    return values.length === 0 ? [] : [{ changedAt, keyId, change: { kind: 'terms', values } }];
  });
}
