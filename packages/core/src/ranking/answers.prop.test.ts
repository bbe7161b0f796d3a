import {
  demandOf,
  type ElectricityCustomer,
  type ElectricityOffer,
  type GasOffer,
  type Offer,
  type OfferWithHistory,
  type PerPeriod,
  perPeriod,
  type Ranking,
  type RankingRequest,
} from '@tarifario/core/service';
import { arbitraryConsumptionTiers, arbitraryPowerTiers } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryFlatUniverse, arbitraryQuestion, WEIGHT } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import {
  electricityOffer,
  flatOffer,
  gasOffer,
  rankEntries,
  requestOf,
  withoutHistory,
} from '../../test/simple-offers.ts';

/** Throws at the first number anywhere in an answer that is not finite. */
function expectFinite(value: unknown, path = 'ranking'): void {
  if (typeof value === 'number') expect(Number.isFinite(value), `${path} is ${value}`).toBe(true);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) expectFinite(part, `${path}.${key}`);
  }
}

test('one offer, or offers that all cost and pay the same, score 10 in both', () => {
  const same = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 500 }), fc.nat({ max: 500 }), WEIGHT);
  holds(
    fc.property(same, ([count, costEur, commissionEur, weight]) => {
      const offers = Array.from({ length: count }, (_, index) => flatOffer(index + 1, costEur, commissionEur));
      const ranking = rankEntries(withoutHistory(offers), requestOf({ weight }));
      for (const result of ranking.results) {
        expect(result).toMatchObject({ score: 10, priceScore: 10, commissionScore: 10, isOnFrontier: true });
      }
      expect(ranking.results.map(({ offer }) => offer.id)).toEqual(offers.map(({ id }) => id));
      expect(ranking.winners).toEqual([{ fromWeight: 0, toWeight: 1, offerId: 1 }]);
    }),
    100,
  );
});

test('scores are 0 to 10, and the best offer by cost and by commission has 10', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, { ...request, limit: 200 });
      expectFinite(ranking);
      for (const { score, priceScore, commissionScore } of ranking.results) {
        for (const each of [score, priceScore, commissionScore ?? 0]) {
          expect(each).toBeGreaterThanOrEqual(0);
          expect(each).toBeLessThanOrEqual(10);
        }
      }
      if (ranking.rankedCount === 0) return;
      expect(ranking.results.some(({ priceScore }) => priceScore === 10)).toBe(true);
      if (request.seesCommissions) {
        expect(ranking.results.some(({ commissionScore }) => commissionScore === 10)).toBe(true);
      }
    }),
    200,
  );
});

test('A-20: the scores follow from the costs, the commissions and the two ranges', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const { results, costRangeEur, commissionRangeEur, weight } = rankEntries(entries, request);
      for (const { cost, commission, score, priceScore, commissionScore } of results) {
        const { min, max } = costRangeEur ?? { min: 0, max: 0 };
        const price = max > min ? (10 * (max - cost.totalEur)) / (max - min) : 10;
        expect(Math.abs(priceScore - price)).toBeLessThanOrEqual(0.50001e-9);
        const paid = commissionRangeEur ?? { min: 0, max: 0 };
        const pay = (commission?.totalEur ?? 0) - paid.min;
        const commissionNota = paid.max > paid.min ? (10 * pay) / (paid.max - paid.min) : 10;
        expect(commissionRangeEur === null).toBe(!request.seesCommissions);
        expect(Math.abs((commissionScore ?? 10) - commissionNota)).toBeLessThanOrEqual(0.50001e-9);
        const nota = request.seesCommissions ? weight * price + (1 - weight) * commissionNota : price;
        expect(Math.abs(score - nota)).toBeLessThanOrEqual(1.00002e-9);
      }
    }),
    200,
  );
});

/** The same offers with other commissions. */
function repaid(entries: readonly OfferWithHistory[], pay: readonly Partial<Offer>[]): readonly OfferWithHistory[] {
  return entries.map(({ offer, months }, i) => {
    const { commissionValue, commissionType, consumptionTiers } = { ...offer, ...pay[i % pay.length] };
    const paid = { commissionValue, commissionType, consumptionTiers };
    if (offer.supplyType === 'GAS') return { offer: { ...offer, ...paid }, months };
    const other = pay[i % pay.length];
    const powerTiers = other?.supplyType === 'LUZ' && other.powerTiers ? other.powerTiers : offer.powerTiers;
    return { offer: { ...offer, ...paid, powerTiers }, months };
  });
}

