// All offers of one supply of an owner, as tables of some of them each.

import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { anyOffer, FILTER_NAMES, type OfferFilter } from '../offers/offer-filter.ts';
import { gasBandOf } from '../offers/tariff-names.ts';
import { compileTable, heldBytes, type NewRow, patchTable, rowsIn, type Table } from '../price/table.ts';
import { editDistance } from '../text.ts';
import { finish } from '../turns.ts';
import { NONE } from './facts.ts';
import type { RankingRequest, RankingWarning } from './ranking.ts';
import { matchingRows, type TablePart } from './select.ts';

/** All offers of one supply type, ready to be ranked; tables by ascending id. */
export interface Universe {
  readonly supplyType: SupplyType;
  readonly tables: readonly Table[];
}

/** Rows of a table: few enough that a copy of it costs little, and that work on one may go on without a pause. */
export const TABLE_ROWS = 1024;

/** A universe without offers. */
export function emptyUniverse(supplyType: SupplyType): Universe {
  return { supplyType, tables: [] };
}

/** Approximate memory of a universe, with what rankings added to it. */
export function universeBytes({ tables }: Universe): number {
  return tables.reduce((sum, table) => sum + heldBytes(table), 0);
}

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** The tables of universes, with the companies that take part. */
export function tablesOf(parts: readonly UniversePart[]): readonly TablePart[] {
  return parts.flatMap(({ universe, admits }) => universe.tables.map((table) => ({ table, admits })));
}

/**
 * Compiles offers into tables.
 *
 * @param entries - Offers of that supply type, each id once. Inactive ones may be among them.
 */
