import fc from 'fast-check';
import { withoutCommissions } from '../../src/engine/offers/field-parts.ts';
import { type OfferTerms, SUPPLY_TYPES } from '../../src/engine/offers/offer.ts';
import { anyOffer, asksForTerms, filterVerdict, matchesCompany } from '../../src/engine/offers/offer-filter.ts';
import type { Company } from '../../src/service/firms/firm.ts';
import type { OfferDepth, OfferQuery, Page } from '../../src/service/ports/lists.ts';
import type { OfferRecord } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { arbitraryCompanyFilter } from '../arbitrary-firms.ts';
import { arbitraryOfferFilter, arbitraryOfferTerms } from '../arbitrary-offers.ts';
import { type CaseOn, equal, fails, holds, present, SEED } from './assertions.ts';
import {
  allOffers,
  at,
  companyTerms,
  EVERYTHING,
  firmTerms,
  gas,
  luz,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
  writeOffers,
} from './world.ts';

const COMPANY_NAMES = ['ENERGÍA Sur', 'energia norte', '100% Verde', 'a_b'];

/** An account with two firms of two companies each, whose names are hard to search. */
export async function marketplace(store: Store) {
  const account = await newAccount(store);
  return await store.write(at(1), async (writer) => {
    const firms = [
      await writer.firms.insert(account.id, firmTerms('Una')),
      await writer.firms.insert(account.id, firmTerms('Otra')),
    ];
    const companies: Company[] = [];
    for (const [i, name] of COMPANY_NAMES.entries()) {
      const firm = present(firms[i % 2], 'firm');
      companies.push(await writer.companies.insert(account.id, companyTerms(firm.id, name, { isActive: i !== 1 })));
    }
    return { account, firms, companies };
  });
}

/** As a record is read without commissions. */
function masked(record: OfferRecord): OfferRecord {
  return { ...record, offer: withoutCommissions(record.offer) };
}

function offersOf(store: Store, query: OfferQuery, page: Page = EVERYTHING) {
  return store.read((reader) => reader.offers.list(query, page));
}

