import type { ConsumptionCommissionType, ConsumptionTier, PowerTier } from '../commission/tier.ts';
import type { PerPeriod } from '../periods.ts';

/** Electricity or gas. */
export const SUPPLY_TYPES = ['LUZ', 'GAS'] as const;
export type SupplyType = (typeof SUPPLY_TYPES)[number];

/** The supply that one is not. */
export const OTHER_SUPPLY = { LUZ: 'GAS', GAS: 'LUZ' } as const;

/** Parts of Spain that an offer may be open to. */
export const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'] as const;
export type Territory = (typeof TERRITORIES)[number];

/** Who signs: an individual, a company, an owners' community. */
export const CUSTOMER_TYPES = ['dni', 'cif', 'cdad'] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

/** Autonomous community or city. Databases have a bit for each, in this order, so a new one is added at the end. */
export const COMMUNITIES = [
  'andalucia',
  'aragon',
  'asturias',
  'baleares',
  'canarias',
  'cantabria',
  'castilla_la_mancha',
  'castilla_y_leon',
  'cataluna',
  'ceuta',
  'comunidad_valenciana',
  'extremadura',
  'galicia',
  'la_rioja',
  'madrid',
  'melilla',
  'murcia',
  'navarra',
  'pais_vasco',
] as const;
export type Community = (typeof COMMUNITIES)[number];

/** The fields of every offer, whatever it supplies. */
interface CommonTerms {
  /** The id of the retailer; 0 where there is none. */
  readonly companyId: number;
  readonly offerName: string;
  //
  /** Access tariff, matched exactly: `2.0TD`, `RL.1`, ... */
  readonly tariffType: string;
  /** Indexed offers take their prices from the monthly history. */
  readonly isIndexed: boolean;
  /** Extra services, EUR per month; `null` counts as 0. */
  readonly servicesEurPerMonth: number | null;
  /** EUR per contract-year (`fixed`) or EUR/MWh (`per_mwh`); used where no consumption tier matches. */
  readonly commissionValue: number;
  readonly commissionType: ConsumptionCommissionType;
  readonly consumptionTiers: readonly ConsumptionTier[];
  readonly accepts: Readonly<Record<CustomerType, boolean>>;
  readonly territories: Readonly<Record<Territory, boolean>>;
  /** Empty: no restriction. Sorted, without repetition. */
  readonly communities: readonly Community[];
  readonly isActive: boolean;
  // What the contract says besides prices; `null`: unknown.
  /** Annual consumption, kWh a year, both bounds included. */
  readonly minAnnualKwh: number | null;
  /** kWh a year, included. */
  readonly maxAnnualKwh: number | null;
  /** The first and the last day on which it can be signed, `YYYY-MM-DD`. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  /** Months that the customer has to stay. */
  readonly permanenceMonths: number | null;
  /** For leaving before the permanence ends, EUR. */
  readonly penaltyEur: number | null;
  /** The same as % of the energy that is left by estimate. */
  readonly penaltyPercent: number | null;
  /** Months for which the prices are fixed. */
  readonly fixedPriceMonths: number | null;
  /** % off its price of energy, in the first `discountMonths`. */
  readonly energyDiscountPercent: number | null;
  /** Months that the discounts hold. */
  readonly discountMonths: number | null;
  readonly isGreen: boolean | null;
  /** Whether a change of regulated tolls changes its prices. */
  readonly passesTolls: boolean | null;
  /** What else the customer must do or have; told, never priced. */
  readonly requirements: string | null;
}

/** Prices of electricity, EUR before tax; `null`: none in that period. */
export interface ElectricityPrices {
  readonly supplyType: 'LUZ';
  /** EUR/kWh, P1 first; `null`: none. */
  readonly energyEurPerKwh: PerPeriod<number | null>;
  /** EUR/kW and day, P1 first; `null`: none. */
  readonly powerEurPerKwDay: PerPeriod<number | null>;
}

/** Prices of gas, EUR before tax; `null`: none. */
export interface GasPrices {
  readonly supplyType: 'GAS';
  /** EUR/kWh; `null`: none. */
  readonly gasEnergyEurPerKwh: number | null;
  /** EUR a month; `null`: none. */
  readonly gasFixedEurPerMonth: number | null;
}

