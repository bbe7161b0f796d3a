import type { AnyTier } from '../commission/tier.ts';
import { assert } from '../errors.ts';
import { PERIOD_COUNT, perPeriod } from '../periods.ts';

/**
 * The kind of a field. `optionalText`: a text, or absent. `flags`: true or false for each of some names; `list`: some
 * of them, in their order.
 */
export type FieldKind =
  | { readonly kind: 'amount' | 'periods' | 'text' | 'optionalText' | 'flag' | 'tiers' }
  | { readonly kind: 'flags' | 'list'; readonly names: readonly string[] };

/**
 * One value of a record: a number, a text, 1 or 0 for true or false, the bits of a list, tiers; `null` where the record
 * has no value or no such field.
 */
export type RowValue = number | string | null | readonly AnyTier[];

/** The position of one value of a row. A field of several values has one for each period, or for each name. */
export interface ValuePlace<Field extends string = string> {
  readonly field: Field;
  readonly part: number | string | null;
  readonly kind: 'amount' | 'text' | 'flag' | 'list' | 'tiers';
  /** The words that the bits of a list stand for, the lowest bit first. */
  readonly names: readonly string[];
}

/** Records of one shape as numbers, with each text once. Never changed. */
export interface RecordColumns {
  readonly rowCount: number;
  /** NaN: `null`. */
  readonly amounts: Float64Array;
  /** For each record its flags, two bits each, then its lists. */
  readonly bits: Int32Array;
  /** Indexes into `pool`. */
  readonly texts: Uint16Array;
  readonly pool: readonly string[];
  /** Where each list of tiers begins, and one more index for the end of the last. */
  readonly tierStarts: Uint32Array;
  /** Three numbers a tier: from, to (NaN: open), value. */
  readonly tiers: Float64Array;
  readonly tierTypes: Uint8Array;
}

/** How records of one shape are stored as columns. */
export interface RecordLayout {
  /** Rows of values as columns. */
  columnise(rows: readonly (readonly RowValue[])[]): RecordColumns;
  /** A record, as a new object. */
  recordAt(columns: RecordColumns, row: number): object;
  /** Creates a record with some of its fields. */
  pick(names: readonly string[]): (columns: RecordColumns, row: number) => object;
  /** A record as a row of values; the fields of other shapes are `null`. */
  valuesOf(record: object): readonly RowValue[];
  /** The same of a record in columns. */
  valuesAt(columns: RecordColumns, row: number): readonly RowValue[];
}

type Fields = Readonly<Record<string, FieldKind>>;

const PERIODS = Array.from({ length: PERIOD_COUNT }, (_, index) => index);
const TIER_TYPES: readonly AnyTier['type'][] = ['fixed', 'per_mwh', 'per_kw'];
const FLAGS_PER_WORD = 16;
const NOT_SAID = 2;

/** The positions of the values of some fields, in their order. */
export function placesOf<Field extends string>(
  fields: Readonly<Record<Field, FieldKind>>,
): readonly ValuePlace<Field>[] {
  return Object.entries<FieldKind>(fields).flatMap(([name, spec]): ValuePlace<Field>[] => {
    const field = name as Field;
    if (spec.kind === 'periods') return PERIODS.map((part) => ({ field, part, kind: 'amount', names: [] }));
    if (spec.kind === 'flags') return spec.names.map((part) => ({ field, part, kind: 'flag', names: [] }));
    return [
      {
        field,
        part: null,
        kind: spec.kind === 'optionalText' ? 'text' : spec.kind,
        names: spec.kind === 'list' ? spec.names : [],
      },
    ];
  });
}

/**
 * How records with these fields are stored as columns.
 *
 * @param places - The values of a row, those of other shapes among them.
 * @param constants - The members that are the same in every record; they come first.
 */
export function layoutOf(fields: Fields, places: readonly ValuePlace[], constants: object): RecordLayout {
  const own = places.map((place, index) => ({ ...place, index })).filter(({ field }) => Object.hasOwn(fields, field));
  const of = (kind: ValuePlace['kind']) => own.filter((place) => place.kind === kind);
  const columns: Columns = {
    amount: of('amount'),
    text: of('text'),
    flag: of('flag'),
    list: of('list'),
    tiers: of('tiers'),
  };
  const readers = Object.entries(fields).map(([name, spec]) => {
    return { name, read: readerOf(name, spec, columns), isOptional: spec.kind === 'optionalText' };
  });
  const values = places.map((place) => (Object.hasOwn(fields, place.field) ? valueReader(place, columns) : () => null));
  const makerOf = (chosen: typeof readers) => {
    // Copied for each record, so that all have one shape. Parsed: an object that is made key by key is slow to copy.
    const names = Object.fromEntries(chosen.flatMap(({ name, isOptional }) => (isOptional ? [] : [[name, null]])));
    const blank: object = JSON.parse(JSON.stringify({ ...constants, ...names }));
    return (from: RecordColumns, row: number): object => {
      const record: Record<string, unknown> = { ...blank };
      for (const { name, read, isOptional } of chosen) {
        const value = read(from, row);
        if (!isOptional || value !== null) record[name] = value;
      }
      return record;
    };
  };
  return {
    columnise: (rows) => columnise(rows, columns),
    recordAt: makerOf(readers),
    pick: (names) => makerOf(readers.filter(({ name }) => names.includes(name))),
    valuesOf: (record) => {
      const known = record as Readonly<Record<string, unknown>>;
      return places.map((place) => (Object.hasOwn(fields, place.field) ? valueIn(known[place.field], place) : null));
    },
    valuesAt: (from, row) => values.map((read) => read(from, row)),
  };
}

