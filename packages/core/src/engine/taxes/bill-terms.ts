import { type Bounds, checkAmount } from '../bounds.ts';
import { type Day, dayNumber } from '../calendar.ts';
import { assert, DomainError, type Issue } from '../errors.ts';
import { checkMembers, type Kinds } from '../members.ts';
import { say } from '../messages/message.ts';
import type { CustomerType, Territory } from '../offers/offer.ts';
import type { CostBreakdown } from '../price/cost.ts';
import { type CalculationPeriod, type Customer, YEAR } from '../price/customer.ts';
import { type Bill, type BilledExtras, type BillRates, billOf, productInCents } from './bill.ts';
import { type Lookup, lookupOn, type SentRates, undecidedDetails } from './rate-lookup.ts';
import { RATE_NAMES, RATES, type Rate, type RateKind, type SettledRate } from './rates.ts';

/** What bills depend on besides the cost; everything but the day has a default. */
export interface BillDefinition {
  /** When they fall due, a real day; its rates hold for the whole period. */
  readonly day: Day;
  /** A dwelling of a natural person, which decides the IGIC; default: the customer is an individual. */
  readonly isDwelling?: boolean | undefined;
  /** The use of electricity, which decides the least tax; default: industrial for tariffs 6.x. */
  readonly use?: 'general' | 'industrial' | undefined;
  /** The use of gas, which decides the tax on hydrocarbons; default general. */
  readonly gasUse?: 'general' | 'profesional' | undefined;
  /** Reduced VAT whatever the power; default `false`. */
  readonly isSeverelyVulnerable?: boolean | undefined;
  /** The rental of the meter: the regulated one, or 0 to 1 000 EUR a month; default 0, with a notice. */
  readonly rental?: 'monofasico' | 'trifasico' | number | undefined;
  /** Whether the financing of the social bonus is billed beside the prices; default `true` where it is known. */
  readonly paysSocialBonus?: boolean | undefined;
  /** Whether it bears electricity tax (DGT V2340-22); default `true`. */
  readonly isSocialBonusTaxed?: boolean | undefined;
  readonly other?:
    | {
        /** EUR over the period that bear electricity tax, such as excess of power, 0 to 1e6. */
        readonly otherTaxedEur?: number | undefined;
        /** EUR over the period that bear none, 0 to 1e6. */
        readonly otherUntaxedEur?: number | undefined;
      }
    | undefined;
  /** Rates in place of those of the table. */
  readonly rates?: SentRates | undefined;
}

const DEFINITION: Kinds<BillDefinition> = {
  ...{ day: 'any', isDwelling: 'boolean', use: 'text', gasUse: 'text', isSeverelyVulnerable: 'boolean' },
  ...{ rental: 'any', paysSocialBonus: 'boolean', isSocialBonusTaxed: 'boolean', other: 'object', rates: 'object' },
};
const OTHER: Kinds<NonNullable<BillDefinition['other']>> = { otherTaxedEur: 'number', otherUntaxedEur: 'number' };
const SENT_RATES: Kinds<SentRates> = {
  ...{ electricityTaxPercent: 'number', indirectPercent: 'number', servicesPercent: 'number' },
  ...{ hydrocarbonEurPerKwh: 'number', socialBonusEurPerYear: 'number' },
};

function checkDefinition(definition: BillDefinition): void {
  checkMembers('bill.', definition, DEFINITION);
  const { other, rates } = definition;
  if (other) checkMembers('bill.other.', other, OTHER);
  if (rates) checkMembers('bill.rates.', rates, SENT_RATES);
}

/** The supply that is billed. */
export interface BilledSupply {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  readonly territory: Territory | null;
  readonly customerType: CustomerType | null;
}

/** What a reader of bills has to know, in the order of the answer. The codes are wire values. */
export const BILL_NOTICES = [
  'alquiler_sin_indicar',
  'bono_sin_dato',
  'tipo_por_confirmar',
  'orden_distinto_con_impuestos',
] as const;
export type BillNotice = (typeof BILL_NOTICES)[number];

