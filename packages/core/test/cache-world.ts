import { flatOffer } from '@tarifario/testkit/core/simple-offers';
import { expect } from 'vitest';
import type { OfferWithHistory } from '../src/engine/offers/offer.ts';
import { rowOf } from '../src/engine/offers/offer-row.ts';
import type { CatalogSubscription, Company, Firm } from '../src/service/firms/firm.ts';
import type { RecordOwner } from '../src/service/ports/lists.ts';
import type { Reader } from '../src/service/ports/stores.ts';

/** One write to the records of one owner. */
interface Write {
  readonly owner: RecordOwner;
  readonly firms?: readonly Firm[];
  readonly companies?: readonly Company[];
  readonly subscriptions?: readonly CatalogSubscription[];
  readonly offers?: readonly OfferWithHistory[];
}

/** A read of changes from the store. */
interface ChangesRead {
  readonly owner: RecordOwner;
  readonly since: number;
  readonly rows: number;
}

const STAMPS = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

export function firm(id: number, name = `Firma ${id}`): Firm {
  return { id, name, imageUrl: null, catalogDefault: 'all', isActive: true, ...STAMPS };
}

export function company(id: number, name = `Empresa ${id}`): Company {
  return { id, firmId: 1, name, logoUrl: null, isActive: true, ...STAMPS };
}

export function flat(id: number, costEur = id): OfferWithHistory {
  return { offer: flatOffer(id, costEur, 0), months: [] };
}

export function flats(from: number, to: number): readonly OfferWithHistory[] {
  return Array.from({ length: to - from + 1 }, (_, index) => flat(from + index));
}

/** The newest record of each key, in ascending order of id where there is one. */
function newest<T>(records: readonly T[], keyOf: (record: T) => number | string): readonly T[] {
  const byKey = new Map(records.map((record) => [keyOf(record), record]));
  return [...byKey.entries()].sort(([a], [b]) => Number(a) - Number(b)).map(([, record]) => record);
}

/** What the cache asks for, and nothing else. */
function only<T extends object>(known: Partial<T>): T {
  return new Proxy(known as T, {
    get: (target, name) => Reflect.get(target, name) ?? expect.fail(`the cache does not ask for ${String(name)}`),
  });
}

/** A store of offers and related records: a list of writes, and readers that see the writes made before they were opened. */
export function createWorld() {
  const writes: Write[] = [];
  const reads: ChangesRead[] = [];

  const seenBy = (owner: RecordOwner, count: number) => writes.slice(0, count).filter((write) => write.owner === owner);

  /** @param barrier - what happens before rows are handed over. */
  const open = (barrier: (owner: RecordOwner) => Promise<void> = async () => {}): Reader => {
    const count = writes.length;
    const revisionOf = (owner: RecordOwner) => seenBy(owner, count).length;
    const changes = only<Reader['changes']>({
      revisions: async (accountId) => ({ own: revisionOf(accountId), catalog: revisionOf('catalog') }),
      recordsSince: async (owner, since) => {
        const news = seenBy(owner, count).slice(since);
        return {
          firms: newest(
            news.flatMap((write) => write.firms ?? []),
            ({ id }) => id,
          ),
          companies: newest(
            news.flatMap((write) => write.companies ?? []),
            ({ id }) => id,
          ),
          subscriptions: newest(
            news.flatMap((write) => write.subscriptions ?? []),
            ({ firmId, companyId }) => `${firmId}${companyId}`,
          ),
        };
      },
    });
    const offers = only<Reader['offers']>({
      rowsSince: async function* (owner, since) {
        const news = seenBy(owner, count).slice(since);
        const offers = newest(
          news.flatMap((write) => write.offers ?? []),
          ({ offer }) => offer.id,
        );
        reads.push({ owner, since, rows: offers.length });
        await barrier(owner);
        for (let start = 0; start < offers.length; start += 5) yield offers.slice(start, start + 5).map(rowOf);
      },
    });
    return only<Reader>({ changes, offers });
  };

  return { open, reads, write: (write: Write) => writes.push(write), writes };
}
