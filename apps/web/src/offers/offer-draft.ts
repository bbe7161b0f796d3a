import type { OfferFormField } from '@tarifario/api/offer-form';
import type { OfferDetail } from '@tarifario/client';
import { type Fault, numberFault, unitFault } from '../customer/number-fault.ts';
import { readNumber, typedNumber } from '../customer/numbers.ts';
import { keepFor, keptFor } from '../shell/kept.ts';
import type { Language } from '../texts/common.ts';

/** An offer as it is stored, with its tag. */
export interface ReadOffer {
  readonly offer: OfferDetail;
  readonly tag: string;
}

/** A stored offer, by the names of its fields. */
export type StoredOffer = Readonly<Record<string, unknown>>;

/** What was typed into a field, and the stored value that was seen then, as JSON. */
export interface TypedField {
  readonly text: string;
  readonly over: string;
}
export type OfferDraft = Readonly<Record<string, TypedField>>;

/** A stored value as it is typed. */
export function textOf({ kind }: OfferFormField, value: unknown, language: Language): string {
  if (value === null || value === undefined) return '';
  if (kind === 'tiers') return JSON.stringify(value);
  if (kind === 'list') return (value as readonly string[]).join();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? typedNumber(value, language) : String(value);
}

type Read = { readonly value: unknown } | { readonly fault: Fault };

/** A typed text as it is stored. */
export function readText({ kind, isOptional, unit }: OfferFormField, text: string, language: Language): Read {
  if (kind === 'tiers') return tiersIn(text, language);
  if (kind === 'list') return { value: text === '' ? [] : text.split(',') };
  if (text.trim() === '') return isOptional ? { value: null } : { fault: ({ say }) => say('fieldNeeded') };
  if (kind === 'flag') return { value: text === 'yes' };
  if (kind !== 'number') return { value: text.trim() };
  const number = readNumber(text, language);
  const fault = typeof number === 'string' ? numberFault(number, text) : unitFault(unit?.en ?? '', number);
  return fault ? { fault } : { value: number };
}

/** The bounds and the amount of a tier may be texts that were typed. */
function tiersIn(text: string, language: Language): Read {
  let fault: Fault | null = null;
  const read = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || key === 'commission_type') return value;
    if (value.trim() === '') return null;
    const number = readNumber(value, language);
    if (typeof number === 'string') fault = numberFault(number, value);
    return number;
  };
  const value: unknown = JSON.parse(text, read);
  return fault === null ? { value } : { fault };
}

/** A stored value as it is compared. */
export const asJson = (value: unknown): string => JSON.stringify(value ?? null);

/** With what was typed into a field. What is stored in it is not typed, unless something else is being saved. */
export function typedInto(
  draft: OfferDraft,
  wire: string,
  { text, shown, stored }: { readonly text: string; readonly shown: string | null; readonly stored: unknown },
): OfferDraft {
  const { [wire]: before, ...others } = draft;
  return text === shown ? others : { ...others, [wire]: { text, over: before?.over ?? asJson(stored) } };
}

/** What stays typed once `sent` was saved, over what is stored by now. */
export function draftSince(draft: OfferDraft, sent: OfferDraft, stored: StoredOffer): OfferDraft {
  const left = typedSince(draft, sent, (now, then) => now?.text === then?.text);
  return Object.fromEntries(
    Object.entries(left as OfferDraft).map(([wire, one]) => [
      wire,
      wire in sent ? { ...one, over: asJson(stored[wire]) } : one,
    ]),
  );
}

const nameOf = (id: string) => `offer.${id}`;

/** What the tab keeps of an offer while the page is loaded again, for the same account and rights. */
export const keepDraft = (id: string, reach: string, draft: OfferDraft): void =>
  keepFor(reach, nameOf(id), Object.keys(draft).length === 0 ? null : draft);

export const keptDraft = (id: string, reach: string): OfferDraft => keptFor(reach, nameOf(id), {});

/**
 * What stays typed once something was saved: only what was sent leaves.
 *
 * @param isSame - Whether a field is still as it was sent.
 */
export function typedSince<T extends object>(
  typed: T,
  sent: Partial<T>,
  isSame: (now: T[keyof T], then: T[keyof T] | undefined) => boolean = Object.is,
): Partial<T> {
  const names = (Object.keys(typed) as (keyof T)[]).filter((name) => !isSame(typed[name], sent[name]));
  return Object.fromEntries(names.map((name) => [name, typed[name]])) as Partial<T>;
}