/** What all bills of a customer have in common: plain data. */
export interface BillTerms {
  readonly day: Day;
  readonly extras: BilledExtras;
  readonly rates: BillRates;
  /** The rates of tariffs 6.x. */
  readonly highVoltageRates: BillRates;
  /** The rows of the table that were used: with them alone every bill can be computed again. */
  readonly rows: readonly SettledRate[];
  readonly notices: readonly BillNotice[];
}

const PERCENT = { min: 0, max: 100, unit: '%' } as const;
const EUR_OF_PERIOD = { min: 0, max: 1e6, unit: 'EUR' } as const;

//
/** The bounds of what is sent about bills, both included. */
export const BILL_BOUNDS = {
  rental: { min: 0, max: 1000, unit: 'EUR/month' },
  other: { otherTaxedEur: EUR_OF_PERIOD, otherUntaxedEur: EUR_OF_PERIOD },
  rates: {
    electricityTaxPercent: PERCENT,
    indirectPercent: PERCENT,
    servicesPercent: PERCENT,
    hydrocarbonEurPerKwh: { min: 0, max: 10, unit: 'EUR/kWh' },
    socialBonusEurPerYear: { min: 0, max: 1000, unit: 'EUR/year' },
  },
} as const;

/** The first day on which the financing of the social bonus is known. */
const FIRST_BONUS_DAY: Day = '2025-01-01';
/** The first day on which bills are computed. */
const FIRST_DAY: Day = '2021-01-01';
/** Up to this power in every period VAT is reduced, and the IGIC of dwellings 0. */
export const REDUCED_UP_TO_KW = 10;
/** The days on which VAT was reduced below that power alone (RDL 7/2026, art. 42.a). */
const REDUCED_BELOW: readonly [Day, Day] = ['2026-03-22', '2026-04-29'];
/** Up to this power the rental of a meter is regulated. */
const REGULATED_RENTAL_UP_TO_KW = 15;
/** The tax that every sale bears. */
const INDIRECT_TAX = { peninsula: 'iva', baleares: 'iva', canarias: 'igic', ceuta_melilla: 'ipsi' } as const;
export const indirectTaxName = (territory: Territory) => RATE_NAMES[INDIRECT_TAX[territory]];

//
/**
 * The terms of a customer's bills.
 *
 * @param table - The rates, with those of an operator.
 * @throws RangeError for a member that is unknown or of another kind, and a text that is no day, and DomainError `business_rule` for an amount or a rate out of its bounds,
 *   for what the supply does not have, and for a day whose rates are undecided or not known, with the values that they may
 *   have: no rate is assumed.
 */
export function billTerms(definition: BillDefinition, supply: BilledSupply, table: readonly Rate[] = RATES): BillTerms {
  checkDefinition(definition);
  assert(dayNumber(definition.day) !== null, 'bills fall due on a real day, YYYY-MM-DD');
  const issues = billIssues(definition, supply);
  const { customer, territory } = supply;
  if (territory === null || issues.length > 0) throw new DomainError('business_rule', { issues });
  const { rates: sent = {} } = definition;
  const lookup = lookupOn(table, { supplyType: customer.supplyType, territory, day: definition.day });
  const { rate } = lookup;
  const indirectTax = INDIRECT_TAX[territory];
  const indirect = {
    indirectPercent: rate(indirectTax, indirectKind(definition, supply), sent.indirectPercent),
    servicesPercent: rate(indirectTax, 'servicios', sent.servicesPercent),
    isRentalService: indirectTax !== 'iva',
  };
  const kwh = consumedKwhOf(customer);
  const isElectric = customer.supplyType === 'LUZ';
  const electricityTaxPercent = isElectric ? rate('impuesto_electrico', 'general', sent.electricityTaxPercent) : 0;
  const ratesOfUse = (use: 'general' | 'industrial'): BillRates =>
    !isElectric
      ? { ...indirect, electricityTax: null }
      : {
          ...indirect,
          electricityTax: {
            // Without consumption there is no tax (DGT V1496-16).
            percent: kwh > 0 ? electricityTaxPercent : 0,
            leastEur: productInCents(kwh, rate('impuesto_electrico_minimo', use), 1000) / 100,
            isSocialBonusTaxed: definition.isSocialBonusTaxed ?? true,
          },
        };
  const rates = ratesOfUse(definition.use ?? 'general');
  const highVoltageRates = ratesOfUse(definition.use ?? 'industrial');
  const { extras, notices } = extrasOf(definition, supply, lookup);
  const { rows, undecided } = lookup.found();
  if (undecided.length > 0) throw new DomainError('business_rule', undecidedDetails(undecided, sent));
  const isUnconfirmed = rows.some(({ isCertain, concept }) => !isCertain && concept !== 'financiacion_bono');
  return {
    day: definition.day,
    extras,
    rates,
    highVoltageRates,
    rows,
    notices: isUnconfirmed ? [...notices, 'tipo_por_confirmar'] : notices,
  };
}

