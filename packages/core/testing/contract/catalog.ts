import { anyOffer } from '../../src/engine/offers/offer-filter.ts';
import type { OfferQuery } from '../../src/service/ports/lists.ts';
import type { CatalogWriteTerms } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal, fails, present } from './assertions.ts';
import {
  all,
  allOffers,
  at,
  companyTerms,
  EVERYTHING,
  gas,
  gasMonth,
  luz,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
  putMonth,
} from './world.ts';

/** Two companies of the catalog, one of them inactive, with offers of both supplies; and the own records of an account. */
async function sharedMarket(store: Store) {
  const { company: ownCompany } = await newTenant(store);
  const open = await newCatalogCompany(store, 'Abierta');
  return await store.write(at(2), async (writer) => {
    const closed = await writer.companies.insert('catalog', companyTerms(null, 'Cerrada', { isActive: false }));
    const offers = await writer.offers.insert('catalog', [
      luz(open.id),
      gas(open.id),
      luz(open.id, { isActive: false }),
      luz(closed.id, { accepts: { dni: false, cif: true, cdad: false } }),
    ]);
    const gasOffer = present(offers[1], 'offer');
    await putMonth(writer, 'catalog', gasOffer.id, gasMonth('2026-01-01', 0.04));
    return {
      ownCompany,
      open,
      closed,
      offers: await writer.offers.byId(
        'catalog',
        offers.map(({ id }) => id),
      ),
    };
  });
}

/** The shared catalog as a whole, and the record of who wrote it. */
export const catalogCases: readonly CaseOn<Store>[] = [
  {
    name: 'the catalog lists its own companies by id, active ones or all',
    run: async (store) => {
      const { open, closed } = await sharedMarket(store);
      const list = (includeInactive: boolean, page = EVERYTHING) =>
        store.read((reader) => reader.companies.list(all('catalog', { includeInactive }), page));
      equal(await list(true), { total: 2, results: [open, closed] }, 'all');
      equal(await list(false), { total: 1, results: [open] }, 'active');
      equal(await list(true, { limit: 1, offset: 1 }), { total: 2, results: [closed] }, 'a page');
      equal(await list(true, { limit: 1, offset: 2 }), { total: 2, results: [] }, 'past the end');
      equal(await list(true, { ...EVERYTHING, afterId: open.id }), { total: 2, results: [closed] }, 'after one');
      equal(await list(true, { ...EVERYTHING, afterId: closed.id }), { total: 2, results: [] }, 'after the last one');
    },
  },
  {
    name: 'the catalog lists its own offers by id, of both supplies, and of its own companies',
    run: async (store) => {
      const { ownCompany, closed, offers } = await sharedMarket(store);
      const [light, gasOffer, , business] = offers;
      const list = (changes: Partial<OfferQuery>, page = EVERYTHING) =>
        store.read((reader) => reader.offers.list(allOffers('catalog', null, changes), page));
      equal(await list({}), { total: 4, results: offers }, 'all, whatever the supply');
      equal(await list({ includeInactive: false }), { total: 3, results: [light, gasOffer, business] }, 'active');
      equal(await list({ companyId: closed.id }), { total: 1, results: [business] }, 'of an inactive company');
      equal(await list({ companyId: ownCompany.id }), { total: 0, results: [] }, 'of an own company');
      const filter = { ...anyOffer('LUZ'), customerType: 'dni' } as const;
      equal(await list({ filter, includeInactive: false }), { total: 1, results: [light] }, 'all filters');
      equal(await list({}, { limit: 2, offset: 1 }), { total: 4, results: offers.slice(1, 3) }, 'a page');
      const after = { limit: 2, offset: 0, afterId: light?.offer.id ?? 0 };
      equal(await list({}, after), { total: 4, results: offers.slice(1, 3) }, 'after one');
    },
  },
  {
    name: 'A-23: every recorded write to the catalog is read as it was written, in order, and raises no revision',
    run: async (store) => {
      const account = await newAccount(store);
      const before = { companies: { total: 1, active: 1 }, offers: { total: 3, active: 2 }, months: 0 };
      const after = { companies: { total: 2, active: 2 }, offers: { total: 3, active: 2 }, months: 9 };
      const facts: readonly CatalogWriteTerms[] = [
        { accountId: account.id, operation: 'create_company', recordId: 7, before, after, fileHash: null },
        {
          ...{ accountId: account.id, operation: 'bulk_update', recordId: null },
          ...{ before: after, after: before, fileHash: 'ab'.repeat(32) },
        },
      ];
      const revisions = await store.read((reader) => reader.changes.revisions(account.id));
      for (const [index, terms] of facts.entries()) {
        await store.write(at(5 + index, index === 0 ? 4 : null), (writer) => writer.catalog.recordWrite(terms));
      }
      const writes = await store.read((reader) => reader.catalog.writes(EVERYTHING));
      const [first, second] = writes.results;
      equal(writes.total, 2, 'total');
      equal(first, { ...facts[0], id: first?.id, keyId: 4, at: moment(5) }, 'by a key');
      equal(second, { ...facts[1], id: second?.id, keyId: null, at: moment(6) }, 'by the command line');
      const page = await store.read((reader) => reader.catalog.writes({ limit: 1, offset: 1 }));
      equal(page, { total: 2, results: [second] }, 'a page');
      equal(await store.read((reader) => reader.changes.revisions(account.id)), revisions, 'revisions');
    },
  },
  {
    name: 'a write to the catalog is recorded for an account that exists',
    run: async (store) => {
      const counts = { companies: { total: 1, active: 1 }, offers: { total: 1, active: 1 }, months: 0 };
      const terms = { operation: 'toggle_offer', recordId: 1, before: counts, after: counts, fileHash: null } as const;
      await fails(
        store.write(at(1), (writer) => writer.catalog.recordWrite({ ...terms, accountId: 999 })),
        'no such account',
      );
    },
  },
];
