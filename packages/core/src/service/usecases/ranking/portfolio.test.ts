import { assert, expect, test, vi } from 'vitest';
import { createImportWorld } from '../../../../test/import-world.ts';
import { say } from '../../../engine/messages/message.ts';
import type { Territory } from '../../../engine/offers/offer.ts';
import { draftOffer } from '../../../engine/offers/offer-changes.ts';
import { ANY_COMPANY, anyOffer } from '../../../engine/offers/offer-filter.ts';
import { calculationPeriod, NO_FEES } from '../../../engine/price/customer.ts';
import { createOfferCache } from '../memory/offer-cache.ts';
import { accountOffersFor, partsOf, visibleTo } from '../offers/visible-offers.ts';
import { portfolioForCaller } from './portfolio.ts';
import { type RankingQuestion, rankForCaller } from './ranking.ts';

const MONTHS = Array.from({ length: 6 }, (_, i) => `2025-0${i + 1}-01`);

function questionOf(month: string, territory: Territory): RankingQuestion {
  const customer = {
    supplyType: 'LUZ',
    consumptionKwh: [1, 1, 1, 1, 1, 1],
    powerKw: [1, 1, 1, 1, 1, 1],
    exportedKwh: 0,
  } as const;
  const request = { customer, period: calculationPeriod({}), fees: NO_FEES, weight: null, month, limit: 3 };
  const filter = { ...anyOffer('LUZ'), territory };
  return { firmId: null, request: { ...request, filter, company: ANY_COMPANY }, issues: [] };
}

/** An account with so many indexed offers, ready to be ranked. */
async function indexedOffers(count: number) {
  const world = await createImportWorld();
  const { store } = world.deps;
  const caller = world.fullCaller;
  const [{ companyId }] = world.offers;
  const required = { companyId, offerName: 'Indexada', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
  const { terms } = draftOffer(required, { isIndexed: true, accepts: { dni: true }, territories: { peninsula: true } });
  await store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    await writer.offers.insert(caller.accountId, new Array(count).fill(terms));
  });
  const deps = { store, clock: world.deps.clock, offerCache: createOfferCache() };
  const [part] = partsOf(visibleTo(await accountOffersFor(deps, caller), caller, null), 'LUZ', ANY_COMPANY);
  return { deps, caller, tables: part?.universe.tables ?? [] };
}

test('a portfolio computes the prices month by month, however months and filters are mixed', async () => {
  const { deps, caller, tables } = await indexedOffers(300);
  const [table] = tables;
  assert(table);
  const spy = vi.spyOn(table.later.months, 'set');
  const portfolio = await portfolioForCaller(deps, caller, { firmId: null });
  const questions = (['peninsula', 'canarias'] as const).flatMap((territory) =>
    MONTHS.toReversed().map((month) => questionOf(month, territory)),
  );
  const answers = await portfolio.rank(questions);
  expect(answers.map(({ ranked }) => ranked)).toEqual(questions.map(() => true));
  expect(spy.mock.calls.map(([month]) => month)).toEqual(MONTHS);
});

test('A-32: a question with fields of the other supply is refused before it is ranked, alone or in a portfolio', async () => {
  const world = await createImportWorld();
  const deps = { ...world.deps, offerCache: createOfferCache() };
  const { request } = questionOf('2025-01-01', 'peninsula');
  // Whatever is ranked without a period is a bug.
  const period = { days: 0, months: 0 };
  const issues = [{ path: 'consumo_gas', message: say('is not allowed for {supply}', { supply: 'LUZ' }) }];
  const question = { firmId: null, request: { ...request, period }, issues };
  const refusal = { code: 'business_rule', details: { issues } };
  await expect(rankForCaller(deps, world.fullCaller, question)).rejects.toMatchObject(refusal);
  await expect(rankForCaller(deps, world.fullCaller, { ...question, issues: [] })).rejects.toThrow(RangeError);
  const portfolio = await portfolioForCaller(deps, world.fullCaller, { firmId: null });
  expect(await portfolio.rank([question])).toMatchObject([{ ranked: false, error: refusal }]);
  await expect(rankForCaller(deps, world.fullCaller, { ...question, firmId: 999 })).rejects.toMatchObject({
    code: 'foreign_firm',
  });
});
