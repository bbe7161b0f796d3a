import { FIRST_MONTH, isPricedMonth, LAST_MONTH, monthFor } from '../calendar.ts';
import { type AnyTier, checkTiers } from '../commission/tier.ts';
import type { Issue } from '../errors.ts';
import { checkChangedName } from '../text.ts';
import { CUSTOMER_TYPES, type MonthlyPrice, type OfferTerms, TERRITORIES } from './offer.ts';
import { MAX_TARIFF_LENGTH } from './offer-fields.ts';

/**
 * The lowest and the highest value of a stored number, both included. The unit is told with them: a number out of its
 * bounds was most likely meant in another.
 */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

const PRICE_PER_KWH: Bounds = { min: 0, max: 10, unit: 'EUR/kWh' };
/** Market prices of one month can be negative. */
const MONTHLY_PRICE_PER_KWH: Bounds = { ...PRICE_PER_KWH, min: -10 };
/** Low enough to refuse a price per kW and year that was typed by mistake. */
const PRICE_PER_KW_DAY: Bounds = { min: 0, max: 1, unit: 'EUR/kW·day' };
const PRICE_PER_MONTH: Bounds = { min: 0, max: 100_000, unit: 'EUR/month' };
const FEE_PER_MWH: Bounds = { min: 0, max: 100_000, unit: 'EUR/MWh' };
/** Of the consumption, by its type. */
const COMMISSION: Bounds = { min: 0, max: 1_000_000, unit: 'EUR/year or EUR/MWh' };
const POWER_COMMISSION: Bounds = { ...COMMISSION, unit: 'EUR/year or EUR/kW' };

/** What is wrong with a number, if anything; `null` is no number and allowed. */
function checkNumber(path: string, value: number | null, bounds: Bounds): readonly Issue[] {
  return value === null ? NOTHING : checkAmount(path, value, bounds);
}

/** The same of a number that there must be. Text from a program in JavaScript compares as a number and adds as text. */
function checkAmount(path: string, value: number, { min, max, unit }: Bounds): readonly Issue[] {
  const fits = typeof value === 'number' && value >= min && value <= max;
  return fits ? NOTHING : [{ path, message: `must be between ${min} and ${max} ${unit}` }];
}

/** One for all: a file has a million numbers, and nearly all of them are right. */
const NOTHING: readonly Issue[] = [];

function checkPeriods(path: string, values: readonly (number | null)[], bounds: Bounds): readonly Issue[] {
  if (values.every((value) => checkNumber(path, value, bounds) === NOTHING)) return NOTHING;
  return values.flatMap((value, index) => checkNumber(`${path}.${index}`, value, bounds));
}

function checkTierValues(path: string, tiers: readonly AnyTier[], bounds: Bounds): readonly Issue[] {
  return tiers.flatMap((tier, index) => [
    ...checkAmount(`${path}.${index}.value`, tier.value, bounds),
    ...(Number.isFinite(tier.from) ? [] : [{ path: `${path}.${index}.from`, message: 'must be a finite number' }]),
    ...(tier.to === null || Number.isFinite(tier.to)
      ? []
      : [{ path: `${path}.${index}.to`, message: 'must be a finite number' }]),
  ]);
}

/**
 * Everything that forbids to store an offer: the business validations and the bounds of its fields, all at once.
 * Paths use core names (`energyEurPerKwh.0`, `consumptionTiers.1.to`); an empty list is a sound offer.
 *
 * @param stored - The names that the offer has already, if it has: as long as they stay, they need not keep rules that
 *   came later.
 * @see docs/assumptions.md, A-02, A-04, A-13 and A-14
 */
