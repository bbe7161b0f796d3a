// Which rows of tables take part in a question, and which of them are ranked.

import { assert } from '../errors.ts';
import { firstOf } from '../in-order.ts';
import type { ExcludedOffer } from '../offers/exclusion.ts';
import { COMMUNITIES } from '../offers/offer.ts';
import { asksForTerms, type OfferFilter, termsVerdict } from '../offers/offer-filter.ts';
import {
  ACTIVE_BIT,
  brokenBound,
  filterBits,
  LIMITED,
  limitExclusion,
  limitedNumbers,
  ROW_LIMITS,
} from '../price/conditions.ts';
import type { PriceQuestion } from '../price/cost.ts';
import { type Demand, demandOf } from '../price/customer.ts';
import { missingPrice, neededPrices } from '../price/prices.ts';
import { type Figures, figuresFor, type Stretch } from '../price/rule.ts';
import { belowLeastIn, entryAt, pricesAt, readAt, readPrices, type Table } from '../price/table.ts';
import { searchForm } from '../text.ts';
import { isLong, LONG } from '../turns.ts';
import { MAX_LISTED_EXCLUSIONS, MAX_TOLERANCE, type NameSearch, type RankingRequest } from './ranking.ts';
import { compareStandings, type Placed, placedAt } from './score.ts';

/** A table with the companies that take part. */
export interface TablePart {
  readonly table: Table;
  readonly admits: (companyId: number) => boolean;
}

/** Rows of a table. */
export interface MatchingRows {
  readonly rows: Int32Array;
  /** Those that would be among them if a term that is asked for were known. */
  readonly unknownTerms: readonly number[];
}

/** The rows of a table that pass a filter, and whose companies are admitted. */
export function matchingRows(
  table: Table,
  filter: OfferFilter & { readonly includeInactive?: boolean },
  admits: (companyId: number) => boolean,
): MatchingRows {
  const { rowCount, flags, communities, tariffTypes, tariffSlots, companyIds, companySlots, terms } = table;
  const needed = filter.includeInactive ? filterBits(filter) & ~ACTIVE_BIT : filterBits(filter);
  const community = filter.community === null ? 0 : 1 << COMMUNITIES.indexOf(filter.community);
  const anyTariff = filter.tariffType === null;
  const tariff = filter.tariffType === null ? -1 : tariffTypes.indexOf(filter.tariffType);
  const admitted = new Uint8Array(companyIds.length);
  for (let slot = 0; slot < admitted.length; slot++) if (admits(companyIds[slot] as number)) admitted[slot] = 1;
  const hasTerms = asksForTerms(filter);
  const rows = new Int32Array(rowCount);
  const unknownTerms: number[] = [];
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    if (((flags[row] as number) & needed) !== needed) continue;
    if (!anyTariff && tariffSlots[row] !== tariff) continue;
    const restriction = communities[row] as number;
    if (community !== 0 && restriction !== 0 && (restriction & community) === 0) continue;
    if (admitted[companySlots[row] as number] === 0) continue;
    const own = terms[row];
    const verdict = !hasTerms || own === undefined || termsVerdict(own, filter);
    if (verdict === true) rows[count++] = row;
    else if (verdict === null) unknownTerms.push(row);
  }
  return { rows: rows.subarray(0, count), unknownTerms };
}

/** The rows of tables that are ranked, at their places in figures, and what is known of the others. */
export interface Selection {
  readonly figures: Figures;
  /** One for each table, in their order. */
  readonly stretches: readonly Stretch<Table>[];
  readonly rankedCount: number;
  readonly excludedCount: number;
  /** By ascending id, only the listed ones. */
  readonly excluded: readonly ExcludedOffer[];
  /** Of each stretch the rows that do not say a term that is asked for. */
  readonly unknownTerms: readonly (readonly number[])[];
}

/** Memory that questions use one after the other: none of them pauses while it does. */
let shared = figuresFor(0);

function roomFor(rowCount: number): Figures {
  if (rowCount > LONG) return figuresFor(rowCount);
  if (shared.rows.length < rowCount) shared = figuresFor(Math.min(LONG, Math.ceil(rowCount * 1.25)));
  return shared;
}

