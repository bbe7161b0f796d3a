import { type Bounds, checkAmount, checkNumber, checkPeriods, NOTHING } from '../bounds.ts';
import { dayNumber, FIRST_MONTH, isPricedMonth, LAST_MONTH, monthFor } from '../calendar.ts';
import { type AnyTier, checkTiers } from '../commission/tier.ts';
import type { Issue } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import { checkChangedName } from '../text.ts';
import { FIELD_LIST, fieldsOf, fieldsOfSupply, type TermsField } from './field-parts.ts';
import type { FieldName } from './field-spec.ts';
import {
  CUSTOMER_TYPES,
  type ElectricityTerms,
  type MonthlyPrice,
  type OfferTerms,
  type SupplyType,
  TERRITORIES,
} from './offer.ts';

function checkTierValues(path: string, tiers: readonly AnyTier[], bounds: Bounds): readonly Issue[] {
  return tiers.flatMap((tier, index) => [
    ...checkAmount(`${path}.${index}.value`, tier.value, bounds),
    ...(Number.isFinite(tier.from) ? NOTHING : notFinite(`${path}.${index}.from`)),
    ...(tier.to === null || Number.isFinite(tier.to) ? NOTHING : notFinite(`${path}.${index}.to`)),
  ]);
}

function notFinite(path: string): readonly Issue[] {
  return [{ path, message: 'must be a finite number' }];
}

const NO_INDEX_NAME: Message = 'must be a name such as PVPC: 1 to 32 of A-Z, 0-9, - and _, first a letter or digit';
const NO_DAY: Message = 'must be a day as YYYY-MM-DD';

/** The broken rules of the value of a field. The stored value matters for names only. */
interface Rule {
  readonly name: FieldName;
  readonly check: (value: never, stored: never) => readonly Issue[];
}

type Values = Readonly<Partial<Record<FieldName, unknown>>>;

function rulesOf(field: TermsField, boundsOf: (field: { readonly bounds: Bounds }) => Bounds): readonly Rule[] {
  const { name } = field;
  switch (field.kind) {
    case 'text': {
      const { maxLength } = field;
      const check = (text: string, stored: string | undefined) => checkChangedName(name, text, { stored, maxLength });
      return [{ name, check }];
    }
    case 'note': {
      const { maxLength } = field;
      const { pattern } = field;
      const check = (text: string | null, stored: string | null | undefined) => {
        if (text === null) return NOTHING;
        if (pattern === undefined) return checkChangedName(name, text, { stored, maxLength });
        return pattern.test(text) ? NOTHING : [{ path: name, message: NO_INDEX_NAME }];
      };
      return [{ name, check }];
    }
    case 'day': {
      const check = (day: string | null) =>
        day === null || dayNumber(day) !== null ? NOTHING : [{ path: name, message: NO_DAY }];
      return [{ name, check }];
    }
    case 'amount': {
      const [bounds, checkOne] = [boundsOf(field), field.initial === null ? checkNumber : checkAmount];
      return [{ name, check: (amount: number) => checkOne(name, amount, bounds) }];
    }
    case 'periods': {
      const bounds = boundsOf(field);
      return [{ name, check: (prices: readonly (number | null)[]) => checkPeriods(name, prices, bounds) }];
    }
    case 'tiers': {
      const bounds = boundsOf(field);
      const check = (tiers: readonly AnyTier[]) =>
        // Stryker disable next-line ConditionalExpression: the same answer without a list for what is right
        tiers.length === 0 ? NOTHING : [...checkTiers(name, tiers), ...checkTierValues(name, tiers, bounds)];
      return [{ name, check }];
    }
    default:
      return [];
  }
}

/** Those of both supplies first. */
function rulesOfSupply(fields: readonly TermsField[], boundsOf: Parameters<typeof rulesOf>[1]) {
  const of = (supplyType: SupplyType) =>
    fieldsOfSupply(supplyType, fields).flatMap((field) => rulesOf(field, boundsOf));
  return { LUZ: of('LUZ'), GAS: of('GAS') };
}

const OFFER_RULES = rulesOfSupply(FIELD_LIST, ({ bounds }) => bounds);
const MONTH_RULES = rulesOfSupply(
  fieldsOf('prices'),
  (field: { readonly bounds: Bounds; readonly monthlyBounds?: Bounds }) => field.monthlyBounds ?? field.bounds,
);

function issuesOf(rules: readonly Rule[], values: Values, stored: Values = {}): Issue[] {
  const issues: Issue[] = [];
  for (const { name, check } of rules) {
    const message = check(values[name] as never, stored[name] as never);
    // Stryker disable next-line ConditionalExpression: adding nothing only takes longer
    if (message !== NOTHING) issues.push(...message);
  }
  return issues;
}