interface IndexedPlace extends ValuePlace {
  /** In a row of values. */
  readonly index: number;
}

/** The columns of each kind, in their order. */
type Columns = Readonly<Record<ValuePlace['kind'], readonly IndexedPlace[]>>;

function firstOf(among: readonly ValuePlace[], name: string): number {
  return among.findIndex(({ field }) => field === name);
}

function flagWords({ flag }: Columns): number {
  return Math.ceil(flag.length / FLAGS_PER_WORD);
}

function wordsPerRow(columns: Columns): number {
  return flagWords(columns) + columns.list.length;
}

type Read<T> = (columns: RecordColumns, row: number) => T;

function readerOf(name: string, spec: FieldKind, columns: Columns): Read<unknown> {
  switch (spec.kind) {
    case 'amount':
      return amountReader(firstOf(columns.amount, name), columns);
    case 'periods': {
      const [first, perRow] = [firstOf(columns.amount, name), columns.amount.length];
      return ({ amounts }, row) => perPeriod((period) => orNull(amounts[row * perRow + first + period]));
    }
    case 'text':
    case 'optionalText':
      return textReader(firstOf(columns.text, name), columns);
    case 'flag': {
      const read = flagReader(firstOf(columns.flag, name), columns);
      return (from, row) => {
        const flag = read(from, row);
        return flag === null ? null : flag === 1;
      };
    }
    case 'flags': {
      const blank = Object.fromEntries(spec.names.map((each) => [each, false]));
      const first = firstOf(columns.flag, name);
      const reads = spec.names.map((each, index) => ({ each, read: flagReader(first + index, columns) }));
      return (from, row) => {
        const flags = { ...blank };
        for (const { each, read } of reads) flags[each] = read(from, row) === 1;
        return flags;
      };
    }
    case 'list': {
      const read = listReader(firstOf(columns.list, name), columns);
      return (from, row) => {
        const bits = read(from, row);
        return bits === 0 ? [] : spec.names.filter((_, index) => (bits & (1 << index)) !== 0);
      };
    }
    case 'tiers':
      return tiersReader(firstOf(columns.tiers, name), columns);
  }
}

function valueReader({ field, part, kind }: ValuePlace, columns: Columns): Read<RowValue> {
  const column = columns[kind].findIndex((place) => place.field === field && place.part === part);
  const readers = { amount: amountReader, text: textReader, flag: flagReader, list: listReader, tiers: tiersReader };
  return readers[kind](column, columns);
}

function orNull(amount: number | undefined): number | null {
  return amount === undefined || Number.isNaN(amount) ? null : amount;
}

function amountReader(column: number, columns: Columns): Read<number | null> {
  const perRow = columns.amount.length;
  return ({ amounts }, row) => orNull(amounts[row * perRow + column]);
}

function textReader(column: number, columns: Columns): Read<string | null> {
  const perRow = columns.text.length;
  return ({ texts, pool }, row) => pool[texts[row * perRow + column] ?? NO_TEXT] ?? null;
}

/** 1 or 0, and `null` for an unknown flag. */
function flagReader(column: number, columns: Columns): Read<number | null> {
  const perRow = wordsPerRow(columns);
  const [word, shift] = [Math.floor(column / FLAGS_PER_WORD), 2 * (column % FLAGS_PER_WORD)];
  return ({ bits }, row) => {
    const flag = ((bits[row * perRow + word] ?? 0) >>> shift) & 3;
    return flag === NOT_SAID ? null : flag;
  };
}

function listReader(column: number, columns: Columns): Read<number> {
  const [word, perRow] = [flagWords(columns) + column, wordsPerRow(columns)];
  return ({ bits }, row) => bits[row * perRow + word] ?? 0;
}