/** The fields of an electricity offer. */
export interface ElectricityTerms extends CommonTerms, ElectricityPrices {
  /** EUR/MWh. Stored and returned; enters no calculation. */
  readonly feePowerEurPerMwh: number | null;
  readonly hasSolarPanels: boolean;
  /** EUR/kWh, paid for exported energy; only with `hasSolarPanels`. */
  readonly surplusEurPerKwh: number | null;
  /** Whether balancing services are included in the price; `null`: unknown. */
  readonly ssaaIncluded: boolean | null;
  /** kW: the highest contracted power is at least `minPowerKw`, and each at most `maxPowerKw`. */
  readonly minPowerKw: number | null;
  /** kW, included; `null`: no limit. */
  readonly maxPowerKw: number | null;
  /** % off its price of power, in the first `discountMonths`. */
  readonly powerDiscountPercent: number | null;
  //
  /** The index whose hours its energy follows; only with `isIndexed`. */
  readonly index: string | null;
  /** EUR of its price for one EUR of the index, 0 to 3; `null` is 1. */
  readonly indexFactor: number | null;
  /** The index whose hours its surplus is paid by; only with `hasSolarPanels`. */
  readonly surplusIndex: string | null;
  readonly powerTiers: readonly PowerTier[];
}

/** The fields of a gas offer. */
export interface GasTerms extends CommonTerms, GasPrices {}

/** The terms of an offer. */
export type OfferTerms = ElectricityTerms | GasTerms;

/** The fields that the store adds to every record. */
export interface RecordStamps {
  /** A whole number >= 1. */
  readonly id: number;
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The fields that it adds to an offer. */
export interface OfferRecordStamps extends RecordStamps {
  //
  /**
   * When anything but its commissions last changed: the instant for callers who may not see commissions. Absent
   * where it equals `updatedAt`.
   */
  readonly maskedUpdatedAt?: string;
  //
  /**
   * The number of the revision at which its commissions were last written by who may not see them, equal or not. Absent where
   * they never were.
   */
  readonly blindRevision?: number;
}

/** When an offer last changed, for a caller who may see commissions or may not. */
export function shownUpdatedAt(
  { updatedAt, maskedUpdatedAt = updatedAt }: Pick<OfferRecordStamps, 'updatedAt' | 'maskedUpdatedAt'>,
  seesCommissions: boolean,
): string {
  return seesCommissions ? updatedAt : maskedUpdatedAt;
}

/** An electricity offer as it is stored. */
export type ElectricityOffer = ElectricityTerms & OfferRecordStamps;
/** A gas offer as it is stored. */
export type GasOffer = GasTerms & OfferRecordStamps;
/** A supply tariff. The fields of the other supply type do not exist on it. */
export type Offer = ElectricityOffer | GasOffer;

/** A list as bits, by the order of its names. */
export function bitsOfList(list: readonly string[], names: readonly string[]): number {
  return list.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0);
}

const NO_HOURS = { index: null, surplusIndex: null };

/** The indices whose hours the energy and the surplus of an offer follow; `null`: none. */
export function followedBy(offer: OfferTerms): Pick<ElectricityTerms, 'index' | 'surplusIndex'> {
  if (offer.supplyType !== 'LUZ') return NO_HOURS;
  const { isIndexed, hasSolarPanels, index = null, surplusIndex = null } = offer;
  return { index: isIndexed ? index : null, surplusIndex: hasSolarPanels ? surplusIndex : null };
}

/** EUR of a price of energy for one EUR of the index that it follows. */
export function factorOf(offer: OfferTerms): number {
  return offer.supplyType === 'LUZ' ? (offer.indexFactor ?? 1) : 1;
}

/** The indices whose hours an offer names. */
export function indicesOf(offer: OfferTerms): readonly string[] {
  return offer.supplyType === 'LUZ' ? [offer.index, offer.surplusIndex].filter((index) => index !== null) : [];
}

/** Some fields of an offer. */
export type PartialOffer<Field> =
  | Pick<ElectricityOffer, Extract<Field | 'supplyType', keyof ElectricityOffer>>
  | Pick<GasOffer, Extract<Field | 'supplyType', keyof GasOffer>>;

/** By what a file names an offer. */
export type OfferHead = Pick<Offer, 'id' | 'companyId' | 'offerName' | 'isActive'>;

/** The prices of one month of an indexed electricity offer. */
export interface ElectricityMonth extends ElectricityPrices {
  /** First day of the month, `YYYY-MM-01`. */
  readonly month: string;
}

/** The same of a gas offer. */
export interface GasMonth extends GasPrices {
  readonly month: string;
}

/** The prices of one month of an indexed offer. */
export type MonthlyPrice = ElectricityMonth | GasMonth;

/** An offer with its monthly prices, oldest first; none for offers that are not indexed. */
export interface OfferWithHistory {
  readonly offer: Offer;
  readonly months: readonly MonthlyPrice[];
}
