// An offer as a list of plain values: the form in which a store hands over many, and, as text, in which they are kept.
import type { AnyTier } from '../commission/tier.ts';
import { perPeriod } from '../periods.ts';
import { copierOf, FIELD_LIST, fieldPartsOf, fieldsOf, type TermsField } from './field-parts.ts';
import { bitsOfList, type MonthlyPrice, type Offer, type OfferWithHistory, type SupplyType } from './offer.ts';

/**
 * One value of a record: a number, a text, 1 or 0 for true or false, the bits of a list, tiers; `null` where the record
 * has no value or no such field.
 */
export type RowValue = number | string | null | readonly AnyTier[];

/** An offer as values, the same fields for both supplies. */
export interface OfferRow {
  readonly supplyType: SupplyType;
  /** In the order of `OFFER_VALUES`; fields of the other supply are `null`. */
  readonly values: readonly RowValue[];
  /** Oldest first, each in the order of `MONTH_VALUES`. */
  readonly months: readonly (readonly RowValue[])[];
}

/** What stands at one place of a row. A field of several values has one for each period, or for each name. */
export interface ValuePlace {
  readonly field: string;
  readonly part: number | string | null;
  readonly kind: TermsField['kind'];
}

/** A field of a record, how it stands in a row, and which places it has there. */
interface RowField {
  readonly name: string;
  /** Left out of a record where it has no value. */
  readonly isOptional: boolean;
  readonly supply: SupplyType | null;
  readonly places: readonly ValuePlace[];
  readonly toValues: (value: unknown) => readonly RowValue[];
  /** @param at - Where its first value stands. */
  readonly read: (values: readonly RowValue[], at: number) => unknown;
}

interface Stamp extends Pick<ValuePlace, 'kind'>, Pick<RowField, 'isOptional'> {}

function stamp(name: string, { kind = 'text', isOptional = false }: Partial<Stamp> = {}): RowField {
  const places: readonly ValuePlace[] = [{ field: name, part: null, kind }];
  return { name, isOptional, supply: null, places, ...plain };
}

const plain = {
  toValues: (value: unknown) => [(value ?? null) as RowValue],
  read: (values: readonly RowValue[], at: number): unknown => values[at] ?? null,
};

function rowField(field: TermsField): RowField {
  const places = fieldPartsOf(field).map(({ part }) => ({ field: field.name, part, kind: field.kind }));
  return { name: field.name, isOptional: false, supply: field.supply, places, ...formOf(field) };
}

/** How a field stands in a row. */
function formOf(field: TermsField): Pick<RowField, 'toValues' | 'read'> {
  switch (field.kind) {
    case 'periods':
      return {
        toValues: (value) => [...(value as readonly (number | null)[])],
        read: (values, at) => perPeriod((period) => values[at + period] ?? null),
      };
    case 'flag':
      return {
        toValues: (value) => [value === null ? null : Number(value)],
        read: (values, at) => ((values[at] ?? null) === null ? null : values[at] === 1),
      };
    case 'flags': {
      const names = Object.keys(field.flags);
      const blank = copierOf(Object.fromEntries(names.map((name) => [name, false])));
      return {
        toValues: (value) => names.map((name) => Number((value as Readonly<Record<string, boolean>>)[name])),
        read: (values, at) => {
          const flags = blank();
          for (let index = 0; index < names.length; index++) flags[names[index] as string] = values[at + index] === 1;
          return flags;
        },
      };
    }
    case 'list': {
      const { names } = field;
      return {
        toValues: (value) => [bitsOfList(value as readonly string[], names)],
        read: (values, at) =>
          values[at] === 0 ? [] : names.filter((_, bit) => (Number(values[at]) & (1 << bit)) !== 0),
      };
    }
    default:
      return plain;
  }
}

