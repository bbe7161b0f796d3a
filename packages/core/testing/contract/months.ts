import fc from 'fast-check';
import type { MonthChange } from '../../src/engine/offers/difference.ts';
import { type MonthlyPrice, SUPPLY_TYPES } from '../../src/engine/offers/offer.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { arbitraryHistory } from '../arbitrary-offers.ts';
import { type CaseOn, equal, fails, present, SEED } from './assertions.ts';
import {
  at,
  deleteMonth,
  gasMonth,
  luz,
  luzMonth,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
  putMonth,
  putMonths,
  type Tenant,
} from './world.ts';

function monthsOf(store: Store, owner: number, offerId: number): Promise<readonly MonthlyPrice[] | undefined> {
  return store.read(async (reader) => (await reader.months.of(owner, [offerId])).get(offerId));
}

/** Months, versions and stamps of a tenant's two offers, without their ids. */
async function traces(store: Store, { account, luzOffer, gasOffer }: Tenant) {
  return await store.read(async (reader) => {
    const { offers } = await reader.changes.since(account.id, 0);
    const versions = [];
    for (const { id } of [luzOffer, gasOffer]) {
      versions.push((await reader.offers.versions(account.id, id)).map(({ offerId: _, ...version }) => version));
    }
    const states = offers.map(({ offer, months }) => ({ updatedAt: offer.updatedAt, months }));
    return { states, versions, revision: (await reader.changes.revisions(account.id)).own };
  });
}

