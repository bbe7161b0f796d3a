import { byMonth, monthFor, NEVER } from '../calendar.ts';
import { assert, DomainError, type Issue } from '../errors.ts';
import { meantBy } from '../members.ts';
import { inWords, say } from '../messages/message.ts';
import { FIELD_LIST, fieldsOf } from './field-parts.ts';
import { centsIn, tariffMeantBy } from './implausible.ts';
import {
  type ElectricityOffer,
  type GasOffer,
  type Offer,
  type OfferWithHistory,
  type RecordStamps,
  SUPPLY_TYPES,
  type SupplyType,
} from './offer.ts';
import { draftMonth, draftOffer, type MonthDraft, type OfferChanges } from './offer-changes.ts';

/** Fields of an offer that embedders may leave out, besides those of `OfferChanges`. */
export interface OfferDefinition extends OfferChanges {
  /** A whole number >= 1. */
  readonly id: number;
  readonly offerName: string;
  readonly supplyType: SupplyType;
  readonly tariffType: string;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

type DefinitionOf<Supply extends SupplyType> = OfferDefinition & { readonly supplyType: Supply };

/**
 * A complete offer from some fields, for programs that embed the engine. The others have the defaults of a new offer,
 * company 0 and stamps of 1970.
 *
 * @param definition - `id` is a whole number >= 1, unique among the offers that are ranked together.
 * @throws DomainError `business_rule` when it breaks a rule: `details.issues` has all issues, the message the first
 *   few.
 * @throws RangeError when the id is not a whole number >= 1.
 */
export function defineOffer(definition: DefinitionOf<'LUZ'>): ElectricityOffer;
/** The same for gas. */
export function defineOffer(definition: DefinitionOf<'GAS'>): GasOffer;
/** The same for a supply type that is only known at run time. */
export function defineOffer(definition: OfferDefinition): Offer;
export function defineOffer(definition: OfferDefinition): Offer {
  const { id, createdAt = NEVER, updatedAt = NEVER, companyId = 0, ...changes } = definition;
  assert(Number.isSafeInteger(id) && id >= 1, 'the id of an offer is a whole number >= 1');
  refuse(id, unsoundParts(definition));
  const { terms, issues } = draftOffer({ ...definition, companyId }, changes);
  refuse(id, [...issues, ...centsIn(definition)]);
  const stamps: RecordStamps = { id, createdAt, updatedAt };
  return { ...terms, ...stamps };
}

//
/**
 * An indexed offer with its monthly prices, oldest first, for programs that embed the engine.
 *
 * @param offer - An indexed offer.
 * @param months - In any order, each month once; `month` is `YYYY-MM` or any real day of it. A price left out is none.
 * @throws DomainError `business_rule` with everything that is wrong; paths are `months.<index>.<field>`, with indexes
 *   into the list as given.
 */
export function defineHistory(offer: Offer, months: readonly MonthDraft[]): OfferWithHistory {
  const issues: Issue[] = offer.isIndexed
    ? []
    : [{ path: 'isIndexed', message: 'must be true for an offer with monthly prices' }];
  const seen = new Set<string>();
  const prices = months.map((draft, index) => {
    const month = monthFor(draft.month) ?? draft.month;
    const { price, issues: monthIssues } = draftMonth(offer.supplyType, { ...draft, month });
    if (seen.has(month)) issues.push({ path: `months.${index}.month`, message: 'comes twice' });
    seen.add(month);
    const found = [...unknownFields(draft, KNOWN_OF_MONTH), ...monthIssues, ...centsIn(price)];
    issues.push(...found.map(({ path, message }) => ({ path: `months.${index}.${path}`, message })));
    return price;
  });
  refuse(offer.id, issues);
  return { offer, months: prices.sort(byMonth) };
}

/** What an offer may have. A record of the service has two stamps more, about callers who see no commissions. */
const KNOWN: ReadonlySet<string> = new Set([
  ...FIELD_LIST.map(({ name }) => name),
  ...['id', 'supplyType', 'createdAt', 'updatedAt', 'maskedUpdatedAt', 'blindRevision'],
]);

/** What a month may have; one of another history has its supply. */
const KNOWN_OF_MONTH: ReadonlySet<string> = new Set([
  ...fieldsOf('prices').map(({ name }) => name),
  'month',
  'supplyType',
]);

function unknownFields(given: object, known: ReadonlySet<string>): Issue[] {
  const named = Object.entries(given).filter(([name, value]) => value !== undefined && !known.has(name));
  return named.map(([path]) => ({ path, message: 'unknown field' }));
}

/**
 * What the compiler prevents but a JavaScript program or a parsed file may send: a misspelt field, which would cost or pay
 * nothing, and wrong types, which would make other checks meaningless.
 */
function unsoundParts(definition: OfferDefinition): Issue[] {
  const { offerName, tariffType, supplyType } = definition;
  const issues = unknownFields(definition, KNOWN);
  if (typeof offerName !== 'string') issues.push({ path: 'offerName', message: 'must be text' });
  if (typeof tariffType !== 'string') issues.push({ path: 'tariffType', message: 'must be text' });
  if (!SUPPLY_TYPES.includes(supplyType)) {
    issues.push({ path: 'supplyType', message: say('must be one of: {values}', { values: SUPPLY_TYPES.join(', ') }) });
  }
  const tariff = typeof tariffType === 'string' ? tariffMeantBy(tariffType) : null;
  if (tariff !== null) {
    issues.push({ path: 'tariffType', message: say('is no access tariff: is {name} meant?', { name: tariff }) });
  }
  return issues;
}

/** What `defineOffer` and `defineHistory` would refuse first in an offer that they did not make. */
export function firstIssueOf(offer: Offer, months: readonly MonthDraft[]): Issue | undefined {
  const { id: _id, createdAt: _made, updatedAt: _changed, ...changes } = offer;
  const ofMonths = months.flatMap((month, index) =>
    draftMonth(offer.supplyType, month).issues.map(({ path, message }) => ({
      path: `months.${index}.${path}`,
      message,
    })),
  );
  return [...draftOffer(offer, changes).issues, ...ofMonths][0];
}

/** How many issues the message of a refusal lists. */
const MAX_LISTED_ISSUES = 3;

/** What a misspelt field most likely is. */
function hintFor(path: string): string {
  const known = path.startsWith('months.') ? KNOWN_OF_MONTH : KNOWN;
  const meant = meantBy(path.split('.').at(-1) ?? '', [...known]);
  return meant === null ? '' : `: is ${meant} meant?`;
}

/** Refuses the definition of an offer, with the offer and the reasons in the message. */
function refuse(id: number, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const listed = issues
    .slice(0, MAX_LISTED_ISSUES)
    .map(({ path, message }) => `${path} ${inWords(message)}${message === 'unknown field' ? hintFor(path) : ''}`);
  const rest = issues.length > MAX_LISTED_ISSUES ? `, and ${issues.length - MAX_LISTED_ISSUES} more` : '';
  const message = `offer ${id}: ${listed.join('; ')}${rest}`;
  throw Object.assign(new DomainError('business_rule', { issues }), { message });
}
