import type { Month } from '../calendar.ts';
import type { MonthlyPrice, OfferWithHistory, SupplyType } from '../offers/offer.ts';
import type { OfferChanges, TierDraft } from '../offers/offer-changes.ts';
import { checkName, foldName } from '../text.ts';
import { changesOf, nameAt, supplyTypeAt } from './offer-cells.ts';
import { type CompanyRef, createOwners, type Owners } from './owners.ts';
import type { BulkDrafts, RowDraft } from './read-rows.ts';
import { createRowLog, type RowError } from './row-errors.ts';
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

/** An offer that the file touches, and everything that it says about it. */
export interface Target {
  /** `null`: a new offer. */
  readonly stored: OfferWithHistory | null;
  /** Its row in `ofertas`. */
  offerRow: RowDraft | null;
  /** What that row says; none: it has no row. */
  changes: OfferChanges;
  /** `null`: its row does not say it, and is an error. */
  company: CompanyRef | null;
  supplyType: SupplyType | null;
  /** Its row in `ofertas` can be read and is of one supply type: the rules can be applied to it. */
  isSound: boolean;
  removalRow: number | null;
  readonly tiers: Readonly<Record<TierSheet, { readonly row: RowDraft; readonly tier: TierDraft }[]>>;
  readonly months: Map<Month, { readonly row: number; readonly price: MonthlyPrice }>;
}

