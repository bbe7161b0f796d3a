import { arbitraryQuestion, type Question } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, rankEntries, requestOf } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from '../offers/offer.ts';
import { perPeriod } from '../periods.ts';
import { annualKwh, LIMIT_FIELDS, limitExclusion } from '../price/conditions.ts';
import { demandOf } from '../price/customer.ts';
import { rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { compileUniverse, patchUniverse } from './universe.ts';

const OFF = fc.constantFrom(null, -1, -1e-6, 0, 0, 1e-6, 1);

/** A question about offers whose limits are at the figures of the customer, or a little beside them. */
const LIMITED: Arbitrary<Question> = fc
  .tuple(arbitraryQuestion(30), fc.array(fc.tuple(OFF, OFF, OFF, OFF), { minLength: 30, maxLength: 30 }))
  .map(([{ entries, request }, offs]) => {
    const { annualMwh, highestPowerKw } = demandOf(request.customer, request.period);
    const figures = [highestPowerKw ?? 5, highestPowerKw ?? 5, annualKwh({ annualMwh }), annualKwh({ annualMwh })];
    const limited = entries.map(({ offer, months }, i): OfferWithHistory => {
      const [minPowerKw = null, maxPowerKw = null, minAnnualKwh = null, maxAnnualKwh = null] = figures.map(
        (figure, j) => {
          const off = offs[i]?.[j] ?? null;
          return off === null ? null : Math.max(0, Math.round((figure + off) * 1e6) / 1e6);
        },
      );
      const limits = { minAnnualKwh, maxAnnualKwh };
      if (offer.supplyType === 'GAS') return { offer: { ...offer, ...limits }, months };
      return { offer: { ...offer, ...limits, minPowerKw, maxPowerKw }, months };
    });
    // An offer with unknown terms is counted whether or not it is within its limits.
    const terms = { maxPermanenceMonths: null, minFixedPriceMonths: null, isGreen: null };
    return { entries: limited, request: { ...request, filter: { ...request.filter, ...terms } } };
  });

test('A-125: an offer outside its limits is counted, told and never ranked, and all else is as without it', () => {
  let excluded = 0;
  holds(
    fc.property(LIMITED, ({ entries, request }) => {
      const { signingDay } = request;
      const demand = { ...demandOf(request.customer, request.period), ...(signingDay && { signingDay }) };
      const isWithin = ({ offer }: OfferWithHistory) => limitExclusion(offer, demand) === null;
      const { excluded: told, excludedCount, ...ranking } = rankEntries(entries, request);
      const without = rankEntries(entries.filter(isWithin), request);
      const { excluded: unpriced, excludedCount: unpricedCount, ...rest } = without;
      const isLimit = (code: string) => code === 'fuera_de_vigencia' || code === 'fuera_de_limites';
      const outside = told.filter(({ exclusion }) => isLimit(exclusion.code));
      expect(told.filter(({ exclusion }) => !isLimit(exclusion.code))).toEqual(unpriced);
      expect(excludedCount).toBe(unpricedCount + outside.length);
      excluded += outside.length;
      // Without any offer a warning is about the filter.
      if (rest.rankedCount + unpricedCount > 0) expect({ ...without, ...ranking }).toEqual(without);
    }),
    runsOf(75, 300),
  );
  expect(excluded).toBeGreaterThan(100);
});

const BOUNDS = [
  ['minPowerKw', 1],
  ['maxPowerKw', -1],
  ['minAnnualKwh', 1],
  ['maxAnnualKwh', -1],
] as const;

test('A-125: a bound that moves across the customer changes the verdict on its offer, and of no other offer a figure', () => {
  let moved = 0;
  holds(
    fc.property(
      arbitraryQuestion(),
      fc.nat(),
      fc.constantFrom(...BOUNDS),
      ({ entries, request }, at, [limit, sign]) => {
        const own = entries[at % entries.length]?.offer;
        fc.pre(own !== undefined && limit in own);
        const { annualMwh, highestPowerKw } = demandOf(request.customer, request.period);
        const figure = limit.endsWith('Kw') ? highestPowerKw : annualKwh({ annualMwh });
        fc.pre(figure !== null && figure > 1e-6);
        const none = Object.fromEntries(LIMIT_FIELDS.filter((name) => name in own).map((name) => [name, null]));
        const rankedWith = (bound: number | null) => {
          const changed = { ...own, ...none, [limit]: bound };
          const all = entries.map((entry) => (entry.offer === own ? { ...entry, offer: changed } : entry));
          return rankEntries(all, { ...request, limit: 200 });
        };
        const others = ({ results, excluded }: ReturnType<typeof rankedWith>) => ({
          costs: new Map(results.map(({ offer, cost, commission }) => [offer.id, { cost, commission }])),
          excluded: excluded
            .filter(({ offer }) => offer.id !== own.id)
            .map(({ offer, exclusion }) => [offer.id, exclusion]),
        });
        const step = Math.max(1e-6, figure * 1e-9);
        const outside = Math.round((figure + sign * step) * 1e6) / 1e6;
        const [free, before, after] = [rankedWith(null), rankedWith(figure), rankedWith(outside)];
        const was = others(before);
        expect(was).toEqual(others(free));
        expect([before.rankedCount, before.excludedCount]).toEqual([free.rankedCount, free.excludedCount]);
        const isSeen =
          before.results.some(({ offer }) => offer.id === own.id) ||
          before.excluded.some(({ offer }) => offer.id === own.id);
        was.costs.delete(own.id);
        expect(others(after)).toEqual(was);
        const verdict = after.excluded.find(({ offer }) => offer.id === own.id)?.exclusion;
        expect(verdict).toEqual(isSeen ? { code: 'fuera_de_limites', limit, bound: outside } : undefined);
        if (isSeen) moved++;
      },
    ),
    runsOf(75, 300),
  );
  expect(moved).toBeGreaterThan(30);
});

const KW = [null, 5, 10, 15] as const;
const KWH = [null, 1000, 2000, 3500] as const;
const DAYS = [null, '2026-01-01', '2026-06-30'] as const;

const OFFER = fc
  .record({
    id: fc.integer({ min: 1, max: 12 }),
    price: fc.integer({ min: 1, max: 30 }),
    maxPowerKw: fc.constantFrom(...KW),
    minPowerKw: fc.constantFrom(null, null, 5),
    maxAnnualKwh: fc.constantFrom(...KWH),
    minAnnualKwh: fc.constantFrom(null, null, 1000),
    validTo: fc.constantFrom(...DAYS),
  })
  .map(({ price, ...terms }): OfferWithHistory => {
    const prices = { energyEurPerKwh: perPeriod(() => price / 100), powerEurPerKwDay: perPeriod(() => 0.1) };
    return { offer: electricityOffer({ ...prices, ...terms }), months: [] };
  });

const ASKED: Arbitrary<RankingRequest> = fc
  .record({
    kw: fc.constantFrom(0, 4.9, 5, 5.1, 10, 12, 15, 15.1),
    kwh: fc.constantFrom(999, 1000, 1001, 2000, 3000, 3500, 4000),
    day: fc.constantFrom(undefined, '2025-12-31', '2026-01-01', '2026-06-30', '2026-07-01'),
  })
  .map(({ kw, kwh, day }) => {
    const customer = {
      ...{ supplyType: 'LUZ' as const, exportedKwh: 0 },
      consumptionKwh: perPeriod((i) => (i === 0 ? kwh : 0)),
      powerKw: perPeriod((i) => (i < 2 ? kw : 0)),
    };
    return requestOf({ customer, limit: 3, ...(day && { signingDay: day }) });
  });

test('A-125: customers in turn, with offers that change in between, each get the answer of a market that saw nobody before', () => {
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: ASKED }, { weight: 1, arbitrary: fc.array(OFFER) }), {
    minLength: 5,
    maxLength: 30,
  });
  holds(
    fc.property(fc.array(OFFER, { minLength: 1 }), steps, (first, all) => {
      const known = new Map<number, OfferWithHistory>();
      let universe = compileUniverse('LUZ', []);
      const change = (entries: readonly OfferWithHistory[]) => {
        const changed = new Map(entries.map((entry) => [entry.offer.id, entry]));
        for (const [id, entry] of changed) known.set(id, entry);
        universe = patchUniverse(universe, [...changed.values()]);
      };
      change(first);
      for (const step of all) {
        if (!('customer' in step)) {
          change(step);
          continue;
        }
        const answer = rankUniverses([{ universe, admits: () => true }], step);
        const fresh = rankEntries([...known.values()], step);
        expect(answer).toEqual(fresh);
      }
    }),
    runsOf(75, 300),
  );
});
