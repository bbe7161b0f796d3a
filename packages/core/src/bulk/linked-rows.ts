import type { Issue } from '../engine/errors.ts';
import { say } from '../engine/messages/message.ts';
import type { MonthlyPrice } from '../engine/offers/offer.ts';
import { draftMonth } from '../engine/offers/offer-changes.ts';
import { checkMonthCount } from '../engine/offers/offer-rules.ts';
import { monthOf, nameAt, tierOf } from './offer-cells.ts';
import type { CompanyRef } from './owners.ts';
import {
  bulkSheetFor,
  COMPANY_HEADER,
  columnFor,
  FIRM_HEADER,
  MONTH_HEADER,
  NAME_HEADER,
  TIER_HEADERS,
  type TierSheet,
} from './sheets.ts';
import { reportStaleMonth } from './stale-rows.ts';
import {
  createNames,
  firmOf,
  type Names,
  NO_SUCH_OFFER,
  type PlanContext,
  type PlannedRow,
  report,
  type Target,
  targetById,
} from './targets.ts';

/** The offers with the same name. */
interface Namesake {
  /** The first of them: a new one, or the id of an existing one. */
  readonly first: Target | number;
  readonly isOnly: boolean;
}

/**
 * Offers by firm, company and name as they will be once the file is applied: new offers, and existing ones that stay or
 * become active. The name of a deactivated offer is free for a new one.
 */
export interface Links {
  readonly byName: Pick<Names<Namesake>, 'get'>;
  /**
   * A row of `ofertas` (or its header) cannot be read where it names its offer, so a name that is not found may belong
   * to that row.
   */
  readonly isUncertain: boolean;
}

/** The offers that rows without an id can refer to. Called after the rows of `ofertas` and `borrar` were processed. */
export function linksOf(context: PlanContext): Links {
  const byName = createNames<Namesake>();
  const add = (company: CompanyRef, name: string, first: Target | number) => {
    const namesake = byName.get(company, name);
    byName.set(company, name, namesake ? { ...namesake, isOnly: false } : { first, isOnly: true });
  };
  for (const target of context.created) {
    const name = target.offerRow && nameAt(target.offerRow.values, NAME_HEADER);
    if (target.company && name !== null) add(target.company, name, target);
  }
  for (const [id, { offer }] of context.stored) {
    const target = context.named.get(id);
    const company = target ? target.company : context.owners.companyById(offer.companyId);
    const isActive = target?.removalRow == null && (target?.changes.isActive ?? offer.isActive);
    if (company && isActive) add(company, target?.changes.offerName ?? offer.offerName, id);
  }
  const identity = [context.idHeader, FIRM_HEADER, COMPANY_HEADER, NAME_HEADER];
  const { columns, rows } = context.drafts.sheets.ofertas ?? { columns: identity, rows: [] };
  const isUnreadable = rows.some((row) => row.unreadable.some((header) => identity.includes(header)));
  return { byName, isUncertain: columns.length === 0 || isUnreadable };
}

/** The offer that a row of prices or tiers refers to; `null`: none, and the error was reported. */
function targetOf(context: PlanContext, links: Links, place: PlannedRow): Target | null {
  const { row } = place;
  if (row.id === null) {
    return row.unreadable.includes(context.idHeader) ? null : targetByNames(context, links, place);
  }
  const target = targetById(context, row.id);
  if (!target) report(context, place, context.idHeader, NO_SUCH_OFFER);
  // Next to an id, names are ignored; but a firm that is not the caller's is always reported.
  if (nameAt(row.values, FIRM_HEADER) !== null) firmOf(context, place);
  return target;
}

