import { changeOf, type Offer, type OfferChange, type Store } from '@tarifario/core/service';
import { expectSameIds, line } from '../line.ts';
import { marketTerms } from '../market.ts';
import { cpuMicros, medianOf } from '../measure.ts';
import { openPlainSqlite } from '../plain-tables.ts';
import { openService } from '../service-work.ts';

const OFFERS = 10_000;
const ROUNDS = 3;
/** Units of work of their own wait for the disk each: a part of the offers tells how long all would take. */
const ALONE = 100;

/** Every offer replaced by another one. */
export function replacements(offers: readonly Offer[], seed: number) {
  const terms = marketTerms('LUZ', offers.length, seed);
  return offers.flatMap((offer, index): readonly OfferChange[] => {
    const change = changeOf(offer, { ...offer, ...terms[index], companyId: offer.companyId });
    return change ? [change] : [];
  });
}

export async function offersOf(store: Store, accountId: number) {
  const { offers } = await store.read((reader) => reader.changes.since(accountId, 0));
  return offers.map(({ offer }) => offer);
}

/**
 * All of 10,000 offers and their tiers (about 60,000) replaced by others in one unit of work, with the version of each
 * that is kept: read, compared, written, committed. Against kysely that updates offer by offer and replaces the rows
 * of its tiers, in one transaction and without versions; against our own writer with one offer a call, and with one
 * offer a unit of work. Processor time of the thread; each commit waits for the disk besides.
 */
export const bulkWriteLine = line({
  name: 'Bulk replace on SQLite',
  run: async () => {
    const { service, accountId, close } = await openService(OFFERS);
    const plain = await openPlainSqlite(marketTerms('LUZ', OFFERS));
    const { store, clock } = service;
    const offers = await offersOf(store, accountId);
    const write = <T>(work: Parameters<typeof store.write<T>>[1]) =>
      store.write({ keyId: null, at: clock.now() }, work);
    const times: Record<'bulk' | 'kysely' | 'calls' | 'units', number[]> = {
      bulk: [],
      kysely: [],
      calls: [],
      units: [],
    };
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const [first, second, third] = [1, 2, 3].map((part) => replacements(offers, 10 * round + part));
        if (!first || !second || !third) throw new RangeError('there are replacements');
        times.bulk.push(await cpuMicros(() => write((writer) => writer.offers.update(accountId, first))));
        times.kysely.push(await cpuMicros(() => plain.replace(first.map(({ terms }) => terms))));
        times.calls.push(
          await cpuMicros(() =>
            write(async (writer) => {
              for (const change of second) await writer.offers.update(accountId, [change]);
            }),
          ),
        );
        const alone = await cpuMicros(async () => {
          for (const change of third.slice(0, ALONE))
            await write((writer) => writer.offers.update(accountId, [change]));
        });
        times.units.push((alone * OFFERS) / ALONE);
      }
      const stored = await offersOf(store, accountId);
      expectSameIds(
        'the store',
        offers.map(({ id }) => id),
        stored.map(({ id }) => id),
      );
    } finally {
      await plain.close();
      await close();
    }
    const row = { what: '10,000 offers with tiers', oursMicros: medianOf(times.bulk) };
    return [
      {
        ...row,
        peer: 'kysely, one by one',
        peerMicros: medianOf(times.kysely),
        ratio: 'theirs/ours',
        goal: { atLeast: 12 },
      },
      { ...row, peer: 'our writer, a call each', peerMicros: medianOf(times.calls), ratio: 'theirs/ours', goal: null },
      {
        ...row,
        peer: 'our writer, a unit of work each',
        peerMicros: medianOf(times.units),
        ratio: 'theirs/ours',
        goal: null,
      },
    ];
  },
});
