import fc, { type Arbitrary } from 'fast-check';
import {
  COMMUNITIES,
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionTier,
  CUSTOMER_TYPES,
  type ElectricityMonth,
  type ElectricityOffer,
  type ElectricityTerms,
  type GasMonth,
  type GasOffer,
  type GasTerms,
  type MonthlyPrice,
  type Offer,
  type OfferFilter,
  type OfferTerms,
  type OfferWithHistory,
  POWER_COMMISSION_TYPES,
  type PowerTier,
  type SupplyType,
  TERRITORIES,
} from '../src/service.ts';
import {
  arbitraryName,
  COMMISSION,
  ENERGY_PRICE,
  ID,
  MARKET_PRICE,
  MONTHLY_EUR,
  nullable,
  POWER_PRICE,
  quantity,
  SHRINKING_ACROSS,
  sixOf,
  stamps,
} from './arbitrary-values.ts';

interface TierShape {
  readonly width: number;
  readonly gap: number;
  readonly value: number;
  readonly type: string;
}

function tierShapes(types: readonly string[]): Arbitrary<TierShape> {
  return fc.record({
    width: fc.oneof(
      SHRINKING_ACROSS,
      fc.integer({ min: 1, max: 500 }),
      fc.constantFrom(0.1, 0.5, 1, 1.5),
      fc.constant(1 / 3),
    ),
    // Touching, rounded whole numbers, just more than that, and a hole where nothing applies.
    gap: fc.constantFrom(0, 0, 0, 1, 1, 0.5, 1.000001, 2, 37.5),
    value: COMMISSION,
    type: fc.constantFrom(...types),
  });
}

function stackTiers<T extends string>(
  shapes: readonly TierShape[],
  { start, isOpen, types }: { readonly start: number; readonly isOpen: boolean; readonly types: readonly T[] },
) {
  let from = start;
  return shapes.flatMap(({ width, gap, value, type }, index) => {
    const known = types.find((candidate) => candidate === type);
    if (known === undefined) return [];
    const to = from + width;
    const tier = { from, to: isOpen && index === shapes.length - 1 ? null : to, value, type: known };
    from = to + gap;
    return [tier];
  });
}

/** Tiers that `checkTiers` accepts, in order: shared bounds, gaps of one unit, wide gaps, open ends. */
function tiersOf<T extends string>(types: readonly T[], maxLength: number) {
  return fc
    .record({
      shapes: fc.array(tierShapes(types), { maxLength }),
      start: fc.constantFrom(0, 0, 0, 1, 5, 2.5),
      isOpen: fc.boolean(),
    })
    .map(({ shapes, start, isOpen }) => stackTiers(shapes, { start, isOpen, types }));
}

export function arbitraryConsumptionTiers(maxLength = 5): Arbitrary<readonly ConsumptionTier[]> {
  return tiersOf(CONSUMPTION_COMMISSION_TYPES, maxLength);
}

export function arbitraryPowerTiers(maxLength = 4): Arbitrary<readonly PowerTier[]> {
  return tiersOf(POWER_COMMISSION_TYPES, maxLength);
}

/** What an arbitrary offer is made of where it matters to a test; everything else is any valid value. */
export interface OfferShape {
  readonly companyId?: Arbitrary<number>;
  readonly offerName?: Arbitrary<string>;
  readonly tariffType?: Arbitrary<string>;
  readonly isIndexed?: Arbitrary<boolean>;
  readonly isActive?: Arbitrary<boolean>;
}

const LUZ_TARIFFS = ['2.0TD', '3.0TD', '6.1TD'] as const;
const GAS_TARIFFS = ['RL.1', 'RL.2', 'RL.4'] as const;

function saysYes(flags: Readonly<Record<string, boolean>>): boolean {
  return Object.values(flags).includes(true);
}

function commonTerms(shape: OfferShape, tariffs: readonly string[]) {
  return {
    companyId: shape.companyId ?? fc.integer({ min: 1, max: 5 }),
    offerName: shape.offerName ?? arbitraryName(),
    tariffType: shape.tariffType ?? fc.constantFrom(...tariffs),
    isIndexed: shape.isIndexed ?? fc.boolean(),
    servicesEurPerMonth: nullable(MONTHLY_EUR),
    commissionValue: COMMISSION,
    commissionType: fc.constantFrom(...CONSUMPTION_COMMISSION_TYPES),
    consumptionTiers: arbitraryConsumptionTiers(),
    // Nobody who may sign, or no place where it is sold, is no offer.
    accepts: fc
      .record({ dni: fc.boolean(), cif: fc.boolean(), cdad: fc.boolean() })
      .map((flags) => (saysYes(flags) ? flags : { ...flags, dni: true })),
    territories: fc
      .record({
        peninsula: fc.boolean(),
        canarias: fc.boolean(),
        baleares: fc.boolean(),
        ceuta_melilla: fc.boolean(),
      })
      .map((flags) => (saysYes(flags) ? flags : { ...flags, peninsula: true })),
    communities: fc.oneof(
      SHRINKING_ACROSS,
      fc.constant([]),
      fc.subarray([...COMMUNITIES]).map((communities) => communities.toSorted()),
    ),
    isActive: shape.isActive ?? fc.boolean(),
  };
}

