import type { Moment, OfferDepth, OfferPast, Reader, RecordOwner } from '@tarifario/core/service';
import { sql } from 'kysely';
import { inChunks, pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { PAST_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { UNREAD, WHOLE } from './offers.ts';
import { fromVersionRow } from './rows.ts';
import type { OfferVersionRow } from './schema.ts';
import { ownerIdOf } from './unit-of-work.ts';

export function versionReads(session: Session): Pick<Reader['offers'], 'versions' | 'past'> {
  return {
    versions: async (owner, offerId, depth = WHOLE) => {
      const rows = await versionRows(session, owner, depth)
        .where('offer_id', '=', offerId)
        .orderBy('offer_versions.id')
        .execute();
      return rows.map(fromVersionRow);
    },
    past: (owner, moment, depth = WHOLE) => pastOf(session, { owner, moment, depth }),
  };
}

const HEAD = ['id', 'offer_id', 'revision', 'changed_at', 'key_id', 'before'] as const;
const STORED = [...HEAD, ...PAST_COLUMNS].map((name) => `offer_versions.${name as keyof OfferVersionRow}` as const);
const VISIBLE = STORED.filter((name) => !UNREAD.has(name.slice('offer_versions.'.length)));

function versionRows({ db }: Session, owner: RecordOwner, { seesCommissions }: OfferDepth) {
  return (
    db
      .selectFrom('offer_versions')
      // Every version has its offer. SQLite would begin an inner join with all offers of the owner.
      .leftJoin('offers', (join) =>
        join
          .onRef('offers.owner_id', '=', 'offer_versions.owner_id')
          .onRef('offers.id', '=', 'offer_versions.offer_id'),
      )
      .where('offer_versions.owner_id', '=', ownerIdOf(owner))
      .select(seesCommissions ? STORED : VISIBLE)
      .select(seesCommissions ? TIER_COLUMNS.map((name) => formerTiers(name).as(name)) : [...UNREAD.values()])
      .$castTo<OfferVersionRow>()
  );
}

/** Those of the first version, from this one on, that changed them; where none did, those of the offer. */
function formerTiers(name: (typeof TIER_COLUMNS)[number]) {
  const [own, list] = [sql.ref(`later.${name}`), sql.ref(`later.${name}_id`)];
  return sql<string | null>`coalesce(
    (select coalesce(${own}, (select tiers from tier_lists where owner_id = later.owner_id and id = ${list})) from offer_versions as later
      where later.owner_id = offer_versions.owner_id and later.offer_id = offer_versions.offer_id and later.id >= offer_versions.id
        and (${own} is not null or ${list} is not null)
      order by later.id limit 1),
    ${sql.ref(`offers.${name}`)})`;
}

/** Offers whose past is read at once. */
const OFFERS_AT_ONCE = 500;

interface WantedPast {
  readonly owner: RecordOwner;
  readonly moment: Moment;
  readonly depth: OfferDepth;
}

async function* pastOf(session: Session, wanted: WantedPast) {
  const ownerId = ownerIdOf(wanted.owner);
  for (let after = 0; ; ) {
    const ids = (
      await session.db
        .selectFrom('offers')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(OFFERS_AT_ONCE)
        .execute()
    ).map(({ id }) => id);
    if (ids.length > 0) yield await pastOfSome(session, ids, wanted);
    if (ids.length < OFFERS_AT_ONCE) return;
    after = ids.at(-1) ?? 0;
    await pause();
  }
}

interface First {
  readonly offer_id: number;
  readonly month: string | null;
  readonly id: number;
}

async function pastOfSome(
  session: Session,
  offerIds: readonly number[],
  { owner, moment, depth }: WantedPast,
): Promise<readonly OfferPast[]> {
  const firsts = await firstVersions(session, owner, offerIds, moment);
  const byOffer = [...Map.groupBy(firsts, (first) => first.offer_id).values()].map((all) => ({
    all,
    first: all.reduce((least, one) => (one.id < least.id ? one : least)),
  }));
  const lasts = await versionsBefore(
    session,
    owner,
    byOffer.flatMap(({ first }) => (first.month === null ? [] : [first.id])),
  );
  const wanted = [...firsts.map(({ id }) => id), ...lasts.values()];
  const rows = await inChunks(session.dialect, wanted, (ids) =>
    versionRows(session, owner, depth)
      .where((eb) => session.dialect.isAnyOf(eb.ref('offer_versions.id'), ids))
      .execute(),
  );
  const versions = new Map(rows.map((row) => [row.id, fromVersionRow(row)]));
  const versionAt = (id: number | undefined) => versions.get(id ?? 0) ?? null;
  return byOffer.map(({ all, first }) => ({
    offerId: first.offer_id,
    terms: versionAt(all.find(({ month }) => month === null)?.id),
    months: all.flatMap(({ month, id }) => (month === null ? [] : (versionAt(id) ?? []))),
    last: versionAt(lasts.get(first.id)),
  }));
}

/** The first version after a moment of the terms of each offer, and of each of its months; one index answers this. */
async function firstVersions(
  { db, dialect }: Session,
  owner: RecordOwner,
  offerIds: readonly number[],
  moment: Moment,
) {
  const query = db
    .selectFrom('offer_versions')
    .select(['offer_id', 'month'])
    .select(({ fn }) => fn.min('id').as('id'))
    .where('owner_id', '=', ownerIdOf(owner))
    .where((eb) => dialect.isAnyOf(eb.ref('offer_id'), offerIds))
    .where((eb) => ('instant' in moment ? eb('changed_at', '>', moment.instant) : eb('revision', '>', moment.revision)))
    .groupBy(['offer_id', 'month'])
    .orderBy('offer_id')
    .orderBy('month');
  return (await query.execute()) as readonly First[];
}

/** The version of the same offer before each of these. */
async function versionsBefore(
  session: Session,
  owner: RecordOwner,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const pairs = await inChunks(session.dialect, ids, (chunk) =>
    session.db
      .selectFrom('offer_versions')
      .select((eb) => [
        'id',
        eb
          .selectFrom('offer_versions as earlier')
          .select(({ fn }) => fn.max('earlier.id').as('before'))
          .whereRef('earlier.owner_id', '=', 'offer_versions.owner_id')
          .whereRef('earlier.offer_id', '=', 'offer_versions.offer_id')
          .whereRef('earlier.id', '<', 'offer_versions.id')
          .as('before'),
      ])
      .where('owner_id', '=', ownerIdOf(owner))
      .where((eb) => session.dialect.isAnyOf(eb.ref('offer_versions.id'), chunk))
      .execute(),
  );
  return new Map(pairs.flatMap(({ id, before }) => (before === null ? [] : [[id, before] as const])));
}
