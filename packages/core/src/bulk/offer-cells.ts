import type { CellToWrite } from '../engine/cells.ts';
import type { AnyTier } from '../engine/commission/tier.ts';
import { differenceOf } from '../engine/offers/difference.ts';
import {
  copierOf,
  FIELD_LIST,
  type FieldPart,
  fieldPartsOf,
  fieldsOf,
  type TermsField,
} from '../engine/offers/field-parts.ts';
import type { FieldName } from '../engine/offers/field-spec.ts';
import type { MonthlyPrice, OfferTerms, SupplyType } from '../engine/offers/offer.ts';
import type { MonthDraft, OfferChanges, SparsePrices, TierDraft } from '../engine/offers/offer-changes.ts';
import type { RowValues } from './read-rows.ts';
import {
  type COMPANY_HEADER,
  type FIRM_HEADER,
  MONTH_HEADER,
  NAME_HEADER,
  SUPPLY_HEADER,
  type TierHeaders,
  type TierSheet,
} from './sheets.ts';
import { keepStoredPrecision } from './stored-precision.ts';

/** Cells of a row by header. */
export type RowCells = Readonly<Record<string, CellToWrite>>;

/**
 * The content of a cell, which `readCell` has read by the kind of its column. An absent column gives `undefined`, an
 * empty cell gives `erased`.
 */
function cellAt<T>(values: RowValues, header: string, erased: T): T | undefined {
  const value = values[header];
  return value === null ? erased : (value as T | undefined);
}

/** The name in a cell; `null`: empty or absent. */
export function nameAt(
  values: RowValues,
  header: typeof FIRM_HEADER | typeof COMPANY_HEADER | typeof NAME_HEADER,
): string | null {
  return cellAt<string | null>(values, header, null) ?? null;
}

/** The supply type that a row gives; `null`: an empty cell; `undefined`: no column. */
export function supplyTypeAt(values: RowValues): SupplyType | null | undefined {
  return cellAt<SupplyType | null>(values, SUPPLY_HEADER, null);
}

/** A field in the cells of a row. */
interface FieldCells {
  readonly name: FieldName;
  /** The changes of the cells of a row; an empty cell becomes the default. */
  readonly read: (values: RowValues) => unknown;
}

function cellsOf(field: TermsField): FieldCells {
  const { name, kind, initial } = field;
  const parts = fieldPartsOf(field).map(({ part, wire }) => ({ flag: String(part), wire }));
  if (kind === 'periods') return { name, read: (values) => parts.map(({ wire }) => cellAt(values, wire, initial)) };
  if (kind === 'flags') {
    const blank = copierOf(Object.fromEntries(parts.map(({ flag }) => [flag, null])));
    const read = (values: RowValues) => {
      const sent = blank();
      for (const { flag, wire } of parts) sent[flag] = cellAt(values, wire, initial);
      return sent;
    };
    return { name, read };
  }
  const [{ wire } = { wire: '' }] = parts;
  return { name, read: (values) => cellAt(values, wire, initial) };
}

const FIELD_CELLS = FIELD_LIST.filter(({ kind }) => kind !== 'id' && kind !== 'tiers').map(cellsOf);
const NO_CHANGES = copierOf(Object.fromEntries(FIELD_CELLS.map(({ name }) => [name, null])));

/**
 * The changes of a row of `ofertas`. An empty cell sets the default of a new offer. The company and the supply type are
 * not included.
 */
export function changesOf(values: RowValues): OfferChanges {
  const changes = NO_CHANGES();
  for (const { name, read } of FIELD_CELLS) changes[name] = read(values);
  return changes;
}

/** Functions that write the cell of a value. A field that only the other supply has is an empty cell. */
function writerOf({ field: { name, kind }, part, wire }: FieldPart) {
  const cellOf = (value: unknown): CellToWrite => {
    if (value === undefined || value === null) return null;
    if (part !== null) return (value as Readonly<Record<number | string, CellToWrite>>)[part] ?? null;
    return kind === 'list' ? listCell(value) : (value as CellToWrite);
  };
  return { wire, name, cellOf };
}

function listCell(value: unknown): CellToWrite {
  const list = value as readonly string[];
  return list.length === 0 ? null : list.join(',');
}

type Writers = readonly ReturnType<typeof writerOf>[];

const OFFER_WRITERS: Writers = FIELD_LIST.flatMap(fieldPartsOf)
  .filter(({ es }) => es !== null)
  .map(writerOf);
/** By period, and fields without one last. The versions of rows in existing files depend on this order. */
const MONTH_WRITERS: Writers = fieldsOf('prices')
  .flatMap(fieldPartsOf)
  .toSorted((a, b) => Number(a.part ?? Number.MAX_VALUE) - Number(b.part ?? Number.MAX_VALUE))
  .map(writerOf);
const BLANK_OFFER = copierOf(blankCells([NAME_HEADER, SUPPLY_HEADER], OFFER_WRITERS));
const BLANK_MONTH = copierOf(blankCells([MONTH_HEADER], MONTH_WRITERS));