export function checkOffer(terms: OfferTerms, stored?: Pick<OfferTerms, 'offerName' | 'tariffType'>): Issue[] {
  const tariff = { stored: stored?.tariffType, maxLength: MAX_TARIFF_LENGTH };
  const issues = [
    ...checkChangedName('offerName', terms.offerName, { stored: stored?.offerName }),
    ...checkChangedName('tariffType', terms.tariffType, tariff),
    ...checkNumber('servicesEurPerMonth', terms.servicesEurPerMonth, PRICE_PER_MONTH),
    ...checkAmount('commissionValue', terms.commissionValue, COMMISSION),
    ...checkTiers('consumptionTiers', terms.consumptionTiers),
    ...checkTierValues('consumptionTiers', terms.consumptionTiers, COMMISSION),
    ...(terms.supplyType === 'LUZ' ? checkElectricity(terms) : checkGas(terms)),
  ];
  if (!TERRITORIES.some((territory) => terms.territories[territory])) {
    issues.push({ path: 'territories', message: 'at least one territory must be active' });
  }
  if (!CUSTOMER_TYPES.some((type) => terms.accepts[type])) {
    issues.push({ path: 'accepts', message: 'at least one type of customer must be accepted' });
  }
  return issues;
}

function checkElectricity(terms: Extract<OfferTerms, { supplyType: 'LUZ' }>): Issue[] {
  const issues = [
    ...checkPeriods('energyEurPerKwh', terms.energyEurPerKwh, PRICE_PER_KWH),
    ...checkPeriods('powerEurPerKwDay', terms.powerEurPerKwDay, PRICE_PER_KW_DAY),
    ...checkNumber('feePowerEurPerMwh', terms.feePowerEurPerMwh, FEE_PER_MWH),
    ...checkNumber('surplusEurPerKwh', terms.surplusEurPerKwh, PRICE_PER_KWH),
    ...checkTiers('powerTiers', terms.powerTiers),
    ...checkTierValues('powerTiers', terms.powerTiers, POWER_COMMISSION),
  ];
  if (terms.surplusEurPerKwh !== null && !terms.hasSolarPanels) {
    issues.push({ path: 'surplusEurPerKwh', message: 'is allowed only on an offer for solar panels' });
  }
  return issues;
}

function checkGas(terms: Extract<OfferTerms, { supplyType: 'GAS' }>): Issue[] {
  return [
    ...checkNumber('gasEnergyEurPerKwh', terms.gasEnergyEurPerKwh, PRICE_PER_KWH),
    ...checkNumber('gasFixedEurPerMonth', terms.gasFixedEurPerMonth, PRICE_PER_MONTH),
  ];
}

/**
 * What is wrong with the prices of one month: their bounds, a month that is not the first day of one or is out of
 * bounds, and no price at all. A price of 0 is one.
 *
 * @see docs/assumptions.md, A-02, A-12 and A-64
 */
export function checkMonth(price: MonthlyPrice): Issue[] {
  const issues = [
    ...(monthFor(price.month) === price.month && isPricedMonth(price.month)
      ? []
      : [{ path: 'month', message: `must be a month from ${FIRST_MONTH.slice(0, 7)} to ${LAST_MONTH.slice(0, 7)}` }]),
    ...(pricesOf(price).some((value) => value !== null)
      ? []
      : [{ path: 'month', message: 'needs at least one price' }]),
  ];
  if (price.supplyType === 'LUZ') {
    return [
      ...issues,
      ...checkPeriods('energyEurPerKwh', price.energyEurPerKwh, MONTHLY_PRICE_PER_KWH),
      ...checkPeriods('powerEurPerKwDay', price.powerEurPerKwDay, PRICE_PER_KW_DAY),
    ];
  }
  return [
    ...issues,
    ...checkNumber('gasEnergyEurPerKwh', price.gasEnergyEurPerKwh, MONTHLY_PRICE_PER_KWH),
    ...checkNumber('gasFixedEurPerMonth', price.gasFixedEurPerMonth, PRICE_PER_MONTH),
  ];
}

function pricesOf(price: MonthlyPrice): readonly (number | null)[] {
  return price.supplyType === 'LUZ'
    ? [...price.energyEurPerKwh, ...price.powerEurPerKwDay]
    : [price.gasEnergyEurPerKwh, price.gasFixedEurPerMonth];
}