export function arbitraryElectricityTerms(shape: OfferShape = {}): Arbitrary<ElectricityTerms> {
  return fc
    .record({
      ...commonTerms(shape, LUZ_TARIFFS),
      supplyType: fc.constant('LUZ' as const),
      energyEurPerKwh: sixOf(nullable(ENERGY_PRICE)),
      powerEurPerKwDay: sixOf(nullable(POWER_PRICE)),
      feePowerEurPerMwh: nullable(quantity(0, 1000, { max: 20, decimals: 2 })),
      hasSolarPanels: fc.boolean(),
      surplusEurPerKwh: nullable(ENERGY_PRICE),
      ssaaIncluded: nullable(fc.boolean()),
      powerTiers: arbitraryPowerTiers(),
    })
    .map((terms) => (terms.hasSolarPanels ? terms : { ...terms, surplusEurPerKwh: null }));
}

export function arbitraryGasTerms(shape: OfferShape = {}): Arbitrary<GasTerms> {
  return fc.record({
    ...commonTerms(shape, GAS_TARIFFS),
    supplyType: fc.constant('GAS' as const),
    gasEnergyEurPerKwh: nullable(ENERGY_PRICE),
    gasFixedEurPerMonth: nullable(MONTHLY_EUR),
  });
}

export function arbitraryOfferTerms(shape: OfferShape = {}): Arbitrary<OfferTerms> {
  return fc.oneof(arbitraryElectricityTerms(shape), arbitraryGasTerms(shape));
}

export function arbitraryElectricityOffer(shape: OfferShape = {}, id = ID): Arbitrary<ElectricityOffer> {
  return fc.tuple(arbitraryElectricityTerms(shape), stamps(id)).map(([terms, stamp]) => ({ ...terms, ...stamp }));
}

export function arbitraryGasOffer(shape: OfferShape = {}, id = ID): Arbitrary<GasOffer> {
  return fc.tuple(arbitraryGasTerms(shape), stamps(id)).map(([terms, stamp]) => ({ ...terms, ...stamp }));
}

export function arbitraryOffer(shape: OfferShape = {}, id = ID): Arbitrary<Offer> {
  return fc.oneof(arbitraryElectricityOffer(shape, id), arbitraryGasOffer(shape, id));
}

/** A month from 2023-01 to 2026-12. */
export function arbitraryMonth(): Arbitrary<string> {
  return fc
    .integer({ min: 0, max: 47 })
    .map((n) => `${2023 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`);
}

/** With at least one price, as every month that is stored. */
export function arbitraryElectricityMonth(month = arbitraryMonth()): Arbitrary<ElectricityMonth> {
  return fc
    .record({
      supplyType: fc.constant('LUZ' as const),
      month,
      energyEurPerKwh: sixOf(nullable(MARKET_PRICE)),
      powerEurPerKwDay: sixOf(nullable(POWER_PRICE)),
    })
    .filter((price) => [...price.energyEurPerKwh, ...price.powerEurPerKwDay].some((value) => value !== null));
}

/** With at least one price, as every month that is stored. */
export function arbitraryGasMonth(month = arbitraryMonth()): Arbitrary<GasMonth> {
  return fc
    .record({
      supplyType: fc.constant('GAS' as const),
      month,
      gasEnergyEurPerKwh: nullable(MARKET_PRICE),
      gasFixedEurPerMonth: nullable(MONTHLY_EUR),
    })
    .filter((price) => price.gasEnergyEurPerKwh !== null || price.gasFixedEurPerMonth !== null);
}

export function arbitraryMonthlyPrice(supplyType: SupplyType, month = arbitraryMonth()): Arbitrary<MonthlyPrice> {
  return supplyType === 'LUZ' ? arbitraryElectricityMonth(month) : arbitraryGasMonth(month);
}

/** Monthly prices of one offer: at most one a month, oldest first. */
export function arbitraryHistory(supplyType: SupplyType, maxLength = 15): Arbitrary<readonly MonthlyPrice[]> {
  return fc
    .uniqueArray(arbitraryMonthlyPrice(supplyType), { selector: (price) => price.month, maxLength })
    .map((months) => months.toSorted((a, b) => (a.month < b.month ? -1 : 1)));
}

/**
 * Offers with any months where they are indexed, and none where they are not. Histories are drawn beside the offer and not
 * after it: so an offer shrinks without another history coming with each step.
 */
export function withArbitraryHistory(offers: Arbitrary<Offer>): Arbitrary<OfferWithHistory> {
  return fc.tuple(offers, arbitraryHistory('LUZ'), arbitraryHistory('GAS')).map(([offer, ofLuz, ofGas]) => ({
    offer,
    months: !offer.isIndexed ? [] : offer.supplyType === 'LUZ' ? ofLuz : ofGas,
  }));
}

export function arbitraryOfferWithHistory(shape: OfferShape = {}, id = ID): Arbitrary<OfferWithHistory> {
  return withArbitraryHistory(arbitraryOffer(shape, id));
}

export function arbitraryOfferFilter(supplyType: SupplyType): Arbitrary<OfferFilter> {
  return fc.record({
    supplyType: fc.constant(supplyType),
    tariffType: nullable(fc.constantFrom(...(supplyType === 'LUZ' ? LUZ_TARIFFS : GAS_TARIFFS), '2.0td')),
    territory: fc.option(fc.constantFrom(...TERRITORIES), { nil: null, freq: 2 }),
    community: fc.option(fc.constantFrom(...COMMUNITIES), { nil: null, freq: 2 }),
    customerType: fc.option(fc.constantFrom(...CUSTOMER_TYPES), { nil: null, freq: 2 }),
    ssaaIncluded: fc.option(fc.boolean(), { nil: null, freq: 2 }),
    hasSolarPanels: fc.option(fc.boolean(), { nil: null, freq: 2 }),
  });
}
