// The present contract of a customer, with which every result is compared.
import { checkAmount, checkNumber, checkPeriods } from '../bounds.ts';
import type { Month } from '../calendar.ts';
import type { Issue } from '../errors.ts';
import type { Message } from '../messages/message.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Exclusion } from '../offers/exclusion.ts';
import { initialTerms } from '../offers/field-parts.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { OFFER_FIELDS } from '../offers/offer-fields.ts';
import { type PerPeriod, perPeriod } from '../periods.ts';
import { type CostBreakdown, priceOffer } from '../price/cost.ts';
import { type CalculationPeriod, type Customer, demandOf, NO_FEES } from '../price/customer.ts';
import { byPart, type CostPartName } from '../price/rule.ts';

/**
 * The present contract of a customer: prices before tax in the units of an offer, an offer, or over the calculation
 * period the whole cost before tax, or the bill with taxes.
 */
export type PresentContract = (
  | ContractPrices
  | ContractOffer
  | {
      /** The whole cost over the calculation period before tax, EUR, 0 to 1e9. */
      readonly totalEur: number;
    }
  | {
      /** The bill over the calculation period with taxes, EUR, 0 to 1e9. */
      readonly billEur: number;
    }
) & {
  /** Whether the customer has the social bonus of electricity. */
  readonly hasSocialBonus?: boolean;
  /** Whether it is the last-resort tariff of gas. */
  readonly isLastResort?: boolean;
};

/** The offer that the customer has, of the customer's supply. */
export interface ContractOffer {
  readonly entry: OfferWithHistory;
  /** What the customer pays for services, EUR; `null` or left out: as the offer says. */
  readonly servicesEurPerMonth?: number | null;
}

/** Prices of the customer's supply; a missing one is no price. */
export type ContractPrices =
  | {
      readonly supplyType: 'LUZ';
      /** EUR/kWh, P1 first. */
      readonly energyEurPerKwh?: PerPeriod<number | null>;
      /** EUR/kW and day, P1 first. */
      readonly powerEurPerKwDay?: PerPeriod<number | null>;
      /** EUR a month. */
      readonly servicesEurPerMonth?: number | null;
      /** The price of exported energy, EUR/kWh, credited up to what the energy costs, whatever the contract calls it. */
      readonly surplusEurPerKwh?: number | null;
    }
  | {
      readonly supplyType: 'GAS';
      /** EUR/kWh. */
      readonly gasEnergyEurPerKwh?: number | null;
      /** EUR a month. */
      readonly gasFixedEurPerMonth?: number | null;
      /** EUR a month. */
      readonly servicesEurPerMonth?: number | null;
    };

/**
 * What the present contract costs over the calculation period, EUR; the parts are `null` where only the total is known.
 */
export type PresentCost = { readonly [Part in CostPartName]: number | null } & Pick<
  CostBreakdown,
  'ssaaEur' | 'totalEur'
>;

/** What a ranking knows of the present contract. */
export interface PresentPricing {
  /** `null` where no present contract is known. */
  readonly presentCost: PresentCost | null;
  //
  /** Only where an offer is the present contract and has no cost: why. */
  readonly presentExclusion?: Exclusion;
}

/** What the present contract costs, by the definition and without fees; `null` where only the bill is known. */
export function priceContract(
  contract: PresentContract | null,
  { customer, period, month, ssaaEurPerMwh = 0 }: Asked,
): PresentPricing {
  if (contract === null || 'billEur' in contract) return { presentCost: null };
  if ('totalEur' in contract) {
    const totalEur = roundHalfUp(contract.totalEur, 6);
    return { presentCost: { ...byPart(() => null), totalEur } };
  }
  const pricing = priceOffer(entryOf(contract), demandOf(customer, period, { ...NO_FEES, ssaaEurPerMwh }), month);
  if (pricing.priced) return { presentCost: pricing.cost };
  return { presentCost: null, ...('entry' in contract && { presentExclusion: pricing.exclusion }) };
}

interface Asked {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  readonly month: Month | null;
  readonly ssaaEurPerMwh?: number;
}

