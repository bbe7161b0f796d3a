import fc, { type Arbitrary } from 'fast-check';
import type { SupplyType } from '../src/engine/offers/offer.ts';
import {
  type CalculationPeriod,
  calculationPeriod,
  type ElectricityCustomer,
  type Fees,
  type GasCustomer,
} from '../src/engine/price/customer.ts';
import { FEW, quantity, SHRINKING_ACROSS, sixOf } from './arbitrary-values.ts';
import { checkSupply, takesNothing } from './given.ts';

/** kWh over a calculation period; 0 where nothing is consumed. */
const CONSUMPTION = fc.oneof(
  SHRINKING_ACROSS,
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 200_000 }).map((n) => n / 10) },
  { weight: 1, arbitrary: quantity(0, 1e9, { max: 5000, decimals: 3 }) },
);

const POWER = fc.oneof(
  SHRINKING_ACROSS,
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(3.45, 4.6, 5.75, 10, 15, 15.001, 50, 451) },
  { weight: 1, arbitrary: quantity(0, 1e6, { max: 100, decimals: 3 }) },
);

export function arbitraryElectricityCustomer(...none: never[]): Arbitrary<ElectricityCustomer> {
  takesNothing('arbitraryElectricityCustomer', none);
  return fc.record({
    supplyType: fc.constant('LUZ' as const),
    consumptionKwh: sixOf(CONSUMPTION),
    powerKw: sixOf(POWER),
    exportedKwh: CONSUMPTION,
  });
}

export function arbitraryGasCustomer(...none: never[]): Arbitrary<GasCustomer> {
  takesNothing('arbitraryGasCustomer', none);
  return fc.record({ supplyType: fc.constant('GAS' as const), consumptionKwh: CONSUMPTION });
}

export function arbitraryCustomer(
  supplyType: SupplyType,
  ...none: never[]
): Arbitrary<ElectricityCustomer | GasCustomer> {
  checkSupply('arbitraryCustomer', supplyType);
  takesNothing('arbitraryCustomer of a supply', none);
  return supplyType === 'LUZ' ? arbitraryElectricityCustomer() : arbitraryGasCustomer();
}

/** A customer of up to 900 kWh in the first period, for laws about an order. */
export function arbitrarySmallCustomer(
  supplyType: SupplyType,
  ...none: never[]
): Arbitrary<ElectricityCustomer | GasCustomer> {
  checkSupply('arbitrarySmallCustomer', supplyType);
  takesNothing('arbitrarySmallCustomer of a supply', none);
  return FEW.map((hundreds) => {
    const kWh = hundreds * 100;
    if (supplyType === 'GAS') return { supplyType, consumptionKwh: kWh };
    return { supplyType, consumptionKwh: [kWh, 0, 0, 0, 0, 0], powerKw: [0, 0, 0, 0, 0, 0], exportedKwh: 0 };
  });
}

/** A calculation period as a request may give it: nothing, days, months or both. */
export function arbitraryPeriod(...none: never[]): Arbitrary<CalculationPeriod> {
  takesNothing('arbitraryPeriod', none);
  return fc
    .record({
      days: fc.option(fc.integer({ min: 1, max: 1100 }), { nil: undefined }),
      months: fc.option(fc.integer({ min: 1, max: 36 }), { nil: undefined }),
    })
    .map(calculationPeriod)
    .filter((period) => period.days > 0 && period.months > 0);
}

/** Margins in EUR/MWh; 0 is common. */
export function arbitraryFees(supplyType: SupplyType = 'LUZ', ...none: never[]): Arbitrary<Fees> {
  checkSupply('arbitraryFees', supplyType);
  takesNothing('arbitraryFees of a supply', none);
  const fee = fc.oneof(SHRINKING_ACROSS, fc.constant(0), quantity(0, 1000, { max: 30, decimals: 2 }));
  return fc.record({ energyEurPerMwh: fee, powerEurPerMwh: supplyType === 'LUZ' ? fee : fc.constant(0) });
}
