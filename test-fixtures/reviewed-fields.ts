import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// What a person reviewed of the fields of offers. Tests read it here where they would say names, defaults, bounds and
// orders once more: it is a file, so it is not wrong wherever the table is.

type Supply = 'LUZ' | 'GAS';

interface ReviewedField extends Pick<ReviewedValue, 'kind' | 'section' | 'supply'> {
  readonly initial: string;
  readonly bounds?: string;
  readonly monthlyBounds?: string;
  readonly words?: string;
  readonly values: Readonly<Record<string, string>>;
}

const reviewed: {
  readonly fields: Readonly<Record<string, ReviewedField>>;
  readonly orders: Readonly<Record<'spreadsheet' | 'export', string>> & { readonly answer: Record<Supply, string> };
} = JSON.parse(readFileSync(join(import.meta.dirname, 'offer-fields.json'), 'utf8'));

/** The names of answers by supply, of spreadsheets and of the export, in their order. */
export const REVIEWED_ORDERS = {
  answer: { LUZ: reviewed.orders.answer.LUZ.split(' '), GAS: reviewed.orders.answer.GAS.split(' ') },
  spreadsheet: reviewed.orders.spreadsheet.split(' '),
  export: reviewed.orders.export.split(' '),
};

/** One value of a field: that of a period or of a flag, or all that the field holds. */
export interface ReviewedValue {
  readonly kind: string;
  readonly section: string;
  /** The only supply that has it; `null`: both. */
  readonly supply: Supply | null;
  /** As core names it: `energyEurPerKwh.0`, `accepts.dni`. */
  readonly path: string;
  /** As JSON and spreadsheets name it. */
  readonly wire: string;
  /** What a new offer has. */
  readonly initial: unknown;
  /** Lowest and highest number, in offers and in months. */
  readonly bounds: readonly [number, number] | null;
  readonly monthlyBounds: readonly [number, number] | null;
  readonly words: readonly string[];
}

function boundsIn(text: string | undefined): readonly [number, number] | null {
  const [min, , max] = text?.split(' ') ?? [];
  return min === undefined || max === undefined ? null : [Number(min), Number(max)];
}

export const REVIEWED_VALUES: readonly ReviewedValue[] = Object.values(reviewed.fields).flatMap((field) =>
  Object.entries(field.values).map(([path, value]): ReviewedValue => {
    const { kind, section, supply } = field;
    const [, part] = path.split('.');
    const [wire = ''] = value.split(' | ');
    const whole = JSON.parse(field.initial);
    const bounds = boundsIn(field.bounds);
    const monthlyBounds = boundsIn(field.monthlyBounds) ?? bounds;
    const initial: unknown = part === undefined ? whole : whole[part];
    return { kind, section, supply, path, wire, initial, bounds, monthlyBounds, words: field.words?.split(' ') ?? [] };
  }),
);

/** What an offer of a supply has, in the order of the table. */
export function reviewedOf(supply: Supply): readonly ReviewedValue[] {
  return REVIEWED_VALUES.filter((value) => value.supply === null || value.supply === supply);
}

/** Terms of a new offer without any given field, as core has them. */
export function reviewedTerms(supply: Supply): Readonly<Record<string, unknown>> {
  const own = Object.entries(reviewed.fields).filter(([, field]) => field.supply === null || field.supply === supply);
  return { supplyType: supply, ...Object.fromEntries(own.map(([name, { initial }]) => [name, JSON.parse(initial)])) };
}