export interface Planning {
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

/** Who has what, and an empty list of what to do. */
export function startPlanning(state: BulkState, drafts: BulkDrafts, rights: BulkRights): Planning {
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

/** A row and the sheet in which it stands. */
export interface Place {
  readonly sheet: SheetName;
  readonly row: RowDraft;
}

/** Reports an error of a row, once for a cell that is an error already. */
export function report(planning: Planning, { sheet, row }: Place, column: string | null, message: string): void {
  if (column !== null && row.unreadable.includes(column)) return;
  planning.errors.add({ sheet, row: row.row, id: row.id, column, message });
}

/** One text for an id of somebody else and one of nobody. */
export const NO_SUCH_OFFER = 'no such offer';
const NO_SUCH_FIRM = 'no such firm';
const NO_SUCH_COMPANY = 'no such company';
const EMPTY = 'must not be empty';

function blankTarget(stored: OfferWithHistory | null, company: CompanyRef | null): Target {
  return {
    stored,
    offerRow: null,
    changes: {},
    company,
    supplyType: stored?.offer.supplyType ?? null,
    isSound: true,
    removalRow: null,
    tiers: { tramos_consumo: [], tramos_potencia: [] },
    months: new Map(),
  };
}

/** The existing offer with an id, as the file touches it; `null`: not one of the caller's. */
export function targetById(planning: Planning, id: number): Target | null {
  const known = planning.named.get(id);
  if (known) return known;
  const stored = planning.stored.get(id);
  if (!stored) return null;
  const target = blankTarget(stored, planning.owners.companyById(stored.offer.companyId));
  planning.named.set(id, target);
  return target;
}

/** The firm that a row names; `undefined`: it names none of the caller's, which was reported. */
export function firmOf(planning: Planning, place: Place): number | null | undefined {
  if (planning.rights.format === 'catalog') return null;
  const { boundFirmId } = planning.rights;
  const name = nameAt(place.row.values, FIRM_HEADER);
  if (name === null && boundFirmId !== null && !place.row.unreadable.includes(FIRM_HEADER)) return boundFirmId;
  const firmId = name === null ? null : planning.owners.firmIdFor(name);
  if (firmId !== null) return firmId;
  report(planning, place, FIRM_HEADER, name === null ? EMPTY : NO_SUCH_FIRM);
  return undefined;
}

/** Takes the rows of `ofertas`. */
export function takeOfferRows(planning: Planning): void {
  const seen = createNames<number>();
  for (const row of planning.drafts.sheets.ofertas?.rows ?? []) {
    const place: Place = { sheet: 'ofertas', row };
    if (row.unreadable.includes(planning.idHeader)) continue;
    if (row.id === null) takeNewOffer(planning, place, seen);
    else takeReplacement(planning, place, row.id);
  }
}

function takeReplacement(planning: Planning, place: Place, id: number): void {
  const { row } = place;
  const target = targetById(planning, id);
  if (!target || target.offerRow) {
    const message = target?.offerRow ? `the same offer is in row ${target.offerRow.row}` : NO_SUCH_OFFER;
    report(planning, place, planning.idHeader, message);
    return;
  }
  target.offerRow = row;
  target.changes = changesOf(row.values);
  const company = companyOfReplacement(planning, place, target);
  if (company) target.company = company;
  const supplyType = supplyTypeAt(row.values);
  const isSameSupply = supplyType === undefined || supplyType === target.supplyType;
  if (!isSameSupply) report(planning, place, SUPPLY_HEADER, `must stay ${target.supplyType}`);
  target.isSound = row.unreadable.length === 0 && isSameSupply;
}

/** Where the offer of a row with an id belongs afterwards; `null`: nowhere that the caller has, which was reported. */
function companyOfReplacement(planning: Planning, place: Place, target: Target): CompanyRef | null {
  const { values, unreadable } = place.row;
  const current = target.company;
  // A cell that cannot be read is told already; what stands beside it is not judged by what it might have said.
  if (unreadable.includes(FIRM_HEADER) || unreadable.includes(COMPANY_HEADER)) return current;
  const firmId = values[FIRM_HEADER] === undefined ? current?.firmId : firmOf(planning, place);
  if (firmId === undefined) return null;
  if (values[COMPANY_HEADER] === undefined) {
    if (firmId === current?.firmId) return current;
    report(planning, place, FIRM_HEADER, `is another firm's: ${COMPANY_HEADER} must say which company of it`);
    return null;
  }
  const name = nameAt(values, COMPANY_HEADER);
  const company = name === null ? null : planning.owners.companyFor(firmId, name);
  if (!company) report(planning, place, COMPANY_HEADER, name === null ? EMPTY : NO_SUCH_COMPANY);
  return company;
}

function takeNewOffer(planning: Planning, place: Place, seen: Names<number>): void {
  const { row } = place;
  const company = companyOfNewOffer(planning, place);
  const supplyType = supplyTypeAt(row.values) ?? null;
  if (supplyType === null) report(planning, place, SUPPLY_HEADER, EMPTY);
  const name = nameAt(row.values, NAME_HEADER);
  if (company && name !== null) {
    const first = seen.get(company, name);
    if (first !== undefined) {
      report(planning, place, NAME_HEADER, `the same new offer is in row ${first}`);
      return;
    }
    seen.set(company, name, row.row);
  }
  const isSound = row.unreadable.length === 0 && supplyType !== null;
  planning.created.push({
    ...blankTarget(null, company),
    offerRow: row,
    changes: changesOf(row.values),
    supplyType,
    isSound,
  });
}

function companyOfNewOffer(planning: Planning, place: Place): CompanyRef | null {
  const firmId = firmOf(planning, place);
  const name = nameAt(place.row.values, COMPANY_HEADER);
  if (name === null) report(planning, place, COMPANY_HEADER, EMPTY);
  if (name === null || firmId === undefined) return null;
  const known = planning.owners.companyFor(firmId, name);
  if (known) return known;
  const issues = checkName(COMPANY_HEADER, name);
  for (const { message } of issues) report(planning, place, COMPANY_HEADER, message);
  return issues.length === 0 ? planning.owners.companyOrNew(firmId, name) : null;
}

/** Takes the rows of `borrar`. */
export function takeRemovals(planning: Planning): void {
  for (const row of planning.drafts.sheets.borrar?.rows ?? []) {
    if (row.id === null) continue;
    const place: Place = { sheet: 'borrar', row };
    const target = targetById(planning, row.id);
    const message =
      target === null
        ? NO_SUCH_OFFER
        : target.removalRow !== null
          ? `the same offer is in row ${target.removalRow}`
          : target.offerRow !== null
            ? `the same offer is in row ${target.offerRow.row} of ofertas`
            : null;
    if (message !== null) report(planning, place, planning.idHeader, message);
    else if (target) target.removalRow = row.row;
  }
}

/** Something for each offer by what rows without an id say about it: its company, and its name as it is compared. */
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
