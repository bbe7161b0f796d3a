import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from '../offer-columns.ts';
import {
  type ChangedOffer,
  CREATED,
  LEAST_SHARED,
  type NewOffer,
  type OfferRows,
  REPLACED,
  VERSION_BYTES,
  VERSION_BYTES_SQL,
} from '../offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'owner_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];

function updateOf(columns: readonly string[]): string {
  return `update offers set ${[...columns, 'revision', 'updated_at'].map((name) => `${name} = ?`)},
    masked_updated_at = case when ? then coalesce(masked_updated_at, updated_at) end,
    masked_revision = case when ? then coalesce(masked_revision, revision) end,
    blind_revision = coalesce(?, blind_revision)
    where id = ? and owner_id = ? and supply_type = ?`;
}

/** In a given offer, after its id: whether each column of tiers is kept, then the lists that have them. */
const keptPlace = (at: number) => 1 + at;
const listPlace = (at: number) => 1 + TIER_COLUMNS.length + at;

/** Former tiers that several of the given offers have, with the offers. Fewer bytes are not worth a row. */
const sharedTiersOf = (name: string, at: number) => `select ${name} as tiers, json_group_array(offers.id) as ids
  from json_each(?) as given cross join offers on offers.id = given.value ->> 0
  where owner_id = ? and given.value ->> ${keptPlace(at)} and length(${name}) > ${LEAST_SHARED}
  group by ${name} having count(*) > 1`;

/** In place of tiers that are shared a version names their list. */
const ownTiers = (_name: string, at: number) =>
  `case when given.value ->> ${keptPlace(at)} and given.value ->> ${listPlace(at)} is null then ${TIER_COLUMNS[at]} end`;
const VERSIONS = `insert into offer_versions
    (owner_id, offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS}, ${TIER_COLUMNS.map((name) => `${name}_id`)}, ${PAST_COLUMNS})
  select owner_id, offers.id, ?, ?, ?, '${REPLACED}', ${TIER_COLUMNS.map(ownTiers)},
    ${TIER_COLUMNS.map((_name, at) => `given.value ->> ${listPlace(at)}`)}, ${PAST_COLUMNS}
  from json_each(?) as given cross join offers on offers.id = given.value ->> 0 where owner_id = ?
  returning ${VERSION_BYTES_SQL} as bytes`;

/**
 * One prepared statement per offer, which is fastest in SQLite, and one for the versions of all of them, which copies
 * rows inside the database.
 */
export function sqliteOfferRows(prepare: Prepare): OfferRows {
  return {
    insert: async (offers, { accountId, ownerId, revision, at, keyId }) => {
      const insert = prepare(`insert into offers (${INSERTED}) values (${INSERTED.map(() => '?')})`);
      for (const { id, values } of offers) insert.run(id, accountId, ownerId, revision, at, at, ...values);
      prepare(
        `insert into offer_versions (owner_id, offer_id, revision, changed_at, key_id, before)
         select ?, value, ?, ?, ?, '${CREATED}' from json_each(?)`,
      ).run(ownerId, revision, at, keyId, idsOf(offers));
      prepare('update revisions set offers = offers + ? where owner_id = ?').run(offers.length, ownerId);
      store(prepare, ownerId, offers.length * (VERSION_BYTES + CREATED.length));
    },
    replace: async ({ columns, offers }, { ownerId, revision, at, keyId }) => {
      const given = offers.map(({ id, keptTiers }) => [id, ...keptTiers.map(Number)] as const);
      const lists = sharedLists(prepare, ownerId, offers);
      const named = lists && given.map(([id, ...kept]) => [id, ...kept, ...lists.map((list) => list.get(id) ?? null)]);
      const versions = prepare(VERSIONS).all(revision, at, keyId, JSON.stringify(named ?? given), ownerId);
      const bytes = (versions as readonly { readonly bytes: number }[]).reduce(
        (sum, version) => sum + version.bytes,
        0,
      );
      store(prepare, ownerId, bytes);
      const update = prepare(updateOf(columns.slice(1)));
      let replaced = 0;
      for (const { id, values, isMasked, isBlind } of offers) {
        const masked = Number(isMasked);
        const stamps = [masked, masked, isBlind ? revision : null];
        replaced += update.run(values.slice(1), revision, at, ...stamps, id, ownerId, values[0]).changes;
      }
      return replaced;
    },
  };
}

/** For each column of tiers: by the id of an offer, the list that has its former tiers; `null`: none is shared. */
function sharedLists(
  prepare: Prepare,
  ownerId: number,
  offers: readonly ChangedOffer[],
): readonly ReadonlyMap<number, number>[] | null {
  const keeping = offers.filter(({ keptTiers }) => keptTiers.includes(true));
  if (keeping.length < 2) return null;
  const given = JSON.stringify(keeping.map(({ id, keptTiers }) => [id, ...keptTiers.map(Number)]));
  return TIER_COLUMNS.map((name, at) => {
    const shared = prepare(sharedTiersOf(name, at)).all(given, ownerId) as readonly {
      readonly tiers: string;
      readonly ids: string;
    }[];
    const pairs = shared.flatMap(({ tiers, ids }) => {
      const digest = createHash('sha256').update(tiers).digest();
      const { changes } = prepare(
        'insert into tier_lists (owner_id, digest, tiers) values (?, ?, ?) on conflict do nothing',
      ).run(ownerId, digest, tiers);
      if (changes > 0) store(prepare, ownerId, Buffer.byteLength(tiers));
      const found = prepare('select id from tier_lists where owner_id = ? and digest = ?').get(ownerId, digest);
      const { id: listId } = found as { readonly id: number };
      return (JSON.parse(ids) as readonly number[]).map((id) => [id, listId] as const);
    });
    return new Map(pairs);
  });
}

/** Adds to the bytes of an owner's history. */
function store(prepare: Prepare, ownerId: number, bytes: number): void {
  prepare(`insert into stored_bytes (owner_id, history) values (?, ?)
    on conflict (owner_id) do update set history = history + excluded.history`).run(ownerId, bytes);
}

function idsOf(offers: readonly NewOffer[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}
