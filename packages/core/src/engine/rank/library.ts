// The calls of a program that embeds the engine.
import { dayNumber, namedMonth } from '../calendar.ts';
import type { HourlyPrices, ProfileEntry } from '../consumption/profile.ts';
import { assert } from '../errors.ts';
import { checkMembers, type Kind, type Kinds } from '../members.ts';
import { inWords } from '../messages/message.ts';
import { checkEnergyPrices, tariffMeantBy } from '../offers/implausible.ts';
import { type Offer, type OfferWithHistory, OTHER_SUPPLY, type SupplyType } from '../offers/offer.ts';
import { offerCheck } from '../offers/offer-check.ts';
import { ANY_COMPANY, defineFilter, type FilterDefinition, type OfferFilter } from '../offers/offer-filter.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import {
  type Customer,
  type CustomerDefinition,
  defineCustomer,
  type Fees,
  NO_FEES,
  periodOf,
} from '../price/customer.ts';
import { compileTable } from '../price/table.ts';
import type { BillTerms } from '../taxes/bill-terms.ts';
import { finish } from '../turns.ts';
import { contractIssues, type PresentContract } from './present-contract.ts';
import { answerTo, type PortfolioAnswer, rankPortfolio, rankUniverses } from './rank.ts';
import { type AskedReasons, DEFAULT_LIMIT, DEFAULT_WEIGHT, type Ranking, type RankingRequest } from './ranking.ts';
import { questionOf } from './select.ts';
import { emptyUniverse, hasOffers, patchUniverse, type Universe } from './universe.ts';

/** The arguments of `rankOffers`. */
export interface RankOffersInput extends RequestDefinition {
  /**
   * Offers of `defineOffer`, or, with their monthly prices, of `defineHistory`; in any order, each id once. Inactive
   * ones and those of the other supply are left out.
   */
  readonly offers: readonly (Offer | OfferWithHistory)[];
}

/**
 * Ranks plain objects for one customer, without server or database: the whole engine in one call. For a list that is
 * ranked once this is the fastest way; for many requests on one list, use `createMarket`.
 *
 * @throws RangeError when a weight, a period, a fee, a quantity or the present contract is out of its range, a month, a day,
 *   a territory, a community or a type of customer does not exist, the limit is no whole number >= 1, or two offers have
 *   one id.
 */
export function rankOffers({ offers, ...definition }: RankOffersInput): Ranking {
  const asked = defineRequest(definition);
  const { supplyType } = asked.customer;
  const hasOtherSupply = () => entriesOf(offers, OTHER_SUPPLY[supplyType]).length > 0;
  const request = { ...asked, hasOtherSupply };
  const entries = entriesOf(offers, supplyType).sort((a, b) => a.offer.id - b.offer.id);
  return finish(
    answerTo(
      [
        {
          table: compileTable(
            supplyType,
            entries.map((entry) => ({ entry })),
          ),
          admits: () => true,
        },
      ],
      questionOf(request),
    ),
  );
}

function entriesOf(offers: RankOffersInput['offers'], supplyType: SupplyType): OfferWithHistory[] {
  const soundEntryOf = offerCheck(supplyType);
  return offers.map(soundEntryOf).filter((entry) => entry?.offer.isActive === true) as OfferWithHistory[];
}

/** Offers prepared for many requests. */
export interface Market {
  /** The same result as `rankOffers`, but faster. @throws RangeError as `rankOffers`. */
  readonly rank: (question: RequestDefinition) => Ranking;
  /** The same for many customers, without the lists that only one of them needs. No bad question affects the others. */
  readonly rankMany: (questions: readonly RequestDefinition[]) => readonly PortfolioAnswer[];
  /**
   * The market after some offers were changed or added: each takes the place of the one with its supply and id. An offer
   * leaves the market by becoming inactive. This market stays as it is.
   *
   * @throws RangeError as `createMarket`.
   */
  readonly replace: (offers: readonly (Offer | OfferWithHistory)[]) => Market;
}

/**
 * Prepares offers for many questions. It holds the offers themselves: what is changed in one afterwards gives wrong answers.
 *
 * @param offers - As `rankOffers` takes them, of both supplies.
 * @throws RangeError when an id is no whole number >= 1, two offers of a supply have one id, an offer has a month twice, one
 *   of its numbers or of its months' is out of the bounds of `defineOffer` and `defineHistory`, or its tiers do not ascend.
 *   Texts, days and what two fields say together are not checked here.
 */
export function createMarket(offers: readonly (Offer | OfferWithHistory)[]): Market {
  return marketWith({ LUZ: emptyUniverse('LUZ'), GAS: emptyUniverse('GAS') }, offers);
}

