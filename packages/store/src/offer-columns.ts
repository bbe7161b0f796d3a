import {
  assert,
  type ConsumptionTier,
  copierOf,
  FIELD_LIST,
  type FieldName,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  initialOf,
  type MonthlyPrice,
  NO_PRICES,
  type OfferTerms,
  type PowerTier,
  SUPPLY_TYPES,
  type SupplyType,
  type TermsField,
} from '@tarifario/core/service';
import { bitsOf, communitiesOf } from './communities.ts';
import type { TermsValues } from './offer-rows.ts';
import type { OfferTermsColumns, PriceColumns } from './schema.ts';

/** How a value of each kind of field is stored, where there is one. */
const WRITERS: Readonly<Record<TermsField['kind'], (value: never) => string | number>> = {
  id: (id: number) => id,
  text: (text: string) => text,
  note: (text: string) => text,
  day: (text: string) => text,
  choice: (text: string) => text,
  flag,
  flags: flag,
  amount: finite<number>,
  periods: finite<number>,
  list: bitsOf,
  tiers: toTiersText,
};

function flag(value: boolean): number {
  return value ? 1 : 0;
}

/** Refuses numbers that are not finite, because a driver would bind NaN as null and JSON would lose it. */
function finite<T extends number | null>(value: T): T {
  assert(value === null || Number.isFinite(value), 'every number that is stored is finite');
  return value;
}

/** Tiers as JSON text. Equal lists give equal text, whatever the order of their fields. */
function toTiersText(tiers: readonly (ConsumptionTier | PowerTier)[]): string {
  return JSON.stringify(
    tiers.map(({ from, to, value, type }) => ({ from: finite(from), to: finite(to), value: finite(value), type })),
  );
}

type Column = keyof OfferTermsColumns;
type Written = string | number | null;

/** The columns of some fields. */
function columnsOf(fields: readonly TermsField[]): readonly Column[] {
  return fields.flatMap((field) => fieldPartsOf(field).map(({ column }) => column as Column));
}

/** All sections of fields. */
export const SECTIONS: readonly FieldSection[] = [...new Set(FIELD_LIST.map(({ section }) => section))];

/** The columns that hold the terms of an offer, or some sections of them, in the order of `toTermsValues`. */
export function termsColumns(sections = SECTIONS): readonly Column[] {
  return ['supply_type', ...columnsOf(fieldsOf(...sections))];
}

export const TERMS_COLUMNS = termsColumns();

const OF_TIERS = FIELD_LIST.filter(({ kind }) => kind === 'tiers');
/** The columns of tiers. A version has one only where it changes, because most changes affect none. */
export const TIER_COLUMNS = columnsOf(OF_TIERS);
/** Their fields, in the same order. */
export const TIER_FIELDS = OF_TIERS.map(({ name }) => name as 'consumptionTiers' | 'powerTiers');

/** What a version copies from the row of its offer. */
export const PAST_COLUMNS: readonly string[] = [
  ...TERMS_COLUMNS.filter((name) => !TIER_COLUMNS.includes(name)),
  'created_at',
  'updated_at',
  'masked_updated_at',
];

/** The columns of commissions for callers who may not see them: the values of a new offer. */
export const HIDDEN_VALUES: ReadonlyMap<string, Written> = new Map(
  fieldsOf('commissions').flatMap((field) => {
    const values: Written[] = [];
    writerOf(field)(initialOf(field), values);
    return fieldPartsOf(field).map(({ column }, index) => [column, values[index] ?? null] as const);
  }),
);

/** Of `monthly_prices`, in the order of its columns. */
type MonthRow = Readonly<Record<string, Written>>;

type Prices = readonly (number | null)[];

/** Adds the values of a field to a row; `undefined`: the offer is of the other supply. */
function writerOf(field: TermsField): (value: unknown, row: Written[]) => void {
  const write = WRITERS[field.kind];
  if (field.kind === 'periods') {
    return (value, row) => {
      const prices = (value ?? NO_PRICES) as Prices;
      for (let period = 0; period < prices.length; period++) row.push(finite(prices[period] ?? null));
    };
  }
  if (field.kind !== 'flags') {
    return (value, row) => row.push(value === undefined || value === null ? null : write(value as never));
  }
  const flags = Object.keys(field.flags);
  return (value, row) => {
    for (const name of flags) row.push(flag((value as Readonly<Record<string, boolean>>)[name] === true));
  };
}

const WRITERS_OF = new Map(
  SECTIONS.map((section) => [
    section,
    fieldsOf(section).map((field) => ({ name: field.name, write: writerOf(field) })),
  ]),
);

