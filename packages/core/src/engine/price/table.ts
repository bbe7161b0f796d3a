// Offers of one supply as numbers by row: what the rule of cost and commission reads (rule.ts), what a filter compares, and the
// kinds of offers that warnings count. The table is also where offers are kept. A single offer is a table of one row.
import type { Month } from '../calendar.ts';
import { hourlyTerms } from '../consumption/hourly-prices.ts';
import { assert } from '../errors.ts';
import { bitsOfList, COMMUNITIES, type Offer, type OfferWithHistory, type SupplyType } from '../offers/offer.ts';
import { isBelowLeast, type LeastPowerPrices } from '../power/least-prices.ts';
import { searchForm } from '../text.ts';
import { flagsOf, INDEXED, type Kind, kindSlots, putLimits, ROW_LIMITS } from './conditions.ts';
import type { Demand } from './customer.ts';
import {
  type MonthlyEnergy,
  monthlyEnergy,
  newPriceRows,
  type PriceRows,
  putMeans,
  putMonth,
  ROW_DISCOUNTS,
  ROW_PRICES,
} from './prices.ts';
import {
  bytesOfRates,
  type Move,
  moveFor,
  moveList,
  moveNumbers,
  movePrices,
  moveRates,
  placeOf,
  type Rates,
  ratesOf,
  renumber,
  slotsIn,
} from './rows.ts';
import type { RowPrices } from './rule.ts';

/** Numbers by row. */
interface Columns {
  readonly ids: Float64Array;
  /** The conditions that an offer satisfies, as bits; `filterBits` gives those that a request needs. */
  readonly flags: Int32Array;
  /** One bit per community in the order of `COMMUNITIES`; 0 is no restriction. */
  readonly communities: Int32Array;
  /** Indexes into `tariffTypes`, `companyIds` and `kinds`. */
  readonly tariffSlots: Uint16Array;
  readonly companySlots: Uint16Array;
  readonly kindSlots: Uint16Array;
  readonly discounts: Float64Array;
  readonly limits: Float64Array;
}

/** What slots stand for. */
interface SlotValues {
  readonly tariffTypes: readonly string[];
  readonly companyIds: readonly number[];
  /** Offers that no warning tells apart. */
  readonly kinds: readonly Kind[];
}

/** The terms that a filter may ask for. */
type Terms = Pick<Offer, 'permanenceMonths' | 'fixedPriceMonths' | 'isGreen'>;
const NO_TERMS: Terms = { permanenceMonths: null, fixedPriceMonths: null, isGreen: null };

/** Offers of one supply, by ascending id. What it says never changes: an offer that is edited gives another table. */
export interface Table extends Columns, SlotValues {
  readonly supplyType: SupplyType;
  readonly rowCount: number;
  /** `null`: it has no texts. */
  readonly readText: ReadText | null;
  readonly terms: readonly Terms[];
  readonly rates: { readonly consumption: Rates; readonly power: Rates };
  readonly means: PriceRows;
  readonly later: Later;
}

/** An offer as a table keeps it: an object, or its text. */
type Kept = OfferWithHistory | string;

/** Reads the offer of a text, as a new object. */
type ReadText = (text: string) => OfferWithHistory;

/** What is made when it is first asked for. */
interface Later {
  /** Texts become objects when they are shown, because they will be shown again. */
  readonly kept: Kept[];
  keptBytes: number;
  readonly months: Map<Month, PriceRows>;
  monthly: MonthlyEnergy | null;
  /** The names of offers as `searchForm` makes them. */
  names: readonly string[] | null;
  least: { readonly name: string; readonly prices: LeastPowerPrices; readonly isBelow: Uint8Array } | null;
}

/** An offer that is new in a table. */
export interface NewRow {
  readonly entry: OfferWithHistory;
  /** What is kept of it; left out: the object. */
  readonly text?: string;
}

/** For how many months, besides the means, a table keeps prices. */
const MAX_MONTHS = 4;

/** Compiles offers of one supply, by ascending id, each once. */
export function compileTable(supplyType: SupplyType, rows: readonly NewRow[], readText: ReadText | null = null): Table {
  return patchTable({ ...emptyTable(supplyType), readText }, rows);
}

function emptyTable(supplyType: SupplyType): Omit<Table, 'readText'> {
  const [doubles, slots] = [new Float64Array(0), new Uint16Array(0)];
  const columns: Columns = {
    ...{ ids: doubles, flags: new Int32Array(0), communities: new Int32Array(0) },
    ...{ tariffSlots: slots, companySlots: slots, kindSlots: slots, discounts: doubles, limits: doubles },
  };
  const months = new Map<Month, PriceRows>();
  return {
    ...{ supplyType, rowCount: 0, ...columns, tariffTypes: [], companyIds: [], kinds: [], terms: [] },
    ...{ rates: { consumption: ratesOf('consumption', []), power: ratesOf('power', []) }, means: newPriceRows(0) },
    later: { kept: [], keptBytes: 0, months, monthly: null, names: null, least: null },
  };
}

