import type { CatalogSubscription, Company, Firm } from '../firms/firm.ts';
import type { SupplyType } from '../offers/offer.ts';
import type { Revisions, ShelfChanges } from '../ports/records.ts';
import type { Reader, ShelfOwner } from '../ports/stores.ts';
import { patchUniverse, type Universe } from '../ranking/universe.ts';

/** All that one owner keeps, ready to be ranked, as of one revision. Never changed; a newer one takes its place. */
export interface Shelf {
  readonly revision: number;
  readonly firms: ReadonlyMap<number, Firm>;
  readonly companies: ReadonlyMap<number, Company>;
  /** By firm, then by company. */
  readonly subscriptions: ReadonlyMap<string, CatalogSubscription>;
  readonly universes: Readonly<Record<SupplyType, Universe>>;
  readonly offerCount: number;
}

/** What an account can rank: its own shelf and the catalog, both as of the state that its reader sees. */
export interface ShelvesInReach {
  readonly own: Shelf;
  readonly catalog: Shelf;
}

/** Keeps compiled shelves in memory between requests. */
export interface Shelves {
  /** The shelves at these revisions where both are kept; `null`: `current` has to read what is missing. */
  ready(accountId: number, revisions: Revisions): ShelvesInReach | null;
  /**
   * The shelves at exactly the revisions that this reader sees, so a ranking never misses a committed write, also
   * one of another process. What is kept is only ever brought forward by the rows that changed.
   */
  current(reader: Reader, accountId: number): Promise<ShelvesInReach>;
  counts(): ShelfCounts;
}

/** How the cache fares, for those who operate it. */
export interface ShelfCounts {
  /** Offers in memory, the catalog's among them. */
  readonly offers: number;
  /** Shelves asked for since the process began, but for those who waited for the work of another. */
  readonly ready: number;
  readonly patched: number;
  readonly rebuilt: number;
}

/** How much is kept, and who may work in between. */
export interface ShelvesOptions {
  /**
   * Offers kept in memory over all accounts, the catalog not counted; the least recently ranked account goes first.
   * One account alone may be larger.
   */
  readonly maxOffers?: number;
  /** Lets other work run; called between the pieces of a large compilation. */
  readonly pause?: () => Promise<void>;
}

/** Offers that a cache keeps unless it is told another number. */
export const DEFAULT_MAX_OFFERS = 100_000;
/** Offers compiled at once, between two pauses. */
const PIECE = 1024;

const EMPTY: Shelf = {
  revision: 0,
  firms: new Map(),
  companies: new Map(),
  subscriptions: new Map(),
  universes: { LUZ: { supplyType: 'LUZ', blocks: [] }, GAS: { supplyType: 'GAS', blocks: [] } },
  offerCount: 0,
};

/** An empty cache of shelves; one per process, for all accounts. */
export function createShelves({
  maxOffers = DEFAULT_MAX_OFFERS,
  pause = async () => {},
}: ShelvesOptions = {}): Shelves {
  const kept = new Map<ShelfOwner, Shelf>();
  const underWay = new Map<string, Promise<Shelf>>();
  const counts = { ready: 0, patched: 0, rebuilt: 0 };

  /** Maps remember the order of insertion: the last one inserted is the last one used. */
  const putLast = (owner: ShelfOwner, shelf: Shelf) => {
    kept.delete(owner);
    kept.set(owner, shelf);
  };

  const keep = (owner: ShelfOwner, shelf: Shelf) => {
    if ((kept.get(owner)?.revision ?? -1) > shelf.revision) return;
    putLast(owner, shelf);
    let offers = 0;
    for (const [other, { offerCount }] of kept) if (other !== 'catalog') offers += offerCount;
    for (const [other, { offerCount }] of kept) {
      if (offers <= maxOffers) return;
      if (other === 'catalog' || other === owner) continue;
      kept.delete(other);
      offers -= offerCount;
    }
  };

  const bringForward = async (reader: Reader, owner: ShelfOwner, revision: number): Promise<Shelf> => {
    const base = kept.get(owner) ?? EMPTY;
    // A reader that started before the last write sees an older state than the one kept: it gets a shelf of its own.
    const from = base.revision <= revision ? base : EMPTY;
    counts[from === EMPTY ? 'rebuilt' : 'patched'] += 1;
    const changes = await reader.changesSince(owner, from.revision);
    const shelf = await applyChanges(from, changes, { revision, pause });
    keep(owner, shelf);
    return shelf;
  };

  const keptAt = (owner: ShelfOwner, revision: number): Shelf | null => {
    if (revision === 0) return EMPTY;
    const known = kept.get(owner);
    return known?.revision === revision ? known : null;
  };

  const use = (owner: ShelfOwner, shelf: Shelf): Shelf => {
    if (shelf === EMPTY) return shelf;
    counts.ready += 1;
    putLast(owner, shelf);
    return shelf;
  };

  const shelfAt = async (reader: Reader, owner: ShelfOwner, revision: number): Promise<Shelf> => {
    const known = keptAt(owner, revision);
    if (known) return use(owner, known);
    const name = `${owner} ${revision}`;
    const started = underWay.get(name);
    // Whoever waits for the same revision shares the work; when it fails, each reads for itself.
    if (started) {
      const shelf = await started.catch(() => bringForward(reader, owner, revision));
      // What they do with it would follow in one go for all who waited.
      await pause();
      return shelf;
    }
    const work = bringForward(reader, owner, revision).finally(() => underWay.delete(name));
    underWay.set(name, work);
    return work;
  };

  return {
    ready(accountId, revisions) {
      const own = keptAt(accountId, revisions.own);
      const catalog = keptAt('catalog', revisions.catalog);
      return own && catalog && { own: use(accountId, own), catalog: use('catalog', catalog) };
    },
    async current(reader, accountId) {
      const revisions = await reader.revisions(accountId);
      const own = await shelfAt(reader, accountId, revisions.own);
      return { own, catalog: await shelfAt(reader, 'catalog', revisions.catalog) };
    },
    counts: () => ({ offers: [...kept.values()].reduce((sum, { offerCount }) => sum + offerCount, 0), ...counts }),
  };
}

async function applyChanges(
  shelf: Shelf,
  changes: ShelfChanges,
  { revision, pause }: { readonly revision: number; readonly pause: () => Promise<void> },
): Promise<Shelf> {
  let universes = shelf.universes;
  for (let start = 0; start < changes.offers.length; start += PIECE) {
    const piece = changes.offers.slice(start, start + PIECE);
    universes = { LUZ: patchUniverse(universes.LUZ, piece), GAS: patchUniverse(universes.GAS, piece) };
    await pause();
  }
  const blocks = [...universes.LUZ.blocks, ...universes.GAS.blocks];
  return {
    revision,
    firms: withChanges(shelf.firms, changes.firms, (firm) => firm.id),
    companies: withChanges(shelf.companies, changes.companies, (company) => company.id),
    subscriptions: withChanges(shelf.subscriptions, changes.subscriptions, (s) => `${s.firmId} ${s.companyId}`),
    universes,
    offerCount: blocks.reduce((sum, block) => sum + block.ids.length, 0),
  };
}

function withChanges<K, T>(
  known: ReadonlyMap<K, T>,
  changed: readonly T[],
  keyOf: (record: T) => K,
): ReadonlyMap<K, T> {
  return changed.length === 0
    ? known
    : new Map([...known, ...changed.map((record): [K, T] => [keyOf(record), record])]);
}
