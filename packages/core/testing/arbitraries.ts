import fc, { type Arbitrary } from 'fast-check';
import {
  CATALOG_DEFAULTS,
  type CalculationPeriod,
  COMMUNITIES,
  CONSUMPTION_COMMISSION_TYPES,
  type Company,
  type CompanyFilter,
  type ConsumptionTier,
  CUSTOMER_TYPES,
  calculationPeriod,
  checkName,
  cleanName,
  type ElectricityCustomer,
  type ElectricityMonth,
  type ElectricityOffer,
  type ElectricityTerms,
  type Fees,
  type Firm,
  type FirmTerms,
  type GasCustomer,
  type GasMonth,
  type GasOffer,
  type GasTerms,
  type MonthlyPrice,
  type Offer,
  type OfferFilter,
  type OfferTerms,
  type OfferWithHistory,
  type PerPeriod,
  POWER_COMMISSION_TYPES,
  type PowerTier,
  SUPPLY_TYPES,
  type SupplyType,
  TERRITORIES,
} from '../src/index.ts';

/** Numbers: mostly as people write them, sometimes as awkward as the bounds of A-02 allow. */

/** A number from `min` to `max`, both included and both likely; `typical` is where people's values are. */
function quantity(min: number, max: number, typical: { readonly max: number; readonly decimals: number }) {
  const scale = 10 ** typical.decimals;
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: Math.round(typical.max * scale) }).map((n) => n / scale) },
      { weight: 1, arbitrary: fc.constantFrom(min, max, 0, 5e-324, 1e-7, 0.1 + 0.2) },
      // Adding 0 turns -0 into 0: no price is negative zero, and stores may lose its sign.
      { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }).map((n) => n + 0) },
    )
    .filter((n) => n >= min && n <= max);
}

const ENERGY_PRICE = quantity(0, 10, { max: 0.3, decimals: 6 });
const POWER_PRICE = quantity(0, 1, { max: 0.1, decimals: 6 });
const MARKET_PRICE = fc.oneof(
  { weight: 4, arbitrary: ENERGY_PRICE },
  { weight: 1, arbitrary: quantity(-10, 10, { max: 0.2, decimals: 5 }).map((price) => 0 - price) },
);
const MONTHLY_EUR = quantity(0, 100_000, { max: 20, decimals: 2 });
const COMMISSION = quantity(0, 1_000_000, { max: 200, decimals: 2 });

function nullable<T>(values: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(values, { nil: null, freq: 5 });
}

/** Six values; prices are usually there from P1 on, and sometimes have holes. */
function sixOf<T>(values: Arbitrary<T>): Arbitrary<PerPeriod<T>> {
  return fc.tuple(values, values, values, values, values, values);
}

const LETTERS = [...'abcdeABCDE  áÁàÉéñÑçÇßİıΣς%_\\\'"*?[](){}<>=+-@,;.·€1234567890ﬁ漢𝒳😀'];

/** A name that people will read, with letters that fold, compose and escape badly. */
export function arbitraryName(maxLength = 24): Arbitrary<string> {
  const odd = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength }).map((letters) => letters.join(''));
  const plain = fc.constantFrom('Iberdrola', 'ENERGÍA Sur', 'energía sur', 'Repsol', 'Cañón', 'Tarifa 100%', 'a_b');
  return fc
    .oneof(plain, odd)
    .map(cleanName)
    .filter((name) => checkName('name', name).length === 0 && [...name].length <= Math.max(maxLength, 16));
}

const TIMESTAMP = fc
  .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
  .map((milliseconds) => new Date(milliseconds).toISOString());

const URL_TEXT = fc.constantFrom('https://example.com/logo.png', 'https://cdn.example.es/a/b?c=%20&d=1#e');

interface TierShape {
  readonly width: number;
  readonly gap: number;
  readonly value: number;
  readonly type: string;
}