const PAY = fc.array(
  fc.record({
    supplyType: fc.constant('LUZ' as const),
    commissionValue: fc.integer({ min: 0, max: 1000 }),
    commissionType: fc.constantFrom('fixed' as const, 'per_mwh' as const),
    consumptionTiers: arbitraryConsumptionTiers(),
    powerTiers: arbitraryPowerTiers(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** An answer with every offer told by its id alone. */
function withoutTerms(ranking: Ranking) {
  const results = ranking.results.map(({ offer, ...rest }) => ({ id: offer.id, ...rest }));
  return { ...ranking, results, excluded: ranking.excluded.map(({ offer, exclusion }) => [offer.id, exclusion]) };
}

test('A-26: for those who may not see commissions nothing in the answer depends on them', () => {
  holds(
    fc.property(arbitraryQuestion(), PAY, WEIGHT, ({ entries, request }, pay, weight) => {
      const masked = { ...request, seesCommissions: false };
      const ranking = rankEntries(entries, masked);
      expect(withoutTerms(rankEntries(repaid(entries, pay), { ...masked, weight }))).toEqual(withoutTerms(ranking));
      expect(ranking).toMatchObject({ weight: 1, bestPaidId: null, commissionRangeEur: null, winners: null });
      for (const result of ranking.results) {
        expect(result).toMatchObject({ commission: null, commissionScore: null, isOnFrontier: null });
        expect(result.score).toBe(result.priceScore);
      }
    }),
    300,
  );
});

test('A-17: the masked answer is the one at weight 1 except for the order among equal costs, which is by id', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const shown = { ...request, limit: 200 };
      const masked = rankEntries(entries, { ...shown, seesCommissions: false });
      const open = rankEntries(entries, { ...shown, weight: 1, tolerance: null, seesCommissions: true });
      const project = ({ results }: Ranking) =>
        results
          .map(({ offer, cost, prices, origin, score, priceScore }) => ({
            offer,
            cost,
            prices,
            origin,
            score,
            priceScore,
          }))
          .sort((a, b) => a.cost.totalEur - b.cost.totalEur || a.offer.id - b.offer.id);
      expect(project(masked)).toEqual(project(open));
      expect(masked.results.map(({ offer }) => offer.id)).toEqual(project(masked).map(({ offer }) => offer.id));
      const { rankedCount, excludedCount, excluded, costRangeEur, period } = open;
      expect(masked).toMatchObject({ rankedCount, excludedCount, excluded, costRangeEur, period });
      expect(masked.cheapestId).toBe(masked.mostEfficientId);
    }),
    200,
  );
});

const DYADIC = fc.integer({ min: 0, max: 640 }).map((n) => n / 64);
const DYADIC_FEE = fc.integer({ min: 64, max: 30 * 64 }).map((n) => n / 64);

test('A-09: fees raise every cost and every commission alike and do not change order, scores and winners', () => {
  // Sums of sixty-fourths are exact in doubles and in six decimals, so nothing is left to rounding.
  const offers = fc.array(fc.tuple(DYADIC, DYADIC, DYADIC, DYADIC), { minLength: 1, maxLength: 20 }).map((rows) =>
    withoutHistory(
      rows.map(([e1, e2, p1, commissionValue], i) =>
        electricityOffer({
          id: i + 1,
          energyEurPerKwh: [e1, e2, null, null, null, null],
          powerEurPerKwDay: [p1, null, null, null, null, null],
          commissionValue,
          commissionType: i % 2 === 0 ? 'fixed' : 'per_mwh',
        }),
      ),
    ),
  );
  const customer = fc
    .tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 50 }))
    .map(([a, b, kw]): ElectricityCustomer => {
      return {
        supplyType: 'LUZ',
        consumptionKwh: [a * 1000, b * 1000, 0, 0, 0, 0],
        powerKw: [kw, 0, 0, 0, 0, 0],
        exportedKwh: 0,
      };
    });
  holds(
    fc.property(offers, customer, DYADIC_FEE, DYADIC_FEE, WEIGHT, (entries, one, energy, power, weight) => {
      const request = requestOf({ customer: one, weight });
      const fees = { energyEurPerMwh: energy, powerEurPerMwh: power };
      const [without, withFees] = [request, { ...request, fees }].map((asked) => rankEntries(entries, asked));
      const raise = (demandOf(one, request.period).annualMwh ?? 0) * (energy + power);
      expect(withFees?.winners).toEqual(without?.winners);
      withFees?.results.forEach((result, place) => {
        const before = without?.results[place];
        expect(result.offer.id).toBe(before?.offer.id);
        expect([result.score, result.priceScore, result.commissionScore]).toEqual([
          before?.score,
          before?.priceScore,
          before?.commissionScore,
        ]);
        expect(result.cost.totalEur).toBe((before?.cost.totalEur ?? 0) + raise);
        expect(result.commission?.totalEur).toBe((before?.commission?.totalEur ?? 0) + raise);
      });
    }),
    200,
  );
});

