import { holdsAlways } from '@tarifario/testkit/core/laws';
import { newStore } from '@tarifario/testkit/new-store';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../../testing/callers.ts';
import { at, companyTerms, firmTerms, gas, luz, newAccount } from '../../../../testing/contract/world.ts';
import { changeOf } from '../../../engine/offers/difference.ts';
import type { Offer } from '../../../engine/offers/offer.ts';
import { anyOffer } from '../../../engine/offers/offer-filter.ts';
import type { Page } from '../../ports/lists.ts';
import type { OfferRecord } from '../../ports/records.ts';
import { createOfferCache } from '../memory/offer-cache.ts';
import type { OfferOrder, OrderName, OrderPlace } from './offer-search.ts';
import { listCatalogOffers, listOffers } from './offers.ts';
import { recordOf } from './offers-in-memory.ts';

const NAME = fc
  .array(
    fc.constantFrom(
      'Luz',
      'LUZ',
      'lúz',
      'Ñandú',
      'nandu',
      '100%',
      '1_0',
      'ΟΔΟΣ',
      'a\u0301\u0323',
      'Tarifa  20',
      '電気',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((words) => words.join(' '));

const OFFER = fc.record({
  company: fc.nat({ max: 3 }),
  name: NAME,
  isGas: fc.boolean(),
  isActive: fc.boolean(),
  /** When it was created, and what was changed later. */
  second: fc.nat({ max: 5 }),
  change: fc.constantFrom(null, 'commission' as const, 'price' as const),
});
type GivenOffer = typeof OFFER extends fc.Arbitrary<infer T> ? T : never;

/** Three own companies and one of the catalog. */
async function newWorld(names: readonly string[]) {
  const store = await newStore();
  const { id: accountId } = await newAccount(store);
  const companyIds = await store.write(at(1), async (writer) => {
    const firm = await writer.firms.insert(accountId, firmTerms('Norte'));
    const ids: number[] = [];
    for (const [index, name] of names.entries()) {
      const [owner, firmId] = index === 3 ? (['catalog', null] as const) : ([accountId, firm.id] as const);
      ids.push((await writer.companies.insert(owner, companyTerms(firmId, `${name} ${index}`))).id);
    }
    return ids;
  });
  const ownerOf = (company: number) => (company === 3 ? ('catalog' as const) : accountId);
  const add = ({ company, name, isGas, isActive, second }: GivenOffer) =>
    store.write(at(second), async (writer) => {
      const terms = (isGas ? gas : luz)(companyIds[company] ?? 0, { offerName: name, isActive });
      const [offer] = await writer.offers.insert(ownerOf(company), [terms]);
      if (!offer) throw new Error('nothing was inserted');
      return offer;
    });
  const change = (before: Offer, company: number, what: 'commission' | 'price' | { readonly offerName: string }) =>
    store.write(at(20), async (writer) => {
      const changes =
        what === 'commission' ? { commissionValue: 99 } : what === 'price' ? { servicesEurPerMonth: 3 } : what;
      const change = changeOf(before, { ...before, ...changes });
      await writer.offers.update(ownerOf(company), change ? [change] : []);
    });
  const deps = { store, offerCache: createOfferCache() };
  return { store, accountId, deps, add, change };
}

interface Asked {
  readonly owner: 'own' | 'catalog';
  readonly search: string | null;
  readonly order: Omit<OfferOrder, 'after'> | null;
  readonly supplyType: 'LUZ' | 'GAS' | null;
  readonly includeInactive: boolean;
  readonly seesCommissions: boolean;
}

const QUESTION = fc.record({
  owner: fc.constantFrom('own' as const, 'catalog' as const),
  search: fc.option(
    fc.constantFrom(
      'luz',
      'NANDU',
      'ñ lu',
      '%',
      '_',
      '00',
      'οδος',
      'a',
      'tarifa 20',
      '20 tarifa',
      'nadie',
      '気',
      'luz luz 1',
    ),
  ),
  order: fc.option(
    fc.record({
      by: fc.constantFrom<OrderName>('companyName', 'offerName', 'updatedAt'),
      isDescending: fc.boolean(),
    }),
  ),
  supplyType: fc.constantFrom(null, 'LUZ' as const, 'GAS' as const),
  includeInactive: fc.boolean(),
  seesCommissions: fc.boolean(),
});

type World = Awaited<ReturnType<typeof newWorld>>;

async function pageOf(
  { deps, accountId }: World,
  { owner, search, order, supplyType, includeInactive, seesCommissions }: Asked,
  { after = null, ...page }: Page & { readonly after?: OrderPlace | null },
) {
  const caller = callerOf({ accountId, fullAccess: seesCommissions });
  const list = owner === 'own' ? listOffers : listCatalogOffers;
  const { total, results, next } = await list(deps, caller, {
    ...{ firmId: null, includeInactive, filter: anyOffer(supplyType), companyId: null, companyName: null, page },
    ...{ search, order: order && { ...order, after } },
  });
  return { total, records: results.map(recordOf), ids: results.map((one) => recordOf(one).offer.id), next };
}

/** In the form of comparison, made in another way: letter by letter, without what the table of Unicode calls a mark. */
const plain = (text: string) =>
  [...text.normalize('NFKD').toUpperCase()]
    .filter((letter) => !/\p{Mn}/u.test(letter))
    .join('')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .split(/\s+/)
    .join(' ');

/** The whole list, by the definition: filter and sort all records. */
async function definition({ store, accountId }: World, asked: Asked): Promise<readonly number[]> {
  const { owner, search, order, supplyType, includeInactive, seesCommissions } = asked;
  const { results } = await store.read((reader) =>
    reader.offers.list(
      {
        ...{ owner: owner === 'own' ? accountId : 'catalog', firmId: null, includeInactive, companyId: null },
        ...{ companyName: null, filter: anyOffer(supplyType), seesCommissions: true },
      },
      { limit: 2000, offset: 0 },
    ),
  );
  const has = ({ offer, company }: OfferRecord) =>
    plain(search ?? '')
      .split(' ')
      .every((word) => plain(offer.offerName).includes(word) || plain(company.name).includes(word));
  const keysOf = ({ offer, company }: OfferRecord): readonly string[] => {
    if (order === null) return [];
    if (order.by === 'companyName') return [plain(company.name), plain(offer.offerName)];
    if (order.by === 'offerName') return [plain(offer.offerName)];
    return [seesCommissions ? offer.updatedAt : (offer.maskedUpdatedAt ?? offer.updatedAt)];
  };
  const compare = (a: OfferRecord, b: OfferRecord) => {
    const [ofA, ofB] = [keysOf(a), keysOf(b)];
    const at = ofA.findIndex((key, index) => key !== ofB[index]);
    if (at < 0) return a.offer.id - b.offer.id;
    return (ofA[at] ?? '') < (ofB[at] ?? '') === !order?.isDescending ? -1 : 1;
  };
  return results
    .filter(has)
    .toSorted(compare)
    .map(({ offer }) => offer.id);
}

/** All pages, one after the other, with what happens between two of them. */
async function allPages(world: World, asked: Asked, limit: number, between = async () => {}) {
  const pages: number[][] = [];
  let after: OrderPlace | null = null;
  for (let turn = 0; turn < 50; turn++) {
    const afterId = asked.order === null ? (pages.flat().at(-1) ?? null) : null;
    const { ids, next, total } = await pageOf(world, asked, { limit, offset: 0, afterId, after });
    pages.push(ids);
    if (asked.order === null ? ids.length < limit : !next) return { ids: pages.flat(), total };
    after = next ?? null;
    await between();
  }
  throw new Error('the list does not end');
}

describe('a list that is searched or ordered', () => {
  it('A-130: has what the definition gives, in its order, page after page and at any offset', async () => {
    let listed = 0;
    const law = fc.asyncProperty(
      fc.array(NAME, { minLength: 4, maxLength: 4 }),
      fc.array(OFFER, { minLength: 4, maxLength: 14 }),
      fc.array(QUESTION, { minLength: 5, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat({ max: 12 }),
      async (names, offers, questions, limit, offset) => {
        const world = await newWorld(names);
        for (const given of offers) {
          const offer = await world.add(given);
          if (given.change) await world.change(offer, given.company, given.change);
        }
        for (const asked of questions) {
          const all = await definition(world, asked);
          expect(await allPages(world, asked, limit)).toEqual({ ids: all, total: all.length });
          expect((await pageOf(world, asked, { limit, offset })).ids).toEqual(all.slice(offset, offset + limit));
          listed += all.length;
        }
      },
    );
    await holdsAlways(law, runsOf(20, 60));
    expect(listed).toBeGreaterThan(runsOf(100, 300));
  });

  it('A-130: has once each offer that does not change while its pages are read', async () => {
    const law = fc.asyncProperty(
      fc.array(OFFER, { minLength: 6, maxLength: 12 }),
      QUESTION.filter(({ order }) => order !== null),
      fc.array(fc.record({ place: fc.nat({ max: 11 }), name: NAME, isNew: fc.boolean() }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (offers, question, steps, limit) => {
        const asked = { ...question, owner: 'own' as const, search: null, supplyType: null, includeInactive: true };
        const world = await newWorld(['Sol', 'Luz', 'Mar', 'Común']);
        const stored = await Promise.all(offers.map(async (given) => ({ given, offer: await world.add(given) })));
        const rest = [...steps];
        const changed = new Set<number>();
        const between = async () => {
          const step = rest.shift();
          const one = step && stored[step.place % stored.length];
          if (!one || changed.has(one.offer.id)) return;
          if (step.isNew) await world.add({ ...one.given, name: step.name });
          else {
            changed.add(one.offer.id);
            await world.change(one.offer, one.given.company, { offerName: step.name });
          }
        };
        const { ids } = await allPages(world, asked, limit, between);
        for (const { given, offer } of stored) {
          if (given.company === 3 || changed.has(offer.id)) continue;
          expect(ids.filter((id) => id === offer.id)).toHaveLength(1);
        }
      },
    );
    await holdsAlways(law, runsOf(20, 60));
  });

  it('A-26: tells a caller without commissions nothing of their changes', async () => {
    const law = fc.asyncProperty(
      fc.array(OFFER, { minLength: 2, maxLength: 8 }),
      QUESTION,
      async (offers, question) => {
        const asked = { ...question, seesCommissions: false };
        const answers = [];
        for (const isChanged of [true, false]) {
          const world = await newWorld(['Sol', 'Luz', 'Mar', 'Común']);
          const first = await Promise.all(offers.map(async (given) => ({ given, offer: await world.add(given) })));
          if (isChanged) for (const { given, offer } of first) await world.change(offer, given.company, 'commission');
          const { total, ids, next } = await pageOf(world, asked, { limit: 3, offset: 0 });
          answers.push({ total, ids, next });
        }
        expect(answers[0]).toEqual(answers[1]);
      },
    );
    await holdsAlways(law, runsOf(15, 40));
  });

  it('A-130: lets others work after each table of offers', async () => {
    const world = await newWorld(['Sol', 'Luz', 'Mar', 'Común']);
    await world.store.write(at(2), async (writer) => {
      const [company] = (
        await writer.companies.list(
          { owner: world.accountId, firmId: null, includeInactive: true },
          { limit: 1, offset: 0 },
        )
      ).results;
      await writer.offers.insert(
        world.accountId,
        Array.from({ length: 5000 }, (_, index) => luz(company?.id ?? 0, { offerName: `Luz ${index}` })),
      );
    });
    let turns = 0;
    const yieldToEventLoop = async () => {
      turns += 1;
    };
    const deps = { ...world.deps, yieldToEventLoop };
    const asked: Asked = {
      owner: 'own',
      search: '499',
      order: { by: 'offerName', isDescending: true },
      supplyType: 'LUZ',
      includeInactive: false,
      seesCommissions: true,
    };
    const { total, records } = await pageOf({ ...world, deps }, asked, { limit: 2, offset: 0 });
    expect(records.map(({ offer }) => offer.offerName)).toEqual(['Luz 4999', 'Luz 4998']);
    expect(total).toBe(15);
    expect(turns).toBe(10);
  });
});