function tierShapes(types: readonly string[]): Arbitrary<TierShape> {
  return fc.record({
    width: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(0.1, 0.5, 1, 1.5), fc.constant(1 / 3)),
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
    accepts: fc.record({ dni: fc.boolean(), cif: fc.boolean(), cdad: fc.boolean() }).filter(saysYes),
    territories: fc
      .record({
        peninsula: fc.boolean(),
        canarias: fc.boolean(),
        baleares: fc.boolean(),
        ceuta_melilla: fc.boolean(),
      })
      .filter(saysYes),
    communities: fc.oneof(
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

const ID = fc.integer({ min: 1, max: 1_000_000 });

function stamps(id: Arbitrary<number>) {
  return fc
    .record({ id, first: TIMESTAMP, second: TIMESTAMP })
    .map(({ id, first, second }) =>
      first <= second ? { id, createdAt: first, updatedAt: second } : { id, createdAt: second, updatedAt: first },
    );
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

function withHistory(offers: Arbitrary<Offer>): Arbitrary<OfferWithHistory> {
  return offers.chain((offer) =>
    (offer.isIndexed ? arbitraryHistory(offer.supplyType) : fc.constant([])).map((months) => ({ offer, months })),
  );
}

export function arbitraryOfferWithHistory(shape: OfferShape = {}, id = ID): Arbitrary<OfferWithHistory> {
  return withHistory(arbitraryOffer(shape, id));
}

export function arbitraryFirmTerms(): Arbitrary<FirmTerms> {
  return fc.record({
    name: arbitraryName(),
    imageUrl: nullable(URL_TEXT),
    catalogDefault: fc.constantFrom(...CATALOG_DEFAULTS),
    isActive: fc.boolean(),
  });
}

export function arbitraryFirm(id = ID): Arbitrary<Firm> {
  return fc.tuple(arbitraryFirmTerms(), stamps(id)).map(([terms, stamp]) => ({ ...terms, ...stamp }));
}

/** @param firmId - `null` for companies of the shared catalog. */
export function arbitraryCompany(firmId: Arbitrary<number | null> = nullable(ID), id = ID): Arbitrary<Company> {
  return fc
    .tuple(
      fc.record({ firmId, name: arbitraryName(), logoUrl: nullable(URL_TEXT), isActive: fc.boolean() }),
      stamps(id),
    )
    .map(([terms, stamp]) => ({ ...terms, ...stamp }));
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

export function arbitraryCompanyFilter(companyId: Arbitrary<number> = ID): Arbitrary<CompanyFilter> {
  return fc.record({
    ownCompanyId: fc.option(companyId, { nil: null, freq: 2 }),
    companyName: fc.option(fc.oneof(fc.constantFrom('', 'E', 'sur', 'Í', ' a', '%', '_'), arbitraryName(2)), {
      nil: null,
      freq: 2,
    }),
  });
}

/** kWh over a calculation period; 0 where nothing is consumed. */
const CONSUMPTION = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 200_000 }).map((n) => n / 10) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: quantity(0, 1e9, { max: 5000, decimals: 3 }) },
);

const POWER = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(3.45, 4.6, 5.75, 10, 15, 15.001, 50, 451) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: quantity(0, 1e6, { max: 100, decimals: 3 }) },
);

export function arbitraryElectricityCustomer(): Arbitrary<ElectricityCustomer> {
  return fc.record({
    supplyType: fc.constant('LUZ' as const),
    consumptionKwh: sixOf(CONSUMPTION),
    powerKw: sixOf(POWER),
    exportedKwh: CONSUMPTION,
  });
}

export function arbitraryGasCustomer(): Arbitrary<GasCustomer> {
  return fc.record({ supplyType: fc.constant('GAS' as const), consumptionKwh: CONSUMPTION });
}

export function arbitraryCustomer(supplyType: SupplyType): Arbitrary<ElectricityCustomer | GasCustomer> {
  return supplyType === 'LUZ' ? arbitraryElectricityCustomer() : arbitraryGasCustomer();
}

/** A calculation period as a request may give it: nothing, days, months or both. */
export function arbitraryPeriod(): Arbitrary<CalculationPeriod> {
  return fc
    .record({
      days: fc.option(fc.integer({ min: 1, max: 1100 }), { nil: undefined }),
      months: fc.option(fc.integer({ min: 1, max: 36 }), { nil: undefined }),
    })
    .map(calculationPeriod)
    .filter((period) => period.days > 0 && period.months > 0);
}