test('A-09: with any prices fees raise all costs by the same amount to a millionth, so no order changes by more', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const { customer, period, fees } = request;
      const asked = { ...request, limit: 200, weight: 1, tolerance: null };
      const before = rankEntries(entries, { ...asked, fees: { energyEurPerMwh: 0, powerEurPerMwh: 0 } }).results;
      const after = new Map(rankEntries(entries, asked).results.map(({ offer, cost }) => [offer.id, cost.totalEur]));
      const { energyFeeEur, powerFeeEur } = demandOf(customer, period, fees);
      const amount = energyFeeEur + powerFeeEur;
      let dearest = Number.NEGATIVE_INFINITY;
      for (const { offer, cost } of before) {
        const raised = after.get(offer.id) ?? Number.NaN;
        const parts = [cost.energyEur, cost.powerEur, cost.fixedEur, cost.surplusEur, cost.servicesEur, amount];
        const noise = parts.reduce((sum, part) => sum + Math.abs(part), 0) * 2 ** -49;
        expect(Math.abs(raised - cost.totalEur - amount)).toBeLessThanOrEqual(1e-6 + noise);
        // Cheapest first before: with the fees nobody may be cheaper than those before it by more than rounding.
        expect(raised).toBeGreaterThanOrEqual(dearest - 2e-6 - noise);
        dearest = Math.max(dearest, raised);
      }
      expect(after.size).toBe(before.length);
    }),
    300,
  );
});

const six = <T>(value: T): PerPeriod<T> => perPeriod(() => value);

/** Offers at the bounds of A-02: all at their highest, all at their lowest, negative market prices. */
function extremeOffers(): readonly (ElectricityOffer | GasOffer)[] {
  const highCommission = {
    servicesEurPerMonth: 100_000,
    commissionValue: 1_000_000,
    commissionType: 'per_mwh',
  } as const;
  const luz = { energyEurPerKwh: six(10), powerEurPerKwDay: six(1), hasSolarPanels: true, surplusEurPerKwh: 10 };
  const tiers = [{ from: 0, to: null, value: 1_000_000, type: 'per_kw' as const }];
  return [
    electricityOffer({ id: 1, ...highCommission, ...luz, powerTiers: tiers }),
    electricityOffer({ id: 2, energyEurPerKwh: six(0), powerEurPerKwDay: six(0) }),
    electricityOffer({ id: 3, ...highCommission, ...luz, isIndexed: true }),
    gasOffer({ id: 4, ...highCommission, gasEnergyEurPerKwh: 10, gasFixedEurPerMonth: 100_000 }),
    gasOffer({ id: 5, gasEnergyEurPerKwh: 0, gasFixedEurPerMonth: 0 }),
  ];
}

test('at the bounds of every input all sums and scores are finite', () => {
  const entries = extremeOffers().map((offer) => ({
    offer,
    months: offer.isIndexed
      ? [{ supplyType: 'LUZ' as const, month: '2026-01-01', energyEurPerKwh: six(-10), powerEurPerKwDay: six(1) }]
      : [],
  }));
  const customers: readonly RankingRequest['customer'][] = [
    { supplyType: 'LUZ', consumptionKwh: six(1e9), powerKw: six(1e6), exportedKwh: 1e9 },
    { supplyType: 'GAS', consumptionKwh: 1e9 },
  ];
  for (const customer of customers) {
    for (const period of [
      { days: 1, months: 36 },
      { days: 1100, months: 36 },
      { days: 1100, months: 0.03 },
    ]) {
      for (const weight of [0, 0.5, 1]) {
        const fees = { energyEurPerMwh: 30, powerEurPerMwh: 30 };
        const own = entries.filter(({ offer }) => offer.supplyType === customer.supplyType);
        const ranking = rankEntries(own, requestOf({ customer, period, weight, fees }));
        expect(ranking.rankedCount).toBe(own.length);
        expectFinite(ranking);
      }
    }
  }
});

test('A-20: a limit cuts the results and changes nothing else', () => {
  holds(
    fc.property(arbitraryFlatUniverse(), WEIGHT, fc.integer({ min: 1, max: 25 }), (entries, weight, limit) => {
      const all = rankEntries(entries, requestOf({ weight }));
      const cut = rankEntries(entries, requestOf({ weight, limit }));
      expect(cut).toEqual({ ...all, results: all.results.slice(0, limit) });
    }),
    200,
  );
});
