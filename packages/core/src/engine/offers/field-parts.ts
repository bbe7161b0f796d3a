import { PERIOD_COUNT, perPeriod } from '../periods.ts';
import type { FieldName, FieldSection, FieldSpec, FieldWords } from './field-spec.ts';
import { type Offer, type OfferTerms, SUPPLY_TYPES, type SupplyType } from './offer.ts';
import { OFFER_FIELD_WORDS } from './offer-field-words.ts';
import { OFFER_FIELDS } from './offer-fields.ts';

/** A field and its row in the table. */
export type TermsField = FieldSpec & { readonly name: FieldName };

/** The table of fields as a list. */
export const FIELD_LIST: readonly TermsField[] = Object.entries<FieldSpec>(OFFER_FIELDS).map(([name, spec]) => ({
  ...spec,
  name: name as FieldName,
}));

/** The fields of some sections: those of the first section first. */
export function fieldsOf(...sections: readonly FieldSection[]): readonly TermsField[] {
  return sections.flatMap((section) => FIELD_LIST.filter((field) => field.section === section));
}

/** The fields of a supply, those that both supplies have first. */
export function fieldsOfSupply(
  supplyType: SupplyType,
  fields: readonly TermsField[] = FIELD_LIST,
): readonly TermsField[] {
  return [null, supplyType].flatMap((supply) => fields.filter((field) => field.supply === supply));
}

/** One value of a field: that of a period or of a flag, or the whole value of the field. */
export interface FieldPart {
  readonly field: TermsField;
  /** The index of a period, the name of a flag, or `null`. */
  readonly part: number | string | null;
  /** As issues name it: `energyEurPerKwh.0`, `accepts.dni`. */
  readonly path: string;
  /** In JSON and in spreadsheets. */
  readonly wire: string;
  /** In the database. */
  readonly column: string;
  /** In English, for OpenAPI; `null`: the name is enough. */
  readonly en: string | null;
  /** In Spanish, for spreadsheets; `null`: it has no cell of its own. */
  readonly es: string | null;
}

/** The values of a field, in their order. */
export function fieldPartsOf(field: TermsField): readonly FieldPart[] {
  const { name, column } = field;
  if (field.kind === 'flags') {
    return Object.entries(field.flags).map(([part, wire]) => {
      const path = `${name}.${part}`;
      return { field, part, path, wire, column: `${column}_${part}`, ...wordsOf(path) };
    });
  }
  const { wire } = field;
  const { en, es } = wordsOf(name);
  if (field.kind !== 'periods') return [{ field, part: null, path: name, wire, column, en, es }];
  return Array.from({ length: PERIOD_COUNT }, (_, part) => {
    const period = String(part + 1);
    return {
      field,
      part,
      path: `${name}.${part}`,
      wire: wire + period,
      column: `${column}_${period}`,
      en: en?.replace('#', period) ?? null,
      es: es?.replace('#', period) ?? null,
    };
  });
}

function wordsOf(path: string): Pick<FieldPart, 'en' | 'es'> {
  const { en = null, es = null } = (OFFER_FIELD_WORDS as Readonly<Record<string, FieldWords>>)[path] ?? {};
  return { en, es };
}

/** Makes copies of an object. */
export function copierOf(blank: Readonly<Record<string, unknown>>): () => Record<string, unknown> {
  // Parsed, because an object that is made key by key is slow to copy.
  const parsed: Record<string, unknown> = JSON.parse(JSON.stringify(blank));
  return () => ({ ...parsed });
}

/** What a new offer has in a field. */
export function initialOf(field: TermsField): unknown {
  if (field.kind === 'periods') return perPeriod(() => field.initial);
  if (field.kind !== 'flags') return field.initial;
  return Object.fromEntries(Object.keys(field.flags).map((flag) => [flag, field.initial]));
}

const INITIAL = Object.fromEntries(
  SUPPLY_TYPES.map((supplyType) => {
    const values = fieldsOfSupply(supplyType).map((field) => [field.name, initialOf(field)]);
    return [supplyType, { supplyType, ...Object.fromEntries(values) }];
  }),
  // The compiler checks that the table has the fields of an offer with their types.
) as unknown as { readonly [Supply in SupplyType]: Extract<OfferTerms, { readonly supplyType: Supply }> };

/** The fields of a new offer that were not given: no company, no name, no tariff. */
export function initialTerms<Supply extends SupplyType>(
  supplyType: Supply,
): Extract<OfferTerms, { readonly supplyType: Supply }> {
  return INITIAL[supplyType];
}

const COMMISSION_FIELDS = fieldsOf('commissions');
const NO_COMMISSIONS = Object.fromEntries(
  SUPPLY_TYPES.map((supplyType) => [
    supplyType,
    Object.fromEntries(fieldsOfSupply(supplyType, COMMISSION_FIELDS).map((field) => [field.name, initialOf(field)])),
  ]),
);

/** An offer as a caller who may not see commissions reads it: its commissions are those of a new offer. */
export function withoutCommissions(offer: Offer): Offer {
  return { ...offer, ...NO_COMMISSIONS[offer.supplyType] };
}
