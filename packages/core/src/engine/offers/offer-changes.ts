import type { Month } from '../calendar.ts';
import { type AnyTier, sortTiers } from '../commission/tier.ts';
import type { Issue } from '../errors.ts';
import { say } from '../messages/message.ts';
import { PERIOD_COUNT, type PerPeriod, perPeriod } from '../periods.ts';
import { cleanName } from '../text.ts';
import { copierOf, FIELD_LIST, fieldsOf, fieldsOfSupply, initialTerms, type TermsField } from './field-parts.ts';
import type { FieldName, OfferTermsByField } from './field-spec.ts';
import type { MonthlyPrice, OfferTerms, SupplyType } from './offer.ts';
import type { OFFER_FIELDS, PriceName } from './offer-fields.ts';
import { checkMonth, checkOffer } from './offer-rules.ts';

/** Prices by period, P1 first, six at most. An entry left out or `undefined` keeps what is stored; `null` erases it. */
export type SparsePrices = readonly (number | null | undefined)[];

/** A tier as sent: its type may be any text, and is checked with everything else. */
export interface TierDraft {
  /** MWh a year, or kW of a tier of power, included. */
  readonly from: number;
  /** The same unit, included; `null`: open. */
  readonly to: number | null;
  /** EUR of a contract-year, EUR/MWh or EUR/kW, as `type` says. */
  readonly value: number;
  readonly type: string;
}

/** The type of a field in changes: with parts where it has parts. Texts of a closed list are checked later. */
type Sent<Name extends FieldName, Kind = (typeof OFFER_FIELDS)[Name]['kind']> = Kind extends 'periods'
  ? SparsePrices
  : Kind extends 'tiers'
    ? readonly TierDraft[]
    : Kind extends 'flags'
      ? Readonly<Partial<{ [Flag in keyof OfferTermsByField[Name]]: boolean | undefined }>>
      : Kind extends 'choice'
        ? string
        : OfferTermsByField[Name];

//
/** A field of one supply may be `null` in changes of an offer of the other, where it has no effect. */
type NullForOtherSupply<Name extends FieldName> = (typeof OFFER_FIELDS)[Name] extends
  | { readonly supply: null }
  | { readonly kind: 'periods' }
  ? never
  : null;

/**
 * The changes of an offer: only the fields named here change. Both supply types are here, because a writer may send a
 * field that the offer cannot have, which is an error. `null` erases where a field can be empty. Tiers and communities
 * are replaced as whole lists.
 */
export type OfferChanges = { readonly [Name in FieldName]?: Sent<Name> | NullForOtherSupply<Name> | undefined };

const COMMISSION_FIELDS = fieldsOf('commissions');

/** Whether changes name a commission at all, equal to what is stored or not. */
export function namesCommissions(changes: OfferChanges): boolean {
  return COMMISSION_FIELDS.some(({ name }) => changes[name] !== undefined);
}

/** The fields that a new offer requires. */
export type RequiredTerms = Pick<OfferTerms, 'companyId' | 'offerName' | 'supplyType' | 'tariffType'>;

/** Terms as they would be stored, and all issues that prevent it. */
export interface OfferDraft {
  readonly terms: OfferTerms;
  readonly issues: readonly Issue[];
}

/**
 * A new offer: `changes` over the defaults (no flag set but `isActive`, commission 0 `fixed`, no tiers, no prices).
 * The issues include those of `checkOffer`.
 *
 * @see docs/assumptions.md, A-49
 */
export function draftOffer(required: RequiredTerms, changes: OfferChanges): OfferDraft {
  const { companyId, offerName, supplyType, tariffType } = required;
  return changed({ ...initialTerms(supplyType), companyId, offerName, tariffType }, changes, undefined);
}

/**
 * An offer with some fields changed. Names are cleaned, tiers and communities put in order. A field of the other supply
 * type is an issue, unless it is empty (`null`, `false`, an empty list). The issues include those of `checkOffer`,
 * except for unchanged names; indexes in their paths are those of the lists as given.
 *
 * @see docs/assumptions.md, A-14, A-30, A-31 and A-49
 */
