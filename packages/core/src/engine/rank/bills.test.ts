import { arbitraryElectricityCustomer, arbitraryGasCustomer, arbitraryUniverse } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineOffer } from '../offers/define-offer.ts';
import { BILL_NOTICES, type BillDefinition, billTerms } from '../taxes/bill-terms.ts';
import { createMarket, defineRequest, type RankOffersInput, type RequestDefinition, rankOffers } from './library.ts';
import type { Ranking } from './ranking.ts';

const home = {
  tariffType: '2.0TD',
  supplyType: 'LUZ',
  accepts: { dni: true },
  territories: { peninsula: true },
} as const;
const withServices = { energyEurPerKwh: [397.6 / 3500], servicesEurPerMonth: 5.95 } as const;
// 470 EUR of energy and no services, and 1 EUR less of which 71.40 are services.
const A = defineOffer({
  ...home,
  id: 1,
  offerName: 'A',
  energyEurPerKwh: [470 / 3500],
  powerEurPerKwDay: [0.1, 0],
});
const B = defineOffer({ ...home, ...withServices, id: 2, offerName: 'B', powerEurPerKwDay: [0.1, 0] });

/** A question with bills. */
function withTerms(definition: RequestDefinition, bill: BillDefinition): RequestDefinition {
  const request = defineRequest(definition);
  return { ...definition, bill: billTerms(bill, { ...request, ...request.filter }) };
}

const BARE = {
  customer: { supplyType: 'LUZ', consumptionKwh: [3500], powerKw: [160 / 36.5, 160 / 36.5] },
  filter: { territory: 'peninsula', customerType: 'dni' },
  weight: 1,
} as const satisfies RequestDefinition;
const QUESTION = withTerms(BARE, { day: '2026-05-15', rental: 'monofasico' });

function billsOf({ results }: Ranking): readonly (number | undefined)[] {
  return results.map(({ billed }) => billed?.bill.totalEur);
}

describe('A-107: a ranking with bills', () => {
  test('names the offer with the lowest bill, and says where that is another than the cheapest', () => {
    const ranking = rankOffers({ ...QUESTION, offers: [A, B] });
    expect([ranking.cheapestId, ranking.billed?.cheapestId]).toEqual([2, 1]);
    expect(billsOf(ranking)).toEqual([721.97, 715.22]);
    expect(ranking.results.map(({ billed }) => billed?.extraEur)).toEqual([expect.closeTo(6.75, 9), 0]);
    const codes = ranking.warnings.map(({ code }) => code);
    expect(codes).toEqual(['consumo_en_un_periodo', 'tipo_por_confirmar', 'orden_distinto_con_impuestos']);
  });

  test('finds the lowest bill among all ranked offers, shown or not, with the filter and without it', () => {
    const offers = Array.from({ length: 40 }, (_, index) =>
      defineOffer({ ...home, ...withServices, id: index + 10, offerName: 'C', powerEurPerKwDay: [0.1, 0] }),
    );
    const market = createMarket([...offers, A]);
    const ranking = market.rank({ ...QUESTION, limit: 1 });
    expect([ranking.cheapestId, ranking.billed?.cheapestId, ranking.results.length]).toEqual([10, 1, 1]);
    expect(rankOffers({ ...QUESTION, limit: 1, offers: [...offers, A] })).toEqual(ranking);
  });

  test('hides what a bill is beyond the lowest one where commissions may not be seen', () => {
    const { results } = rankOffers({ ...QUESTION, offers: [A, B], seesCommissions: false });
    expect(results.map(({ billed }) => billed?.extraEur)).toEqual([null, null]);
  });

  test.each<[string, RankOffersInput['contract'], readonly (number | null)[], number | null]>([
    [
      'prices of the present contract',
      {
        supplyType: 'LUZ',
        energyEurPerKwh: [470 / 3500, 0, 0, 0, 0, 0],
        powerEurPerKwDay: [0.1, 0, 0, 0, 0, 0],
      },
      [-6.75, 0],
      715.22,
    ],
    ['what the customer pays with taxes', { billEur: 800 }, [78.03, 84.78], null],
    ['the cost before tax alone', { totalEur: 640 }, [null, null], null],
  ])('compares bills with %s', (_, contract, savingsEur, presentEur) => {
    const ranking = rankOffers({ ...QUESTION, offers: [A, B], contract });
    const savings = ranking.results.map(({ billed }) => billed?.saving?.eur ?? null);
    expect(savings).toEqual(savingsEur.map((eur) => (eur === null ? null : expect.closeTo(eur, 9))));
    expect(ranking.billed?.present?.totalEur ?? null).toBe(presentEur);
    expect(ranking.presentCost === null).toBe(contract !== null && contract !== undefined && 'billEur' in contract);
  });
});

test('A-107: bills change nothing else of a ranking, and the lowest is that of all results', () => {
  const bill = fc.record({
    day: fc.constantFrom('2022-05-01', '2025-06-15', '2026-05-15'),
    rental: fc.constantFrom(undefined, 0, 0.81),
  });
  const supply = fc.oneof(
    fc.record({ offers: arbitraryUniverse({ supplyType: 'LUZ' }), customer: arbitraryElectricityCustomer() }),
    fc.record({ offers: arbitraryUniverse({ supplyType: 'GAS' }), customer: arbitraryGasCustomer() }),
  );
  holds(
    fc.property(supply, bill, ({ offers, customer }, definition) => {
      const question = { customer, filter: { territory: 'peninsula' }, limit: 200 } as const;
      const market = createMarket(offers);
      const { billed, ...ranking } = market.rank(withTerms(question, definition));
      const codes = new Set<string>(BILL_NOTICES);
      const without = {
        ...ranking,
        warnings: ranking.warnings.filter(({ code }) => !codes.has(code)),
        results: ranking.results.map(({ billed: _, ...result }) => result),
      };
      expect(without).toEqual(market.rank(question));
      const lowest = ranking.results.toSorted(
        (a, b) =>
          (a.billed?.bill.totalEur ?? 0) - (b.billed?.bill.totalEur ?? 0) ||
          a.cost.totalEur - b.cost.totalEur ||
          a.offer.id - b.offer.id,
      )[0];
      expect(billed?.cheapestId).toBe(lowest?.offer.id ?? null);
    }),
    60,
  );
});
