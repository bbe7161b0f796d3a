import {
  assert,
  type Month,
  type MonthChange,
  type MonthlyPrice,
  type Reader,
  type RecordOwner,
  type Writes,
} from '@tarifario/core/service';
import { inChunks } from './chunks.ts';
import type { Session } from './dialects.ts';
import { toMonthRow } from './offer-columns.ts';
import { addVersions } from './offers.ts';
import { fromMonthRow } from './rows.ts';
import { addToCount, ownerIdOf, stamp, type UnitOfWork } from './unit-of-work.ts';

export function monthReads(session: Session): Reader['months'] {
  return { of: (owner, offerIds) => monthsOf(session, owner, offerIds) };
}

export async function monthsOf(
  { db, dialect }: Session,
  owner: RecordOwner,
  offerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>> {
  const entries = await inChunks(dialect, offerIds, async (ids) => {
    const rows = await db
      .selectFrom('monthly_prices')
      .selectAll()
      .where('owner_id', '=', ownerIdOf(owner))
      .where((eb) => dialect.isAnyOf(eb.ref('offer_id'), ids))
      .orderBy('offer_id')
      .orderBy('month')
      .execute();
    const byOffer = Map.groupBy(rows, (row) => row.offer_id);
    return [...byOffer].map(([offerId, ofOffer]) => [offerId, ofOffer.map(fromMonthRow)] as const);
  });
  return new Map(entries);
}

export function monthWrites(unit: UnitOfWork): Writes['months'] {
  return {
    put: async (owner, months) => {
      const places = new Set(months.map(({ offerId, price }) => `${offerId} ${price.month}`));
      assert(places.size === months.length, 'a month of an offer is put once');
      await inChunks(unit.dialect, months, (chunk) => putMonths(unit, owner, chunk));
    },
    delete: (owner, offerId, before) => deleteMonth(unit, { owner, offerId }, before),
  };
}

async function putMonths(
  unit: UnitOfWork,
  owner: RecordOwner,
  months: readonly MonthChange[],
): Promise<readonly never[]> {
  const ids = [...new Set(months.map(({ offerId }) => offerId))];
  const offers = await unit.db
    .selectFrom('offers')
    .select(['id', 'supply_type'])
    .where('owner_id', '=', ownerIdOf(owner))
    .where((eb) => unit.dialect.isAnyOf(eb.ref('id'), ids))
    .execute();
  const supplyTypes = new Map(offers.map((row) => [row.id, row.supply_type]));
  for (const { offerId, price } of months) {
    const supplyType = supplyTypes.get(offerId);
    assert(supplyType !== undefined, 'a month belongs to an offer of the owner');
    assert(supplyType === price.supplyType, 'a month has the supply type of its offer');
  }
  const rows = months.map(({ offerId, price }) => ({ owner_id: ownerIdOf(owner), ...toMonthRow(offerId, price) }));
  await unit.insertRows('monthly_prices', rows, { replacing: ['owner_id', 'offer_id', 'month'] });
  await recordMonths(
    unit,
    owner,
    months.map(({ offerId, price, before }) => ({ offerId, month: price.month, before })),
  );
  await addToCount(unit, owner, 'months', months.filter(({ before }) => before === null).length);
  return [];
}

async function deleteMonth(
  unit: UnitOfWork,
  { owner, offerId }: { readonly owner: RecordOwner; readonly offerId: number },
  before: MonthlyPrice,
): Promise<void> {
  const { month } = before;
  const { numDeletedRows } = await unit.db
    .deleteFrom('monthly_prices')
    .where('owner_id', '=', ownerIdOf(owner))
    .where('offer_id', '=', offerId)
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
  assert(numDeletedRows === 1n, 'a month that is deleted is one of an offer of the owner');
  await recordMonths(unit, owner, [{ offerId, month, before }]);
  await addToCount(unit, owner, 'months', -1);
}

/** A month that a write changes. `before`: its prices until now; `null`: the month is new. */
interface ChangedMonth {
  readonly offerId: number;
  readonly month: Month;
  readonly before: MonthlyPrice | null;
}

/** A changed month also updates its offer, so that readers notice it by the revision of the offer. */
async function recordMonths(unit: UnitOfWork, owner: RecordOwner, changed: readonly ChangedMonth[]): Promise<void> {
  const { revision, at } = await stamp(unit, owner);
  const ids = [...new Set(changed.map(({ offerId }) => offerId))];
  await unit.db
    .updateTable('offers')
    .set({ revision, updated_at: at, masked_updated_at: null, masked_revision: null })
    .where('owner_id', '=', ownerIdOf(owner))
    .where((eb) => unit.dialect.isAnyOf(eb.ref('id'), ids))
    // Skips offers that this unit of work has already stamped, which are most of them.
    .where((eb) =>
      eb.or([eb('revision', '<>', revision), eb('updated_at', '<>', at), eb('masked_updated_at', 'is not', null)]),
    )
    .execute();
  const { keyId } = unit.context;
  const versions = changed.map(({ offerId, month, before }) => {
    return { offerId, revision, changedAt: at, keyId, before: { kind: 'month', month, price: before } as const };
  });
  await addVersions(unit, owner, versions);
}