const OFFER_FIELDS = [
  stamp('id', { kind: 'id' }),
  ...FIELD_LIST.map(rowField),
  stamp('createdAt'),
  stamp('updatedAt'),
  stamp('maskedUpdatedAt', { isOptional: true }),
  stamp('blindRevision', { kind: 'amount', isOptional: true }),
];
const MONTH_FIELDS = [stamp('month'), ...fieldsOf('prices').map(rowField)];

/** The places of a row, the same for both supplies: those of an offer, and those of a month. */
export const OFFER_VALUES: readonly ValuePlace[] = OFFER_FIELDS.flatMap(({ places }) => places);
export const MONTH_VALUES: readonly ValuePlace[] = MONTH_FIELDS.flatMap(({ places }) => places);

/** How records of a supply are written to values and read from them. */
function codecOf(fields: readonly RowField[], supplyType: SupplyType) {
  let end = 0;
  const placed = fields.map((field) => {
    const at = end;
    end += field.places.length;
    return { ...field, at, isOwn: field.supply === null || field.supply === supplyType };
  });
  const own = placed.filter(({ isOwn }) => isOwn);
  const names = own.filter(({ isOptional }) => !isOptional).map(({ name }) => [name, null]);
  const blank = copierOf({ supplyType, ...Object.fromEntries(names) });
  return {
    valuesOf: (record: Readonly<Record<string, unknown>>): readonly RowValue[] =>
      placed.flatMap(({ name, isOwn, places, toValues }) => (isOwn ? toValues(record[name]) : places.map(() => null))),
    recordOf: (values: readonly RowValue[]): Record<string, unknown> => {
      const record = blank();
      for (const { name, at, read, isOptional } of own) {
        const value = read(values, at);
        if (!isOptional || value !== null) record[name] = value;
      }
      return record;
    },
  };
}

const OFFERS = { LUZ: codecOf(OFFER_FIELDS, 'LUZ'), GAS: codecOf(OFFER_FIELDS, 'GAS') };
const MONTHS = { LUZ: codecOf(MONTH_FIELDS, 'LUZ'), GAS: codecOf(MONTH_FIELDS, 'GAS') };

/** An offer as a row. */
export function rowOf({ offer, months }: OfferWithHistory): OfferRow {
  const { supplyType } = offer;
  return {
    supplyType,
    values: OFFERS[supplyType].valuesOf({ ...offer }),
    months: months.map((month) => MONTHS[supplyType].valuesOf({ ...month })),
  };
}

/** The offer of a row, as a new object: it equals the one of which the row was made. */
export function offerOfRow({ supplyType, values, months }: OfferRow): OfferWithHistory {
  return {
    // The compiler checks that the table of fields has the fields of an offer, so what is read by them is an offer.
    offer: OFFERS[supplyType].recordOf(values) as unknown as Offer,
    months: months.map((month) => MONTHS[supplyType].recordOf(month) as unknown as MonthlyPrice),
  };
}

/** A row as text: some 600 characters, where an object takes four times as many bytes. */
export function textOfRow({ supplyType, values, months }: OfferRow): string {
  const short = values.map((value) =>
    typeof value === 'object' && value !== null
      ? value.map(({ from, to, value: amount, type }) => [from, to, amount, TIER_TYPES.indexOf(type)])
      : value,
  );
  return JSON.stringify([supplyType, short, ...months]);
}

/** The offer of such a text, as a new object. */
export function offerOfText(text: string): OfferWithHistory {
  const [supplyType, short, ...months]: RowAsText = JSON.parse(text);
  const values = short.map((value) =>
    typeof value === 'object' && value !== null
      ? value.map(([from, to, amount, type]) => ({ from, to, value: amount, type: TIER_TYPES[type] }) as AnyTier)
      : value,
  );
  return offerOfRow({ supplyType, values, months });
}

type ShortTier = readonly [from: number, to: number | null, value: number, type: number];
type RowAsText = [
  supplyType: SupplyType,
  values: readonly (number | string | null | readonly ShortTier[])[],
  ...months: (readonly RowValue[])[],
];

const TIER_TYPES: readonly AnyTier['type'][] = ['fixed', 'per_mwh', 'per_kw'];