export function changeOffer(current: OfferTerms, changes: OfferChanges): OfferDraft {
  return changed(current, changes, current);
}

/** The result of a change of a field. */
interface FieldChange {
  readonly name: FieldName;
  readonly change: (sent: never, current: never, issues: Issue[]) => unknown;
  /** The stored form of a list; `null`: the value is unchanged. */
  readonly order: ((value: never) => unknown) | null;
}

const CHANGES = { LUZ: changesOfSupply('LUZ'), GAS: changesOfSupply('GAS') };

function changesOfSupply(supplyType: SupplyType) {
  const fields = fieldsOfSupply(supplyType).map(fieldChange);
  const ordered = fields.filter(({ order }) => order !== null);
  return { fields, ordered, blank: copierOf({ ...initialTerms(supplyType) }) };
}

function changed(current: OfferTerms, changes: OfferChanges, stored: OfferTerms | undefined): OfferDraft {
  const { fields, ordered, blank } = CHANGES[current.supplyType];
  const issues = lostFields(current.supplyType, changes);
  const values: Readonly<Partial<Record<FieldName, unknown>>> = current;
  const terms = blank();
  for (const { name, change } of fields) terms[name] = change(changes[name] as never, values[name] as never, issues);
  // The types of the table ensure that it has the fields of an offer, each with its kind.
  const changedTerms = terms as unknown as OfferTerms;
  issues.push(...checkOffer(changedTerms, stored));
  for (const { name, order } of ordered) {
    const list = terms[name];
    if (Array.isArray(list) && list.length > 1) terms[name] = order?.(list as never);
  }
  return { terms: changedTerms, issues };
}

/** The prices of one month as sent; an absent price is `null`. */
export interface MonthDraft extends Pick<OfferChanges, PriceName> {
  readonly month: Month;
}

const MONTH_CHANGES = { LUZ: monthChanges('LUZ'), GAS: monthChanges('GAS') };

function monthChanges(supplyType: SupplyType) {
  const none: Readonly<Partial<Record<FieldName, unknown>>> = initialTerms(supplyType);
  const prices = fieldsOfSupply(supplyType, fieldsOf('prices')).map(fieldChange);
  const blank = { supplyType, month: '', ...Object.fromEntries(prices.map(({ name }) => [name, null])) };
  return { prices, none, blank: copierOf(blank) };
}

/**
 * The monthly row of an offer of a supply type, and all issues that prevent storing it.
 *
 * @see docs/assumptions.md, A-11 and A-12
 */
export function draftMonth(
  supplyType: SupplyType,
  draft: MonthDraft,
): { readonly price: MonthlyPrice; readonly issues: readonly Issue[] } {
  const { prices, none, blank } = MONTH_CHANGES[supplyType];
  const issues = lostFields(supplyType, draft);
  const sent: OfferChanges = draft;
  const values = blank();
  values.month = draft.month;
  for (const { name, change } of prices) values[name] = change(sent[name] as never, none[name] as never, issues);
  // The types of the table ensure the fields of a month, too.
  const price = values as unknown as MonthlyPrice;
  return { price, issues: [...issues, ...checkMonth(price)] };
}

/** Whether a field of the other supply type is empty and can be ignored. */
function saysNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

const FOREIGN_FIELDS = {
  LUZ: FIELD_LIST.filter(({ supply }) => supply === 'GAS'),
  GAS: FIELD_LIST.filter(({ supply }) => supply === 'LUZ'),
};

const PERIOD_FIELDS = FIELD_LIST.filter(({ kind }) => kind === 'periods');

