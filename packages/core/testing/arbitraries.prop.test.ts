import * as library from '@tarifario/core/testing';
import {
  arbitraryConsumptionTiers,
  arbitraryCustomer,
  arbitraryFees,
  arbitraryMonthlyPrice,
  arbitraryOffer,
  arbitraryOfferWithHistory,
  arbitraryPeriod,
  arbitraryPowerTiers,
  arbitraryRequest,
  arbitraryUniverse,
} from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkTiers } from '../src/engine/commission/tier.ts';
import { defineHistory, defineOffer } from '../src/engine/offers/define-offer.ts';
import { SUPPLY_TYPES } from '../src/engine/offers/offer.ts';
import { matchesFilter } from '../src/engine/offers/offer-filter.ts';
import { checkMonth, checkOffer } from '../src/engine/offers/offer-rules.ts';
import { demandOf } from '../src/engine/price/customer.ts';
import { createMarket, defineRequest } from '../src/engine/rank/library.ts';
import { rankUniverses } from '../src/engine/rank/rank.ts';
import { compileUniverse } from '../src/engine/rank/universe.ts';

test('an arbitrary offer breaks no rule, and equals what its definition makes of it', () => {
  holds(
    fc.property(arbitraryOffer(), (offer) => {
      expect(checkOffer(offer)).toEqual([]);
      expect(defineOffer(offer)).toEqual(offer);
    }),
    300,
  );
});

test('an arbitrary history is valid and in order', () => {
  holds(
    fc.property(arbitraryOfferWithHistory(), ({ offer, months }) => {
      for (const month of months) expect(checkMonth(month)).toEqual([]);
      if (offer.isIndexed) expect(defineHistory(offer, months.toReversed())).toEqual({ offer, months });
      else expect(months).toEqual([]);
    }),
  );
  for (const supply of SUPPLY_TYPES) {
    holds(
      fc.property(arbitraryMonthlyPrice(supply), (month) => {
        expect(checkMonth(month)).toEqual([]);
      }),
    );
  }
});

test('arbitrary tiers are valid and in order', () => {
  for (const tiers of [arbitraryConsumptionTiers(50), arbitraryPowerTiers(50)]) {
    holds(
      fc.property(tiers, (list) => {
        expect(checkTiers('tiers', list)).toEqual([]);
        expect(list).toEqual(list.toSorted((a, b) => a.from - b.from));
      }),
    );
  }
});

test('an arbitrary universe can be ranked: valid offers of one supply, each id once', () => {
  holds(
    fc.property(arbitraryUniverse(), (entries) => {
      const [supply = 'LUZ'] = entries.map(({ offer }) => offer.supplyType);
      expect(() => createMarket(entries)).not.toThrow();
      expect(entries.filter(({ offer }) => offer.supplyType !== supply)).toEqual([]);
      for (const { offer } of entries) expect(checkOffer(offer)).toEqual([]);
    }),
  );
});

test('an arbitrary request can be ranked over an arbitrary universe of its supply', () => {
  const arbitraryInput = fc
    .constantFrom(...SUPPLY_TYPES)
    .chain((supplyType) => fc.tuple(arbitraryUniverse({ supplyType }), arbitraryRequest(supplyType)));
  holds(
    fc.property(arbitraryInput, ([entries, request]) => {
      const { supplyType } = request.customer;
      const parts = [{ universe: compileUniverse(supplyType, entries), admits: () => true }];
      const { rankedCount, excludedCount } = rankUniverses(parts, request);
      expect(rankedCount + excludedCount).toBe(
        entries.filter(({ offer }) => matchesFilter(offer, request.filter)).length,
      );
    }),
  );
});

test('an arbitrary customer, period and fees are within their bounds', () => {
  for (const supply of SUPPLY_TYPES) {
    holds(
      fc.property(arbitraryCustomer(supply), arbitraryPeriod(), arbitraryFees(supply), (customer, period, fees) => {
        expect(demandOf(customer, period, fees).period).toEqual(period);
        expect(defineRequest({ customer, period, fees })).toMatchObject({ customer, period, fees });
      }),
    );
  }
});

describe('an arbitrary that is given what it would ignore', () => {
  const any = library as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

  it.each([
    ['arbitraryElectricityCustomer', ['LUZ']],
    ['arbitraryGasCustomer', [{ consumptionKwh: 5 }]],
    ['arbitraryWeight', [{ min: 0.5 }]],
    ['arbitraryPeriod', [30]],
    ['arbitraryDay', ['2026-01-01']],
    ['arbitraryMonth', [2026]],
    ['arbitraryFirmTerms', [{}]],
    ['arbitraryCustomer', [{ supplyType: 'LUZ' }]],
    ['arbitraryCustomer', ['LUZ', { powerKw: 3 }]],
    ['arbitrarySmallCustomer', ['luz']],
    ['arbitrarySmallUniverse', [{ supplyType: 'LUZ' }]],
    ['arbitraryRequest', [undefined]],
    ['arbitraryFees', ['gas']],
    ['arbitraryOfferFilter', ['LUZ', {}]],
    ['arbitraryUniverse', ['LUZ']],
    ['arbitraryUniverse', [{ supply: 'LUZ' }]],
    ['arbitraryUniverse', [{ supplyType: 'luz' }]],
    ['arbitraryOffer', ['LUZ']],
    ['arbitraryOffer', [{ supplyType: fc.constant('LUZ') }]],
    ['arbitraryElectricityOffer', [{ isIndexed: true }]],
    ['arbitraryOfferWithHistory', [{ isindexed: fc.constant(true) }]],
    ['arbitraryHistory', [12]],
  ])('%s(...%j) refuses it', (name, given) => {
    expect(() => any[name]?.(...given)).toThrow(RangeError);
  });
});
