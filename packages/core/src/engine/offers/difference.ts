import { assert } from '../errors.ts';
import { FIELD_LIST, type FieldPart, fieldPartsOf } from './field-parts.ts';
import type { FieldName, FieldSection } from './field-spec.ts';
import type { MonthlyPrice, Offer, OfferTerms } from './offer.ts';

/** A value of an offer, or of one of its months, before and after a change. */
export interface ValueChange {
  readonly part: FieldPart;
  readonly before: unknown;
  readonly after: unknown;
}

const FIELDS = FIELD_LIST.map((field) => {
  const none = 'types' in field || field.kind === 'list' ? [] : null;
  return { name: field.name, section: field.section, parts: fieldPartsOf(field), none };
});

type Values = Readonly<Partial<Record<FieldName, unknown>>>;

/**
 * The values that differ, in the order of the table of fields. Stamps, and the month itself, are not compared.
 *
 * @param before - Of the same supply type; `null`: no offer, or no such month, so without any value.
 */
export function differenceOf<Terms extends OfferTerms | MonthlyPrice>(
  before: Terms | null,
  after: Terms,
): readonly ValueChange[] {
  assert(before === null || before.supplyType === after.supplyType, 'an offer keeps its supply type');
  const [old, now]: readonly Values[] = [before ?? {}, after];
  const changes: ValueChange[] = [];
  for (const { name, parts, none } of FIELDS) {
    const [from, to] = [old?.[name] ?? none, now?.[name] ?? none];
    if (from === to) continue;
    for (const part of parts) {
      const [was, is] = [valueIn(from, part), valueIn(to, part)];
      if (!isEqual(was, is)) changes.push({ part, before: was, after: is });
    }
  }
  return changes;
}

function valueIn(value: unknown, { part }: FieldPart): unknown {
  return part === null ? value : ((value as Readonly<Record<number | string, unknown>> | null)?.[part] ?? null);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length && entries.every(([name, value]) => isEqual(value, Reflect.get(b, name)))
  );
}

/** The values of a firm or company that differ; `null`: none. */
export function changedTerms<Terms extends object>(before: Terms, terms: Partial<Terms>): Partial<Terms> | null {
  const changes = Object.entries(terms).filter(([name, value]) => !isEqual(Reflect.get(before, name), value));
  return changes.length === 0 ? null : (Object.fromEntries(changes) as Partial<Terms>);
}

/** Whether a change is one of commissions, which not everybody may see. */
export function isOfCommissions({ part }: ValueChange): boolean {
  return part.field.section === 'commissions';
}

/** A change of a stored offer. */
export interface OfferChange {
  /** As it is stored. */
  readonly before: Offer;
  readonly terms: OfferTerms;
  /** Those that have to be written, each once: in the others no field differs. */
  readonly sections: readonly FieldSection[];
  /** Commissions are written by who may not see them. */
  readonly isBlind?: boolean;
}

/** Whether nothing but commissions changes, so that callers who may not see them do not notice it. */
export function isMaskedChange({ sections }: Pick<OfferChange, 'sections'>): boolean {
  return sections.every((section) => section === 'commissions');
}

/** A month of an offer that is created or replaced. */
export interface MonthChange {
  readonly offerId: number;
  /** `null`: the offer has no such month. */
  readonly before: MonthlyPrice | null;
  readonly price: MonthlyPrice;
}

/**
 * What has to be written so that an offer has these terms; `null`: nothing, it has them.
 *
 * @param options - `isBlind`: commissions are written by who may not see them. Equal ones are written too, so neither the
 *   time of a write nor what follows from it tells them.
 */
export function changeOf(
  before: Offer,
  terms: OfferTerms,
  { isBlind = false }: Pick<OfferChange, 'isBlind'> = {},
): OfferChange | null {
  const sections = new Set(differenceOf(before, terms).map(({ part }) => part.field.section));
  if (isBlind) sections.add('commissions');
  return sections.size > 0 ? { before, terms, sections: [...sections], ...(isBlind && { isBlind }) } : null;
}
