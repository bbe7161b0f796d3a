import { arbitraryHistory, arbitraryOfferFilter, arbitraryOfferTerms } from '@tarifario/core/testing';
import { holdsAlways } from '@tarifario/testkit/core/laws';
import { newStore } from '@tarifario/testkit/new-store';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callerOf } from '../../../../testing/callers.ts';
import { at, companyTerms, firmTerms, newAccount } from '../../../../testing/contract/world.ts';
import { DomainError } from '../../../engine/errors.ts';
import type { OfferTerms, SupplyType } from '../../../engine/offers/offer.ts';
import { anyOffer, FILTER_NAMES, type OfferFilter } from '../../../engine/offers/offer-filter.ts';
import type { Store } from '../../ports/stores.ts';
import { createOfferCache } from '../memory/offer-cache.ts';
import { ownMonthCases } from './indexed-prices.ts';
import { catalogOfferCases, listCatalogOffers, listOffers, ownOfferCases } from './offers.ts';
import { type ReadDeps, recordOf } from './offers-in-memory.ts';

const HISTORIES = { LUZ: arbitraryHistory('LUZ', 3), GAS: arbitraryHistory('GAS', 3) };

/** An offer of one of three own companies, or of one of two of the catalog, with what it becomes later. */
const OFFER = fc.record({
  company: fc.nat({ max: 4 }),
  terms: arbitraryOfferTerms(),
  history: fc.record(HISTORIES),
  isActiveLater: fc.boolean(),
});

type GivenOffer = typeof OFFER extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly store: Store;
  readonly accountId: number;
  readonly companyIds: readonly number[];
  readonly firmIds: readonly number[];
}

/** Two firms, one of them perhaps inactive, with three companies; a foreign firm; two companies of the catalog. */
async function newWorld(isFirmActive: boolean): Promise<World> {
  const store = await newStore();
  const [{ id: accountId }, other] = [await newAccount(store), await newAccount(store)];
  return await store.write(at(1), async (writer) => {
    const first = await writer.firms.insert(accountId, firmTerms('Norte', { catalogDefault: 'none' }));
    const second = await writer.firms.insert(accountId, firmTerms('Sur', { isActive: isFirmActive }));
    const foreign = await writer.firms.insert(other.id, firmTerms('Ajena'));
    const companies = [
      await writer.companies.insert(accountId, companyTerms(first.id, 'Luz Única')),
      await writer.companies.insert(accountId, companyTerms(first.id, 'Apagada', { isActive: false })),
      await writer.companies.insert(accountId, companyTerms(second.id, 'LUZ del Sur')),
      await writer.companies.insert('catalog', companyTerms(null, 'Común')),
      await writer.companies.insert('catalog', companyTerms(null, 'Otra', { isActive: isFirmActive })),
    ];
    const companyIds = companies.map(({ id }) => id);
    return { store, accountId, companyIds, firmIds: [first.id, second.id, foreign.id] };
  });
}

const OWN_COMPANIES = 3;

/** @returns The ids of the offers. */
async function addOffers({ store, accountId, companyIds }: World, offers: readonly GivenOffer[]) {
  const ids: number[] = [];
  await store.write(at(2), async (writer) => {
    for (const { company, terms, history } of offers) {
      const owner = company < OWN_COMPANIES ? accountId : 'catalog';
      const moved: OfferTerms = { ...terms, companyId: companyIds[company] ?? 0 };
      const [offer] = await writer.offers.insert(owner, [moved]);
      ids.push(offer?.id ?? 0);
      if (offer && moved.isIndexed) {
        const months = history[moved.supplyType].map((price) => ({ offerId: offer.id, before: null, price }));
        await writer.months.put(owner, months);
      }
    }
  });
  return ids;
}

async function changeOffers(
  { store, accountId }: World,
  offers: readonly GivenOffer[],
  ids: readonly number[],
): Promise<void> {
  await store.write(at(3), async (writer) => {
    for (const [index, { company, isActiveLater }] of offers.entries()) {
      const owner = company < OWN_COMPANIES ? accountId : 'catalog';
      const [record] = await writer.offers.byId(owner, [ids[index] ?? 0]);
      if (!record || index % 3 > 0) continue;
      const terms = { ...record.offer, isActive: isActiveLater, offerName: `Otra ${index}` };
      await writer.offers.update(owner, [{ before: record.offer, terms, sections: ['identity', 'reach'] }]);
    }
  });
}

/** The answer, or the refusal. */
async function answerOf<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

