import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import { commissionAt, consumptionCommission, powerCommission } from './commission.ts';

const offer = electricityOffer({
  id: 1,
  commissionValue: 30,
  consumptionTiers: [
    { from: 0, to: 5, value: 40, type: 'fixed' },
    { from: 6, to: 10, value: 7, type: 'per_mwh' },
  ],
  powerTiers: [
    { from: 0, to: 10, value: 3, type: 'per_kw' },
    { from: 10, to: 15, value: 50, type: 'fixed' },
  ],
});

test('A-13: a fixed commission is an amount, per MWh and per kW it is a rate', () => {
  expect(consumptionCommission(offer, 4)).toEqual({
    valueEur: 40,
    type: 'fixed',
    matchedTier: offer.consumptionTiers[0],
  });
  expect(consumptionCommission(offer, 8)).toEqual({
    valueEur: 56,
    type: 'per_mwh',
    matchedTier: offer.consumptionTiers[1],
  });
  expect(powerCommission(offer, 4.6)).toEqual({ valueEur: 3 * 4.6, type: 'per_kw', matchedTier: offer.powerTiers[0] });
  expect(powerCommission(offer, 12)).toEqual({ valueEur: 50, type: 'fixed', matchedTier: offer.powerTiers[1] });
  expect(commissionAt({ type: 'per_mwh', value: 3 }, 5)).toBe(15);
  expect(commissionAt({ type: 'fixed', value: 3 }, 5)).toBe(3);
});

test('A-15: where no consumption tier matches the offer pays its base commission', () => {
  expect(consumptionCommission(offer, 11)).toEqual({ valueEur: 30, type: 'fixed', matchedTier: null });
  const perMwh = electricityOffer({ id: 2, commissionValue: 3, commissionType: 'per_mwh' });
  expect(consumptionCommission(perMwh, 11)).toEqual({ valueEur: 33, type: 'per_mwh', matchedTier: null });
});

const NOTHING = { valueEur: 0, type: null, matchedTier: null };

test('A-15: where no power tier matches the power pays nothing', () => {
  expect(powerCommission(offer, 15.1)).toEqual(NOTHING);
  expect(powerCommission(electricityOffer({ id: 2 }), 5)).toEqual(NOTHING);
});

test('A-15: no power is not a power of 0, and gas has none', () => {
  expect(powerCommission(offer, null)).toEqual(NOTHING);
  expect(powerCommission(offer, 0)).toEqual({ valueEur: 0, type: 'per_kw', matchedTier: offer.powerTiers[0] });
  expect(powerCommission(gasOffer({ id: 3 }), 5)).toEqual(NOTHING);
});

test('a quantity of 0 pays 0 and never -0, which JSON would not distinguish', () => {
  const negative = electricityOffer({ id: 1, commissionValue: -5, commissionType: 'per_mwh' });
  expect(consumptionCommission(negative, 0).valueEur).toBe(0);
});
