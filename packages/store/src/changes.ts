import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  type ChangeQuery,
  type Reader,
  type RecordChange,
  type RecordOwner,
} from '@tarifario/core/service';
import { type RawBuilder, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { ownerIdOf } from './unit-of-work.ts';

export function changeReads(session: Session): Pick<Reader['changes'], 'after' | 'mark'> {
  return {
    after: async (owner, query) => {
      const changes: RecordChange[] = [];
      for (const kind of query.kinds) changes.push(...(await changesOf(session, owner, { ...query, kind })));
      changes.sort((a, b) => a.revision - b.revision || a.kind - b.kind || a.id - b.id);
      return query.after === null ? changes.slice(-query.limit) : changes.slice(0, query.limit);
    },
    mark: async (owner, revision) => {
      const marks = session.db.selectFrom('revision_marks').select('mark').where('owner_id', '=', ownerIdOf(owner));
      return (await marks.where('revision', '=', revision).executeTakeFirst())?.mark ?? null;
    },
  };
}

/** The row of any kind of record; `stamp` is the revision of its last change that the caller sees. */
interface ChangeRow {
  readonly id: number;
  readonly is_active: number;
  readonly firm_id: number | null;
  readonly stamp: number;
}

async function changesOf(
  { db }: Session,
  owner: RecordOwner,
  { kind, after, firmId, limit, seesCommissions }: ChangeQuery & { readonly kind: ChangeKind },
): Promise<readonly RecordChange[]> {
  const number = CHANGE_KINDS.indexOf(kind);
  const rows = ROWS[kind]({ ownerId: ownerIdOf(owner), from: after?.revision ?? 0, seesCommissions, firmId });
  const isBeyondAfter = after === null ? sql`1 = 1` : isBeyond(after, number);
  // An offer that was never one of the firm has no stamp, so it is not listed.
  const tellsOfGone = kind === 'offer' && after !== null;
  const isSeen = firmId === null || tellsOfGone ? sql`1 = 1` : sql`firm_id = ${firmId}`;
  const order = after === null ? sql`stamp desc, id desc` : sql`stamp, id`;
  const result = await sql<ChangeRow>`
    select * from (${rows}) as changed where ${isSeen} and ${isBeyondAfter} order by ${order} limit ${limit}`.execute(
    db,
  );
  return result.rows.map((row) => ({
    revision: row.stamp,
    kind: number,
    id: row.id,
    firmId: row.firm_id,
    isActive: row.is_active === 1,
    isGone: firmId !== null && row.firm_id !== firmId,
  }));
}

function isBeyond({ revision, kind, id }: ChangePlace, number: number): RawBuilder<unknown> {
  if (number > kind) return sql`stamp >= ${revision}`;
  if (number < kind) return sql`stamp > ${revision}`;
  return sql`(stamp > ${revision} or (stamp = ${revision} and id > ${id}))`;
}

interface Wanted {
  readonly ownerId: number;
  /** The first revision of the range, included, so that an index finds the rows. */
  readonly from: number;
  readonly seesCommissions: boolean;
  readonly firmId: number | null;
}

/**
 * The last change of an offer that a firm sees: if the offer moved to a company of another firm, the time of the move.
 */
function stampFor(firmId: number | null, seesCommissions: boolean): RawBuilder<unknown> {
  const ofOffer = seesCommissions ? sql`offers.revision` : sql`coalesce(offers.masked_revision, offers.revision)`;
  if (firmId === null) return ofOffer;
  return sql`case when companies.firm_id = ${firmId} then ${ofOffer} else (
    select max(versions.revision) from offer_versions as versions
    join companies as former on former.owner_id = offers.owner_id and former.id = versions.company_id
    where versions.owner_id = offers.owner_id and versions.offer_id = offers.id and former.firm_id = ${firmId}) end`;
}

const ROWS: Readonly<Record<ChangeKind, (wanted: Wanted) => RawBuilder<unknown>>> = {
  client: ({ ownerId, from }) => sql`
    select id, is_active, id as firm_id, revision as stamp from firms
    where account_id = ${ownerId} and revision >= ${from}`,
  company: ({ ownerId, from }) => sql`
    select id, is_active, firm_id, revision as stamp from companies
    where owner_id = ${ownerId} and revision >= ${from}`,
  offer: ({ ownerId, from, seesCommissions, firmId }) => sql`
    select offers.id, offers.is_active, companies.firm_id, ${stampFor(firmId, seesCommissions)} as stamp
    from offers join companies on companies.owner_id = offers.owner_id and companies.id = offers.company_id
    where offers.owner_id = ${ownerId} and offers.revision >= ${from}`,
  subscriptions: ({ ownerId, from }) => sql`
    select firm_id as id, 1 as is_active, firm_id, max(revision) as stamp from catalog_subscriptions
    where account_id = ${ownerId} and revision >= ${from} group by firm_id`,
};