function marketWith(
  before: Readonly<Record<SupplyType, Universe>>,
  offers: readonly (Offer | OfferWithHistory)[],
): Market {
  const changed = (supplyType: SupplyType) =>
    patchUniverse(
      before[supplyType],
      offers.map(offerCheck(supplyType)).filter((entry) => entry !== null),
    );
  const universes = { LUZ: changed('LUZ'), GAS: changed('GAS') };
  const partsOf = (supplyType: SupplyType) => [{ universe: universes[supplyType], admits: () => true }];
  const requestOf = (question: RequestDefinition) => {
    const request = defineRequest(question);
    const other = OTHER_SUPPLY[request.customer.supplyType];
    return { ...request, hasOtherSupply: () => hasOffers(partsOf(other), other) };
  };
  const partsFor = ({ customer }: RankingRequest) => partsOf(customer.supplyType);
  return {
    rank: (question) => {
      const request = requestOf(question);
      return rankUniverses(partsFor(request), request);
    },
    rankMany: (questions) =>
      questions.flatMap((question): readonly PortfolioAnswer[] => {
        try {
          const request = requestOf(question);
          return rankPortfolio(partsFor(request), [request]);
        } catch (error) {
          return [{ ranked: false, error }];
        }
      }),
    replace: (others) => marketWith(universes, others),
  };
}

/**
 * Completes the definition of a request: its customer, period and fees are what `demandOf` takes.
 *
 * @throws RangeError as `rankOffers`, but for the weight, the fees and the quantities only when the request is ranked.
 */
export function defineRequest(definition: RequestDefinition): RankingRequest {
  checkRequest(definition);
  const customer = defineCustomer(definition.customer);
  const limit = definition.limit ?? DEFAULT_LIMIT;
  assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit is a whole number >= 1');
  const { tolerance = null } = definition;
  const contract = soundContract(definition.contract ?? null, customer);
  const period = periodOf(customer, definition.period ?? {});
  const filter = defineFilter(customer.supplyType, definition.filter ?? {});
  const { bill = null, reasons = null, ssaaEurPerMwh = 0, signingDay = null } = definition;
  assert(signingDay === null || dayNumber(signingDay) !== null, `${signingDay} is no day: YYYY-MM-DD`);
  return {
    customer,
    period,
    fees: { ...NO_FEES, ...definition.fees },
    weight: definition.weight ?? DEFAULT_WEIGHT,
    month: namedMonth(definition.month ?? null),
    presentMonth: namedMonth(definition.today ?? null),
    ...(signingDay !== null && { signingDay }),
    filter,
    company: ANY_COMPANY,
    limit,
    seesCommissions: definition.seesCommissions ?? true,
    tolerance,
    contract,
    ...(ssaaEurPerMwh !== 0 && { ssaaEurPerMwh }),
    ...(bill && { bill }),
    ...(reasons && { reasons }),
    leastPowerPrices: definition.leastPowerPrices,
  };
}

/** The contract, the months of an offer sorted. @throws RangeError for another supply, and for what is out of its bounds. */
function soundContract(contract: PresentContract | null, customer: Customer): PresentContract | null {
  if (!contract) return null;
  const { supplyType } = customer;
  const isOther = 'supplyType' in contract && contract.supplyType !== supplyType;
  const entry = 'entry' in contract ? offerCheck(supplyType)(contract.entry) : undefined;
  assert(!isOther && entry !== null, 'a present contract is of the supply of the customer');
  const [issue] = contractIssues(contract, customer);
  if (issue) throw new RangeError(`contract.${issue.path} ${inWords(issue.message)}`);
  return entry ? { ...contract, entry } : contract;
}

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
  /** What `askReasons` gives: the answer has the reasons asked for. */
  readonly reasons?: AskedReasons | null | undefined;
  /** Those of `leastPowerPrices`: a warning names offers with a price of power below them. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

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

const ENTRY: Kinds<ProfileEntry> = {
  month: 'number',
  days: 'number',
  consumptionKwh: 'numbers',
  exportedKwh: 'number',
  year: 'number',
  indices: 'object',
};
const HOURS = { differences: 'numbers', surplus: 'number' } as const;

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
  reasons: { why: 'object', thresholds: 'boolean', retrospective: 'boolean', margin: 'boolean', explain: 'function' },
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
    for (const [at, entry] of customer.profile.entries()) {
      checkMembers(`customer.profile.${at}.`, entry, ENTRY);
      for (const [name, hours] of Object.entries<HourlyPrices>(entry.indices ?? {})) {
        checkMembers(`customer.profile.${at}.indices.${name}.`, hours, HOURS);
      }
    }
  }
  for (const name of PART_NAMES) if (definition[name]) checkMembers(`${name}.`, definition[name], PARTS[name]);
  if (reasons?.why) checkMembers('reasons.why.', reasons.why, { againstId: 'number' });
  const tariff = tariffMeantBy(filter?.tariffType ?? '');
  assert(tariff === null, `filter.tariffType is no access tariff: is ${tariff} meant?`);
  if (contract) checkContract(contract);
  assert(!reasons || reasons.explain instanceof Function, 'reasons is what askReasons gives for the reasons asked for');
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
