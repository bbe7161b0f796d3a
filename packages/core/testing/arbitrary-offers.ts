import fc, { type Arbitrary } from 'fast-check';
import type { Bounds } from '../src/engine/bounds.ts';
import { dayOf } from '../src/engine/calendar.ts';
import {
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionTier,
  POWER_COMMISSION_TYPES,
  type PowerTier,
} from '../src/engine/commission/tier.ts';
import {
  FIELD_LIST,
  fieldsOf,
  fieldsOfSupply,
  initialTerms,
  type TermsField,
} from '../src/engine/offers/field-parts.ts';
import {
  COMMUNITIES,
  CUSTOMER_TYPES,
  type ElectricityMonth,
  type ElectricityOffer,
  type ElectricityTerms,
  type GasMonth,
  type GasOffer,
  type GasTerms,
  type MonthlyPrice,
  type Offer,
  type OfferTerms,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from '../src/engine/offers/offer.ts';
import type { OfferFilter } from '../src/engine/offers/offer-filter.ts';
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
import { checkShape, checkSupply, takesNothing } from './given.ts';

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

/** The fields of an arbitrary offer that a test chooses. All others are any valid value. */
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

/** Typical numbers, by unit. Numbers of other units are anything within the bounds. */
const TYPICAL: Readonly<Record<string, Arbitrary<number>>> = {
  'EUR/kWh': ENERGY_PRICE,
  'EUR/kW·day': POWER_PRICE,
  'EUR/month': MONTHLY_EUR,
  kW: quantity(0, 1e6, { max: 20, decimals: 1 }),
  'kWh/year': quantity(0, 1e9, { max: 10_000, decimals: 0 }),
  'EUR/MWh': quantity(0, 1000, { max: 20, decimals: 2 }),
  'EUR/year or EUR/MWh': COMMISSION,
};

function amounts({ min, max, unit, isWhole }: Bounds): Arbitrary<number> {
  if (isWhole) return fc.integer({ min, max });
  const typical = TYPICAL[unit] ?? quantity(min, max, { max: Math.min(max, 100), decimals: 2 });
  return min < 0 ? MARKET_PRICE : typical;
}

/** A day from 2024-10 to 2027-07. */
export function arbitraryDay(...none: never[]): Arbitrary<string> {
  takesNothing('arbitraryDay', none);
  return fc.integer({ min: 20_000, max: 21_000 }).map(dayOf);
}

/** Any valid value of a field, by its kind. */
function arbitraryValue(field: TermsField, bounds?: Bounds): Arbitrary<unknown> {
  switch (field.kind) {
    case 'id':
      return fc.integer({ min: 1, max: 5 });
    case 'text':
      return arbitraryName();
    case 'note':
      return nullable(field.pattern ? fc.constantFrom('PVPC', 'OMIE', 'X', '1-2_3') : arbitraryName());
    case 'day':
      return nullable(arbitraryDay());
    case 'flag':
      return field.initial === null ? nullable(fc.boolean()) : fc.boolean();
    case 'amount':
      return field.initial === null ? nullable(amounts(bounds ?? field.bounds)) : amounts(bounds ?? field.bounds);
    case 'choice':
      return fc.constantFrom(...field.names);
    case 'periods':
      return sixOf(nullable(amounts(bounds ?? field.bounds)));
    case 'tiers':
      return tiersOf(field.types, field.supply === null ? 5 : 4);
    case 'flags': {
      const [first = '', ...others] = Object.keys(field.flags);
      const flags = fc.record(Object.fromEntries([first, ...others].map((flag) => [flag, fc.boolean()])));
      // A valid offer has at least one type of customer and one territory.
      return flags.map((flag) => (saysYes(flag) ? flag : { ...flag, [first]: true }));
    }
    case 'list':
      return fc.oneof(
        SHRINKING_ACROSS,
        fc.constant([]),
        fc.subarray([...field.names]).map((names) => names.toSorted()),
      );
  }
}

/** Values of some fields of a supply. */
function valuesOf(fields: readonly TermsField[], supplyType: SupplyType, isOfMonth: boolean) {
  return Object.fromEntries(
    fieldsOfSupply(supplyType, fields).map((field) => {
      const monthly = isOfMonth && 'monthlyBounds' in field ? field.monthlyBounds : undefined;
      return [field.name, arbitraryValue(field, monthly)];
    }),
  );
}

const NO_CONTRACT = { LUZ: noContract('LUZ'), GAS: noContract('GAS') };

function noContract(supplyType: SupplyType) {
  return Object.fromEntries(fieldsOfSupply(supplyType, fieldsOf('contract')).map(({ name }) => [name, null]));
}

/** Bounds in order, and a discount with its months. */
function withSoundContract(terms: OfferTerms): OfferTerms {
  const { minAnnualKwh, maxAnnualKwh, validFrom, validTo, energyDiscountPercent, discountMonths } = terms;
  const electric = terms.supplyType === 'LUZ' ? terms : null;
  const isDiscounted = energyDiscountPercent !== null || (electric?.powerDiscountPercent ?? null) !== null;
  return {
    ...terms,
    ...(isAbove(minAnnualKwh, maxAnnualKwh) ? { minAnnualKwh: maxAnnualKwh, maxAnnualKwh: minAnnualKwh } : {}),
    ...(isAbove(validFrom, validTo) ? { validFrom: validTo, validTo: validFrom } : {}),
    ...(electric && isAbove(electric.minPowerKw, electric.maxPowerKw)
      ? { minPowerKw: electric.maxPowerKw, maxPowerKw: electric.minPowerKw }
      : {}),
    discountMonths: isDiscounted ? (discountMonths ?? 6) : null,
  };
}

function isAbove<T extends number | string>(low: T | null, high: T | null): boolean {
  return low !== null && high !== null && low > high;
}

const LIMITS = [
  ['minPowerKw', 'maxPowerKw'],
  ['minAnnualKwh', 'maxAnnualKwh'],
  ['validFrom', 'validTo'],
];

function arbitraryTerms(supplyType: SupplyType, tariffs: readonly string[], shape: OfferShape): Arbitrary<OfferTerms> {
  return fc
    .record({
      ...valuesOf(FIELD_LIST, supplyType, false),
      contract: fc.option(fc.record(valuesOf(fieldsOf('contract'), supplyType, false)), {
        nil: NO_CONTRACT[supplyType],
      }),
      // Otherwise hardly an offer would be for anybody.
      limited: fc.subarray(LIMITS, { maxLength: 1 }),
      tariffType: fc.constantFrom(...tariffs),
      ...shape,
      supplyType: fc.constant(supplyType),
    })
    .map(({ contract, limited, ...values }) => {
      const others = LIMITS.filter((pair) => !limited.includes(pair)).flat();
      const kept = Object.entries(contract as object).map(([name, value]) => [
        name,
        others.includes(name) ? null : value,
      ]);
      // The compiler checks that the table has the fields of an offer.
      const terms = withSoundContract({ ...values, ...Object.fromEntries(kept) } as unknown as OfferTerms);
      if (terms.supplyType === 'GAS') return terms;
      const surplus = terms.hasSolarPanels ? null : { surplusEurPerKwh: null, surplusIndex: null };
      const index = terms.isIndexed ? terms.index : null;
      return { ...terms, ...surplus, index, indexFactor: index === null ? null : terms.indexFactor };
    });
}

export function arbitraryElectricityTerms(shape: OfferShape = {}): Arbitrary<ElectricityTerms> {
  checkShape(shape);
  return arbitraryTerms('LUZ', LUZ_TARIFFS, shape) as Arbitrary<ElectricityTerms>;
}

export function arbitraryGasTerms(shape: OfferShape = {}): Arbitrary<GasTerms> {
  checkShape(shape);
  return arbitraryTerms('GAS', GAS_TARIFFS, shape) as Arbitrary<GasTerms>;
}

export function arbitraryOfferTerms(shape: OfferShape = {}): Arbitrary<OfferTerms> {
  return fc.oneof(arbitraryElectricityTerms(shape), arbitraryGasTerms(shape));
}

/** An offer as fast-check prints it: what sets it apart from a new one. */
function shortText(this: Offer): string {
  const { createdAt: _created, updatedAt: _updated, ...terms } = this;
  const initial: Readonly<Record<string, unknown>> = { ...initialTerms(this.supplyType), supplyType: null };
  return fc.stringify(
    Object.fromEntries(
      Object.entries(terms).filter(([name, value]) => fc.stringify(value) !== fc.stringify(initial[name])),
    ),
  );
}

/** The same offer, printed short in the report of a law that fails. A copy of it is printed in full. */
export function printedShort<T extends Offer>(offer: T): T {
  return Object.defineProperty(offer, fc.toStringMethod, { value: shortText });
}

export function arbitraryElectricityOffer(shape: OfferShape = {}, id = ID): Arbitrary<ElectricityOffer> {
  return fc
    .tuple(arbitraryElectricityTerms(shape), stamps(id))
    .map(([terms, stamp]) => printedShort({ ...terms, ...stamp }));
}

export function arbitraryGasOffer(shape: OfferShape = {}, id = ID): Arbitrary<GasOffer> {
  return fc.tuple(arbitraryGasTerms(shape), stamps(id)).map(([terms, stamp]) => printedShort({ ...terms, ...stamp }));
}

export function arbitraryOffer(shape: OfferShape = {}, id = ID): Arbitrary<Offer> {
  return fc.oneof(arbitraryElectricityOffer(shape, id), arbitraryGasOffer(shape, id));
}

/** A month from 2023-01 to 2026-12. */
export function arbitraryMonth(...none: never[]): Arbitrary<string> {
  takesNothing('arbitraryMonth', none);
  return fc
    .integer({ min: 0, max: 47 })
    .map((n) => `${2023 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`);
}

/** With at least one price, as in every stored month. */
export function arbitraryMonthlyPrice(supplyType: SupplyType, month = arbitraryMonth()): Arbitrary<MonthlyPrice> {
  checkSupply('arbitraryMonthlyPrice', supplyType);
  const values = { supplyType: fc.constant(supplyType), month, ...valuesOf(fieldsOf('prices'), supplyType, true) };
  return fc
    .record(values)
    .map((price) => price as unknown as MonthlyPrice)
    .filter(({ supplyType: _supply, month: _month, ...prices }) =>
      Object.values(prices)
        .flat()
        .some((price) => price !== null),
    );
}

export function arbitraryElectricityMonth(month = arbitraryMonth()): Arbitrary<ElectricityMonth> {
  return arbitraryMonthlyPrice('LUZ', month) as Arbitrary<ElectricityMonth>;
}

export function arbitraryGasMonth(month = arbitraryMonth()): Arbitrary<GasMonth> {
  return arbitraryMonthlyPrice('GAS', month) as Arbitrary<GasMonth>;
}

/** Monthly prices of one offer: at most one a month, oldest first. */
export function arbitraryHistory(supplyType: SupplyType, maxLength = 15): Arbitrary<readonly MonthlyPrice[]> {
  return fc
    .uniqueArray(arbitraryMonthlyPrice(supplyType), { selector: (price) => price.month, maxLength })
    .map((months) => months.toSorted((a, b) => (a.month < b.month ? -1 : 1)));
}

/**
 * Offers, with any months if they are indexed and none if not. Histories are drawn independently of the offer, not
 * after it, so an offer shrinks without a new history at each step.
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

export function arbitraryOfferFilter(supplyType: SupplyType, ...none: never[]): Arbitrary<OfferFilter> {
  checkSupply('arbitraryOfferFilter', supplyType);
  takesNothing('arbitraryOfferFilter of a supply', none);
  return fc.record({
    supplyType: fc.constant(supplyType),
    tariffType: nullable(fc.constantFrom(...(supplyType === 'LUZ' ? LUZ_TARIFFS : GAS_TARIFFS), '2.0td')),
    territory: fc.option(fc.constantFrom(...TERRITORIES), { nil: null, freq: 2 }),
    community: fc.option(fc.constantFrom(...COMMUNITIES), { nil: null, freq: 2 }),
    customerType: fc.option(fc.constantFrom(...CUSTOMER_TYPES), { nil: null, freq: 2 }),
    ssaaIncluded: fc.option(fc.boolean(), { nil: null, freq: 2 }),
    hasSolarPanels: fc.option(fc.boolean(), { nil: null, freq: 2 }),
    // Seldom: most offers do not say their terms.
    maxPermanenceMonths: seldom(fc.constantFrom(0, 12, 60)),
    minFixedPriceMonths: seldom(fc.constantFrom(1, 12, 120)),
    isGreen: seldom(fc.boolean()),
  });
}

function seldom<T>(asked: Arbitrary<T>): Arbitrary<T | null> {
  const none = fc.constant(null);
  return fc.oneof({ withCrossShrink: true }, { weight: 8, arbitrary: none }, { weight: 1, arbitrary: asked });
}