function tiersReader(column: number, columns: Columns): Read<readonly AnyTier[]> {
  const perRow = columns.tiers.length;
  return ({ tierStarts, tiers, tierTypes }, row) => {
    const list = row * perRow + column;
    const result: AnyTier[] = [];
    for (let tier = tierStarts[list] ?? 0; tier < (tierStarts[list + 1] ?? 0); tier++) {
      const [at, type] = [3 * tier, TIER_TYPES[tierTypes[tier] ?? 0] ?? 'fixed'];
      result.push({ from: tiers[at] ?? 0, to: orNull(tiers[at + 1]), value: tiers[at + 2] ?? 0, type } as AnyTier);
    }
    return result;
  };
}

/** The value of a field, or of a part of it, in a row. */
function valueIn(known: unknown, { kind, part, names }: ValuePlace): RowValue {
  const value = part === null ? known : (known as Readonly<Record<number | string, unknown>>)[part];
  if (kind === 'flag') return value === null ? null : Number(value);
  return kind === 'list' ? bitsOfList(value as readonly string[], names) : ((value ?? null) as RowValue);
}

/** A list as bits, by the order of its names. */
export function bitsOfList(list: readonly string[], names: readonly string[]): number {
  return list.reduce((bits, name) => bits | (1 << names.indexOf(name)), 0);
}

function columnise(rows: readonly (readonly RowValue[])[], columns: Columns): RecordColumns {
  const { amount, text, flag, list } = columns;
  const words = wordsPerRow(columns);
  const amounts = new Float64Array(rows.length * amount.length);
  const bits = new Int32Array(rows.length * words);
  const texts = new Uint16Array(rows.length * text.length);
  const indexByText = new Map<string, number>();
  let [nextAmount, nextText, word] = [0, 0, 0];
  for (const values of rows) {
    for (const { index } of amount) {
      const value = values[index];
      amounts[nextAmount++] = typeof value === 'number' ? value : Number.NaN;
    }
    for (const { index } of text) {
      const value = values[index];
      if (typeof value !== 'string') {
        texts[nextText++] = NO_TEXT;
        continue;
      }
      const known = indexByText.get(value) ?? indexByText.size;
      if (known === indexByText.size) indexByText.set(value, known);
      texts[nextText++] = known;
    }
    for (let column = 0; column < flag.length; column++) {
      const value = values[flag[column]?.index ?? -1];
      const at = word + Math.floor(column / FLAGS_PER_WORD);
      bits[at] = (bits[at] ?? 0) | ((typeof value === 'number' ? value : NOT_SAID) << (2 * (column % FLAGS_PER_WORD)));
    }
    word += words;
    for (let column = 0; column < list.length; column++) {
      bits[word - list.length + column] = Number(values[list[column]?.index ?? -1]);
    }
  }
  assert(indexByText.size <= NO_TEXT, 'the texts of a block can be numbered');
  return { rowCount: rows.length, amounts, bits, texts, pool: [...indexByText.keys()], ...tierColumns(rows, columns) };
}

/** The index that means no text: the last of a `Uint16Array`. */
const NO_TEXT = 65_535;

function tierColumns(
  rows: readonly (readonly RowValue[])[],
  { tiers: lists }: Columns,
): Pick<RecordColumns, 'tierStarts' | 'tiers' | 'tierTypes'> {
  const tierStarts = new Uint32Array(rows.length * lists.length + 1);
  let count = 0;
  let list = 0;
  for (const values of rows) {
    for (const { index } of lists) {
      count += tiersIn(values[index]).length;
      tierStarts[++list] = count;
    }
  }
  const tiers = new Float64Array(3 * count);
  const tierTypes = new Uint8Array(count);
  let tier = 0;
  for (const values of rows) {
    for (const { index } of lists) {
      for (const { from, to, value, type } of tiersIn(values[index])) {
        tiers[3 * tier] = from;
        tiers[3 * tier + 1] = to ?? Number.NaN;
        tiers[3 * tier + 2] = value;
        tierTypes[tier++] = TIER_TYPES.indexOf(type);
      }
    }
  }
  return { tierStarts, tiers, tierTypes };
}

function tiersIn(value: RowValue | undefined): readonly AnyTier[] {
  return typeof value === 'object' && value !== null ? value : [];
}

/** Bytes of a typed array in addition to its numbers, and of a text in addition to its characters. */
const ARRAY_BYTES = 200;
const TEXT_BYTES = 32;

/** How much memory columns take, approximately. */
export function bytesOf({ amounts, bits, texts, pool, tierStarts, tiers, tierTypes }: RecordColumns): number {
  const arrays = [amounts, bits, texts, tierStarts, tiers, tierTypes];
  const numbers = arrays.reduce((sum, { byteLength }) => sum + byteLength + ARRAY_BYTES, 0);
  return pool.reduce((sum, text) => sum + text.length + TEXT_BYTES, numbers);
}
