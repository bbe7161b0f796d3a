import type { Question } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import {
  electricityOffer,
  flatOffer,
  rankEntries,
  requestOf,
  withoutHistory,
} from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { HOSTILE } from '../../../test/hostile-universes.ts';
import { naiveRanking, withoutAdvice } from '../../../test/naive-ranking.ts';
import type { AppliedPrices } from '../cost/applied-price.ts';
import { commissionOf, priceOffer } from '../cost/cost.ts';
import type { Demand } from '../cost/customer.ts';
import { discountFactors } from '../cost/discount.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { NO_QUANTITIES } from '../periods.ts';
import { BLOCK_ROWS } from './block.ts';
import { checksumOf } from './checksum.ts';
import { winnersByWeight } from './frontier.ts';
import { ANSWER, createPreselection, instantiate, type Preselection, writeQuestion } from './preselection.ts';
import { createPreselectionMemory, TASK } from './preselection-memory.ts';
import { PRESELECTION_MODULE } from './preselection-module.ts';
import { finish, questionOf, rankInSteps, rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { compileUniverse, patchUniverse, viewOf } from './universe.ts';

function preselectionOf(options: Parameters<typeof createPreselection>[0] = {}): Preselection {
  const { preselection, reason } = createPreselection(options);
  if (!preselection) throw new Error(reason);
  return preselection;
}

const PRESELECTION = preselectionOf();

/** A company whose offers are not ranked. */
const STRANGER = 5;

function partsOf({ entries, request }: Question) {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  const universe = compileUniverse(request.customer.supplyType, sorted);
  return [{ universe, admits: (id: number) => id !== STRANGER }];
}

/** A preselection that counts the rows that it leaves out of those that are ranked, and those that it names. */
function countingPreselection() {
  const rows = { leftOut: 0, named: 0 };
  const candidates: Preselection['candidates'] = function* (blocks, question) {
    const answer = yield* PRESELECTION.candidates(blocks, question);
    if (answer) {
      const named = answer.rows.flat().length;
      rows.named += named;
      rows.leftOut += answer.rankedCount - named;
    }
    return answer;
  };
  return { rows, preselection: { ...PRESELECTION, candidates } };
}

/** Kinds of markets that are tried in full: the one that has every field, and those with few offers. */
const IN_FULL = ['mixed', 'half millionths', 'extreme magnitudes'];

test.each(Object.entries(HOSTILE))(
  'A-03: a ranking with the preselection, and one without it, equals the ranking by the written rules, offer by offer: %s',
  (name, questions) => {
    const { preselection, rows } = countingPreselection();
    holds(
      fc.property(questions, (question) => {
        const { entries, request } = question;
        const expected = naively(
          entries.filter(({ offer }) => offer.companyId !== STRANGER),
          request,
        );
        const parts = partsOf(question);
        const whole = rankUniverses(parts, request, { preselection: null });
        expect(withoutAdvice(whole)).toEqual(expected);
        expect(rankUniverses(parts, request, { preselection })).toEqual(whole);
      }),
      runsOf(IN_FULL.includes(name) ? 300 : 100, 300),
    );
    // Otherwise the law would say nothing.
    expect(rows.leftOut).toBeGreaterThan(100);
  },
);

/** The naive ranking with the winners among all that are ranked, with no offer left out beforehand. */
function naively(entries: readonly OfferWithHistory[], request: RankingRequest) {
  const whole = naiveRanking(entries, { ...request, limit: entries.length });
  const ranking = { ...whole, results: whole.results.slice(0, request.limit) };
  if (!request.seesCommissions) return { ...ranking, winners: null };
  const contenders = whole.results
    .filter(({ isOnFrontier }) => isOnFrontier)
    .map(({ offer, cost, commission, priceScore, commissionScore }) => ({
      id: offer.id,
      costEur: cost.totalEur,
      commissionEur: commission?.totalEur ?? Number.NaN,
      priceScore,
      commissionScore: commissionScore ?? Number.NaN,
    }));
  return { ...ranking, winners: winnersByWeight(contenders.sort((a, b) => a.costEur - b.costEur || a.id - b.id)) };
}

/** What the preselection worked out of a question, beside the definition: commissions exactly, costs within the proved error. */
function shareOfError({ entries, request }: Question): number {
  // The preselection is not asked about those.
  if (request.customer.profile) return 0;
  const { seesCommissions, month } = request;
  const { demand, needed } = questionOf(request);
  const parts = partsOf({ entries, request }).map((part) => ({ ...part, admits: () => true }));
  const { run, memory } = instantiate(PRESELECTION_MODULE);
  const room = createPreselectionMemory(memory, 2 ** 24);
  const { blocks } = finish(viewOf(parts, { ...request, needed, demand }));
  const best = { weight: 1, tolerance: null, limit: 1 };
  const question = { demand, month, seesCommissions, needed, ...best, withWinners: seesCommissions };
  finish(writeQuestion(room, blocks, question));
  const { integers, floats, doubles } = room.views();
  integers[ANSWER] = -1;
  run(TASK);
  const [rankedCount, , , costs = 0, micros = 0] = integers.subarray(ANSWER);
  // Figures that 32 bits cannot hold are not worked out at all.
  if (rankedCount === -1) return 0;
  const feesEur = demand.energyFeeEur + demand.powerFeeEur;
  let share = 0;
  let first = 0;
  for (const { block, mask } of blocks) {
    for (let row = 0; row < block.rowCount; row++) {
      const near = floats[(costs >> 2) + first + row] ?? Number.NaN;
      if (Number.isNaN(near)) continue;
      const { offer, months } = block.entryAt(row);
      const pricing = priceOffer({ offer, months }, demand, month);
      if (!pricing.priced) throw new Error('a row with a cost has one');
      const size = sizeOf(offer, pricing.prices, demand);
      const errorEur = 24 * 2 ** -24 * size + 2 ** -45 * (size + feesEur) + 1e-6;
      share = Math.max(share, Math.abs(near + feesEur - pricing.cost.totalEur) / errorEur);
      if (!seesCommissions) continue;
      const exact = doubles[(micros >> 3) + first + row] ?? Number.NaN;
      if (Math.abs(exact) < 2 ** 50) expect(exact / 1e6).toBe(commissionOf(offer, demand).totalEur);
    }
    first += mask.length;
  }
  return share;
}

/** What the sizes of the terms of one offer's cost add up to, energy counted twice where surplus takes some off again. */
function sizeOf(offer: Offer, prices: AppliedPrices, demand: Demand): number {
  const { customer, period } = demand;
  const { energy: [energyFactor = 1] = [], power: powerFactor = 1 } = discountFactors(offer, demand) ?? {};
  const sum = (quantities: readonly number[], each: readonly (number | null)[]) =>
    quantities.reduce((total, quantity, i) => total + Math.abs(quantity * (each[i] ?? 0)), 0);
  const services = period.months * Math.abs(offer.servicesEurPerMonth ?? 0);
  if (prices.supplyType === 'GAS') {
    const kwh = customer.supplyType === 'GAS' ? customer.consumptionKwh : 0;
    const fixed = sum([period.months], [prices.gasFixedEurPerMonth]);
    return services + energyFactor * sum([kwh], [prices.gasEnergyEurPerKwh]) + fixed;
  }
  if (customer.supplyType === 'GAS' || offer.supplyType === 'GAS')
    throw new Error('a customer is priced by its supply');
  const energy = energyFactor * sum(customer.consumptionKwh, prices.energyEurPerKwh);
  const power = powerFactor * period.days * sum(customer.powerKw, prices.powerEurPerKwDay);
  const surplus = offer.hasSolarPanels ? sum([customer.exportedKwh], [offer.surplusEurPerKwh]) : 0;
  return services + (customer.exportedKwh > 0 ? 2 : 1) * energy + power + surplus;
}

test('no cost of the preselection is further from the definition than the proof allows, and no commission differs', () => {
  let most = 0;
  holds(
    fc.property(fc.oneof(...Object.values(HOSTILE)), (question) => {
      const share = shareOfError(question);
      expect(share).toBeLessThanOrEqual(1);
      most = Math.max(most, share);
    }),
    runsOf(150, 300),
  );
  // Otherwise the bound would be so wide that the law says nothing.
  expect(most).toBeGreaterThan(0.05);
});

test('a preselection whose memory is too small, or full of other offers, gives the same ranking', () => {
  const preselections = [1, 150_000, 300_000].map((maxBytes) => preselectionOf({ maxBytes }));
  const questions = [3, 5].map((step): Question => {
    const offers = Array.from({ length: 500 * step }, (_, i) => flatOffer(i + 1, (i * step) % 997, (i * 7) % 89));
    return { entries: withoutHistory(offers), request: requestOf({ limit: 20 }) };
  });
  for (const question of [...questions, ...questions]) {
    const parts = partsOf(question);
    const expected = rankUniverses(parts, question.request, { preselection: null });
    for (const preselection of preselections)
      expect(rankUniverses(parts, question.request, { preselection })).toEqual(expected);
  }
});

test('a universe added to others is read from the memory, for every size of the memory', () => {
  const universes = [1, 65].map((first) =>
    compileUniverse(
      'LUZ',
      withoutHistory(
        Array.from({ length: 64 }, (_, i) => flatOffer(first + i, 100 + (((first + i) * 37) % 61), i % 13)),
      ),
    ),
  );
  const parts = universes.map((universe) => ({ universe, admits: () => true }));
  const request = requestOf({ limit: 5 });
  const expected = rankUniverses(parts, request, { preselection: null });
  for (let maxBytes = 1024; maxBytes < 16_384; maxBytes += 64) {
    const preselection = preselectionOf({ maxBytes });
    rankUniverses(parts.slice(0, 1), request, { preselection });
    expect(rankUniverses(parts, request, { preselection }), `${maxBytes} bytes`).toEqual(expected);
  }
});

test('a thousand edits do not enlarge the memory, and every ranking uses the last edit', () => {
  const maxBytes = 2 ** 20;
  const preselection = preselectionOf({ maxBytes });
  const entryAt = (id: number, costEur: number) => ({ offer: flatOffer(id, costEur, id % 50), months: [] });
  let universe = compileUniverse(
    'LUZ',
    Array.from({ length: 90 }, (_, i) => entryAt(i + 1, 100 + (i % 7))),
  );
  let afterHundred = 0;
  for (let edit = 1; edit <= 1000; edit++) {
    const id = (edit % 90) + 1;
    universe = patchUniverse(universe, [entryAt(id, 99 - edit / 1e4)]);
    const part = { universe, admits: () => true };
    expect(rankUniverses([part], requestOf({ weight: 1, limit: 1 }), { preselection }).cheapestId).toBe(id);
    if (edit === 100) afterHundred = preselection.memoryBytes();
  }
  expect(preselection.memoryBytes()).toBeLessThan(Math.max(afterHundred, maxBytes) + 2 ** 20);
});

test('rankings that run in turns share the memory: none adds its offers to those of all others', () => {
  const maxBytes = 2 ** 20;
  const preselection = preselectionOf({ maxBytes });
  const request = requestOf({ limit: 5 });
  const rankings = Array.from({ length: 8 }, (_, universe) => {
    const offers = Array.from({ length: 10_000 }, (_, i) =>
      flatOffer(universe * 10_000 + i + 1, 100 + (i % 997), i % 89),
    );
    const part = { universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true };
    return { part, steps: rankInSteps([part], request, { preselection }) };
  });
  const answers: unknown[] = [];
  while (answers.filter(Boolean).length < rankings.length) {
    for (const [index, { steps }] of rankings.entries()) {
      const step = answers[index] ? { done: false as const } : steps.next();
      if (step.done) answers[index] = step.value;
    }
  }
  expect(answers).toEqual(rankings.map(({ part }) => rankUniverses([part], request, { preselection: null })));
  expect(preselection.memoryBytes()).toBeLessThan(4 * maxBytes);
});

test('the first ranking pauses after each block that it prepares, and the next one of the same kind does not pause', () => {
  const tiers = [
    { from: 0, to: 5, value: 1, type: 'fixed' },
    { from: 5, to: null, value: 2, type: 'fixed' },
  ] as const;
  const offers = Array.from({ length: 2 * BLOCK_ROWS + 7 }, (_, i) => ({
    ...flatOffer(i + 1, 100 + (i % 61), 0),
    consumptionTiers: tiers,
  }));
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
  const preselection = preselectionOf();
  const pausesOf = (request: RankingRequest) => {
    const steps = rankInSteps(parts, request, { preselection });
    let pauses = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) pauses++;
    return pauses;
  };
  const using = (mwh: number) => ({ ...requestOf().customer, consumptionKwh: [1000 * mwh, 0, 0, 0, 0, 0] }) as const;
  const request = requestOf({ limit: 10 });
  // Three blocks that are seen for the first time, and copied.
  expect(pausesOf(request)).toBe(6);
  expect(pausesOf(request)).toBe(0);
  expect(pausesOf({ ...request, customer: using(4) as RankingRequest['customer'] })).toBe(0);
  expect(pausesOf({ ...request, customer: using(6) as RankingRequest['customer'] })).toBe(3);
  expect(pausesOf({ ...request, seesCommissions: false })).toBe(0);
  expect(pausesOf({ ...request, month: '2025-03-01', seesCommissions: false })).toBe(6);
});