/** The contract as an offer. */
function entryOf(contract: ContractPrices | ContractOffer): OfferWithHistory {
  if ('entry' in contract) {
    const { entry, servicesEurPerMonth: services } = contract;
    return services == null ? entry : { ...entry, offer: { ...entry.offer, servicesEurPerMonth: services } };
  }
  const offer: Offer =
    contract.supplyType === 'LUZ'
      ? {
          ...NO_OFFER,
          ...initialTerms('LUZ'),
          ...contract,
          energyEurPerKwh: likeOffers(contract.energyEurPerKwh),
          powerEurPerKwDay: likeOffers(contract.powerEurPerKwDay),
          hasSolarPanels: true,
        }
      : { ...NO_OFFER, ...initialTerms('GAS'), ...contract };
  return { offer, months: [] };
}

/** A list of the same kind as those of offers: with another kind the engine would price every offer more slowly. */
function likeOffers(prices?: PerPeriod<number | null>): PerPeriod<number | null> {
  return perPeriod((period) => prices?.[period] ?? null);
}

/** Fields that an offer has and a contract has not; no price depends on them. */
const NO_OFFER = { id: 0, createdAt: '', updatedAt: '' };

//
/** The bounds of what a present contract costs as a whole, included. */
export const CONTRACT_TOTAL = { min: 0, max: 1e9, unit: 'EUR' } as const;

/** Those of its prices: the ones of a month, where exported energy has those of energy. */
export const CONTRACT_PRICES = {
  energyEurPerKwh: OFFER_FIELDS.energyEurPerKwh.monthlyBounds,
  surplusEurPerKwh: OFFER_FIELDS.energyEurPerKwh.monthlyBounds,
  powerEurPerKwDay: OFFER_FIELDS.powerEurPerKwDay.bounds,
  gasEnergyEurPerKwh: OFFER_FIELDS.gasEnergyEurPerKwh.monthlyBounds,
  gasFixedEurPerMonth: OFFER_FIELDS.gasFixedEurPerMonth.bounds,
  servicesEurPerMonth: OFFER_FIELDS.servicesEurPerMonth.bounds,
} as const;

const CONTRACT_PRICE_NAMES = Object.keys(CONTRACT_PRICES) as (keyof typeof CONTRACT_PRICES)[];

/** Everything that is wrong with the present contract of a customer, by the names of an offer's fields. */
export function contractIssues(contract: PresentContract, customer: Customer): readonly Issue[] {
  if ('totalEur' in contract) return checkAmount('totalEur', contract.totalEur, CONTRACT_TOTAL);
  if ('billEur' in contract) return checkAmount('billEur', contract.billEur, CONTRACT_TOTAL);
  const prices: { readonly [Name in keyof typeof CONTRACT_PRICES]?: PerPeriod<number | null> | number | null } =
    contract;
  const outOfBounds = CONTRACT_PRICE_NAMES.flatMap((name) => {
    const price = prices[name] ?? null;
    const bounds = CONTRACT_PRICES[name];
    return typeof price === 'object' && price !== null
      ? checkPeriods(name, price, bounds)
      : checkNumber(name, price, bounds);
  });
  return [...outOfBounds, ...missingContractPrices(contract, customer)];
}

/** Every price that the present contract lacks, by the names of an offer's fields: `energyEurPerKwh.2`. */
export function missingContractPrices(contract: PresentContract, customer: Customer): readonly Issue[] {
  if (!('supplyType' in contract)) return [];
  if (contract.supplyType === 'GAS') {
    return (['gasEnergyEurPerKwh', 'gasFixedEurPerMonth'] as const)
      .filter((path) => (contract[path] ?? null) === null)
      .map((path): Issue => ({ path, message: 'is needed for gas' }));
  }
  if (customer.supplyType === 'GAS') return [];
  const missing = (path: 'energyEurPerKwh' | 'powerEurPerKwDay', quantities: readonly number[], message: Message) =>
    quantities.flatMap((quantity, period) =>
      quantity > 0 && (contract[path]?.[period] ?? null) === null ? [{ path: `${path}.${period}`, message }] : [],
    );
  return [
    ...missing('energyEurPerKwh', customer.consumptionKwh, 'is needed: something is consumed in this period'),
    ...missing('powerEurPerKwDay', customer.powerKw, 'is needed: something is contracted in this period'),
  ];
}