/** Whether offers of a tariff bear the least electricity tax of industry, unless the question names a use. */
export function hasIndustrialUse(tariffType: string): boolean {
  return tariffType.startsWith('6.');
}

/** The bill of an offer. @param cost - A part that is left out is 0. */
export function billFor(terms: BillTerms, cost: Partial<CostBreakdown>, tariffType: string): Bill {
  return billOf(cost, terms.extras, ratesFor(terms, tariffType));
}

/** The rates of the bill of an offer. */
export function ratesFor({ rates, highVoltageRates }: BillTerms, tariffType: string): BillRates {
  return hasIndustrialUse(tariffType) ? highVoltageRates : rates;
}

function consumedKwhOf({ consumptionKwh }: Customer): number {
  return typeof consumptionKwh === 'number' ? consumptionKwh : consumptionKwh.reduce((sum, kwh) => sum + kwh, 0);
}

function highestKwOf(customer: Customer): number {
  return customer.supplyType === 'LUZ' ? Math.max(...customer.powerKw) : 0;
}

/** Which rate of the indirect tax the supply bears. */
function indirectKind(definition: BillDefinition, { customer, territory, customerType }: BilledSupply): RateKind {
  if (customer.supplyType === 'GAS' || territory === 'ceuta_melilla') return 'general';
  const { day, isDwelling = customerType === 'dni', isSeverelyVulnerable = false } = definition;
  const kw = highestKwOf(customer);
  if (territory === 'canarias') return isDwelling && kw <= REDUCED_UP_TO_KW ? 'vivienda' : 'general';
  const isBelowAlone = day >= REDUCED_BELOW[0] && day <= REDUCED_BELOW[1];
  const isSmall = isBelowAlone ? kw < REDUCED_UP_TO_KW : kw <= REDUCED_UP_TO_KW;
  return isSmall || isSeverelyVulnerable ? 'reducido' : 'general';
}