/**
 * The table after some offers were changed or added: its arrays are copied, and only the rows of these offers are written.
 * A ranking that has begun goes on with the table that it has.
 *
 * @param changed - By ascending id, each once.
 */
export function patchTable(table: Table, changed: readonly NewRow[]): Table {
  const offers = changed.map(({ entry }) => entry.offer);
  const move = moveFor(
    table.ids,
    offers.map(({ id }) => id),
  );
  const columns = moveColumns(table, move);
  const values = { tariffTypes: [...table.tariffTypes], companyIds: [...table.companyIds], kinds: [...table.kinds] };
  const means = movePrices(table.means, ROW_PRICES, move);
  const terms = moveList(table.terms, move);
  const write = rowWriter(columns, values, means);
  changed.forEach((row, index) => {
    const { at } = move.changed[index] as Move['changed'][number];
    write(row, at);
    terms[at] = termsOf(row.entry.offer);
  });
  const rates = {
    consumption: moveRates(table.rates.consumption, move, ratesOf('consumption', offers)),
    power: moveRates(table.rates.power, move, ratesOf('power', offers)),
  };
  return {
    ...{ supplyType: table.supplyType, rowCount: move.rowCount, readText: table.readText },
    ...{ ...columns, terms: terms as Terms[], rates, means },
    tariffTypes: renumber(columns.tariffSlots, values.tariffTypes),
    companyIds: renumber(columns.companySlots, values.companyIds),
    kinds: renumber(columns.kindSlots, values.kinds),
    later: moveLater(table, move, changed),
  };
}

function moveColumns(table: Columns, move: Move): Columns {
  return {
    ids: moveNumbers(table.ids, 1, move),
    flags: moveNumbers(table.flags, 1, move),
    communities: moveNumbers(table.communities, 1, move),
    tariffSlots: moveNumbers(table.tariffSlots, 1, move),
    companySlots: moveNumbers(table.companySlots, 1, move),
    kindSlots: moveNumbers(table.kindSlots, 1, move),
    discounts: moveNumbers(table.discounts, ROW_DISCOUNTS, move),
    limits: moveNumbers(table.limits, ROW_LIMITS, move),
  };
}

/** Writes an offer to its row. @param values - Those of other offers are added. */
function rowWriter(
  columns: Columns,
  values: { readonly [Name in keyof SlotValues]: SlotValues[Name][number][] },
  means: PriceRows,
) {
  const tariffSlotOf = slotsIn<string>(values.tariffTypes);
  const companySlotOf = slotsIn<number>(values.companyIds);
  const kindSlotOf = kindSlots(values.kinds);
  return ({ entry }: NewRow, row: number): void => {
    const { offer } = entry;
    const flags = flagsOf(offer);
    columns.ids[row] = offer.id;
    columns.flags[row] = flags;
    columns.communities[row] = bitsOfList(offer.communities, COMMUNITIES);
    columns.tariffSlots[row] = tariffSlotOf(offer.tariffType);
    columns.companySlots[row] = companySlotOf(offer.companyId);
    columns.kindSlots[row] = kindSlotOf(offer, flags, putMeans(means, row, entry, flags));
    columns.discounts[ROW_DISCOUNTS * row] = (offer.energyDiscountPercent ?? 0) / 100;
    const powerPercent = offer.supplyType === 'LUZ' ? offer.powerDiscountPercent : 0;
    columns.discounts[ROW_DISCOUNTS * row + 1] = (powerPercent ?? 0) / 100;
    columns.discounts[ROW_DISCOUNTS * row + 2] = offer.discountMonths ?? 0;
    putLimits(offer, columns.limits, ROW_LIMITS * row);
  };
}

function termsOf({ permanenceMonths, fixedPriceMonths, isGreen }: Offer): Terms {
  if (permanenceMonths === null && fixedPriceMonths === null && isGreen === null) return NO_TERMS;
  return { permanenceMonths, fixedPriceMonths, isGreen };
}

function moveLater({ later }: Table, move: Move, changed: readonly NewRow[]): Later {
  const kept = moveList(later.kept, move);
  const names = later.names && moveList(later.names, move);
  const { least } = later;
  const isBelow = least && moveNumbers(least.isBelow, 1, move);
  let { keptBytes } = later;
  changed.forEach(({ entry, text }, index) => {
    const { at, before } = move.changed[index] as Move['changed'][number];
    kept[at] = text ?? entry;
    keptBytes += bytesOf(text ?? entry) - (before < 0 ? 0 : bytesOf(later.kept[before] as Kept));
    if (names) names[at] = searchForm(entry.offer.offerName);
    if (least && isBelow) isBelow[at] = below(entry.offer, least.prices);
  });
  const months = new Map(
    [...later.months].map(([month, rows]) => {
      const moved = movePrices(rows, ROW_PRICES, move);
      for (const [index, { entry }] of changed.entries()) {
        putMonth(moved, move.changed[index]?.at ?? 0, entry, { month, flags: flagsOf(entry.offer) });
      }
      return [month, moved];
    }),
  );
  return {
    ...{ kept: kept as Kept[], keptBytes, months, names: names as readonly string[] | null },
    // Most questions have no months.
    monthly: null,
    least: least && isBelow && { ...least, isBelow },
  };
}