/** Selects the rows that are ranked, with pauses where there are many, and where offers are read. */
export function* select(parts: readonly TablePart[], question: Question): Generator<undefined, Selection> {
  for (const { table } of parts) if (readOffers(table, question)) yield;
  const rowCount = parts.reduce((sum, { table }) => sum + table.rowCount, 0);
  const figures = roomFor(rowCount);
  const stretches: Stretch<Table>[] = [];
  const excluded: ExcludedRow[] = [];
  const unknownTerms: (readonly number[])[] = [];
  let [rankedCount, excludedCount] = [0, 0];
  for (const { table, admits } of parts) {
    const matching = matchingRows(table, question.request.filter, admits);
    const without = rankedRows(table, matching.rows, question, figures, rankedCount);
    const end = rankedCount + matching.rows.length - without.length;
    excludedCount += without.length;
    const listed = question.listsExcluded ? without.slice(0, MAX_LISTED_EXCLUSIONS) : [];
    for (const row of listed) excluded.push({ table, row, id: table.ids[row] as number });
    stretches.push({ table, from: rankedCount, end });
    unknownTerms.push(matching.unknownTerms);
    rankedCount = end;
    if (isLong(rowCount)) yield;
  }
  return { figures, stretches, rankedCount, excludedCount, excluded: firstListed(excluded, question), unknownTerms };
}

/** Makes all for which a table reads its offers, which takes long. Whether any was made. */
function readOffers(table: Table, { month, demand, request: { search, leastPowerPrices } }: Question): boolean {
  const { later } = table;
  const made = () => [later.monthly, later.names, later.least];
  const before = made();
  const isKnown = month === null || later.months.has(month);
  readPrices(table, month, demand);
  if (search) namesIn(table);
  if (leastPowerPrices) belowLeastIn(table, leastPowerPrices);
  return !isKnown || made().some((one, index) => one !== before[index]);
}

/** Writes the rows that are ranked into figures; the others are the result. */
function rankedRows(
  table: Table,
  matching: Int32Array,
  { needed, month, demand }: Question,
  { rows, ids }: Figures,
  from: number,
): readonly number[] {
  const { mask } = pricesAt(table, month);
  const { limits } = table;
  const [kw = 0, kwh = 0, day = 0] = limitedNumbers(demand);
  const without: number[] = [];
  let at = from;
  for (let index = 0; index < matching.length; index++) {
    const row = matching[index] as number;
    const bits = mask[row] as number;
    const isOutside = (bits & LIMITED) !== 0 && brokenBound(limits, row * ROW_LIMITS, kw, kwh, day) >= 0;
    if ((bits & needed) !== needed || isOutside) {
      without.push(row);
      continue;
    }
    rows[at] = row;
    ids[at++] = table.ids[row] as number;
  }
  return without;
}

interface ExcludedRow {
  readonly table: Table;
  readonly row: number;
  readonly id: number;
}

/** Those that are listed, by ascending id. */
function firstListed(excluded: readonly ExcludedRow[], question: Question): readonly ExcludedOffer[] {
  const listed = excluded.toSorted((a, b) => a.id - b.id).slice(0, MAX_LISTED_EXCLUSIONS);
  return listed.map(({ table, row }) => exclusionAt(table, row, question));
}

function exclusionAt(table: Table, row: number, { needed, month, demand }: Question): ExcludedOffer {
  const entry = entryAt(table, row);
  const { offer } = entry;
  const exclusion =
    limitExclusion(offer, demand) ?? missingPrice(entry, pricesAt(table, month).mask[row] ?? 0, { needed, month });
  assert(exclusion !== null, 'an offer was excluded and has a cost');
  return { offer, exclusion };
}

/** The table of a place of figures, and its row there. */
export function rowAt({ figures, stretches }: Selection, at: number): { readonly table: Table; readonly row: number } {
  const stretch = stretches.find(({ end }) => at < end);
  assert(stretch !== undefined, 'a place is in one of the stretches');
  return { table: stretch.table, row: figures.rows[at] as number };
}

/** The lowest cost of those that do not have a flag; `null` where there are none. */
export function lowestWithout({ figures: { total, rows }, stretches }: Selection, flag: number): number | null {
  let least = Number.POSITIVE_INFINITY;
  for (const { table, from, end } of stretches) {
    for (let at = from; at < end; at++) {
      const cost = total[at] as number;
      if (cost < least && ((table.flags[rows[at] as number] as number) & flag) === 0) least = cost;
    }
  }
  return least === Number.POSITIVE_INFINITY ? null : least;
}