/** Fields of the other supply, and lists of prices with too many periods: both would be lost silently. */
function lostFields(supplyType: SupplyType, changes: OfferChanges): Issue[] {
  const issues: Issue[] = [];
  const message = say('is not a field of {supply} offers', { supply: supplyType });
  for (const { name, kind } of FOREIGN_FIELDS[supplyType]) {
    const value: unknown = changes[name];
    if (saysNothing(value)) continue;
    if (kind === 'periods') {
      (value as SparsePrices).forEach((price, index) => {
        if (!saysNothing(price)) issues.push({ path: `${name}.${index}`, message });
      });
    } else if (!Array.isArray(value) || value.length > 0) issues.push({ path: name, message });
  }
  for (const { name: path } of PERIOD_FIELDS) {
    const sent = changes[path] as SparsePrices | undefined;
    if (sent && sent.length > PERIOD_COUNT) issues.push({ path, message: 'has more than six periods' });
  }
  return issues;
}

/** The sent value, otherwise the stored one. */
function orStored<T>(sent: T | undefined, stored: T): T {
  return sent === undefined ? stored : sent;
}

function pricesOrStored(sent: SparsePrices | undefined, stored: PerPeriod<number | null>): PerPeriod<number | null> {
  return perPeriod((index) => orStored(sent?.[index], stored[index] ?? null));
}

type Flags = Readonly<Record<string, boolean | undefined>>;

/** The flags are copied only if one changes, which is rare. */
function flagsOrStored(names: readonly string[], sent: Flags | undefined, stored: Flags): Flags {
  if (names.every((flag) => sent?.[flag] === undefined || sent[flag] === stored[flag])) return stored;
  const flags: Record<string, boolean | undefined> = { ...stored };
  for (const flag of names) flags[flag] = orStored(sent?.[flag], stored[flag]);
  return flags;
}

/** The member of a closed list that a text names. Another text is an issue, and the first member replaces it. */
function memberOf(
  members: readonly [string, ...string[]],
  text: string,
  fault: { readonly path: string; readonly issues: Issue[] },
): string {
  const member = members.find((candidate) => candidate === text);
  if (member === undefined) {
    fault.issues.push({ path: fault.path, message: say('must be one of: {values}', { values: members.join(', ') }) });
  }
  return member ?? members[0];
}

function fieldChange(field: TermsField): FieldChange {
  return { name: field.name, change: changeOf(field), order: orderOf(field) };
}

function orderOf({ kind }: TermsField): FieldChange['order'] {
  if (kind === 'list') return (list: readonly string[]) => [...new Set(list)].sort();
  return kind === 'tiers' ? (tiers: readonly AnyTier[]) => sortTiers(tiers) : null;
}

function changeOf(field: TermsField): FieldChange['change'] {
  const { name, supply } = field;
  const refuseNull = (sent: unknown, issues: Issue[]) => {
    if (sent === null && supply !== null) issues.push({ path: name, message: 'must not be null' });
  };
  switch (field.kind) {
    case 'text':
      return (sent: string | undefined, stored: string) => cleanName(orStored(sent, stored));
    case 'note':
      return (sent: string | null | undefined, stored: string | null) => {
        const note = orStored(sent, stored);
        return note === null ? null : cleanName(note);
      };
    case 'choice':
      return (sent: string | undefined, stored: string, issues) =>
        memberOf(field.names, orStored(sent, stored), { path: name, issues });
    case 'periods':
      return pricesOrStored;
    case 'flags': {
      const flags = Object.keys(field.flags);
      return (sent: Flags | undefined, stored: Flags) => flagsOrStored(flags, sent, stored);
    }
    case 'tiers':
      return (sent: readonly TierDraft[] | null | undefined, stored: unknown, issues) => {
        refuseNull(sent, issues);
        return sent ? typedTiers(sent, { name, types: field.types, issues }) : stored;
      };
    case 'flag':
      if (field.initial === null) return orStored;
      return (sent: boolean | null | undefined, stored: boolean, issues) => {
        refuseNull(sent, issues);
        return sent ?? stored;
      };
    default:
      return orStored;
  }
}

interface TypedTiers {
  readonly name: FieldName;
  readonly types: readonly [string, ...string[]];
  readonly issues: Issue[];
}

function typedTiers(tiers: readonly TierDraft[], { name, types, issues }: TypedTiers): readonly TierDraft[] {
  return tiers.map((tier, index) => {
    return { ...tier, type: memberOf(types, tier.type, { path: `${name}.${index}.type`, issues }) };
  });
}
