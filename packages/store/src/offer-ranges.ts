import type { ShelfOwner } from '@tarifario/core/service';
import { pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { shelfIdOf } from './unit-of-work.ts';

/** Offers that one statement of `eachRange` looks at: where the database works elsewhere it keeps nobody waiting. */
const RANGE_SIZE = { here: 1000, elsewhere: 20_000 };

/** Offers of one shelf by id: more than `after`, and no more than `upTo`. */
export interface OfferRange {
  readonly shelfId: number;
  readonly after: number;
  readonly upTo: number;
}

/**
 * Runs `work` over all offers of a shelf, in order, a range at a time: a large shelf keeps nothing else waiting for long.
 *
 * @param work - Says whether to go on.
 */
export async function eachRange(
  { db, dialect }: Session,
  owner: ShelfOwner,
  work: (range: OfferRange) => Promise<boolean>,
): Promise<void> {
  const shelfId = shelfIdOf(owner);
  const ids = db.selectFrom('offers').select('id').where('shelf_id', '=', shelfId).orderBy('id').limit(1);
  const size = dialect.worksElsewhere ? RANGE_SIZE.elsewhere : RANGE_SIZE.here;
  for (let after = 0; ; ) {
    const last = await ids
      .where('id', '>', after)
      .offset(size - 1)
      .executeTakeFirst();
    const isMore = await work({ shelfId, after, upTo: last?.id ?? Number.MAX_SAFE_INTEGER });
    if (!last || !isMore) return;
    after = last.id;
    await pause();
  }
}

/**
 * The offers of a range: a query to add columns to.
 *
 * @param firmId - Those of one advisory firm only; `null`: of all.
 */
export async function offersIn({ db, dialect }: Session, firmId: number | null) {
  const ofFirm = db.selectFrom('companies').select('id').where('firm_id', '=', firmId);
  const companyIds = firmId === null ? [] : (await ofFirm.execute()).map(({ id }) => id);
  return ({ shelfId, after, upTo }: OfferRange) =>
    db
      .selectFrom('offers')
      .where('shelf_id', '=', shelfId)
      .where('offers.id', '>', after)
      .where('offers.id', '<=', upTo)
      // Plus 0: the index on companies would leave the range.
      .$if(firmId !== null, (offers) => offers.where((eb) => dialect.isAnyOf(eb('company_id', '+', 0), companyIds)));
}
