import { FIELD_LIST, fieldsOf, type TermsField } from './field-parts.ts';
import type { ElectricityOffer, GasOffer, MonthlyPrice, Offer, OfferWithHistory, SupplyType } from './offer.ts';
import { bytesOf, type FieldKind, layoutOf, placesOf, type RecordColumns, type RowValue } from './record-columns.ts';

type Kinds = Readonly<Record<string, FieldKind>>;

const AMOUNT = { kind: 'amount' } as const;
const TEXT = { kind: 'text' } as const;

/** How a field is stored: an id is a number, and a field with a few possible words is a text. */
function kindOf(field: TermsField): FieldKind {
  switch (field.kind) {
    case 'id':
      return AMOUNT;
    case 'choice':
    case 'note':
    case 'day':
      return TEXT;
    case 'flags':
      return { kind: 'flags', names: Object.keys(field.flags) };
    case 'list':
      return { kind: 'list', names: field.names };
    default:
      return { kind: field.kind };
  }
}

/** The fields of a supply by kind; `null`: those of both. */
function kindsOf(fields: readonly TermsField[], supplyType: SupplyType | null): Kinds {
  const own = fields.filter(({ supply }) => supplyType === null || supply === null || supply === supplyType);
  return Object.fromEntries(own.map((field) => [field.name, kindOf(field)]));
}

/** Every field of an offer except its supply. */
const offerKinds = (supplyType: SupplyType | null): Kinds => ({
  id: AMOUNT,
  ...kindsOf(FIELD_LIST, supplyType),
  createdAt: TEXT,
  updatedAt: TEXT,
  // Absent where the offer has none.
  maskedUpdatedAt: { kind: 'optionalText' },
});

/** The same for a month of an indexed offer. */
const monthKinds = (supplyType: SupplyType | null): Kinds => ({
  month: TEXT,
  ...kindsOf(fieldsOf('prices'), supplyType),
});

/** A field of an offer of either supply. */
export type OfferField = Exclude<keyof ElectricityOffer | keyof GasOffer, 'supplyType'>;

/** An offer as plain values: the form in which a store hands over many. */
export interface OfferRow {
  readonly supplyType: SupplyType;
  /** In the order of `OFFER_VALUES`; fields of the other supply are `null`. */
  readonly values: readonly RowValue[];
  /** Oldest first, each in the order of `MONTH_VALUES`. */
  readonly months: readonly (readonly RowValue[])[];
}

/** The meaning of the values of a row, the same for both supplies. */
export const OFFER_VALUES = placesOf(offerKinds(null));
export const MONTH_VALUES = placesOf(monthKinds(null));

const OFFERS = bySupply((supplyType) => layoutOf(offerKinds(supplyType), OFFER_VALUES, { supplyType }));
const MONTHS = bySupply((supplyType) => layoutOf(monthKinds(supplyType), MONTH_VALUES, { supplyType }));

function bySupply<T>(make: (supplyType: SupplyType) => T): Readonly<Record<SupplyType, T>> {
  return { LUZ: make('LUZ'), GAS: make('GAS') };
}

/** Offers of one supply with their months, as numbers and with each text once. Never changed. */
export interface OfferColumns {
  readonly supplyType: SupplyType;
  readonly offers: RecordColumns;
  /**
   * The months of all offers, with the index where those of each offer begin, and one more for the end. `null`: there
   * are none.
   */
  readonly months: { readonly starts: Uint32Array; readonly records: RecordColumns } | null;
  /** How much memory they take, approximately. */
  readonly bytes: number;
}

/** An offer as a row. */
export function rowOf({ offer, months }: OfferWithHistory): OfferRow {
  const { supplyType } = offer;
  return {
    supplyType,
    values: OFFERS[supplyType].valuesOf(offer),
    months: months.map((month) => MONTHS[supplyType].valuesOf(month)),
  };
}

/** Rows of one supply as columns. */
export function columnise(supplyType: SupplyType, rows: readonly OfferRow[]): OfferColumns {
  const offers = OFFERS[supplyType].columnise(rows.map(({ values }) => values));
  const months = monthColumns(supplyType, rows);
  const bytes = bytesOf(offers) + (months ? bytesOf(months.records) + months.starts.byteLength : 0);
  return { supplyType, offers, months, bytes };
}

function monthColumns(supplyType: SupplyType, rows: readonly OfferRow[]): OfferColumns['months'] {
  if (rows.every((row) => row.months.length === 0)) return null;
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, index) => {
    starts[index + 1] = (starts[index] ?? 0) + row.months.length;
  });
  return { starts, records: MONTHS[supplyType].columnise(rows.flatMap((row) => row.months)) };
}

/** The offer of a row, as a new object that equals the offer of which the columns were made. */
export function materialise(columns: OfferColumns, row: number): OfferWithHistory {
  const { supplyType } = columns;
  // The compiler checks that the table has the fields of an offer, so what is read by them is an offer.
  const offer = OFFERS[supplyType].recordAt(columns.offers, row) as Offer;
  return { offer, months: monthsAt(columns, row) };
}

/** Some fields of an offer. */
export type PartialOffer<Field> =
  | Pick<ElectricityOffer, Extract<Field | 'supplyType', keyof ElectricityOffer>>
  | Pick<GasOffer, Extract<Field | 'supplyType', keyof GasOffer>>;

/** Creates an object with some fields of an offer, where the whole offer would be too much. */
export function pickFields<Field extends OfferField>(
  names: readonly Field[],
): (columns: OfferColumns, row: number) => PartialOffer<Field> {
  const picks = bySupply((supplyType) => OFFERS[supplyType].pick(names));
  return ({ supplyType, offers }, row) => picks[supplyType](offers, row) as PartialOffer<Field>;
}

const ID = OFFER_VALUES.findIndex(({ field }) => field === 'id');

/** The id of an offer that was read as a row. */
export function idOf({ values }: OfferRow): number {
  return Number(values[ID]);
}

/** The row from which a row of columns was made. */
export function rowAt(columns: OfferColumns, row: number): OfferRow {
  const { supplyType } = columns;
  const values = OFFERS[supplyType].valuesAt(columns.offers, row);
  return { supplyType, values, months: ofMonths(columns, row, MONTHS[supplyType].valuesAt) };
}

/** The names of the months of an offer, oldest first. */
export function monthNamesAt(columns: OfferColumns, row: number): readonly string[] {
  return monthsAt(columns, row).map(({ month }) => month);
}

/** The months of an offer, oldest first. */
export function monthsAt(columns: OfferColumns, row: number): readonly MonthlyPrice[] {
  return ofMonths(columns, row, MONTHS[columns.supplyType].recordAt) as readonly MonthlyPrice[];
}

function ofMonths<T>(
  { months }: OfferColumns,
  row: number,
  read: (columns: RecordColumns, row: number) => T,
): readonly T[] {
  const values: T[] = [];
  if (months)
    for (let at = months.starts[row] ?? 0; at < (months.starts[row + 1] ?? 0); at++)
      values.push(read(months.records, at));
  return values;
}