test('few more offers are priced than are requested', () => {
  const offers = Array.from({ length: 3000 }, (_, i) =>
    flatOffer(i + 1, 100 + ((i * 7919) % 3001) / 3, ((i * 104_729) % 2999) / 4),
  );
  const parts = partsOf({ entries: withoutHistory(offers), request: requestOf() });
  for (const weight of [0, 0.3, 0.7, 1]) {
    for (const limit of [1, 10, 50]) {
      const { preselection, rows } = countingPreselection();
      rankUniverses(parts, requestOf({ weight, limit }), { preselection });
      expect(rows.leftOut, `${weight} ${limit}`).toBe(3000 - rows.named);
      expect(rows.named, `${weight} ${limit}`).toBeLessThan(limit + 40);
    }
  }
});

test('a module that was cut or changed, and a machine without WebAssembly, give a reason in place of a preselection', () => {
  const bytes = Uint8Array.from(atob(PRESELECTION_MODULE.base64), (char) => char.charCodeAt(0));
  const reasonFor = (changed: Uint8Array) => {
    const base64 = btoa(String.fromCharCode(...changed));
    return createPreselection({ module: { ...PRESELECTION_MODULE, base64 } });
  };
  expect(reasonFor(bytes).preselection).not.toBeNull();
  for (let at = 0; at < bytes.length; at += 97) {
    expect(reasonFor(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)))).toMatchObject({
      preselection: null,
      reason: expect.stringContaining('not as they were'),
    });
  }
  expect(reasonFor(bytes.subarray(0, -1)).preselection).toBeNull();
  expect(
    createPreselection({ module: { base64: 'AAAA', length: 3, checksum: checksumOf(new Uint8Array(3)) } }).preselection,
  ).toBeNull();
  vi.stubGlobal('WebAssembly', undefined);
  try {
    expect(createPreselection().reason).toContain('there is no WebAssembly');
  } finally {
    vi.unstubAllGlobals();
  }
});

