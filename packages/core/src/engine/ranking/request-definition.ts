import type { CustomerDefinition, Fees } from '../cost/customer.ts';
import { assert } from '../errors.ts';
import { checkMembers, type Kind } from '../members.ts';
import { checkEnergyPrices, tariffMeantBy } from '../offers/implausible.ts';
import type { FilterDefinition, OfferFilter } from '../offers/offer-filter.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import type { BillTerms } from '../taxes/bill-terms.ts';
import type { PresentContract } from './present-contract.ts';
import type { RankingRequest } from './ranking.ts';
import type { ReasonsAsked } from './reasons-asked.ts';

/** A request for one customer; everything but the customer has a default. */
export interface RequestDefinition {
  readonly customer: CustomerDefinition;
  /** Default: a year of 365 days and 12 months, or the days of a profile. */
  readonly period?:
    | {
        /** Whole days, 1 to 1 100. */
        readonly days?: number | undefined;
        /** Whole months, 1 to 36; beside days also what they give, to hundredths. */
        readonly months?: number | undefined;
      }
    | undefined;
  /** EUR/MWh; default none. */
  readonly fees?: Partial<Fees> | undefined;
  /** What balancing services cost where an offer bills them apart, EUR/MWh, 0 to 200; default 0. */
  readonly ssaaEurPerMwh?: number | undefined;
  /** A number, 0 (commission only) to 1 (savings only), both included; default 0.5. */
  readonly weight?: number | undefined;
  /**
   * Month whose prices indexed offers apply, `YYYY-MM` or any real day of it; default `null`, the mean of their
   * history.
   */
  readonly month?: string | null | undefined;
  /** The day or month of the question, on which two warnings depend; default `null`: not known. */
  readonly today?: string | null | undefined;
  /** The day on which the customer signs, `YYYY-MM-DD`: offers that are not valid on it are excluded; default `null`: not said. */
  readonly signingDay?: string | null | undefined;
  /** The filter on offers; conditions that are left out or `null` do not apply. */
  readonly filter?: FilterDefinition | undefined;
  /** Results shown, a whole number >= 1; default 50. */
  readonly limit?: number | undefined;
  /** `false` ranks by cost alone and shows no commission; default `true`. */
  readonly seesCommissions?: boolean | undefined;
  /** In place of a weight: EUR of the customer's annual cost for one EUR of commission, 0 to 100. */
  readonly tolerance?: number | null | undefined;
  /**
   * The present contract of the customer: every result has its saving. Its prices are within the bounds of a month of an
   * offer, a total or a bill is 0 to 1e9 EUR.
   */
  readonly contract?: PresentContract | null | undefined;
  /** The terms of `billTerms`: every result has its bill with taxes. */
  readonly bill?: BillTerms | null | undefined;
  /** With it the answer has the reasons asked for. */
  readonly reasons?: ReasonsAsked | null | undefined;
  /** Those of `leastPowerPrices`: a warning names offers with a price of power below them. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

type Kinds<T> = Readonly<Record<T extends unknown ? keyof T : never, Kind>>;

/** Those of a request that `defineRequest` has completed are known too. */
const REQUEST: Kinds<RequestDefinition & RankingRequest> = {
  customer: 'object',
  period: 'object',
  fees: 'object',
  ssaaEurPerMwh: 'number',
  weight: 'number',
  month: 'text',
  today: 'text',
  signingDay: 'text',
  filter: 'object',
  limit: 'number',
  seesCommissions: 'boolean',
  tolerance: 'number',
  contract: 'object',
  bill: 'object',
  reasons: 'object',
  leastPowerPrices: 'object',
  company: 'object',
  hasOtherSupply: 'function',
  presentMonth: 'text',
  offset: 'number',
  search: 'object',
};

const CUSTOMERS = {
  LUZ: { supplyType: 'text', consumptionKwh: 'numbers', powerKw: 'numbers', exportedKwh: 'number', profile: 'object' },
  GAS: { supplyType: 'text', consumptionKwh: 'number', profile: 'object' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>;

const ENTRY = { month: 'number', days: 'number', consumptionKwh: 'numbers', exportedKwh: 'number' } as const;

const FILTER: Kinds<OfferFilter> = {
  supplyType: 'text',
  tariffType: 'text',
  territory: 'text',
  community: 'text',
  customerType: 'text',
  ssaaIncluded: 'boolean',
  hasSolarPanels: 'boolean',
  maxPermanenceMonths: 'number',
  minFixedPriceMonths: 'number',
  isGreen: 'boolean',
};

const PARTS = {
  period: { days: 'number', months: 'number' },
  fees: { energyEurPerMwh: 'number', powerEurPerMwh: 'number' },
  filter: FILTER,
  reasons: { why: 'object', thresholds: 'boolean', retrospective: 'boolean', margin: 'boolean' },
} as const satisfies Partial<Record<keyof RequestDefinition, Readonly<Record<string, Kind>>>>;

const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** Of every present contract. */
const CUSTOMER_HAS = { hasSocialBonus: 'boolean', isLastResort: 'boolean' } as const;
const SERVICES = { servicesEurPerMonth: 'number' } as const;
/** By the member that says what is known of it, and of prices by the supply. */
const CONTRACTS = {
  totalEur: { ...CUSTOMER_HAS, totalEur: 'number' },
  billEur: { ...CUSTOMER_HAS, billEur: 'number' },
  entry: { ...CUSTOMER_HAS, ...SERVICES, entry: 'object' },
  LUZ: {
    ...{ ...CUSTOMER_HAS, ...SERVICES, supplyType: 'text', surplusEurPerKwh: 'number' },
    ...{ energyEurPerKwh: 'numbers', powerEurPerKwDay: 'numbers' },
  },
  GAS: {
    ...{ ...CUSTOMER_HAS, ...SERVICES, supplyType: 'text' },
    ...{ gasEnergyEurPerKwh: 'number', gasFixedEurPerMonth: 'number' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>;

/**
 * Checks what a program asks for members and kinds of values that no compiler has seen. Bounds are checked where the
 * values are used.
 *
 * @throws RangeError that names the member, and what was probably meant.
 */
export function checkRequest(definition: RequestDefinition): void {
  checkMembers('', definition, REQUEST);
  const { customer, filter, contract = null, bill = null, reasons } = definition;
  assert(typeof customer === 'object' && customer !== null, 'a question has a customer');
  const own = Object.hasOwn(CUSTOMERS, customer.supplyType) ? CUSTOMERS[customer.supplyType] : null;
  if (own) checkMembers('customer.', customer, own);
  if (Array.isArray(customer.profile)) {
    for (const [at, entry] of customer.profile.entries()) checkMembers(`customer.profile.${at}.`, entry, ENTRY);
  }
  for (const name of PART_NAMES) {
    const part = definition[name];
    if (part) checkMembers(`${name}.`, part, PARTS[name]);
  }
  if (reasons?.why) checkMembers('reasons.why.', reasons.why, { againstId: 'number' });
  const tariff = tariffMeantBy(filter?.tariffType ?? '');
  assert(tariff === null, `filter.tariffType is no access tariff: is ${tariff} meant?`);
  if (contract) checkContract(contract);
  assert(bill === null || 'extras' in bill, 'bill is what billTerms gives for the definition of a bill');
}

function checkContract(contract: PresentContract): void {
  const kind =
    (['totalEur', 'billEur', 'entry'] as const).find((name) => name in contract) ??
    ('supplyType' in contract ? contract.supplyType : null);
  assert(kind !== null, 'contract has none of supplyType with prices, entry, totalEur and billEur');
  if (Object.hasOwn(CONTRACTS, kind)) checkMembers('contract.', contract, CONTRACTS[kind]);
  checkEnergyPrices('contract.', contract);
}