/** Monthly prices of offers. */
export const monthCases: readonly CaseOn<Store>[] = [
  {
    name: 'the months of an offer are read as they were written, oldest first',
    run: async (store, runs) => {
      const { account, luzOffer, gasOffer } = await newTenant(store);
      const offers = { LUZ: luzOffer, GAS: gasOffer };
      for (const supplyType of SUPPLY_TYPES) {
        const { id } = offers[supplyType];
        const property = fc.asyncProperty(arbitraryHistory(supplyType), fc.boolean(), async (months, backwards) => {
          await store.write(at(5), async (writer) => {
            const old = (await writer.months.of(account.id, [id])).get(id) ?? [];
            for (const price of old) await writer.months.delete(account.id, id, price);
            for (const price of backwards ? months.toReversed() : months) await putMonth(writer, account.id, id, price);
          });
          equal(await monthsOf(store, account.id, id), months.length > 0 ? months : undefined, 'months of the offer');
          const { offers } = await store.read((reader) => reader.changes.since(account.id, 0));
          equal(offers.find(({ offer }) => offer.id === id)?.months, months, 'months in the changes of the owner');
        });
        await fc.assert(property, { seed: SEED, numRuns: runs(25) });
      }
    },
  },
  {
    name: 'a month is created once and then replaced',
    run: async (store) => {
      const { account, luzOffer } = await newTenant(store);
      const put = (price: MonthlyPrice) => store.write(at(2), (w) => putMonth(w, account.id, luzOffer.id, price));
      await put(luzMonth('2026-01-01', 0.1));
      await put(luzMonth('2026-01-01', -0.2));
      await put(luzMonth('2025-12-01', 0.3));
      const expected = [luzMonth('2025-12-01', 0.3), luzMonth('2026-01-01', -0.2)];
      equal(await monthsOf(store, account.id, luzOffer.id), expected, 'months');
    },
  },
  {
    name: 'many months written at once have the effect of writing each, version by version',
    run: async (store, runs) => {
      const [one, many] = [await newTenant(store), await newTenant(store)];
      const property = fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...SUPPLY_TYPES), fc.nat(200)), {
          maxLength: 250,
          selector: String,
        }),
        fc.integer({ min: 1, max: 3 }),
        async (places, price) => {
          const months = places.map(([supplyType, n]) => {
            const month = `${2000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`;
            return supplyType === 'LUZ' ? luzMonth(month, price / 10) : gasMonth(month, price / 100);
          });
          const offerIn = ({ luzOffer, gasOffer }: Tenant, { supplyType }: MonthlyPrice) =>
            (supplyType === 'LUZ' ? luzOffer : gasOffer).id;
          await store.write(at(5, 8), async (writer) => {
            for (const each of months) await putMonth(writer, one.account.id, offerIn(one, each), each);
          });
          await store.write(at(5, 8), (writer) =>
            putMonths(
              writer,
              many.account.id,
              months.map((each) => ({ offerId: offerIn(many, each), price: each })),
            ),
          );
          equal(await traces(store, many), await traces(store, one), 'what is stored');
        },
      );
      await fc.assert(property, { seed: SEED, numRuns: runs(15) });
    },
  },
  {
    name: 'one wrong month prevents all months that are written with it',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const { account, luzOffer, gasOffer } = mine;
      const good = { offerId: luzOffer.id, before: null, price: luzMonth('2026-01-01', 0.1) };
      const put = (wrong: MonthChange) => store.write(at(3), (w) => w.months.put(account.id, [good, wrong]));
      await fails(put(good), 'the same month twice');
      await fails(put({ ...good, offerId: theirs.luzOffer.id }), 'a foreign offer');
      await fails(put({ ...good, offerId: gasOffer.id }), 'another supply');
      await fails(put({ ...good, offerId: 999 }), 'no such offer');
      equal(await monthsOf(store, account.id, luzOffer.id), undefined, 'months');
      await store.write(at(4), (writer) => putMonths(writer, account.id, []));
      equal(await monthsOf(store, account.id, luzOffer.id), undefined, 'none');
    },
  },
  {
    name: 'a month is deleted once',
    run: async (store) => {
      const { account, gasOffer } = await newTenant(store);
      const remove = (month: string) =>
        store.write(at(3), (w) => w.months.delete(account.id, gasOffer.id, gasMonth(month, 0.04)));
      await fails(remove('2026-01-01'), 'a month that is not there');
      await store.write(at(2), (writer) => putMonth(writer, account.id, gasOffer.id, gasMonth('2026-01-01', 0.04)));
      await fails(remove('2026-02-01'), 'another month');
      await remove('2026-01-01');
      await fails(remove('2026-01-01'), 'the month again');
      equal(await monthsOf(store, account.id, gasOffer.id), undefined, 'an offer without months has no entry');
    },
  },
  {
    name: 'months of several offers are read in one answer',
    run: async (store) => {
      const { account, luzOffer, gasOffer } = await newTenant(store);
      await store.write(at(2), async (writer) => {
        await putMonth(writer, account.id, gasOffer.id, gasMonth('2026-01-01', 0.04));
        await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-02-01', 0.2));
        await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1));
      });
      const months = await store.read((reader) => reader.months.of(account.id, [gasOffer.id, 999, luzOffer.id]));
      equal(months.get(luzOffer.id), [luzMonth('2026-01-01', 0.1), luzMonth('2026-02-01', 0.2)], 'electricity');
      equal(months.get(gasOffer.id), [gasMonth('2026-01-01', 0.04)], 'gas');
      equal(months.size, 2, 'entries');
      equal((await store.read((reader) => reader.months.of(account.id, []))).size, 0, 'none asked');
      equal((await store.read((reader) => reader.months.of('catalog', [luzOffer.id]))).size, 0, 'of another owner');
    },
  },
  {
    name: 'a month belongs to an offer of the owner and has its supply type',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const price = luzMonth('2026-01-01', 0.1);
      await store.write(at(2), (writer) => putMonth(writer, theirs.account.id, theirs.luzOffer.id, price));
      const put = (owner: number | 'catalog', offerId: number) =>
        store.write(at(3), (writer) => writer.months.put(owner, [{ offerId, before: null, price }]));
      await fails(put(mine.account.id, theirs.luzOffer.id), 'a foreign offer');
      await fails(put('catalog', mine.luzOffer.id), 'an own offer in the catalog');
      await fails(put(mine.account.id, 999), 'no such offer');
      await fails(put(mine.account.id, mine.gasOffer.id), 'another supply');
      for (const owner of [mine.account.id, 'catalog'] as const) {
        const removal = store.write(at(3), (w) => w.months.delete(owner, theirs.luzOffer.id, price));
        await fails(removal, 'a foreign month deleted');
      }
      equal(await monthsOf(store, theirs.account.id, theirs.luzOffer.id), [price], 'months of the other account');
    },
  },
  {
    name: 'a written month stamps its offer',
    run: async (store) => {
      const { account, luzOffer } = await newTenant(store);
      const look = () =>
        store.read(async (reader) => ({
          updatedAt: (await reader.offers.byId(account.id, [luzOffer.id]))[0]?.offer.updatedAt,
          revision: (await reader.changes.revisions(account.id)).own,
          versions: (await reader.offers.versions(account.id, luzOffer.id)).length,
        }));
      const { revision } = await look();
      const put = (n: number, price: number) =>
        store.write(at(n), (w) => putMonth(w, account.id, luzOffer.id, luzMonth('2026-01-01', price)));
      await put(11, 0.1);
      equal(await look(), { updatedAt: moment(11), revision: revision + 1, versions: 2 }, 'created');
      await put(13, 0.2);
      equal(await look(), { updatedAt: moment(13), revision: revision + 2, versions: 3 }, 'replaced');
      await store.write(at(15), (writer) => deleteMonth(writer, account.id, luzOffer.id, '2026-01-01'));
      equal(await look(), { updatedAt: moment(15), revision: revision + 3, versions: 4 }, 'deleted');
    },
  },
  {
    name: 'a month of the catalog is written in the catalog, with versions of its revision',
    run: async (store) => {
      const account = await newAccount(store);
      const company = await newCatalogCompany(store, 'Catálogo');
      const [shared] = await store.write(at(2), (writer) => writer.offers.insert('catalog', [luz(company.id)]));
      const offer = present(shared, 'offer');
      await store.write(at(3, 5), (writer) => putMonth(writer, 'catalog', offer.id, luzMonth('2026-01-01', 0.1)));
      const revisions = await store.read((reader) => reader.changes.revisions(account.id));
      equal(revisions, { own: 0, catalog: 3 }, 'revisions');
      const versions = await store.read((reader) => reader.offers.versions('catalog', offer.id));
      equal(
        versions.map(({ revision, keyId }) => [revision, keyId]),
        [
          [2, null],
          [3, 5],
        ],
        'versions',
      );
    },
  },
];
