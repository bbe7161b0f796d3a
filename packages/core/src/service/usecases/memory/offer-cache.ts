import { type BoundedCache, createBoundedCache } from '../../../engine/bounded-cache.ts';
import type { SupplyType } from '../../../engine/offers/offer.ts';
import { type OfferRow, offerOfRow, offerOfText, textOfRow } from '../../../engine/offers/offer-row.ts';
import { rowOfId, type Table } from '../../../engine/price/table.ts';
import { emptyUniverse, patchInTurns, type Universe, universeBytes } from '../../../engine/rank/universe.ts';
import type { CatalogSubscription, Company, Firm } from '../../firms/firm.ts';
import { inTurns } from '../../in-turns.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type { Revisions } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';

/** All records of one owner as of one revision, ready to be ranked. Never changed; a newer one replaces it. */
export interface OwnedOffers {
  readonly revision: number;
  readonly firms: ReadonlyMap<number, Firm>;
  readonly companies: ReadonlyMap<number, Company>;
  /** By firm, then by company. */
  readonly subscriptions: ReadonlyMap<string, CatalogSubscription>;
  readonly universes: Readonly<Record<SupplyType, Universe>>;
  /** The companies that the account sees, by the revision of the catalog and the firm to which a call is narrowed. */
  readonly visibleCompanies: BoundedCache<string, ReadonlyMap<number, Company>>;
  readonly offerCount: number;
  /** How much memory it takes now, approximately: rankings add to it. */
  readonly heldBytes: () => number;
}

/** What an account can rank: its own offers and the catalog, both as of the state that its reader sees. */
export interface AccountOffers {
  readonly own: OwnedOffers;
  readonly catalog: OwnedOffers;
}

/** The place of an offer. */
export interface PlacedOffer {
  readonly owned: OwnedOffers;
  readonly table: Table;
  readonly row: number;
}

/** The place of an offer of an owner; `null`: it has no offer with that id. */
export function placeOf(owned: OwnedOffers, id: number): PlacedOffer | null {
  for (const { tables } of Object.values(owned.universes)) {
    const table = tables.findLast(({ ids }) => (ids[0] ?? 0) <= id);
    const row = table ? rowOfId(table, id) : -1;
    if (!table || row < 0) continue;
    return { owned, table, row };
  }
  return null;
}

/** Keeps offers in memory between requests, ready to be ranked. */
export interface OfferCache {
  /** The offers at these revisions if those of both owners are cached; `null`: `current` has to read some. */
  ready(accountId: number, revisions: Revisions): AccountOffers | null;
  /**
   * The offers at exactly the revisions that this reader sees, so a ranking never misses a committed write, also
   * one of another process. Cached offers are patched with the rows that changed.
   */
  current(reader: Reader, accountId: number): Promise<AccountOffers>;
  /**
   * One load at a time for all calls of an account, so that its calls hold one reader while its offers are read, however
   * many they are and whatever is written meanwhile.
   *
   * @param load - Sees every write that was committed before it begins.
   */
  share(accountId: number, load: () => Promise<AccountOffers>): Promise<AccountOffers>;
  /**
   * Whether a read that needs no ranking is better answered from memory: the account's offers are cached, or they are
   * requested for the second time and there is room for them. One page of an account that nobody ranks is read faster
   * by the database.
   */
  isWorthKeeping(accountId: number): boolean;
  counts(): OfferCacheCounts;
}

/** Figures of the cache, for operators. */
export interface OfferCacheCounts {
  /** Offers in memory, including those of the catalog, and their approximate size in bytes. */
  readonly offers: number;
  readonly bytes: number;
  /** How often owners were requested since the process began; calls that waited for another call do not count. */
  readonly ready: number;
  readonly patched: number;
  readonly rebuilt: number;
}

interface OfferCacheOptions {
  /**
   * Bytes of the cached offers, including the catalog's; the least recently used account is dropped first. The catalog
   * stays, and one account alone may be larger.
   */
  readonly maxBytes?: number;
  /** Lets other work run; called between the pieces of a large compilation, for the account that asked for it. */
  readonly pause?: (accountId: number) => Promise<void>;
}