/**
 * Terms as they are stored, in the order of `termsColumns`: a list of values, because thousands of offers are many.
 */
export function toTermsValues(terms: OfferTerms, sections = SECTIONS): TermsValues {
  const values: Readonly<Partial<Record<FieldName, unknown>>> = terms;
  const row: Written[] = [terms.supplyType];
  for (const section of sections) for (const { name, write } of WRITERS_OF.get(section) ?? []) write(values[name], row);
  return row;
}

const PRICE_PARTS = fieldsOf('prices')
  .flatMap(fieldPartsOf)
  .map(({ field, part, column }) => ({ name: field.name, period: part === null ? null : Number(part), column }));
const BLANK_MONTH_ROW = copierOf({
  offer_id: 0,
  month: '',
  supply_type: '',
  ...Object.fromEntries(PRICE_PARTS.map(({ column }) => [column, null])),
});

type PricePart = (typeof PRICE_PARTS)[number];

function priceAt(price: MonthlyPrice, { name, period }: PricePart): number | null {
  const value = (price as Readonly<Partial<Record<FieldName, number | Prices | null>>>)[name] ?? null;
  return typeof value === 'object' ? (value?.[period ?? 0] ?? null) : value;
}

export function toMonthRow(offerId: number, price: MonthlyPrice): MonthRow {
  const row = BLANK_MONTH_ROW();
  row.offer_id = offerId;
  row.month = price.month;
  row.supply_type = price.supplyType;
  for (const part of PRICE_PARTS) row[part.column] = finite(priceAt(price, part));
  return row as MonthRow;
}

type Row = Readonly<Record<string, unknown>>;

function readerOf(field: TermsField): (row: Row) => unknown {
  const parts = fieldPartsOf(field);
  const [{ column } = { column: '' }] = parts;
  switch (field.kind) {
    case 'periods': {
      const [p1 = '', p2 = '', p3 = '', p4 = '', p5 = '', p6 = ''] = parts.map((part) => part.column);
      return (row) => [row[p1], row[p2], row[p3], row[p4], row[p5], row[p6]];
    }
    case 'flags': {
      const blank = copierOf(Object.fromEntries(parts.map(({ part }) => [part, false])));
      const flags = parts.map((each) => ({ name: String(each.part), column: each.column }));
      return (row) => {
        const values = blank();
        for (const each of flags) values[each.name] = row[each.column] === 1;
        return values;
      };
    }
    case 'flag': {
      const { initial } = field;
      return (row) => (row[column] === null ? initial : row[column] === 1);
    }
    case 'list':
      return (row) => communitiesOf(row[column] as number);
    case 'tiers':
      return (row) => (row[column] === null ? [] : JSON.parse(row[column] as string));
    default:
      return (row) => row[column];
  }
}

interface RowReader {
  readonly blank: () => Record<string, unknown>;
  readonly readers: readonly { readonly name: string; readonly read: (row: Row) => unknown }[];
}

function bySupply<T>(make: (supplyType: SupplyType) => T): Readonly<Record<SupplyType, T>> {
  return Object.fromEntries(SUPPLY_TYPES.map((each) => [each, make(each)])) as Record<SupplyType, T>;
}

function rowReaders(fields: readonly TermsField[], others: Row) {
  return bySupply((supplyType): RowReader => {
    const own = fields.filter(({ supply }) => supply === null || supply === supplyType);
    const readers = own.map((field) => ({ name: field.name, read: readerOf(field) }));
    const names = Object.fromEntries(readers.map(({ name }) => [name, null]));
    return { blank: copierOf({ supplyType, ...others, ...names }), readers };
  });
}

const TERMS_READERS = rowReaders(FIELD_LIST, { id: 0, createdAt: '', updatedAt: '' });
const PRICE_READERS = rowReaders(fieldsOf('prices'), { month: '' });

function readRow({ blank, readers }: RowReader, row: Row): Record<string, unknown> {
  const record = blank();
  for (const { name, read } of readers) record[name] = read(row);
  return record;
}

/** The fields of an offer, with room for its stamps, which are still to be written. */
export function fromTermsRow(row: OfferTermsColumns): Record<string, unknown> {
  return readRow(TERMS_READERS[row.supply_type], row as unknown as Row);
}

/** A month of an offer, still without saying which. */
export function fromPriceRow(row: PriceColumns & { readonly supply_type: SupplyType }): Record<string, unknown> {
  return readRow(PRICE_READERS[row.supply_type], row as unknown as Row);
}