function blankCells(headers: readonly string[], writers: Writers) {
  return Object.fromEntries([...headers, ...writers.map(({ wire }) => wire)].map((header) => [header, null]));
}

function writeCells(cells: Record<string, unknown>, writers: Writers, record: OfferTerms | MonthlyPrice): RowCells {
  const values: Readonly<Partial<Record<FieldName, unknown>>> = record;
  for (const { wire, name, cellOf } of writers) cells[wire] = cellOf(values[name]);
  return cells as Record<string, CellToWrite>;
}

/** The cells of an offer in a row of `ofertas`, except its id, firm and company. */
export function offerCells(terms: OfferTerms): RowCells {
  const cells = BLANK_OFFER();
  cells[SUPPLY_HEADER] = terms.supplyType;
  return writeCells(cells, OFFER_WRITERS, terms);
}

/** The cells of a month in a row of `precios_indexados`, except the offer. */
export function monthCells(price: MonthlyPrice): RowCells {
  const cells = BLANK_MONTH();
  cells[MONTH_HEADER] = price.month;
  return writeCells(cells, MONTH_WRITERS, price);
}

/** The headers of the cells of a month, in their order. */
export const MONTH_HEADERS: readonly string[] = Object.keys(BLANK_MONTH());

/** A value as its cell shows it, or the whole list of tiers; `null`: none. */
export type ShownValue = CellToWrite | readonly AnyTier[];

/** A value before and after a change. */
export interface ShownChange {
  readonly before: ShownValue;
  readonly after: ShownValue;
}

/**
 * What differs, by header, and lists of tiers by the name of their field.
 *
 * @param before - `null`: the offer, or the month, is new.
 */
export function shownChanges<Terms extends OfferTerms | MonthlyPrice>(
  before: Terms | null,
  after: Terms,
): ReadonlyMap<string, ShownChange> {
  const changes = new Map<string, ShownChange>();
  if (before === null) {
    const [header, name] = 'month' in after ? [MONTH_HEADER, after.month] : [SUPPLY_HEADER, after.supplyType];
    changes.set(header, { before: null, after: name });
  }
  for (const { part, ...values } of differenceOf(before, after)) {
    const shown = part.field.kind === 'list' ? listCell : (value: unknown) => value as ShownValue;
    changes.set(part.wire, { before: shown(values.before), after: shown(values.after) });
  }
  return changes;
}

const PRICE_CELLS = fieldsOf('prices').map(cellsOf);
const NO_PRICES = copierOf({ month: '', ...Object.fromEntries(PRICE_CELLS.map(({ name }) => [name, null])) });

/**
 * The month of an offer from a row of `precios_indexados`. An absent column keeps the stored price, and so does a
 * number that equals it to the precision of spreadsheets.
 *
 * @param stored - The stored month; `null`: the offer has no such month.
 */
export function monthOf(values: RowValues, stored: MonthlyPrice | null): MonthDraft {
  const storedPrices: Readonly<Partial<Record<FieldName, unknown>>> = stored ?? {};
  const month = NO_PRICES();
  month.month = cellAt(values, MONTH_HEADER, '') ?? '';
  for (const { name, read } of PRICE_CELLS) month[name] = orStored(read(values), storedPrices[name]);
  return month as unknown as MonthDraft;
}

function orStored(sent: unknown, stored: unknown): unknown {
  if (!Array.isArray(sent)) return withPrecisionOf(sent as Price, stored as Price);
  const prices = (stored ?? []) as SparsePrices;
  return sent.map((price, index) => withPrecisionOf(price, prices[index]));
}

type Price = SparsePrices[number];

function withPrecisionOf(price: Price, stored: Price): Price {
  return price === undefined ? stored : keepStoredPrecision(price, stored);
}

/** The tiers of an offer in a sheet; a gas offer has no tiers of power. */
export function tiersIn(terms: OfferTerms, sheet: TierSheet): readonly AnyTier[] {
  if (sheet === 'tramos_consumo') return terms.consumptionTiers;
  return terms.supplyType === 'LUZ' ? terms.powerTiers : [];
}

/** The tier in a row of a tier sheet, by the headers of that sheet. Its required cells are present. */
export function tierOf(values: RowValues, headers: TierHeaders): TierDraft {
  return {
    from: cellAt(values, headers.from, 0) ?? 0,
    to: cellAt<number | null>(values, headers.to, null) ?? null,
    value: cellAt(values, headers.value, 0) ?? 0,
    type: cellAt(values, headers.type, 'fixed') ?? 'fixed',
  };
}

/** The cells of a tier in a row of its sheet, except the offer. */
export function tierCells(tier: TierDraft, headers: TierHeaders): RowCells {
  return {
    [headers.from]: tier.from,
    [headers.to]: tier.to,
    [headers.value]: tier.value,
    [headers.type]: tier.type,
  };
}