function targetByNames(context: PlanContext, links: Links, place: PlannedRow): Target | null {
  const { values } = place.row;
  const firmId = firmOf(context, place);
  const companyName = nameAt(values, COMPANY_HEADER);
  const offerName = nameAt(values, NAME_HEADER);
  if (companyName === null) report(context, place, COMPANY_HEADER, 'must not be empty');
  if (offerName === null) report(context, place, NAME_HEADER, 'must not be empty');
  if (firmId === undefined || companyName === null || offerName === null) return null;
  const company = context.owners.companyNamed(firmId, companyName);
  const namesake = company && links.byName.get(company, offerName);
  if (!namesake) {
    if (!links.isUncertain) report(context, place, NAME_HEADER, NO_SUCH_OFFER);
    return null;
  }
  if (!namesake.isOnly) {
    report(
      context,
      place,
      NAME_HEADER,
      say('several offers have this name: {column} must say which', { column: context.idHeader }),
    );
    return null;
  }
  return typeof namesake.first === 'number' ? targetById(context, namesake.first) : namesake.first;
}

/** The stored months of an offer, and how many it has with those of the file. */
interface MonthsOfTarget {
  readonly stored: ReadonlyMap<string, MonthlyPrice>;
  count: number;
}

/** Takes the rows of `precios_indexados`. */
export function takePriceRows(context: PlanContext, links: Links): void {
  const monthsByTarget = new Map<Target, MonthsOfTarget>();
  for (const row of context.drafts.sheets.precios_indexados?.rows ?? []) {
    const place: PlannedRow = { sheet: 'precios_indexados', row };
    const target = targetOf(context, links, place);
    if (!target || target.supplyType === null) continue;
    let months = monthsByTarget.get(target);
    if (!months) {
      const stored = new Map(target.stored?.months.map((price) => [price.month, price]));
      months = { stored, count: stored.size };
      monthsByTarget.set(target, months);
    }
    takePrice(context, place, { target, months });
  }
}

function takePrice(
  context: PlanContext,
  place: PlannedRow,
  { target, months }: { readonly target: Target; readonly months: MonthsOfTarget },
): void {
  const { row } = place;
  const { supplyType, offerRow, changes, stored } = target;
  if (supplyType === null) return;
  const isKnown = !offerRow?.unreadable.includes('is_indexed');
  const isIndexed = changes.isIndexed ?? stored?.offer.isIndexed ?? false;
  if (isKnown && !isIndexed) report(context, place, null, 'only indexed offers have monthly prices');
  const month = row.values[MONTH_HEADER];
  const storedMonth = typeof month === 'string' ? (months.stored.get(month) ?? null) : null;
  const draft = monthOf(row.values, storedMonth);
  if (row.unreadable.length > 0) return;
  const { price, issues } = draftMonth(supplyType, draft);
  for (const issue of issues) reportIssue(context, place, issue);
  if (stored) reportStaleMonth(context, place, { offer: stored.offer, price, stored: storedMonth });
  const first = target.months.get(price.month);
  if (first) {
    report(context, place, MONTH_HEADER, say('the same month of the same offer is in row {row}', { row: first.row }));
    return;
  }
  target.months.set(price.month, { row: row.row, price });
  if (months.stored.has(price.month)) return;
  months.count += 1;
  for (const issue of checkMonthCount(months.count)) reportIssue(context, place, issue);
}

/** Takes the rows of a tier sheet. */
export function takeTierRows(context: PlanContext, links: Links, sheet: TierSheet): void {
  for (const row of context.drafts.sheets[sheet]?.rows ?? []) {
    const place: PlannedRow = { sheet, row };
    const target = targetOf(context, links, place);
    if (!target) continue;
    if (sheet === 'tramos_potencia' && target.supplyType === 'GAS') {
      report(context, place, null, 'only LUZ offers have tiers of power');
    } else if (row.unreadable.length === 0) {
      target.tiers[sheet].push({ row, tier: tierOf(row.values, TIER_HEADERS[sheet]) });
    }
  }
}

/** Reports an issue of a rule at its column. */
export function reportIssue(
  context: PlanContext,
  place: PlannedRow,
  { path, message }: Pick<Issue, 'path' | 'message'>,
): void {
  const sheet = bulkSheetFor(context.rights.format, place.sheet);
  const column = sheet && columnFor(sheet, path);
  report(context, place, column?.header ?? null, message);
}
