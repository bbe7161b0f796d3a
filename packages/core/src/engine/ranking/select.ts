// Which rows of tables take part in a question, and which of them are ranked.
import { missingPrice } from '../cost/cost.ts';
import { ACTIVE_BIT, filterBits, LIMITED } from '../cost/flags.ts';
import {
  brokenBound,
  type ExcludedOffer,
  type Exclusion,
  type LimitedQuantities,
  limitExclusion,
  limitedNumbers,
  ROW_LIMITS,
} from '../cost/limits.ts';
import { type Figures, figuresFor, type Stretch } from '../cost/rule.ts';
import { entryAt, pricesAt, type Table } from '../cost/table.ts';
import { assert } from '../errors.ts';
import { COMMUNITIES } from '../offers/offer.ts';
import { asksForTerms, type OfferFilter, termsVerdict } from '../offers/offer-filter.ts';
import { collectFacts, type MarketFacts } from './facts.ts';
import type { Question } from './question.ts';
import { MAX_LISTED_EXCLUSIONS } from './ranking.ts';

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
  readonly stretches: readonly Stretch[];
  readonly rankedCount: number;
  readonly excludedCount: number;
  /** By ascending id, only the listed ones. */
  readonly excluded: readonly ExcludedOffer[];
  /** About all that are ranked. */
  readonly facts: MarketFacts;
}

/** With more rows than this a question lets other work run in between. */
const LONG = 20_000;

/** Memory that questions use one after the other: none of them pauses while it does. */
let shared = figuresFor(0);

function roomFor(rowCount: number): Figures {
  if (rowCount > LONG) return figuresFor(rowCount);
  if (shared.rows.length < rowCount) shared = figuresFor(Math.min(LONG, Math.ceil(rowCount * 1.25)));
  return shared;
}

/** Whether so many rows are long enough for a pause. */
export function isLong(rowCount: number): boolean {
  return rowCount > LONG;
}

/** Selects the rows that are ranked, in steps where there are many. */
export function* select(parts: readonly TablePart[], question: Question): Generator<undefined, Selection> {
  const rowCount = parts.reduce((sum, { table }) => sum + table.rowCount, 0);
  const figures = roomFor(rowCount);
  const stretches: Stretch[] = [];
  const excluded: ExcludedRow[] = [];
  const { leastPowerPrices } = question.request;
  const facts = collectFacts({ ...question, leastPowerPrices });
  let [rankedCount, excludedCount] = [0, 0];
  for (const { table, admits } of parts) {
    const matching = matchingRows(table, question.request.filter, admits);
    const without = rankedRows(table, matching.rows, question, figures, rankedCount);
    const end = rankedCount + matching.rows.length - without.length;
    excludedCount += without.length;
    const listed = question.listsExcluded ? without.slice(0, MAX_LISTED_EXCLUSIONS) : [];
    for (const row of listed) excluded.push({ table, row, id: table.ids[row] as number });
    const stretch = { table, from: rankedCount, end };
    stretches.push(stretch);
    facts.add(stretch, figures.rows, matching.unknownTerms);
    rankedCount = end;
    if (isLong(rowCount)) yield;
  }
  return {
    figures,
    stretches,
    rankedCount,
    excludedCount,
    excluded: firstListed(excluded, question),
    facts: facts.facts(),
  };
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
  const isOutside = outsideOf(table, demand);
  const without: number[] = [];
  let at = from;
  for (let index = 0; index < matching.length; index++) {
    const row = matching[index] as number;
    if (((mask[row] as number) & needed) !== needed || isOutside(row)) {
      without.push(row);
      continue;
    }
    rows[at] = row;
    ids[at++] = table.ids[row] as number;
  }
  return without;
}

/** Whether the limits of a row exclude a customer, or its days. */
export function outsideOf({ flags, limits }: Table, quantities: LimitedQuantities): (row: number) => boolean {
  const [kw = 0, kwh = 0, day = 0] = limitedNumbers(quantities);
  return (row) => ((flags[row] as number) & LIMITED) !== 0 && brokenBound(limits, row * ROW_LIMITS, kw, kwh, day) >= 0;
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
  const { exclusions } = table.later;
  const last = exclusions[row];
  if (last && isSame(last.exclusion, exclusion)) return last;
  const made = { offer, exclusion };
  exclusions[row] = made;
  return made;
}

/** The days and bounds of an offer do not change. */
function isSame(a: Exclusion, b: Exclusion): boolean {
  if (a.code === 'fuera_de_limites') return b.code === 'fuera_de_limites' && a.limit === b.limit;
  return a.code === b.code && ('period' in a ? a.period : 0) === ('period' in b ? b.period : 0);
}