/** Memory for offers, in units of 1 048 576 bytes, where no other number is given: about half a million offers. */
export const DEFAULT_CACHE_MB = 512;
export const BYTES_PER_MB = 2 ** 20;
/** Accounts whose reads are remembered, to recognise those that read again. */
const MAX_READING = 10_000;
/** A record in a map, without its texts. */
const RECORD_BYTES = 300;
/** For how many firms of an account the visible companies are cached. */
const MAX_NARROWED = 16;
/** Offers compiled at once, between two pauses. */
const PIECE = 1024;

const EMPTY: OwnedOffers = {
  revision: 0,
  firms: new Map(),
  companies: new Map(),
  subscriptions: new Map(),
  universes: { LUZ: emptyUniverse('LUZ'), GAS: emptyUniverse('GAS') },
  visibleCompanies: createBoundedCache(MAX_NARROWED),
  offerCount: 0,
  heldBytes: () => 0,
};

/** The state of one owner that a call of an account needs. */
interface OwnerRevision {
  readonly owner: RecordOwner;
  readonly revision: number;
  readonly accountId: number;
}

/** An empty cache; one per process, for all accounts. */
export function createOfferCache({
  maxBytes = DEFAULT_CACHE_MB * BYTES_PER_MB,
  pause = async () => {},
}: OfferCacheOptions = {}): OfferCache {
  const cached = new Map<RecordOwner, OwnedOffers>();
  /** The bytes of each owner at its last use. */
  const bytesOf = new Map<RecordOwner, number>();
  let totalBytes = 0;
  const reading = new Set<number>();
  const underWay = new Map<string, Promise<OwnedOffers>>();
  const counts = { ready: 0, patched: 0, rebuilt: 0 };

  const forget = (owner: RecordOwner) => {
    cached.delete(owner);
    totalBytes -= bytesOf.get(owner) ?? 0;
    bytesOf.delete(owner);
  };

  /** Maps remember the order of insertion: the last one inserted is the last one used. */
  const putLast = (owner: RecordOwner, owned: OwnedOffers) => {
    forget(owner);
    const bytes = owned.heldBytes();
    cached.set(owner, owned);
    bytesOf.set(owner, bytes);
    totalBytes += bytes;
    for (const other of cached.keys()) {
      if (totalBytes <= maxBytes) return;
      if (other !== 'catalog' && other !== owner) forget(other);
    }
  };

  const keep = (owner: RecordOwner, owned: OwnedOffers) => {
    if ((cached.get(owner)?.revision ?? -1) <= owned.revision) putLast(owner, owned);
  };

  const bringForward = async (reader: Reader, asked: OwnerRevision): Promise<OwnedOffers> => {
    const { owner, revision, accountId } = asked;
    const base = cached.get(owner) ?? EMPTY;
    // A reader that started before the last write sees an older state than the cached one: its offers are compiled for it alone.
    const from = base.revision <= revision ? base : EMPTY;
    counts[from === EMPTY ? 'rebuilt' : 'patched'] += 1;
    const owned = await applyChanges(from, { reader, owner, revision, accountId, pause });
    keep(owner, owned);
    return owned;
  };

  const cachedAt = (owner: RecordOwner, revision: number): OwnedOffers | null => {
    if (revision === 0) return EMPTY;
    const owned = cached.get(owner);
    return owned?.revision === revision ? owned : null;
  };

  const use = (owner: RecordOwner, owned: OwnedOffers): OwnedOffers => {
    if (owned === EMPTY) return owned;
    counts.ready += 1;
    putLast(owner, owned);
    return owned;
  };

  const offersAt = async (reader: Reader, asked: OwnerRevision): Promise<OwnedOffers> => {
    const { owner, revision, accountId } = asked;
    const ready = cachedAt(owner, revision);
    if (ready) return use(owner, ready);
    const name = `${owner} ${revision}`;
    const started = underWay.get(name);
    // Calls that wait for the same revision share the work; when it fails, each reads for itself.
    if (started) {
      const owned = await started.catch(() => bringForward(reader, asked));
      // Otherwise all calls that waited would go on in the same turn of the event loop.
      await pause(accountId);
      return owned;
    }
    const work = bringForward(reader, asked).finally(() => underWay.delete(name));
    underWay.set(name, work);
    return work;
  };

  return {
    ready(accountId, revisions) {
      const own = cachedAt(accountId, revisions.own);
      const catalog = cachedAt('catalog', revisions.catalog);
      return own && catalog && { own: use(accountId, own), catalog: use('catalog', catalog) };
    },
    async current(reader, accountId) {
      const revisions = await reader.changes.revisions(accountId);
      const own = await offersAt(reader, { owner: accountId, revision: revisions.own, accountId });
      return { own, catalog: await offersAt(reader, { owner: 'catalog', revision: revisions.catalog, accountId }) };
    },
    share: createSharing(pause),
    isWorthKeeping(accountId) {
      if (cached.has(accountId)) return true;
      if (reading.size >= MAX_READING) reading.clear();
      const isAgain = reading.has(accountId);
      reading.add(accountId);
      return isAgain && totalBytes < (maxBytes / 4) * 3;
    },
    counts: () => {
      const offers = [...cached.values()].reduce((sum, { offerCount }) => sum + offerCount, 0);
      return { offers, bytes: totalBytes, ...counts };
    },
  };
}

