import fc from 'fast-check';
import {
  type Company,
  matchesCompany,
  matchesFilter,
  type Offer,
  type OfferDepth,
  type OfferQuery,
  type OfferRecord,
  type OfferTerms,
  type Page,
  type Store,
  SUPPLY_TYPES,
  type Writer,
  withoutCommissions,
} from '../../src/service.ts';
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
  luzMonth,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
} from './world.ts';

const COMPANY_NAMES = ['ENERGÍA Sur', 'energia norte', '100% Verde', 'a_b'];

/** An account with two firms of two companies each, whose names are hard to search. */
async function marketplace(store: Store) {
  const account = await newAccount(store);
  return await store.write(at(1), async (writer) => {
    const firms = [
      await writer.insertFirm(account.id, firmTerms('Una')),
      await writer.insertFirm(account.id, firmTerms('Otra')),
    ];
    const companies: Company[] = [];
    for (const [i, name] of COMPANY_NAMES.entries()) {
      const firm = present(firms[i % 2], 'firm');
      companies.push(await writer.insertCompany(account.id, companyTerms(firm.id, name, { isActive: i !== 1 })));
    }
    return { account, firms, companies };
  });
}

/** As a record is read without commissions. */
function masked(record: OfferRecord): OfferRecord {
  return { ...record, offer: withoutCommissions(record.offer) };
}

function offersOf(store: Store, query: OfferQuery, page: Page = EVERYTHING) {
  return store.read((reader) => reader.offers(query, page));
}