/**
 * Every reason not to store an offer: the business rules and the bounds of its fields, all at once. Paths use core
 * names (`energyEurPerKwh.0`, `consumptionTiers.1.to`); an empty list means that the offer is valid.
 *
 * @param stored - The present names of a stored offer: as long as they are unchanged, they need not keep later rules.
 * @see docs/assumptions.md, A-02, A-04, A-13 and A-14
 */
export function checkOffer(terms: OfferTerms, stored?: Pick<OfferTerms, 'offerName' | 'tariffType'>): Issue[] {
  const issues = issuesOf(OFFER_RULES[terms.supplyType], terms, stored);
  if (terms.supplyType === 'LUZ' && terms.surplusEurPerKwh !== null && !terms.hasSolarPanels) {
    issues.push({ path: 'surplusEurPerKwh', message: 'is allowed only on an offer for solar panels' });
  }
  if (!TERRITORIES.some((territory) => terms.territories[territory])) {
    issues.push({ path: 'territories', message: 'at least one territory must be active' });
  }
  if (!CUSTOMER_TYPES.some((type) => terms.accepts[type])) {
    issues.push({ path: 'accepts', message: 'at least one type of customer must be accepted' });
  }
  return issues.concat(terms.supplyType === 'LUZ' ? checkHours(terms) : NOTHING, checkContract(terms));
}

/** Hours of an index that the offer does not follow. */
function checkHours({ index, indexFactor, surplusIndex, isIndexed, hasSolarPanels }: ElectricityTerms): Issue[] {
  const issues: Issue[] = [];
  if (index !== null && !isIndexed) issues.push({ path: 'index', message: 'is allowed only on an indexed offer' });
  if (indexFactor !== null && index === null)
    issues.push({ path: 'indexFactor', message: 'is allowed only with an index' });
  if (surplusIndex !== null && !hasSolarPanels)
    issues.push({ path: 'surplusIndex', message: 'is allowed only on an offer for solar panels' });
  return issues;
}

/** A bound that no customer and no day is within, and a discount without its time or a time without a discount. */
function checkContract(terms: OfferTerms): Issue[] {
  const { minPowerKw, maxPowerKw, powerDiscountPercent } = terms.supplyType === 'LUZ' ? terms : NO_POWER;
  const { minAnnualKwh, maxAnnualKwh, validFrom, validTo, energyDiscountPercent, discountMonths } = terms;
  const issues: Issue[] = [];
  if (isAbove(minPowerKw, maxPowerKw)) issues.push({ path: 'minPowerKw', message: 'must not be above the maximum' });
  if (isAbove(minAnnualKwh, maxAnnualKwh))
    issues.push({ path: 'minAnnualKwh', message: 'must not be above the maximum' });
  if (isAbove(validFrom, validTo)) issues.push({ path: 'validFrom', message: 'must not be after the last day' });
  const isDiscounted = energyDiscountPercent !== null || powerDiscountPercent !== null;
  if (isDiscounted && discountMonths === null)
    issues.push({ path: 'discountMonths', message: 'is needed beside a discount' });
  if (!isDiscounted && discountMonths !== null)
    issues.push({ path: 'discountMonths', message: 'is allowed only beside a discount' });
  return issues;
}

const NO_POWER = { minPowerKw: null, maxPowerKw: null, powerDiscountPercent: null };

function isAbove<T extends number | string>(low: T | null, high: T | null): boolean {
  return low !== null && high !== null && low > high;
}

/** How many months an offer may have: thirty years, longer than there has been a market to index by. */
const MAX_MONTHS = 360;

/**
 * The broken rule of an offer that would have so many months after a new one.
 *
 * @see docs/assumptions.md, A-64
 */
export function checkMonthCount(count: number): Issue[] {
  return count > MAX_MONTHS
    ? [{ path: 'month', message: say('an offer has at most {max} months', { max: MAX_MONTHS }) }]
    : [];
}

const OUT_OF_MONTHS = say('must be a month from {min} to {max}', {
  min: FIRST_MONTH.slice(0, 7),
  max: LAST_MONTH.slice(0, 7),
});
const NO_PRICE: Issue = { path: 'month', message: 'needs at least one price' };

/**
 * The broken rules of the prices of one month: their bounds, a month that is not the first day of one or is out of
 * bounds, and no price at all. 0 is a price.
 */
export function checkMonth(price: MonthlyPrice): Issue[] {
  const rules = MONTH_RULES[price.supplyType];
  const values: Values = price;
  return [
    ...(monthFor(price.month) === price.month && isPricedMonth(price.month)
      ? []
      : [{ path: 'month', message: OUT_OF_MONTHS }]),
    ...(rules.some(({ name }) => isPrice(values[name])) ? [] : [NO_PRICE]),
    ...issuesOf(rules, values),
  ];
}

function isPrice(value: unknown): boolean {
  return Array.isArray(value) ? value.some((price) => price !== null) : value !== null;
}