export function compileUniverse(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Universe {
  return patchUniverse(emptyUniverse(supplyType), entries);
}

/**
 * The universe after some offers were changed or added. Only the tables of these offers are made again.
 *
 * @param changed - Whole offers, each id once, in any order. Deleted offers are inactive ones.
 */
export function patchUniverse(universe: Universe, changed: readonly OfferWithHistory[]): Universe {
  return finish(
    patchInTurns(
      universe,
      changed.map((entry) => ({ entry })),
    ),
  );
}

/** The same for offers of which the text may be kept, with a pause after each table. @param readText - Reads such a text. */
export function* patchInTurns(
  universe: Universe,
  changed: readonly NewRow[],
  readText: Table['readText'] = null,
): Generator<undefined, Universe> {
  const { supplyType, tables } = universe;
  const own = changed.filter(({ entry }) => entry.offer.supplyType === supplyType);
  if (own.length === 0) return universe;
  const fresh = own.sort((a, b) => idOf(a) - idOf(b));
  if (tables.length === 0) return { supplyType, tables: yield* compiled(supplyType, fresh, readText) };
  const next: Table[] = [];
  let taken = 0;
  for (const [index, table] of tables.entries()) {
    const following = tables[index + 1];
    const start = taken;
    while (taken < fresh.length && (!following || idOf(fresh[taken]) < (following.ids[0] ?? 0))) taken++;
    if (taken === start) next.push(table);
    else next.push(...(yield* withRows(table, fresh.slice(start, taken))));
  }
  return { supplyType, tables: next };
}

function idOf(row: NewRow | undefined): number {
  return row?.entry.offer.id ?? 0;
}

/** A table with changed and added rows. What comes after its last row, and does not fit, gets tables of its own. */
function* withRows(table: Table, rows: readonly NewRow[]): Generator<undefined, readonly Table[]> {
  const lastId = table.ids[table.rowCount - 1] ?? 0;
  const after = rows.findIndex((row) => idOf(row) > lastId);
  const inside = after < 0 ? rows : rows.slice(0, after);
  const fits = after < 0 ? [] : rows.slice(after, after + Math.max(0, TABLE_ROWS - table.rowCount));
  const rest = rows.slice(inside.length + fits.length);
  const isPatched = inside.length + fits.length > 0;
  const own = isPatched ? patchTable(table, [...inside, ...fits]) : table;
  if (isPatched) yield;
  // Several where it has grown too long.
  const all = own.rowCount <= TABLE_ROWS ? [own] : yield* compiled(table.supplyType, rowsIn(own), table.readText);
  return [...all, ...(yield* compiled(table.supplyType, rest, table.readText))];
}

function* compiled(
  supplyType: SupplyType,
  rows: readonly NewRow[],
  readText: Table['readText'],
): Generator<undefined, readonly Table[]> {
  const tables: Table[] = [];
  for (let start = 0; start < rows.length; start += TABLE_ROWS) {
    tables.push(compileTable(supplyType, rows.slice(start, start + TABLE_ROWS), readText));
    yield;
  }
  return tables;
}

const MAX_NEAR = 3;
/**
 * Distances are computed for this many tariffs at most, because an account may have invented one for each of its
 * offers.
 */
const MAX_COMPARED = 1000;

/**
 * The warning about a filter that no offer passes: the first condition without which there are offers. Where it is the
 * tariff, the known tariffs that may be meant. No warning where the filter has no condition, unless all offers are of the
 * other supply.
 */
export function emptyListWarnings(
  parts: readonly TablePart[],
  { filter, company, hasOtherSupply }: EmptyQuestion,
): readonly RankingWarning[] {
  if (company.ownCompanyId === null && company.companyName === null && hasOtherSupply?.()) {
    const own = tariffsOf(parts, anyOffer(filter.supplyType));
    if (own.length === 0) return [{ code: 'sin_ofertas', ...NONE, filterName: 'supplyType' }];
  }
  const names = FILTER_NAMES.filter((name) => filter[name] !== null);
  for (const name of names) {
    const tariffs = tariffsOf(parts, { ...filter, [name]: null });
    if (tariffs.length === 0) continue;
    const tariffTypes = name === 'tariffType' ? nearTariffs(filter.tariffType ?? '', tariffs) : [];
    if (tariffTypes.length > 0) return [{ code: 'peaje_sin_ofertas', ...NONE, tariffTypes }];
    return [{ code: 'sin_ofertas', ...NONE, filterName: name }];
  }
  if (names.length > 0) return [{ code: 'sin_ofertas', ...NONE, filterName: null }];
  const [filterName] = (['ownCompanyId', 'companyName'] as const).filter((name) => company[name] !== null);
  return filterName ? [{ code: 'sin_ofertas', ...NONE, filterName }] : [];
}

type EmptyQuestion = Pick<RankingRequest, 'filter' | 'company' | 'hasOtherSupply'>;

/** Whether there are active offers of a supply. */
export function hasOffers(parts: readonly UniversePart[], supplyType: SupplyType): boolean {
  const filter = anyOffer(supplyType);
  return tablesOf(parts).some(({ table, admits }) => matchingRows(table, filter, admits).rows.length > 0);
}

/** The tariffs of the offers that pass a filter, each once. */
function tariffsOf(parts: readonly TablePart[], filter: OfferFilter): readonly string[] {
  const tariffs = new Set<string>();
  for (const { table, admits } of parts) {
    const { tariffSlots, tariffTypes } = table;
    for (const row of matchingRows(table, filter, admits).rows) tariffs.add(tariffTypes[tariffSlots[row] ?? 0] ?? '');
  }
  return [...tariffs];
}

/** The known tariffs that may be meant by another one: the most similar first; of gas the next bands. */
function nearTariffs(wanted: string, known: Iterable<string>): readonly string[] {
  const band = gasBandOf(wanted);
  const distances = new Map<string, number>();
  for (const tariff of known) {
    if (distances.size === MAX_COMPARED) break;
    const apart =
      band === null ? editDistance(folded(tariff), folded(wanted)) : (gasBandOf(tariff) ?? Number.NaN) - band;
    if (!Number.isNaN(apart)) distances.set(tariff, apart);
  }
  const nearest = [...distances].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([tariff]) => tariff);
  if (band === null) return nearest.slice(0, MAX_NEAR);
  const below = nearest.filter((tariff) => (distances.get(tariff) ?? 0) < 0);
  return [...below.slice(-1), ...nearest.slice(below.length, below.length + 1)];
}

function folded(tariff: string): string {
  return tariff.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}