/** Approximate bytes of an offer as an object, of each of its months, and of a text besides its characters. */
const OBJECT_BYTES = 2000;
const MONTH_BYTES = 250;
const TEXT_BYTES = 32;

function bytesOf(kept: Kept): number {
  return typeof kept === 'string' ? TEXT_BYTES + kept.length : OBJECT_BYTES + MONTH_BYTES * kept.months.length;
}

/** The offer of a row to be shown: the same object each time. */
export function entryAt(table: Table, row: number): OfferWithHistory {
  const { later } = table;
  const kept = later.kept[row];
  const entry = readAt(table, row);
  if (typeof kept === 'string') {
    later.kept[row] = entry;
    later.keptBytes += bytesOf(entry) - bytesOf(kept);
  }
  return entry;
}

/** The offer of a row to be read once: perhaps a new object. */
export function readAt({ readText, later }: Table, row: number): OfferWithHistory {
  const kept = later.kept[row];
  const entry = typeof kept === 'string' ? readText?.(kept) : kept;
  assert(entry !== undefined, 'a row is one of the table, and a text can be read');
  return entry;
}

/** The row of an offer; -1: it is not in the table. */
export function rowOfId({ ids }: Table, id: number): number {
  const row = placeOf(ids, id);
  return ids[row] === id ? row : -1;
}

/** The rows of a table, as they were written. */
export function rowsIn(table: Table): readonly NewRow[] {
  return table.later.kept.map((kept, row) => {
    const text = typeof kept === 'string' ? { text: kept } : null;
    return { entry: readAt(table, row), ...text };
  });
}

/** The prices of a month, or the means (`null`). */
export function pricesAt(table: Table, month: Month | null): PriceRows {
  if (month === null) return table.means;
  const { flags, means, rowCount, later } = table;
  const known = later.months.get(month);
  if (known) return known;
  // Only those of indexed offers depend on the month.
  const rows = { ...newPriceRows(rowCount), prices: means.prices.slice(), mask: means.mask.slice() };
  for (let row = 0; row < rowCount; row++) {
    if (((flags[row] as number) & INDEXED) === 0) continue;
    putMonth(rows, row, readAt(table, row), { month, flags: flags[row] as number });
  }
  if (later.months.size >= MAX_MONTHS) later.months.clear();
  later.months.set(month, rows);
  return rows;
}

/** The prices of a question: those of calendar months too, where it has such parts. */
export function readPrices(table: Table, month: Month | null, { parts }: Pick<Demand, 'parts'>) {
  const hasMonths = month === null && parts.some((part) => part.month !== null);
  return { prices: pricesAt(table, month).prices, monthly: hasMonths ? monthlyIn(table) : null };
}

/** The same with what its hours add. */
export function pricesFor(table: Table, month: Month | null, demand: Pick<Demand, 'parts'>): RowPrices {
  return { ...readPrices(table, month, demand), hours: hourlyTerms(table.kinds, demand.parts) };
}

/** The energy of calendar months. */
export function monthlyIn(table: Table): MonthlyEnergy {
  const { flags, means, later } = table;
  later.monthly ??= monthlyEnergy(
    means,
    (row) => ((flags[row] as number) & INDEXED) !== 0,
    (row) => readAt(table, row),
  );
  return later.monthly;
}

/** 1 for each row with a price of power below the least ones. */
export function belowLeastIn(table: Table, prices: LeastPowerPrices): Uint8Array {
  const { rowCount, later } = table;
  const name = JSON.stringify(prices);
  if (later.least?.name !== name) {
    const isBelow = Uint8Array.from({ length: rowCount }, (_, row) => below(readAt(table, row).offer, prices));
    later.least = { name, prices, isBelow };
  }
  return later.least.isBelow;
}

function below(offer: Offer, prices: LeastPowerPrices): 0 | 1 {
  return offer.supplyType === 'LUZ' && isBelowLeast(offer, prices) ? 1 : 0;
}

/** Bytes of a table and of a row, besides prices, tiers, and what is kept of an offer; of prices that were shown; of a name. */
const TABLE_BYTES = 8192;
const ROW_BYTES = 122;
const SHOWN_BYTES = 480;
const NAME_BYTES = 100;

/** Approximate memory, with all that was made since. */
export function heldBytes({ rowCount, rates, means, later }: Table): number {
  const priced = [means, ...later.months.values()];
  return (
    TABLE_BYTES +
    rowCount * ROW_BYTES +
    priced.reduce((sum, { chosen }) => sum + rowCount * (8 * ROW_PRICES + 4) + SHOWN_BYTES * chosen.size, 0) +
    bytesOfRates(rates.consumption) +
    bytesOfRates(rates.power) +
    later.keptBytes +
    (later.monthly ? later.monthly.energy.byteLength + later.monthly.at.byteLength : 0) +
    (later.least?.isBelow.byteLength ?? 0) +
    NAME_BYTES * (later.names?.length ?? 0)
  );
}