/** What is billed beside the offer. */
function extrasOf(
  { rates: sent = {}, other = {}, rental, paysSocialBonus, gasUse = 'general', day }: BillDefinition,
  { customer, period: { days }, territory }: BilledSupply,
  { rate, isKnown }: Lookup,
): Pick<BillTerms, 'extras'> & { readonly notices: readonly BillNotice[] } {
  const isElectric = customer.supplyType === 'LUZ';
  const hasBonusRate =
    sent.socialBonusEurPerYear !== undefined || day >= FIRST_BONUS_DAY || isKnown('financiacion_bono', 'general');
  const hasBonus = isElectric && (paysSocialBonus ?? hasBonusRate);
  const bonusEurPerYear = hasBonus ? rate('financiacion_bono', 'general', sent.socialBonusEurPerYear) : 0;
  const rentalEurPerMonth = typeof rental === 'string' ? rate('alquiler', rental) : (rental ?? 0);
  const isOnMainland = territory === 'peninsula' || territory === 'baleares';
  const hasGasTax = !isElectric && (isOnMainland || sent.hydrocarbonEurPerKwh !== undefined);
  const gasTaxEurPerKwh = hasGasTax ? rate('hidrocarburos', gasUse, sent.hydrocarbonEurPerKwh) : 0;
  return {
    extras: {
      socialBonusEur: productInCents(days, bonusEurPerYear, YEAR.days) / 100,
      otherTaxedEur: other.otherTaxedEur ?? 0,
      hydrocarbonTaxEur: productInCents(consumedKwhOf(customer), gasTaxEurPerKwh, 1) / 100,
      rentalEur: productInCents(YEAR.months * days, rentalEurPerMonth, YEAR.days) / 100,
      otherUntaxedEur: other.otherUntaxedEur ?? 0,
    },
    notices: [
      ...(rental === undefined ? (['alquiler_sin_indicar'] as const) : []),
      ...(isElectric && paysSocialBonus === undefined && !hasBonusRate ? (['bono_sin_dato'] as const) : []),
    ],
  };
}

/**
 * What is wrong with a question about bills: a day before 2021, no territory, what is out of its bounds, and what the
 * supply does not have.
 * Paths begin with `bill.`, but for `territory`.
 */
export function billIssues(definition: BillDefinition, supply: BilledSupply): readonly Issue[] {
  const { customer, territory, customerType } = supply;
  const { supplyType } = customer;
  const { day, rental, rates = {}, other = {} } = definition;
  const ofElectricity = {
    use: definition.use,
    paysSocialBonus: definition.paysSocialBonus,
    isSocialBonusTaxed: definition.isSocialBonusTaxed,
    isSeverelyVulnerable: definition.isSeverelyVulnerable,
    'other.otherTaxedEur': other.otherTaxedEur,
    'rates.electricityTaxPercent': rates.electricityTaxPercent,
    'rates.socialBonusEurPerYear': rates.socialBonusEurPerYear,
  };
  const ofGas = { gasUse: definition.gasUse, 'rates.hydrocarbonEurPerKwh': rates.hydrocarbonEurPerKwh };
  const misplaced = Object.entries(supplyType === 'LUZ' ? ofGas : ofElectricity).filter(
    ([, value]) => value !== undefined,
  );
  const isRentalByContract = supplyType === 'GAS' || highestKwOf(customer) > REGULATED_RENTAL_UP_TO_KW;
  const found: readonly (Issue | false)[] = [
    territory === null && {
      path: 'territory',
      message: say('is needed together with {field}', { field: 'bill' }),
    },
    day < FIRST_DAY && { path: 'bill.day', message: say('must not be before {day}', { day: FIRST_DAY }) },
    ...misplaced.map(([path]) => ({
      path: `bill.${path}`,
      message: say('is not allowed for {supply}', { supply: supplyType }),
    })),
    definition.isSeverelyVulnerable === true &&
      supplyType === 'LUZ' &&
      customerType === 'cif' && {
        path: 'bill.isSeverelyVulnerable',
        message: say('is not allowed for {supply}', { supply: customerType }),
      },
    typeof rental === 'string' &&
      isRentalByContract && {
        path: 'bill.rental',
        message: say('is regulated for electricity up to {kw} kW alone: send EUR a month', {
          kw: REGULATED_RENTAL_UP_TO_KW,
        }),
      },
  ];
  return [
    ...found.filter((issue) => issue !== false),
    ...(typeof rental === 'number' ? checkAmount('bill.rental', rental, BILL_BOUNDS.rental) : []),
    ...outOfBounds('bill.other', other, BILL_BOUNDS.other),
    ...outOfBounds('bill.rates', rates, BILL_BOUNDS.rates),
  ];
}

function outOfBounds(path: string, sent: object, bounds: Readonly<Record<string, Bounds>>): readonly Issue[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const own = bounds[name];
    return own && value !== undefined ? checkAmount(`${path}.${name}`, value, own) : [];
  });
}
