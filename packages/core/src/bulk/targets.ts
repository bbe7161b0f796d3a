import type { Month } from '../engine/calendar.ts';
import type { RowError } from '../engine/errors.ts';
import { type Message, say } from '../engine/messages/message.ts';
import type { MonthlyPrice, OfferWithHistory, SupplyType } from '../engine/offers/offer.ts';
import type { OfferChanges, TierDraft } from '../engine/offers/offer-changes.ts';
import { checkName, foldName } from '../engine/text.ts';
import { changesOf, nameAt, supplyTypeAt } from './offer-cells.ts';
import { type CompanyRef, createOwners, type Owners } from './owners.ts';
import type { BulkDrafts, RowDraft } from './read-rows.ts';
import { createRowLog } from './row-errors.ts';
import {
  COMPANY_HEADER,
  FIRM_HEADER,
  ID_HEADERS,
  NAME_HEADER,
  type SheetName,
  SUPPLY_HEADER,
  type TierSheet,
} from './sheets.ts';
import type { BulkRights, BulkState } from './state.ts';

/** An offer that the file names, with everything that the file says about it. */
export interface Target {
  /** `null`: a new offer. */
  readonly stored: OfferWithHistory | null;
  /** Its row in `ofertas`. */
  offerRow: RowDraft | null;
  /** The values of that row; absent: it has no row. */
  changes: OfferChanges;
  /** `null`: its row lacks it, which is an error. */
  company: CompanyRef | null;
  supplyType: SupplyType | null;
  /** Its row in `ofertas` can be read and has one supply type, so the rules can be checked. */
  isReadable: boolean;
  removalRow: number | null;
  readonly tiers: Readonly<Record<TierSheet, { readonly row: RowDraft; readonly tier: TierDraft }[]>>;
  readonly months: Map<Month, { readonly row: number; readonly price: MonthlyPrice }>;
}

export interface PlanContext {
  readonly drafts: BulkDrafts;
  readonly rights: BulkRights;
  readonly owners: Owners;
  /** By id. */
  readonly companyNames: ReadonlyMap<number, string>;
  readonly idHeader: string;
  /** Offers of the caller. */
  readonly stored: ReadonlyMap<number, OfferWithHistory>;
  /** Existing offers that the file names. */
  readonly named: Map<number, Target>;
  /** New ones, in the order of their rows. */
  readonly created: Target[];
  readonly errors: ReturnType<typeof createRowLog<RowError>>;
}

/** The initial context of a plan: the current records, and nothing to do yet. */
export function newPlanContext(state: BulkState, drafts: BulkDrafts, rights: BulkRights): PlanContext {
  const owners = createOwners(state, rights);
  const stored = new Map<number, OfferWithHistory>();
  for (const entry of state.offers) {
    if (owners.companyById(entry.offer.companyId)) stored.set(entry.offer.id, entry);
  }
  return {
    drafts,
    rights,
    owners,
    companyNames: new Map(state.companies.map(({ id, name }) => [id, name])),
    idHeader: ID_HEADERS[rights.format],
    stored,
    named: new Map(),
    created: [],
    errors: createRowLog<RowError>(drafts.sheetOrder),
  };
}

/** A row and its sheet. */
export interface PlannedRow {
  readonly sheet: SheetName;
  readonly row: RowDraft;
}

/** Reports an error of a row, unless its cell already has one. */
export function report(
  context: PlanContext,
  { sheet, row }: PlannedRow,
  column: string | null,
  message: Message,
): void {
  if (column !== null && row.unreadable.includes(column)) return;
  context.errors.add({ sheet, row: row.row, id: row.id, column, message });
}

/** The same text for a foreign id and an unknown one. */
export const NO_SUCH_OFFER = 'no such offer';
const NO_SUCH_FIRM = 'no such firm';
const NO_SUCH_COMPANY = 'no such company';
const EMPTY = 'must not be empty';
const OF_ANOTHER_FIRM = "is another firm's: {column} must say which company of it";

function blankTarget(stored: OfferWithHistory | null, company: CompanyRef | null): Target {
  return {
    stored,
    offerRow: null,
    changes: {},
    company,
    supplyType: stored?.offer.supplyType ?? null,
    isReadable: true,
    removalRow: null,
    tiers: { tramos_consumo: [], tramos_potencia: [] },
    months: new Map(),
  };
}

/** The target for an existing offer by id; `null`: it is not the caller's. */
export function targetById(context: PlanContext, id: number): Target | null {
  const existing = context.named.get(id);
  if (existing) return existing;
  const stored = context.stored.get(id);
  if (!stored) return null;
  const target = blankTarget(stored, context.owners.companyById(stored.offer.companyId));
  context.named.set(id, target);
  return target;
}

/** The firm that a row names; `undefined`: it is not the caller's, and the error was reported. */
export function firmOf(context: PlanContext, place: PlannedRow): number | null | undefined {
  if (context.rights.format === 'catalog') return null;
  const { boundFirmId } = context.rights;
  const name = nameAt(place.row.values, FIRM_HEADER);
  if (name === null && boundFirmId !== null && !place.row.unreadable.includes(FIRM_HEADER)) return boundFirmId;
  const firmId = name === null ? null : context.owners.firmIdFor(name);
  if (firmId !== null) return firmId;
  report(context, place, FIRM_HEADER, name === null ? EMPTY : NO_SUCH_FIRM);
  return undefined;
}