/** Own and catalog offers: written, found, filtered, changed. */
export const offerCases: readonly CaseOn<Store>[] = [
  {
    name: 'an offer is read as it was written, to the last bit of its numbers',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const terms = (companyId: number) =>
        fc.array(arbitraryOfferTerms({ companyId: fc.constant(companyId) }), { maxLength: 12 });
      const property = fc.asyncProperty(terms(company.id), terms(catalog.id), async (own, shared) => {
        await readsBack(store, account.id, own);
        await readsBack(store, 'catalog', shared);
      });
      await fc.assert(property, { seed: SEED, numRuns: 25 });
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
        const offers = await store.write(at(2), (writer) => writer.insertOffers(owner, terms));
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
      const insert = () => store.write(at(2), (writer) => writer.insertOffers(account.id, [luz(company.id)]));
      const [first] = await insert();
      const failing = store.write(at(3), async (writer) => {
        await writer.insertOffers(account.id, [luz(company.id), luz(company.id)]);
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
    run: async (store) => {
      const { account, firms, companies } = await marketplace(store);
      const ids = companies.map((company) => company.id);
      const companyId = fc.constantFrom(...ids);
      await store.write(at(2), (writer) => writer.insertOffers(account.id, sampleTerms(companyId)));
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
          withCommissions: fc.boolean(),
        }),
      );
      const property = fc.asyncProperty(
        query,
        fc.oneof(page, rest),
        async ({ company: wanted, ...choice }, cut: Page) => {
          const filter = { ...choice, companyId: wanted.ownCompanyId, companyName: wanted.companyName };
          const matching = records.filter(
            ({ offer, company }) =>
              (filter.includeInactive || offer.isActive) &&
              (filter.firmId === null || company.firmId === filter.firmId) &&
              matchesFilter(offer, filter.filter) &&
              matchesCompany(company, wanted),
          );
          const after = matching.filter(({ offer }) => offer.id > (cut.afterId ?? 0));
          const shown = after.slice(cut.offset, cut.offset + cut.limit);
          const expected = filter.withCommissions ? shown : shown.map(masked);
          equal(await offersOf(store, filter, cut), { total: matching.length, results: expected }, 'the page');
        },
      );
      await fc.assert(property, { seed: SEED, numRuns: 150 });
    },
  },
  {
    name: 'the record of an offer shows its company and its firm as they are now',
    run: async (store) => {
      const { account, firm, company, luzOffer } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const [shared] = await store.write(at(2), (writer) => writer.insertOffers('catalog', [gas(catalog.id)]));
      await store.write(at(3), async (writer) => {
        await writer.updateFirm(account.id, firm.id, firmTerms('Nueva', { isActive: false }));
        await writer.updateCompany(account.id, company.id, companyTerms(firm.id, 'Nueva', { isActive: false }));
      });
      const now = {
        offer: luzOffer,
        company: { ...company, name: 'Nueva', isActive: false, updatedAt: moment(3) },
        firm: { ...firm, name: 'Nueva', isActive: false, updatedAt: moment(3) },
      };
      const query = allOffers(account.id, 'LUZ', { includeInactive: false });
      equal(await offersOf(store, query), { total: 1, results: [now] }, 'listed: its own is_active alone decides');
      const byId = (owner: number | 'catalog', ids: readonly number[]) =>
        store.read((reader) => reader.offersById(owner, ids));
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
      const [shared] = await store.write(at(2), (writer) => writer.insertOffers('catalog', [luz(catalog.id)]));
      const [first, second] = [mine.luzOffer.id, mine.gasOffer.id];
      const ids = [second, theirs.luzOffer.id, 999, first, second, present(shared, 'offer').id, -1, 0];
      const idsOf = async (owner: number | 'catalog', offerIds: readonly number[]) =>
        (await store.read((reader) => reader.offersById(owner, offerIds))).map(({ offer }) => offer.id);
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
        const offers = await store.write(at(2), (writer) => writer.insertOffers(owner, terms));
        const ids = offers.map((offer) => offer.id);
        const read = async (depth?: OfferDepth) =>
          (await store.read((reader) => reader.offersById(owner, ids, depth))).map(({ offer }) => offer);
        equal(await read(), offers, 'by id');
        equal(await read({ withCommissions: true }), offers, 'by id, with commissions');
        const without = offers.map(withoutCommissions);
        equal(await read({ withCommissions: false }), without, 'by id, without commissions');
        // More than 200: read in another way than a page of a list.
        for (const limit of [200, 2000]) {
          const masked = allOffers(owner, null, { withCommissions: false });
          const { results } = await offersOf(store, masked, { limit, offset: 0 });
          const listed = results.map(({ offer }) => offer).filter((offer) => ids.includes(offer.id));
          equal(listed, without, `listed ${limit} at a time`);
        }
      }
    },
  },
  {
    name: 'changed offers are answered in the given order, and equal ones are not changed',
    run: async (store) => {
      const { account, luzOffer, gasOffer, company } = await newTenant(store);
      const { revision } = await stateOf(store, account.id, luzOffer.id);
      const terms = luz(company.id, { isActive: false, communities: ['galicia', 'madrid'] });
      const answer = await store.write(at(9), (writer) =>
        writer.updateOffers(account.id, [
          { offerId: gasOffer.id, terms: gas(company.id) },
          { offerId: luzOffer.id, terms },
        ]),
      );
      const changed = { ...luzOffer, ...terms, updatedAt: moment(9) };
      equal(answer, [gasOffer, changed], 'the answer');
      equal(
        await stateOf(store, account.id, luzOffer.id),
        { offer: changed, revision: revision + 1, versions: 2 },
        'one',
      );
      const expected = { offer: gasOffer, revision: revision + 1, versions: 1 };
      equal(await stateOf(store, account.id, gasOffer.id), expected, 'the unchanged one');
      const again = [{ offerId: luzOffer.id, terms }];
      equal(await store.write(at(10), (writer) => writer.updateOffers(account.id, again)), [changed], 'again');
      const after = { offer: changed, revision: revision + 1, versions: 2 };
      equal(await stateOf(store, account.id, luzOffer.id), after, 'changed to what it was');
    },
  },
  {
    name: 'A-26: a change of commissions alone does not move the stamp of everything else, and any other change does',
    run: async (store) => {
      const { account, luzOffer, gasOffer } = await newTenant(store);
      const tier = { from: 0, to: null, value: 7, type: 'fixed' } as const;
      const { month } = luzMonth('2026-01-01', 0.1);
      let time = 10;
      const become = async (offer: Offer, masked: string | null) => {
        time += 1;
        const changes = [{ offerId: offer.id, terms: offer }];
        const [answer] = await store.write(at(time), (writer) => writer.updateOffers(account.id, changes));
        const { maskedUpdatedAt: _before, ...terms } = offer;
        const stamps = masked === null ? {} : { maskedUpdatedAt: masked };
        const expected = { ...terms, updatedAt: moment(time), ...stamps };
        equal(answer, expected, `answered at ${time}`);
        equal((await stateOf(store, account.id, offer.id)).offer, expected, `stored at ${time}`);
        for (const withCommissions of [true, false]) {
          const [record] = await store.read((r) => r.offersById(account.id, [offer.id], { withCommissions }));
          equal(record?.offer.maskedUpdatedAt ?? null, masked, `read at ${time}`);
        }
        return expected;
      };
      for (const first of [luzOffer, gasOffer]) {
        const made = first.updatedAt;
        let offer: Offer = await become({ ...first, commissionValue: first.commissionValue + 1 }, made);
        offer = await become(
          { ...offer, commissionType: offer.commissionType === 'fixed' ? 'per_mwh' : 'fixed' },
          made,
        );
        offer = await become({ ...offer, consumptionTiers: [tier] }, made);
        if (offer.supplyType === 'LUZ') offer = await become({ ...offer, powerTiers: [tier] }, made);
        offer = await become({ ...offer, commissionValue: 99, offerName: 'Otra' }, null);
        const renamed = offer.updatedAt;
        offer = await become({ ...offer, commissionValue: 98 }, renamed);
        const versions = await store.read((reader) => reader.versionsOf(first.id));
        const { maskedUpdatedAt: _masked, ...before } = { ...offer, commissionValue: 99, updatedAt: renamed };
        equal(versions.at(-1)?.before, { kind: 'terms', offer: before }, 'what it was');
        const earlier = { ...before, offerName: first.offerName, commissionValue: first.commissionValue + 1 };
        const stamps = { maskedUpdatedAt: made };
        equal(
          versions.at(-2)?.before,
          { kind: 'terms', offer: { ...earlier, updatedAt: versions.at(-3)?.changedAt, ...stamps } },
          'before that',
        );
        equal(
          await store.write(at(time + 1), (w) => w.updateOffers(account.id, [{ offerId: offer.id, terms: offer }])),
          [offer],
          'no change',
        );
        offer = await become({ ...offer, isActive: !offer.isActive }, null);
      }
      const masked = await become({ ...luzOffer, isActive: true, isIndexed: true, commissionValue: 1 }, null);
      await become({ ...masked, commissionValue: 2 }, masked.updatedAt);
      await store.write(at(90), (writer) => writer.putMonth(account.id, luzOffer.id, luzMonth(month, 0.1)));
      const put = (await stateOf(store, account.id, luzOffer.id)).offer;
      equal([put?.updatedAt, put?.maskedUpdatedAt], [moment(90), undefined], 'a month is put');
      const both = async (writer: Writer) => {
        await writer.updateOffers(account.id, [{ offerId: luzOffer.id, terms: { ...masked, commissionValue: 3 } }]);
        await writer.deleteMonth(account.id, luzOffer.id, month);
      };
      await store.write(at(91), both);
      const deleted = (await stateOf(store, account.id, luzOffer.id)).offer;
      equal([deleted?.updatedAt, deleted?.maskedUpdatedAt], [moment(91), undefined], 'in one unit of work');
    },
  },
  {
    name: 'any offer can become any other of its supply',
    run: async (store) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      let time = 10;
      const terms = arbitraryOfferTerms({ companyId: fc.constant(company.id) });
      const property = fc.asyncProperty(terms, async (next) => {
        const { id } = next.supplyType === 'LUZ' ? luzOffer : gasOffer;
        const { offer: before, versions } = await stateOf(store, account.id, id);
        time += 1;
        const change = () => store.write(at(time), (w) => w.updateOffers(account.id, [{ offerId: id, terms: next }]));
        await change();
        const expected = { ...next, id, createdAt: luzOffer.createdAt, updatedAt: moment(time) };
        const after = await stateOf(store, account.id, id);
        if (after.versions > versions) equal(after.offer, expected, 'changed');
        else equal(after.offer, { ...expected, updatedAt: before.updatedAt }, 'the same terms');
        await change();
        equal(await stateOf(store, account.id, id), after, 'changed to the same');
      });
      await fc.assert(property, { seed: SEED, numRuns: 60 });
    },
  },
  {
    name: 'A-30: an offer may move to another company of its owner',
    run: async (store) => {
      const { account, firms, companies } = await marketplace(store);
      const [from, to] = [present(companies[0], 'company'), present(companies[1], 'company')];
      const [offer] = await store.write(at(2), (writer) => writer.insertOffers(account.id, [luz(from.id)]));
      const { id } = present(offer, 'offer');
      await store.write(at(3), (w) => w.updateOffers(account.id, [{ offerId: id, terms: luz(to.id) }]));
      const [record] = await store.read((reader) => reader.offersById(account.id, [id]));
      equal([record?.company, record?.firm], [to, firms[1]], 'its company and firm');
    },
  },
  {
    name: 'A-30: an offer cannot get a company of another owner or another supply type',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const before = await store.read((reader) => reader.changesSince(mine.account.id, 0));
      const insert = (owner: number | 'catalog', companyId: number) =>
        store.write(at(2), (writer) => writer.insertOffers(owner, [luz(companyId)]));
      await fails(insert(mine.account.id, theirs.company.id), 'a foreign company');
      await fails(insert(mine.account.id, catalog.id), 'a company of the catalog');
      await fails(insert('catalog', mine.company.id), 'an own company in the catalog');
      await fails(insert(mine.account.id, 999), 'no such company');
      const update = (offerId: number, terms: OfferTerms) =>
        store.write(at(2), (writer) =>
          writer.updateOffers(mine.account.id, [
            { offerId: mine.gasOffer.id, terms: gas(mine.company.id, { offerName: 'changed' }) },
            { offerId, terms },
          ]),
        );
      await fails(update(mine.luzOffer.id, luz(theirs.company.id)), 'moved to a foreign company');
      await fails(update(mine.luzOffer.id, gas(mine.company.id)), 'another supply type');
      await fails(update(theirs.luzOffer.id, luz(mine.company.id)), 'a foreign offer');
      await fails(update(999, luz(mine.company.id)), 'no such offer');
      await fails(update(mine.gasOffer.id, gas(mine.company.id)), 'an offer twice');
      equal(await store.read((reader) => reader.changesSince(mine.account.id, 0)), before, 'the records of the owner');
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
          const insert = store.write(at(2), (writer) => writer.insertOffers(account.id, [terms]));
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
      const offers = await store.write(at(2), (writer) => writer.insertOffers(account.id, terms));
      equal(
        offers.map((offer) => offer.commissionValue),
        terms.map((_, i) => i),
        'inserted',
      );
      const changes = offers.toReversed().map((offer, i) => ({
        offerId: offer.id,
        terms: luz(company.id, { ...terms[2999 - i], offerName: 'changed' }),
      }));
      const updated = await store.write(at(3), (writer) => writer.updateOffers(account.id, changes));
      equal(
        updated.map((offer) => offer.id),
        offers.map((offer) => offer.id).toReversed(),
        'updated',
      );
      const read = (await store.read((reader) => reader.changesSince(account.id, 0))).offers;
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
  const written = await store.write(at(7), (writer) => writer.insertOffers(owner, terms));
  const stamps = { createdAt: moment(7), updatedAt: moment(7) };
  const expected = terms.map((one, i) => ({ ...one, id: written[i]?.id, ...stamps }));
  equal(written, expected, 'the answer');
  const ids = written.map((offer) => offer.id);
  const records = await store.read((reader) => reader.offersById(owner, ids));
  equal(
    records.map(({ offer }) => offer),
    expected,
    'by id',
  );
  const changes = await store.read((reader) => reader.changesSince(owner, 0));
  const listed = changes.offers.map(({ offer }) => offer).filter((offer) => ids.includes(offer.id));
  equal(listed, expected, 'in the changes of the owner');
}

/** An offer as it is, the revision of its owner, and how many versions it has. */
async function stateOf(store: Store, accountId: number, offerId: number) {
  return await store.read(async (reader) => {
    const [record] = await reader.offersById(accountId, [offerId]);
    const offer: Offer = present(record, 'offer').offer;
    const { own: revision } = await reader.revisions(accountId);
    return { offer, revision, versions: (await reader.versionsOf(offerId)).length };
  });
}
