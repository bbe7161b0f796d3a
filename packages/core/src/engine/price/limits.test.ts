import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import { type LimitedQuantities, limitExclusion } from './conditions.ts';

const CUSTOMER: LimitedQuantities = { annualMwh: 1.005, highestPowerKw: 4.6, signingDay: '2026-06-15' };

test.each([
  [{ minPowerKw: 4.6, maxPowerKw: 4.6, minAnnualKwh: 1005, maxAnnualKwh: 1005 }, null],
  [{ validFrom: '2026-06-15', validTo: '2026-06-15' }, null],
  [{ minPowerKw: 4.601 }, { code: 'fuera_de_limites', limit: 'minPowerKw', bound: 4.601 }],
  [{ maxPowerKw: 4.599 }, { code: 'fuera_de_limites', limit: 'maxPowerKw', bound: 4.599 }],
  [{ minAnnualKwh: 1005.001 }, { code: 'fuera_de_limites', limit: 'minAnnualKwh', bound: 1005.001 }],
  [{ maxAnnualKwh: 1004.999 }, { code: 'fuera_de_limites', limit: 'maxAnnualKwh', bound: 1004.999 }],
  [{ validFrom: '2026-06-16' }, { code: 'fuera_de_vigencia', from: '2026-06-16', to: null }],
  [{ validTo: '2026-06-14' }, { code: 'fuera_de_vigencia', from: null, to: '2026-06-14' }],
  [
    { maxPowerKw: 1, validTo: '2026-06-14' },
    { code: 'fuera_de_vigencia', from: null, to: '2026-06-14' },
  ],
  [
    { maxPowerKw: 1, maxAnnualKwh: 1 },
    { code: 'fuera_de_limites', limit: 'maxPowerKw', bound: 1 },
  ],
])('A-125: an offer with %j excludes as %j: bounds are within, days come before limits', (terms, expected) => {
  expect(limitExclusion(electricityOffer({ id: 1, ...terms }), CUSTOMER)).toEqual(expected);
});

test('A-125: without a day, or without a power, no offer is excluded by it', () => {
  const offer = electricityOffer({ id: 1, minPowerKw: 100, validTo: '2020-01-01' });
  expect(limitExclusion(offer, { annualMwh: 1, highestPowerKw: null })).toBeNull();
});

test('A-125: a limit of consumption is for gas too', () => {
  const offer = gasOffer({ id: 1, maxAnnualKwh: 50_000 });
  expect(limitExclusion(offer, { annualMwh: 50, highestPowerKw: null })).toBeNull();
  expect(limitExclusion(offer, { annualMwh: 50.000001, highestPowerKw: null })).toMatchObject({ bound: 50_000 });
});