/** Own and catalog offers: written, found, filtered, changed. */
export const offerCases: readonly CaseOn<Store>[] = [
  {
    name: 'an offer is read as it was written, to the last bit of its numbers',
    run: async (store, runs) => {
      const { account, company } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const terms = (companyId: number) =>
        fc.array(arbitraryOfferTerms({ companyId: fc.constant(companyId) }), { maxLength: 12 });
      const property = fc.asyncProperty(terms(company.id), terms(catalog.id), async (own, shared) => {
        await readsBack(store, account.id, own);
        await readsBack(store, 'catalog', shared);
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(25) });
    },
  },
  {
    name: 'A-49: own and catalog offers share one ascending sequence of ids, and companies another',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const ids = [];
      const owners = [
        ['catalog', catalog.id],
        [mine.account.id, mine.company.id],
        ['catalog', catalog.id],
        [theirs.account.id, theirs.company.id],
      ] as const;
      for (const [owner, companyId] of owners) {
        const terms = [luz(companyId, { offerName: 'a' }), gas(companyId, { offerName: 'b' }), luz(companyId)];
        const offers = await store.write(at(2), (writer) => writer.offers.insert(owner, terms));
        equal(
          offers.map((offer) => offer.offerName),
          ['a', 'b', 'Tarifa Luz'],
          'the order given',
        );
        ids.push(...offers.map((offer) => offer.id));
      }
      holds(Math.min(...ids) > theirs.gasOffer.id, 'new ids are greater than those given before');
      equal(
        ids,
        [...new Set(ids)].toSorted((a, b) => a - b),
        'ids ascend and differ',
      );
      holds(mine.company.id < theirs.company.id && theirs.company.id < catalog.id, 'ids of companies ascend');
    },
  },
  {
    name: 'an id is never used again, also after a unit of work that failed',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const insert = () => store.write(at(2), (writer) => writer.offers.insert(account.id, [luz(company.id)]));
      const [first] = await insert();
      const failing = store.write(at(3), async (writer) => {
        await writer.offers.insert(account.id, [luz(company.id), luz(company.id)]);
        throw new Error('stop');
      });
      await failing.catch(() => undefined);
      const [second] = await insert();
      holds(present(second, 'offer').id > present(first, 'offer').id, 'the next id is greater');
      equal((await offersOf(store, allOffers(account.id, 'LUZ'))).total, 3, 'offers');
    },
  },
  {
    name: 'a list of offers has exactly those that matchesFilter and matchesCompany accept, by id',
    run: async (store, runs) => {
      const { account, firms, companies } = await marketplace(store);
      const ids = companies.map((company) => company.id);
      const companyId = fc.constantFrom(...ids);
      await store.write(at(2), (writer) => writer.offers.insert(account.id, sampleTerms(companyId)));
      const { results: records } = await offersOf(store, allOffers(account.id));
      equal(records.length, 150, 'offers without filter');
      const page = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 80 }) });
      const last = (records.at(-1)?.offer.id ?? 0) + 1;
      const rest = fc.record({
        limit: fc.integer({ min: 1, max: 60 }),
        offset: fc.constant(0),
        afterId: fc.nat({ max: last }),
      });
      const query = fc.constantFrom(...SUPPLY_TYPES).chain((supplyType) =>
        fc.record({
          owner: fc.constant(account.id),
          firmId: fc.option(fc.constantFrom(...firms.map((firm) => firm.id), 999), { nil: null, freq: 2 }),
          includeInactive: fc.boolean(),
          filter: fc
            .tuple(arbitraryOfferFilter(supplyType), fc.constantFrom(supplyType, null))
            .map(([filter, either]) => ({ ...filter, supplyType: either })),
          company: arbitraryCompanyFilter(companyId),
          seesCommissions: fc.boolean(),
        }),
      );
      const property = fc.asyncProperty(
        query,
        fc.oneof(page, rest),
        async ({ company: wanted, ...choice }, cut: Page) => {
          const filter = { ...choice, companyId: wanted.ownCompanyId, companyName: wanted.companyName };
          const those = (verdict: boolean | null) =>
            records.filter(
              ({ offer, company }) =>
                (filter.includeInactive || offer.isActive) &&
                (filter.firmId === null || company.firmId === filter.firmId) &&
                filterVerdict(offer, filter.filter) === verdict &&
                matchesCompany(company, wanted),
            );
          const matching = those(true);
          const after = matching.filter(({ offer }) => offer.id > (cut.afterId ?? 0));
          const shown = after.slice(cut.offset, cut.offset + cut.limit);
          const expected = filter.seesCommissions ? shown : shown.map(masked);
          const unknown = asksForTerms(filter.filter) && { unknownTerms: those(null).length };
          const page = { total: matching.length, results: expected, ...unknown };
          equal(await offersOf(store, filter, cut), page, 'the page');
        },
      );
      await fc.assert(property, { seed: SEED, numRuns: runs(150) });
    },
  },
  {
    name: 'A-126: offers that pass a filter on terms are listed, those that do not say one of them are counted',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const months = [null, 0, 11, 12, 13] as const;
      const terms = SUPPLY_TYPES.flatMap((supplyType) =>
        months.flatMap((permanenceMonths) =>
          months.flatMap((fixed) =>
            [null, true, false].map((isGreen) => {
              const said = { permanenceMonths, fixedPriceMonths: fixed === 0 ? 1 : fixed, isGreen };
              return supplyType === 'LUZ' ? luz(company.id, said) : gas(company.id, said);
            }),
          ),
        ),
      );
      await store.write(at(2), (writer) => writer.offers.insert(account.id, terms));
      const { results: all } = await offersOf(store, allOffers(account.id), { limit: 2000, offset: 0 });
      const asked = [null, 12].flatMap((maxPermanenceMonths) =>
        [null, 12].flatMap((minFixedPriceMonths) =>
          [null, true, false].map((isGreen) => ({ maxPermanenceMonths, minFixedPriceMonths, isGreen })),
        ),
      );
      for (const wanted of asked) {
        const filter = { ...anyOffer(null), ...wanted };
        const those = (verdict: boolean | null) => all.filter(({ offer }) => filterVerdict(offer, filter) === verdict);
        const unknown = asksForTerms(filter) && { unknownTerms: those(null).length };
        for (const limit of [2, 2000]) {
          const page = { total: those(true).length, results: those(true).slice(0, limit), ...unknown };
          const found = await offersOf(store, allOffers(account.id, null, { filter }), { limit, offset: 0 });
          equal(found, page, JSON.stringify({ ...wanted, limit }));
        }
      }
    },
  },
  {
    name: 'the record of an offer shows its company and its firm as they are now',
    run: async (store) => {
      const { account, firm, company, luzOffer } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const [shared] = await store.write(at(2), (writer) => writer.offers.insert('catalog', [gas(catalog.id)]));
      await store.write(at(3), async (writer) => {
        await writer.firms.update(account.id, firm.id, firmTerms('Nueva', { isActive: false }));
        await writer.companies.update(account.id, company.id, companyTerms(firm.id, 'Nueva', { isActive: false }));
      });
      const now = {
        offer: luzOffer,
        company: { ...company, name: 'Nueva', isActive: false, updatedAt: moment(3) },
        firm: { ...firm, name: 'Nueva', isActive: false, updatedAt: moment(3) },
      };
      const query = allOffers(account.id, 'LUZ', { includeInactive: false });
      equal(await offersOf(store, query), { total: 1, results: [now] }, 'listed: its own is_active alone decides');
      const byId = (owner: number | 'catalog', ids: readonly number[]) =>
        store.read((reader) => reader.offers.byId(owner, ids));
      equal(await byId(account.id, [luzOffer.id]), [now], 'by id');
      const offer = present(shared, 'catalog offer');
      equal(await byId('catalog', [offer.id]), [{ offer, company: catalog, firm: null }], 'of the catalog');
    },
  },
  {
    name: 'offers read by id are in order of id, once each, without unknown ids and those of others',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const [shared] = await store.write(at(2), (writer) => writer.offers.insert('catalog', [luz(catalog.id)]));
      const [first, second] = [mine.luzOffer.id, mine.gasOffer.id];
      const ids = [second, theirs.luzOffer.id, 999, first, second, present(shared, 'offer').id, -1, 0];
      const idsOf = async (owner: number | 'catalog', offerIds: readonly number[]) =>
        (await store.read((reader) => reader.offers.byId(owner, offerIds))).map(({ offer }) => offer.id);
      equal(await idsOf(mine.account.id, ids), [first, second], 'own');
      equal(await idsOf('catalog', ids), [shared?.id], 'of the catalog');
      for (const nobody of [0, -1, 999]) equal(await idsOf(nobody, ids), [], `of account ${nobody}`);
      equal(await idsOf(mine.account.id, []), [], 'none asked');
      const many = Array.from({ length: 40_000 }, (_, i) => i + 1);
      equal(await idsOf(mine.account.id, many), [first, second], 'many asked');
    },
  },
  {
    name: 'A-62: offers of both supplies can be read without commissions, by id, in lists and from the catalog',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const fixed = { from: 0, to: null, value: 7, type: 'fixed' } as const;
      const pays = { commissionValue: 5, commissionType: 'per_mwh', consumptionTiers: [fixed] } as const;
      for (const [owner, { id }] of [[account.id, company] as const, ['catalog', catalog] as const]) {
        const terms = [luz(id, { ...pays, powerTiers: [fixed] }), gas(id, pays)];
        const offers = await store.write(at(2), (writer) => writer.offers.insert(owner, terms));
        const ids = offers.map((offer) => offer.id);
        const read = async (depth?: OfferDepth) =>
          (await store.read((reader) => reader.offers.byId(owner, ids, depth))).map(({ offer }) => offer);
        equal(await read(), offers, 'by id');
        equal(await read({ seesCommissions: true }), offers, 'by id, with commissions');
        const without = offers.map(withoutCommissions);
        equal(await read({ seesCommissions: false }), without, 'by id, without commissions');
        // More than 200: read in another way than a page of a list.
        for (const limit of [200, 2000]) {
          const masked = allOffers(owner, null, { seesCommissions: false });
          const { results } = await offersOf(store, masked, { limit, offset: 0 });
          const listed = results.map(({ offer }) => offer).filter((offer) => ids.includes(offer.id));
          equal(listed, without, `listed ${limit} at a time`);
        }
      }
    },
  },
  {
    name: 'A-02: no number that is not finite is stored',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const broken: readonly OfferTerms[] = [
          luz(company.id, { servicesEurPerMonth: bad }),
          luz(company.id, { commissionValue: bad }),
          luz(company.id, { energyEurPerKwh: [bad, null, null, null, null, null] }),
          luz(company.id, { powerTiers: [{ from: 0, to: bad, value: 1, type: 'fixed' }] }),
          gas(company.id, { consumptionTiers: [{ from: 0, to: null, value: bad, type: 'fixed' }] }),
        ];
        for (const terms of broken) {
          const insert = store.write(at(2), (writer) => writer.offers.insert(account.id, [terms]));
          await fails(insert, JSON.stringify(terms));
        }
      }
    },
  },
  {
    name: 'thousands of offers are written and read at once, in order',
    run: async (store) => {
      const { account, company, luzOffer } = await newTenant(store);
      const terms = Array.from({ length: 3000 }, (_, i) => luz(company.id, { offerName: `n${i}`, commissionValue: i }));
      const offers = await store.write(at(2), (writer) => writer.offers.insert(account.id, terms));
      equal(
        offers.map((offer) => offer.commissionValue),
        terms.map((_, i) => i),
        'inserted',
      );
      const changes = offers.toReversed().map((offer, i) => ({
        offerId: offer.id,
        terms: luz(company.id, { ...terms[2999 - i], offerName: 'changed' }),
      }));
      const updated = await store.write(at(3), (writer) => writeOffers(writer, account.id, changes));
      equal(
        updated.map((offer) => offer.id),
        offers.map((offer) => offer.id).toReversed(),
        'updated',
      );
      const read = (await store.read((reader) => reader.changes.since(account.id, 0))).offers;
      const expected = offers.map((offer) => ({ ...offer, offerName: 'changed', updatedAt: moment(3) }));
      equal(
        read.slice(2).map(({ offer }) => offer),
        expected,
        'read',
      );
      equal(read[0]?.offer, luzOffer, 'the first');
    },
  },
];

function sampleTerms(companyId: fc.Arbitrary<number>): OfferTerms[] {
  // One fixed sample: only the question is random.
  return fc.sample(arbitraryOfferTerms({ companyId }), { numRuns: 150, seed: 20260101 });
}

async function readsBack(store: Store, owner: number | 'catalog', terms: readonly OfferTerms[]): Promise<void> {
  const written = await store.write(at(7), (writer) => writer.offers.insert(owner, terms));
  const stamps = { createdAt: moment(7), updatedAt: moment(7) };
  const expected = terms.map((one, i) => ({ ...one, id: written[i]?.id, ...stamps }));
  equal(written, expected, 'the answer');
  const ids = written.map((offer) => offer.id);
  const records = await store.read((reader) => reader.offers.byId(owner, ids));
  equal(
    records.map(({ offer }) => offer),
    expected,
    'by id',
  );
  const changes = await store.read((reader) => reader.changes.since(owner, 0));
  const listed = changes.offers.map(({ offer }) => offer).filter((offer) => ids.includes(offer.id));
  equal(listed, expected, 'in the changes of the owner');
}
