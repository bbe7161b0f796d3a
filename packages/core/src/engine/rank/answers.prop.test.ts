import { arbitraryConsumptionTiers, arbitraryPowerTiers } from '@tarifario/core/testing';
import { arbitraryFlatUniverse, arbitraryQuestion, WEIGHT } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, gasOffer, rankEntries, requestOf } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ElectricityOffer, GasOffer, Offer, OfferWithHistory } from '../offers/offer.ts';
import { type PerPeriod, perPeriod } from '../periods.ts';
import type { Ranking, RankingRequest } from './ranking.ts';

/** Throws at the first number anywhere in an answer that is not finite. */
function expectFinite(value: unknown, path = 'ranking'): void {
  if (typeof value === 'number') expect(Number.isFinite(value), `${path} is ${value}`).toBe(true);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) expectFinite(part, `${path}.${key}`);
  }
}

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

/** An answer with every offer as its id alone. */
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
    runsOf(150, 300),
  );
});

test('A-69: no warning depends on a commission, also for those who see them', () => {
  holds(
    fc.property(arbitraryQuestion(), PAY, WEIGHT, ({ entries, request }, pay, weight) => {
      const seeing = { ...request, seesCommissions: true, tolerance: null };
      const { warnings, ssaaThresholdEurPerMwh } = rankEntries(entries, seeing);
      const other = rankEntries(repaid(entries, pay), { ...seeing, weight });
      expect([other.warnings, other.ssaaThresholdEurPerMwh]).toEqual([warnings, ssaaThresholdEurPerMwh]);
    }),
    runsOf(150, 300),
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

test('A-20: a limit and an offset cut the results and change nothing else', () => {
  const part = fc.tuple(fc.integer({ min: 1, max: 25 }), fc.nat({ max: 25 }));
  holds(
    fc.property(arbitraryFlatUniverse(), WEIGHT, part, (entries, weight, [limit, offset]) => {
      const rank = (fields: Partial<RankingRequest>) => rankEntries(entries, requestOf({ weight, ...fields }));
      const [all, cut] = [rank({}), rank({ limit, offset })];
      expect(cut).toEqual({ ...all, results: all.results.slice(offset, offset + limit) });
    }),
    200,
  );
});