/** How many ranked rows are found, and the first of them in order, with pauses where there are many. */
export function* foundAmong(
  { figures, stretches, rankedCount }: Selection,
  search: NameSearch,
  limit: number,
): Generator<undefined, { readonly count: number; readonly first: readonly Placed[] }> {
  let count = 0;
  let first: readonly Placed[] = [];
  for (const { table, from, end } of stretches) {
    const isFound = foundIn(table, search);
    const found: Placed[] = [];
    for (let at = from; at < end; at++) if (isFound(figures.rows[at] as number)) found.push(placedAt(figures, at));
    count += found.length;
    first = firstOf(first, found, compareStandings, limit);
    if (isLong(rankedCount)) yield;
  }
  return { count, first };
}

/** A request with everything that is computed once for all offers. */
export interface Question extends PriceQuestion {
  readonly request: RankingRequest;
  /** The bits of the prices without which an offer cannot be priced. */
  readonly needed: number;
  /** Whether the winners at every weight are needed; only if commissions are visible. */
  readonly withWinners: boolean;
  /** 0 to 1; 1 where commissions are not visible. */
  readonly weight: number;
  /** EUR of annual cost that one EUR of commission is worth, in place of the weight; `null`: none. */
  readonly tolerance: number | null;
  /** `false`: the answer does not list the offers that are excluded. */
  readonly listsExcluded: boolean;
  /** How many come before the end of the results, those that are left out among them. */
  readonly limit: number;
}

/** @throws RangeError as `rankUniverses`. */
export function questionOf(request: RankingRequest): Question {
  const { customer, period, month, offset = 0, seesCommissions } = request;
  const limit = request.limit + offset;
  const tolerance = seesCommissions ? (request.tolerance ?? null) : null;
  // A weight of -0 would show in the answer; 0 more is 0.
  const weight = seesCommissions && tolerance === null ? request.weight + 0 : 1;
  checkPreference(weight, tolerance);
  assert(!customer.profile || month === null, 'a profile names the months of its entries');
  const { ssaaEurPerMwh = 0, signingDay } = request;
  const anyDay = demandOf(customer, period, { ...request.fees, ssaaEurPerMwh });
  const demand: Demand & { readonly signingDay?: string } =
    signingDay === undefined ? anyDay : { ...anyDay, signingDay };
  const needed = neededPrices(demand);
  return {
    ...{ request, demand, needed, weight, tolerance, month, limit, seesCommissions },
    ...{ withWinners: seesCommissions, listsExcluded: true },
  };
}

/** @throws RangeError for a weight or a tolerance out of its range. A weight beside a tolerance does not count. */
export function checkPreference(weight: number, tolerance: number | null): void {
  if (tolerance === null) assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  else assert(tolerance >= 0 && tolerance <= MAX_TOLERANCE, `a tolerance is 0 to ${MAX_TOLERANCE}`);
}

/**
 * A search for the words of a text.
 *
 * @see docs/assumptions.md, A-130
 */
export function nameSearch(text: string, companies: ReadonlyMap<number, { readonly name: string }>): NameSearch {
  // Each name is made once.
  const made = new Map<number, string>();
  const companyNameOf = (id: number) => {
    const name = made.get(id) ?? searchForm(companies.get(id)?.name ?? '');
    made.set(id, name);
    return name;
  };
  return { words: searchForm(text).split(' '), companyNameOf };
}

/** The names of offers by row, as `searchForm` makes them. */
export function namesIn(table: Table): readonly string[] {
  const { rowCount, later } = table;
  later.names ??= Array.from({ length: rowCount }, (_, row) => searchForm(readAt(table, row).offer.offerName));
  return later.names;
}

/** Whether the offer of a row is found. */
export function foundIn(table: Table, { words, companyNameOf }: NameSearch): (row: number) => boolean {
  const names = namesIn(table);
  // The words that are not in the name of the company have to be in that of the offer.
  const others = table.companyIds.map((id) => words.filter((word) => !companyNameOf(id).includes(word)));
  return (row) => others[table.companySlots[row] ?? 0]?.every((word) => names[row]?.includes(word)) ?? false;
}