test('A-10: an indexed offer without history is excluded also for a customer without consumption', () => {
  const customer = {
    supplyType: 'LUZ',
    consumptionKwh: NO_QUANTITIES,
    powerKw: NO_QUANTITIES,
    exportedKwh: 0,
  } as const;
  const indexed = { offer: electricityOffer({ id: 1, isIndexed: true }), months: [] };
  const fixed = { offer: electricityOffer({ id: 2 }), months: [] };
  const ranking = rankEntries([indexed, fixed], requestOf({ customer }));
  expect(ranking.results.map(({ offer }) => offer.id)).toEqual([2]);
  expect(ranking.excluded).toEqual([{ offer: indexed.offer, exclusion: { code: 'sin_historico' } }]);
});

test('the prices of an offer for another month do not change those of its mean', () => {
  const month = (name: string, price: number) => ({
    supplyType: 'LUZ' as const,
    month: name,
    energyEurPerKwh: [price, null, null, null, null, null] as const,
    powerEurPerKwDay: [null, null, null, null, null, null] as const,
  });
  const names = Array.from({ length: 8 }, (_, index) => `2025-0${index + 1}-01`);
  const entry = {
    offer: electricityOffer({ id: 1, isIndexed: true }),
    months: names.map((name, index) => month(name, index + 1)),
  };
  const [block] = compileUniverse('LUZ', [entry]).blocks;
  const priceOf = (month: string | null) => block && new Float32Array(block.prices(month).columns, 128)[0];
  expect(priceOf(null)).toBe(4.5);
  names.forEach((name, index) => {
    expect(priceOf(name)).toBe(index + 1);
  });
  expect(priceOf(null)).toBe(4.5);
  const cached = block?.prices('2025-05-01');
  for (const name of names.slice(0, 4)) block?.prices(name);
  expect(block?.prices('2025-05-01')).toBe(cached); // five are kept, the mean among them
  for (const name of names.slice(0, 4)) block?.prices(name);
  block?.prices('2025-08-01');
  expect(block?.prices('2025-05-01')).not.toBe(cached);
});

test('A-127: a market that is asked about several periods has the discounts of each', () => {
  const offers = Array.from({ length: 60 }, (_, index) => ({
    ...flatOffer(index + 1, 100 + index, index),
    energyDiscountPercent: (index * 7) % 60,
    discountMonths: 1 + (index % 36),
  }));
  const entries = withoutHistory(offers);
  const parts = [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
  const first = [24, 12, 3, 12, 36, 24, 1, 6].map((months) => {
    const request = requestOf({ period: { days: 30 * months, months }, limit: 5 });
    const { rows, preselection } = countingPreselection();
    const ranking = rankUniverses(parts, request, { preselection });
    expect(rows.leftOut).toBeGreaterThan(0);
    expect(withoutAdvice(ranking)).toEqual(naively(entries, request));
    return ranking.cheapestId;
  });
  expect(new Set(first).size).toBeGreaterThan(2);
});
