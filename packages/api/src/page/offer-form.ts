import { FIELD_LIST, type FieldSection, fieldPartsOf, type SupplyType } from '@tarifario/core/service';

// The fields of an offer as a form has them, for the page. It has no operations.

export type { ContractTerm } from '@tarifario/core/service';

/** A field by its wire name. */
export interface OfferFormField {
  readonly wire: string;
  readonly kind: 'text' | 'day' | 'flag' | 'number' | 'choice' | 'list' | 'tiers';
  readonly section: FieldSection;
  /** The only supply that has it; `null`: both. */
  readonly supply: SupplyType | null;
  /** It may have no value. */
  readonly isOptional: boolean;
  /** The allowed values of a choice, a list, or the type of a tier. */
  readonly names: readonly string[];
  readonly label: Words;
  readonly unit: Words | null;
}

interface Words {
  readonly es: string;
  readonly en: string;
}

const KINDS = { note: 'text', amount: 'number', periods: 'number', flags: 'flag' } as const;

/** Its first sentence, without marks of code. What follows is about cells of a spreadsheet, or about JSON. */
const shortOf = (text: string) => (text.split(/[.;] |\.$/)[0] ?? text).replaceAll('`', '');

/** Every field of an offer but its company. */
export const OFFER_FORM: readonly OfferFormField[] = FIELD_LIST.flatMap((field) => {
  const { kind, section, supply, initial } = field;
  if (kind === 'id') return [];
  return fieldPartsOf(field).map(({ wire, es, en }) => ({
    wire,
    kind: kind in KINDS ? KINDS[kind as keyof typeof KINDS] : (kind as OfferFormField['kind']),
    section,
    supply,
    isOptional: initial === null,
    names: kind === 'tiers' ? field.types : 'names' in field ? field.names : [],
    label: { es: shortOf(es ?? wire), en: shortOf(en ?? wire) },
    unit: 'bounds' in field ? { es: field.bounds.unidad, en: field.bounds.unit } : null,
  }));
});