function createSharing(pause: (accountId: number) => Promise<void>): OfferCache['share'] {
  const loads = new Map<number, Promise<AccountOffers>>();
  return async (accountId, load) => {
    // The load that is running may have begun before the last write. A load that begins now has not.
    await loads.get(accountId)?.catch(() => null);
    const begun = loads.get(accountId);
    const work = begun ?? load().finally(() => loads.delete(accountId));
    loads.set(accountId, work);
    const offers = await work;
    // Otherwise all calls that waited would go on in the same turn of the event loop.
    if (begun) await pause(accountId);
    return offers;
  };
}

interface Update {
  readonly reader: Reader;
  readonly owner: RecordOwner;
  /** What the reader sees. */
  readonly revision: number;
  readonly accountId: number;
  readonly pause: (accountId: number) => Promise<void>;
}

/** The same owner's offers at a newer revision; only changed rows are read. */
async function applyChanges(owned: OwnedOffers, update: Update): Promise<OwnedOffers> {
  const { reader, owner, revision, pause } = update;
  const changes = await reader.changes.recordsSince(owner, owned.revision);
  let universes = owned.universes;
  const waiting: OfferRow[] = [];
  const compile = async () => {
    // Their text is kept.
    const rows = waiting.splice(0, PIECE).map((row) => ({ entry: offerOfRow(row), text: textOfRow(row) }));
    const patched = (universe: Universe) =>
      inTurns(patchInTurns(universe, rows, offerOfText), { yieldToEventLoop: pause }, update);
    universes = { LUZ: await patched(universes.LUZ), GAS: await patched(universes.GAS) };
  };
  for await (const rows of reader.offers.rowsSince(owner, owned.revision)) {
    waiting.push(...rows);
    while (waiting.length >= PIECE) await compile();
  }
  if (waiting.length > 0) await compile();
  const both = Object.values(universes);
  const firms = withChanges(owned.firms, changes.firms, (firm) => firm.id);
  const companies = withChanges(owned.companies, changes.companies, (company) => company.id);
  const subscriptions = withChanges(owned.subscriptions, changes.subscriptions, (s) => `${s.firmId} ${s.companyId}`);
  const recordBytes = (firms.size + companies.size + subscriptions.size) * RECORD_BYTES;
  return {
    revision,
    firms,
    companies,
    subscriptions,
    universes,
    visibleCompanies: createBoundedCache(MAX_NARROWED),
    offerCount: both.flatMap(({ tables }) => tables).reduce((sum, { rowCount }) => sum + rowCount, 0),
    heldBytes: () => both.reduce((sum, universe) => sum + universeBytes(universe), recordBytes),
  };
}

function withChanges<K, T>(
  before: ReadonlyMap<K, T>,
  changed: readonly T[],
  keyOf: (record: T) => K,
): ReadonlyMap<K, T> {
  return changed.length === 0
    ? before
    : new Map([...before, ...changed.map((record): [K, T] => [keyOf(record), record])]);
}