/** At most two conditions: more leave hardly an offer. */
function mildFilter(supplyType: SupplyType) {
  return fc
    .tuple(arbitraryOfferFilter(supplyType), fc.subarray(FILTER_NAMES, { maxLength: 2 }))
    .map(([filter, names]): OfferFilter => {
      return { ...anyOffer(supplyType), ...Object.fromEntries(names.map((name) => [name, filter[name]])) };
    });
}

const QUESTION = fc.record({
  supplyType: fc.constantFrom('LUZ' as const, 'GAS' as const),
  filters: fc.record({ LUZ: mildFilter('LUZ'), GAS: mildFilter('GAS') }),
  firm: fc.constantFrom(null, null, 0, 1, 2),
  boundTo: fc.constantFrom(null, null, 0, 1),
  company: fc.constantFrom(null, null, null, 0, 2, 3),
  companyName: fc.constantFrom(null, null, null, 'luz', 'APAG', 'x'),
  includeInactive: fc.boolean(),
  catalogSupply: fc.constantFrom(null, 'LUZ' as const, 'GAS' as const),
  customerType: fc.constantFrom(null, 'dni' as const),
  isGreen: fc.constantFrom(null, null, true),
  page: fc.record({ limit: fc.integer({ min: 1, max: 6 }), offset: fc.nat({ max: 3 }) }),
  /** Places of offers; one beyond the last is that of none. */
  places: fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 2 }),
});

type Question = typeof QUESTION extends fc.Arbitrary<infer T> ? T : never;

async function answers(
  deps: ReadDeps,
  { accountId, companyIds, firmIds, offerIds }: World & { readonly offerIds: readonly number[] },
  question: Question,
) {
  const bound = question.boundTo === null ? null : (firmIds[question.boundTo] ?? null);
  const caller = callerOf({ accountId, firmId: bound });
  const firmId = question.firm === null ? null : (firmIds[question.firm] ?? null);
  const { includeInactive, page, customerType, isGreen } = question;
  const ids = question.places.map((place) => offerIds[place] ?? 9_999_000 + place);
  const companyId = question.company === null ? null : (companyIds[question.company] ?? null);
  const whole = async (list: ReturnType<typeof listOffers>) => {
    const page = await list;
    return { ...page, results: page.results.map(recordOf) };
  };
  const filter = { ...question.filters[question.supplyType], isGreen };
  const { companyName } = question;
  const [id = 1] = ids;
  const filterOfShared = { ...anyOffer(question.catalogSupply), customerType, isGreen };
  const shared = { firmId, includeInactive, companyId, companyName, filter: filterOfShared, page };
  return {
    list: await answerOf(
      whole(listOffers(deps, caller, { firmId, includeInactive, filter, companyId, companyName, page })),
    ),
    shared: await answerOf(whole(listCatalogOffers(deps, caller, shared))),
    compared: await answerOf(ownOfferCases.details(deps, caller, { ids, firmId })),
    one: await answerOf(catalogOfferCases.get(deps, caller, { id, firmId })),
    months: await answerOf(ownMonthCases.list(deps, caller, { id, firmId, page })),
  };
}

test('reads from memory answer and refuse as the database does, also after a write', async () => {
  const seen = { listed: 0, shared: 0, compared: 0, months: 0, unknownTerms: 0 };
  const law = fc.asyncProperty(
    fc.array(OFFER, { maxLength: 14 }),
    fc.array(QUESTION, { minLength: 4, maxLength: 8 }),
    fc.boolean(),
    async (offers, questions, isFirmActive) => {
      const empty = await newWorld(isFirmActive);
      const offerIds = await addOffers(empty, offers);
      const world = { ...empty, offerIds };
      const { store } = world;
      const never = { store, offerCache: { ...createOfferCache(), isWorthKeeping: () => false } };
      const always = { store, offerCache: { ...createOfferCache(), isWorthKeeping: () => true } };
      for (const change of [async () => {}, () => changeOffers(world, offers, offerIds)]) {
        await change();
        for (const question of questions) {
          const fromDatabase = await answers(never, world, question);
          expect(await answers(always, world, question)).toEqual(fromDatabase);
          const { list, shared, compared, months } = fromDatabase;
          if (typeof list !== 'string') seen.listed += list.results.length;
          for (const page of [list, shared]) if (typeof page !== 'string') seen.unknownTerms += page.unknownTerms ?? 0;
          if (typeof shared !== 'string') seen.shared += shared.results.length;
          if (typeof compared !== 'string') seen.compared += compared.length;
          if (typeof months !== 'string') seen.months += months.total;
        }
      }
    },
  );
  await holdsAlways(law, runsOf(50, 100));
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(runsOf(10, 50));
});
