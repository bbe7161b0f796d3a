import type { RecordOwner } from '@tarifario/core/service';
import { pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { ownerIdOf } from './unit-of-work.ts';

/** How many offers one statement of `eachRange` reads. On PostgreSQL it blocks nobody, so it may be larger. */
const RANGE_SIZE = { here: 4000, elsewhere: 20_000 };

/** Offers of one owner by id: more than `after`, and no more than `upTo`. */
interface OfferRange {
  readonly ownerId: number;
  readonly after: number;
  readonly upTo: number;
}

/**
 * Runs `work` over all offers of an owner in order, range by range, so that many offers do not block other work for
 * long.
 *
 * @param work - Returns whether to continue.
 */
export async function eachRange(
  { db, dialect }: Session,
  owner: RecordOwner,
  work: (range: OfferRange) => Promise<boolean>,
): Promise<void> {
  const ownerId = ownerIdOf(owner);
  const ids = db.selectFrom('offers').select('id').where('owner_id', '=', ownerId).orderBy('id').limit(1);
  const size = dialect.worksElsewhere ? RANGE_SIZE.elsewhere : RANGE_SIZE.here;
  for (let after = 0; ; ) {
    const last = await ids
      .where('id', '>', after)
      .offset(size - 1)
      .executeTakeFirst();
    const isMore = await work({ ownerId, after, upTo: last?.id ?? Number.MAX_SAFE_INTEGER });
    if (!last || !isMore) return;
    after = last.id;
    await pause();
  }
}

/**
 * A query for the offers of a range, without columns.
 *
 * @param firmId - Those of one advisory firm only; `null`: of all.
 */
export async function offersIn({ db, dialect }: Session, owner: RecordOwner, firmId: number | null) {
  const ofOwner = db.selectFrom('companies').select('id').where('owner_id', '=', ownerIdOf(owner));
  const ofFirm = ofOwner.where('firm_id', '=', firmId);
  const companyIds = firmId === null ? [] : (await ofFirm.execute()).map(({ id }) => id);
  return ({ ownerId, after, upTo }: OfferRange) =>
    db
      .selectFrom('offers')
      .where('owner_id', '=', ownerId)
      .where('offers.id', '>', after)
      .where('offers.id', '<=', upTo)
      // `+ 0` keeps the database from using the index on companies, which would read beyond the range.
      .$if(firmId !== null, (offers) => offers.where((eb) => dialect.isAnyOf(eb('company_id', '+', 0), companyIds)));
}