/** Margins in EUR/MWh; 0 is common. */
export function arbitraryFees(supplyType: SupplyType = 'LUZ'): Arbitrary<Fees> {
  const fee = fc.oneof(fc.constant(0), quantity(0, 1000, { max: 30, decimals: 2 }));
  return fc.record({ energyEurPerMwh: fee, powerEurPerMwh: supplyType === 'LUZ' ? fee : fc.constant(0) });
}

/** Changes too small to show on a bill: what makes near ties. */
const NUDGES = [0, 0, 0, 5e-324, 1e-16, 1e-12, 4.9e-10, 5e-10, 1e-7] as const;

function nudged(price: number | null, nudge: number): number | null {
  return price === null ? null : Math.min(price + nudge, 1);
}

interface Copying {
  /** Which offer's money terms this one repeats. */
  readonly from: number;
  readonly nudge: number;
  readonly copiesPrices: boolean;
  readonly copiesCommission: boolean;
}

/** `offer` with money terms of `other`: the same prices but for a nudge, the same commission. */
function resemble(offer: Offer, other: Offer, { nudge, copiesPrices, copiesCommission }: Copying): Offer {
  if (offer.supplyType === 'LUZ' && other.supplyType === 'LUZ') {
    const [first, ...rest] = other.energyEurPerKwh;
    const { powerEurPerKwDay, servicesEurPerMonth, hasSolarPanels, surplusEurPerKwh } = other;
    const { commissionValue, commissionType, consumptionTiers, powerTiers } = other;
    const energyEurPerKwh: PerPeriod<number | null> = [nudged(first, nudge), ...rest];
    return {
      ...offer,
      ...(copiesPrices
        ? { energyEurPerKwh, powerEurPerKwDay, servicesEurPerMonth, hasSolarPanels, surplusEurPerKwh }
        : {}),
      ...(copiesCommission ? { commissionValue, commissionType, consumptionTiers, powerTiers } : {}),
    };
  }
  if (offer.supplyType === 'GAS' && other.supplyType === 'GAS') {
    const { gasFixedEurPerMonth, servicesEurPerMonth, commissionValue, commissionType, consumptionTiers } = other;
    const gasEnergyEurPerKwh = nudged(other.gasEnergyEurPerKwh, nudge);
    return {
      ...offer,
      ...(copiesPrices ? { gasEnergyEurPerKwh, gasFixedEurPerMonth, servicesEurPerMonth } : {}),
      ...(copiesCommission ? { commissionValue, commissionType, consumptionTiers } : {}),
    };
  }
  return offer;
}

/**
 * Offers that compete for one customer: one supply type, distinct ids in no order, five companies, few tariff types
 * and many near ties: equal prices, prices a rounding error apart, missing prices, equal commissions.
 */
export function arbitraryUniverse(
  options: { readonly supplyType?: SupplyType; readonly maxLength?: number } = {},
): Arbitrary<readonly OfferWithHistory[]> {
  const { supplyType, maxLength = 25 } = options;
  const shape: OfferShape = {
    isIndexed: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    isActive: fc.constant(true),
  };
  const copying = fc.record({
    from: fc.nat({ max: 2 }),
    nudge: fc.constantFrom(...NUDGES),
    copiesPrices: fc.boolean(),
    copiesCommission: fc.boolean(),
  });
  return (supplyType === undefined ? fc.constantFrom(...SUPPLY_TYPES) : fc.constant(supplyType)).chain((supply) => {
    const one = supply === 'LUZ' ? arbitraryElectricityOffer(shape) : arbitraryGasOffer(shape);
    return fc
      .uniqueArray(fc.tuple(withHistory(one), copying), { selector: ([entry]) => entry.offer.id, maxLength })
      .map((pairs) =>
        pairs.map(([entry, copy]) => {
          const other = pairs[copy.from]?.[0].offer ?? entry.offer;
          return { offer: resemble(entry.offer, other, copy), months: entry.months };
        }),
      );
  });
}
