import { byMonth } from '../../../engine/calendar.ts';
import { assert, DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { differenceOf, isOfCommissions } from '../../../engine/offers/difference.ts';
import { type MonthlyPrice, type Offer, type OfferWithHistory, shownUpdatedAt } from '../../../engine/offers/offer.ts';
import { type NewRow, readAt } from '../../../engine/price/table.ts';
import { patchInTurns, type Universe } from '../../../engine/rank/universe.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import { inTurns } from '../../in-turns.ts';
import type { OfferDepth, RecordOwner } from '../../ports/lists.ts';
import type { Moment, OfferPast } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import { type AccountOffers, type OfferCache, type OwnedOffers, placeOf } from '../memory/offer-cache.ts';
import type { Deps } from '../requests/deps.ts';

/** What a question about the past needs. */
export type PastDeps = Pick<Deps, 'store' | 'offerCache' | 'clock' | 'yieldToEventLoop'>;

/** How many points a ranking as of an instant costs beyond that of the call. @see docs/assumptions.md, A-86 */
export const PAST_POINTS = 4;

/** Accounts that are reading the past at this moment, in this process. */
const LOOKING_BACK = new WeakMap<OfferCache, Set<number>>();

/**
 * The offers of an account and the catalog as they were at an instant, with the companies, firms and subscriptions of
 * today. A change in the very millisecond counts. Nothing of it is cached.
 *
 * @param instant - UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`.
 * @throws DomainError `business_rule` for an instant in the future, or before the account; `rate_limited` while another
 *   call of the account reads the past.
 * @see docs/assumptions.md, A-86
 */
export async function offersAsOf(deps: PastDeps, caller: Caller, instant: string): Promise<AccountOffers> {
  const now = deps.clock.now();
  return alone(deps, caller.accountId, () =>
    deps.store.read(async (reader) => {
      const account = await reader.accounts.get(caller.accountId);
      assert(account !== null, 'a caller has an account');
      const { createdAt } = account;
      const message =
        instant > now && !(await hasHappened(reader, caller, instant))
          ? say('is in the future: it is {now}', { now })
          : instant < createdAt
            ? say('history begins at {instant}', { instant: createdAt })
            : null;
      refuseIfAny(message === null ? [] : [{ path: 'as_of', message }]);
      const moments = { own: { instant }, catalog: { instant } };
      return pastOffers({ ...deps, reader }, caller, { ...moments, seesCommissions: maySeeCommissions(caller) });
    }),
  );
}

/** Whether a change that the caller sees has that instant or a later one, though the clock has gone back since. */
async function hasHappened(reader: Reader, caller: Caller, instant: string): Promise<boolean> {
  const seesCommissions = maySeeCommissions(caller);
  for (const owner of [caller.accountId, 'catalog'] as const) {
    const firmId = owner === 'catalog' ? null : caller.firmId;
    const last = await reader.changes.after(owner, {
      kinds: ['offer'],
      after: null,
      firmId,
      seesCommissions,
      limit: 1,
    });
    const ids = last.map(({ id }) => id);
    for (const { offer } of await reader.offers.byId(owner, ids, { seesCommissions })) {
      if (shownUpdatedAt(offer, seesCommissions) >= instant) return true;
    }
  }
  return false;
}

/** One at a time for an account, because each holds all of its offers a second time. */
export async function alone<T>(
  { offerCache }: Pick<PastDeps, 'offerCache'>,
  accountId: number,
  work: () => Promise<T>,
): Promise<T> {
  const looking = LOOKING_BACK.get(offerCache) ?? new Set();
  LOOKING_BACK.set(offerCache, looking);
  if (looking.has(accountId)) {
    const message = 'one call at a time of an account looks into the past';
    throw new DomainError('rate_limited', { message, retryAfterSeconds: 1 });
  }
  looking.add(accountId);
  try {
    return await work();
  } finally {
    looking.delete(accountId);
  }
}

/**
 * The offers as they were at a moment, for each owner. Without `seesCommissions` those that have changed have no
 * commissions, or those of today.
 */
export async function pastOffers(
  deps: Omit<PastDeps, 'store' | 'clock'> & { readonly reader: Reader },
  caller: Pick<Caller, 'accountId'>,
  { seesCommissions, ...moments }: OfferDepth & { readonly own: Moment; readonly catalog: Moment },
): Promise<AccountOffers> {
  const { reader, offerCache } = deps;
  const { accountId } = caller;
  const { own, catalog } = await offerCache.current(reader, accountId);
  const past = async (owner: RecordOwner, offers: OwnedOffers, moment: Moment): Promise<OwnedOffers> => {
    const rows = await rowsAt(offers, reader.offers.past(owner, moment, { seesCommissions }), async () =>
      deps.yieldToEventLoop?.(accountId),
    );
    const patched = (universe: Universe) => inTurns(patchInTurns(universe, rows), deps, caller);
    const { LUZ, GAS } = offers.universes;
    return rows.length === 0 ? offers : { ...offers, universes: { LUZ: await patched(LUZ), GAS: await patched(GAS) } };
  };
  return { own: await past(accountId, own, moments.own), catalog: await past('catalog', catalog, moments.catalog) };
}

async function rowsAt(
  present: OwnedOffers,
  pieces: AsyncIterable<readonly OfferPast[]>,
  pause: () => Promise<void>,
): Promise<readonly NewRow[]> {
  const rows: NewRow[] = [];
  for await (const piece of pieces) {
    for (const past of piece) {
      const place = placeOf(present, past.offerId);
      assert(place !== null, 'an offer with a past is there today');
      rows.push({ entry: offerAt(readAt(place.table, place.row), past) });
    }
    await pause();
  }
  return rows;
}

/** An offer as it was. One that did not exist yet is inactive, so it takes no part. */
function offerAt({ offer: present, months }: OfferWithHistory, past: OfferPast): OfferWithHistory {
  const { terms, last } = past;
  if (terms?.before.kind === 'created') return { offer: { ...present, isActive: false }, months: [] };
  const offer = terms?.before.kind === 'terms' ? terms.before.offer : present;
  return { offer: last === null ? offer : stampedBy(last, offer), months: monthsAt(months, past) };
}

function monthsAt(present: readonly MonthlyPrice[], { months }: OfferPast): readonly MonthlyPrice[] {
  const prices = new Map(present.map((price) => [price.month, price]));
  for (const { before } of months) {
    if (before.kind !== 'month') continue;
    if (before.price === null) prices.delete(before.month);
    else prices.set(before.month, before.price);
  }
  return [...prices.values()].sort(byMonth);
}

/**
 * A month that changed later moved the stamps of its offer, which no version has: they are those of the last change
 * before it. A change of commissions alone does not move the stamp for callers who may not see them.
 */
function stampedBy({ changedAt, before }: NonNullable<OfferPast['last']>, offer: Offer): Offer {
  const { maskedUpdatedAt: _later, ...terms } = offer;
  const stamped = { ...terms, updatedAt: changedAt };
  if (before.kind !== 'terms' || !differenceOf(before.offer, offer).every(isOfCommissions)) return stamped;
  return { ...stamped, maskedUpdatedAt: before.offer.maskedUpdatedAt ?? before.offer.updatedAt };
}
