import {
  assert,
  type Month,
  type MonthlyPrice,
  type OfferVersion,
  type Reader,
  type ShelfOwner,
  type Writer,
} from '@tarifario/core';
import { inChunks } from './chunks.ts';
import type { Session } from './dialects.ts';
import { addVersions, versionOf } from './offers.ts';
import { fromMonthRow, fromVersionRow, isSameMonth, toMonthRow } from './rows.ts';
import { changing, shelfIdOf, stamp, type UnitOfWork } from './unit-of-work.ts';

export function monthReads(session: Session): Pick<Reader, 'monthsOf' | 'versionsOf'> {
  const { db } = session;
  return {
    monthsOf: (offerIds) => monthsOf(session, offerIds),
    versionsOf: async (offerId) => {
      const rows = db.selectFrom('offer_versions').selectAll().where('offer_id', '=', offerId).orderBy('id');
      return (await rows.execute()).map(fromVersionRow);
    },
  };
}

export async function monthsOf(
  { db, dialect }: Session,
  offerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>> {
  const entries = await inChunks(offerIds, async (ids) => {
    const rows = await db
      .selectFrom('monthly_prices')
      .selectAll()
      .where((eb) => dialect.isAnyOf(eb.ref('offer_id'), ids))
      .orderBy('offer_id')
      .orderBy('month')
      .execute();
    const byOffer = Map.groupBy(rows, (row) => row.offer_id);
    return [...byOffer].map(([offerId, ofOffer]) => [offerId, ofOffer.map(fromMonthRow)] as const);
  });
  return new Map(entries);
}

export function monthWrites(unit: UnitOfWork): Pick<Writer, 'putMonth' | 'deleteMonth'> {
  return {
    putMonth: changing(unit, (owner, offerId, price) => putMonth(unit, { owner, offerId }, price)),
    deleteMonth: changing(unit, (owner, offerId, month) => deleteMonth(unit, { owner, offerId }, month)),
  };
}

interface Place {
  readonly owner: ShelfOwner;
  readonly offerId: number;
}

async function putMonth(unit: UnitOfWork, place: Place, price: MonthlyPrice): Promise<'created' | 'replaced'> {
  const supplyType = await supplyTypeOf(unit, place);
  assert(supplyType !== null, 'a month belongs to an offer of the shelf');
  assert(supplyType === price.supplyType, 'a month has the supply type of its offer');
  const before = await monthOf(unit, place.offerId, price.month);
  if (before && isSameMonth(before, price)) return 'replaced';
  const { offer_id, month, ...columns } = toMonthRow(place.offerId, price);
  await unit.db
    .insertInto('monthly_prices')
    .values({ offer_id, month, ...columns })
    .onConflict((conflict) => conflict.columns(['offer_id', 'month']).doUpdateSet(columns))
    .execute();
  await recordMonth(unit, place, { kind: 'month', month, price: before });
  return before ? 'replaced' : 'created';
}

async function deleteMonth(unit: UnitOfWork, place: Place, month: Month): Promise<boolean> {
  const before = (await supplyTypeOf(unit, place)) === null ? null : await monthOf(unit, place.offerId, month);
  if (!before) return false;
  await unit.db.deleteFrom('monthly_prices').where('offer_id', '=', place.offerId).where('month', '=', month).execute();
  await recordMonth(unit, place, { kind: 'month', month, price: before });
  return true;
}

async function supplyTypeOf({ db }: Session, { owner, offerId }: Place) {
  const onShelf = db.selectFrom('offers').select('supply_type').where('shelf_id', '=', shelfIdOf(owner));
  return (await onShelf.where('id', '=', offerId).executeTakeFirst())?.supply_type ?? null;
}

async function monthOf({ db }: Session, offerId: number, month: Month): Promise<MonthlyPrice | null> {
  const ofOffer = db.selectFrom('monthly_prices').selectAll().where('offer_id', '=', offerId);
  const row = await ofOffer.where('month', '=', month).executeTakeFirst();
  return row ? fromMonthRow(row) : null;
}

/** A changed month changes its offer: a reader that knows the offer's revision learns of it. */
async function recordMonth(unit: UnitOfWork, place: Place, before: OfferVersion['before']): Promise<void> {
  const { offerId, owner } = place;
  const revision = await stamp(unit, owner);
  const stamps = { revision, updated_at: unit.context.at };
  await unit.db.updateTable('offers').set(stamps).where('id', '=', offerId).execute();
  await addVersions(unit, [versionOf(unit, { offerId, revision, before })]);
}