/** Takes the rows of `ofertas`. */
export function takeOfferRows(context: PlanContext): void {
  const seen = createNames<number>();
  for (const row of context.drafts.sheets.ofertas?.rows ?? []) {
    const place: PlannedRow = { sheet: 'ofertas', row };
    if (row.unreadable.includes(context.idHeader)) continue;
    if (row.id === null) takeNewOffer(context, place, seen);
    else takeReplacement(context, place, row.id);
  }
}

function takeReplacement(context: PlanContext, place: PlannedRow, id: number): void {
  const { row } = place;
  const target = targetById(context, id);
  if (!target || target.offerRow) {
    const message = target?.offerRow
      ? say('the same offer is in row {row}', { row: target.offerRow.row })
      : NO_SUCH_OFFER;
    report(context, place, context.idHeader, message);
    return;
  }
  target.offerRow = row;
  target.changes = changesOf(row.values);
  const company = companyOfReplacement(context, place, target);
  if (company) target.company = company;
  const supplyType = supplyTypeAt(row.values);
  const isSameSupply = supplyType === undefined || supplyType === target.supplyType;
  if (!isSameSupply)
    report(context, place, SUPPLY_HEADER, say('must stay {supply}', { supply: String(target.supplyType) }));
  target.isReadable = row.unreadable.length === 0 && isSameSupply;
}

/**
 * The company of an existing offer after its row is applied; `null`: it is not the caller's, and the error was
 * reported.
 */
function companyOfReplacement(context: PlanContext, place: PlannedRow, target: Target): CompanyRef | null {
  const { values, unreadable } = place.row;
  const current = target.company;
  // The unreadable cell is already reported. Other cells are not checked, because they may depend on it.
  if (unreadable.includes(FIRM_HEADER) || unreadable.includes(COMPANY_HEADER)) return current;
  const firmId = values[FIRM_HEADER] === undefined ? current?.firmId : firmOf(context, place);
  if (firmId === undefined) return null;
  if (values[COMPANY_HEADER] === undefined) {
    if (firmId === current?.firmId) return current;
    report(context, place, FIRM_HEADER, say(OF_ANOTHER_FIRM, { column: COMPANY_HEADER }));
    return null;
  }
  const name = nameAt(values, COMPANY_HEADER);
  const company = name === null ? null : context.owners.companyFor(firmId, name);
  if (!company) report(context, place, COMPANY_HEADER, name === null ? EMPTY : NO_SUCH_COMPANY);
  return company;
}

function takeNewOffer(context: PlanContext, place: PlannedRow, seen: Names<number>): void {
  const { row } = place;
  const company = companyOfNewOffer(context, place);
  const supplyType = supplyTypeAt(row.values) ?? null;
  if (supplyType === null) report(context, place, SUPPLY_HEADER, EMPTY);
  const name = nameAt(row.values, NAME_HEADER);
  if (company && name !== null) {
    const first = seen.get(company, name);
    if (first !== undefined) {
      report(context, place, NAME_HEADER, say('the same new offer is in row {row}', { row: first }));
      return;
    }
    seen.set(company, name, row.row);
  }
  const isReadable = row.unreadable.length === 0 && supplyType !== null;
  context.created.push({
    ...blankTarget(null, company),
    offerRow: row,
    changes: changesOf(row.values),
    supplyType,
    isReadable,
  });
}

function companyOfNewOffer(context: PlanContext, place: PlannedRow): CompanyRef | null {
  const firmId = firmOf(context, place);
  const name = nameAt(place.row.values, COMPANY_HEADER);
  if (name === null) report(context, place, COMPANY_HEADER, EMPTY);
  if (name === null || firmId === undefined) return null;
  const existing = context.owners.companyFor(firmId, name);
  if (existing) return existing;
  const issues = checkName(COMPANY_HEADER, name);
  for (const { message } of issues) report(context, place, COMPANY_HEADER, message);
  return issues.length === 0 ? context.owners.companyOrNew(firmId, name) : null;
}

/** Takes the rows of `borrar`. */
export function takeRemovals(context: PlanContext): void {
  for (const row of context.drafts.sheets.borrar?.rows ?? []) {
    if (row.id === null) continue;
    const place: PlannedRow = { sheet: 'borrar', row };
    const target = targetById(context, row.id);
    const message =
      target === null
        ? NO_SUCH_OFFER
        : target.removalRow !== null
          ? say('the same offer is in row {row}', { row: target.removalRow })
          : target.offerRow !== null
            ? say('the same offer is in row {row} of ofertas', { row: target.offerRow.row })
            : null;
    if (message !== null) report(context, place, context.idHeader, message);
    else if (target) target.removalRow = row.row;
  }
}

/** An entry for each offer by the names in rows without an id: its company and its name as names are compared. */
export interface Names<T> {
  get(company: CompanyRef, offerName: string): T | undefined;
  set(company: CompanyRef, offerName: string, value: T): void;
}

export function createNames<T>(): Names<T> {
  const byCompany = new Map<CompanyRef, Map<string, T>>();
  return {
    get: (company, offerName) => byCompany.get(company)?.get(foldName(offerName)),
    set(company, offerName, value) {
      const ofCompany = byCompany.get(company) ?? new Map<string, T>();
      byCompany.set(company, ofCompany.set(foldName(offerName), value));
    },
  };
}
