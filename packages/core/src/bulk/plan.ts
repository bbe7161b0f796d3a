import { MAX_TIERS } from '../commission/tier.ts';
import type { Issue } from '../errors.ts';
import type { MonthlyPrice, Offer, OfferTerms } from '../offers/offer.ts';
import {
  changeOffer,
  draftOffer,
  namesCommissions,
  type OfferChanges,
  type OfferDraft,
} from '../offers/offer-changes.ts';
import { settledChanges } from './kept-digits.ts';
import { type Links, linksOf, reportIssue, takePriceRows, takeTierRows } from './linked-rows.ts';
import { nameAt } from './offer-cells.ts';
import type { CompanyToCreate } from './owners.ts';
import type { BulkDrafts } from './read-rows.ts';
import { createRowLog, type RowErrors } from './row-errors.ts';
import {
  bulkSheets,
  COMPANY_HEADER,
  FIRM_HEADER,
  ID_HEADERS,
  NAME_HEADER,
  type SheetName,
  TIER_SHEETS,
  type TierSheet,
  VERSION_HEADER,
} from './sheets.ts';
import { reportStaleOffer } from './stale-rows.ts';
import type { BulkRights, BulkState } from './state.ts';
import {
  type Place,
  type Planning,
  report,
  startPlanning,
  type Target,
  takeOfferRows,
  takeRemovals,
} from './targets.ts';

/** Rows in which something stands about one offer; `null`: no such row. Of a tier sheet the first one. */
export type RowsOfOffer = Readonly<Record<Exclude<SheetName, 'precios_indexados'>, number | null>>;

/** A new offer. */
export interface OfferToCreate {
  readonly rows: RowsOfOffer;
  /** `companyId` is 0 where the company is new. */
  readonly terms: OfferTerms;
  /** Index in `companies`; `null`: the company exists. */
  readonly newCompany: number | null;
}

/** What an existing offer becomes. */
export interface OfferToChange {
  readonly offerId: number;
  readonly rows: RowsOfOffer;
  readonly terms: OfferTerms;
  /** Equal terms are a change too, so that nobody learns whether they were equal. */
  readonly countsAlways: boolean;
}

/** The prices of one month that a file creates or replaces. */
interface MonthToPut {
  readonly row: number;
  /** An existing offer; `null`: a new one. */
  readonly offerId: number | null;
  /** Index in `created`; `null`: an existing one. */
  readonly created: number | null;
  /** `false`: the offer has another price for that month. */
  readonly isNew: boolean;
  readonly price: MonthlyPrice;
}

/** Rows that are applied, whether or not they change anything. */
export interface BulkCounts {
  readonly created: number;
  readonly replaced: number;
  readonly deactivated: number;
  readonly companiesCreated: number;
  readonly pricesUpserted: number;
  /** Rows of both tier sheets. */
  readonly tiersReplaced: number;
}

/** Every warning; {@link BulkWarning} says what each means. */
export const BULK_WARNINGS = ['tiers_emptied', 'name_repeated', 'columna_ausente'] as const;

/** Something that is allowed and seldom meant. */
export interface BulkWarning {
  /**
   * - `tiers_emptied`: offers of `ofertas` that have no row in a tier sheet of the file, and so lose their tiers.
   * - `name_repeated`: new offers with the name of an active one of the same company.
   * - `columna_ausente`: columns that the sheet does not have, so that stored offers keep what they have; dry runs only.
   */
  readonly code: (typeof BULK_WARNINGS)[number];
  readonly sheet: SheetName;
  /** How many offers, or columns. */
  readonly count: number;
  /** The first rows of `ofertas` that it is about, ascending. */
  readonly rows: readonly number[];
  /** The columns that are absent; left out of other warnings. */
  readonly columns?: readonly string[];
}

/** What a file does, ready to be done in one transaction. Holds what differs from the state it was made of. */
export interface BulkPlan {
  readonly companies: readonly CompanyToCreate[];
  /** In the order of their rows. */
  readonly created: readonly OfferToCreate[];
  /** Each offer once, by ascending id. Deactivated ones are here, inactive. */
  readonly changed: readonly OfferToChange[];
  /** Each month of an offer once. Existing offers first, by ascending id; the months of each in the order of rows. */
  readonly months: readonly MonthToPut[];
  readonly counts: BulkCounts;
  readonly warnings: readonly BulkWarning[];
  /** The headers of each sheet that the file has. */
  readonly columns: Readonly<Record<SheetName, readonly string[] | null>>;
}

/** A plan, or everything that is wrong with the file: never both. */
export type BulkOutcome =
  | { readonly kind: 'plan'; readonly plan: BulkPlan }
  | ({ readonly kind: 'errors' } & RowErrors);

/**
 * What a workbook does to what the caller has, or everything that is wrong with it: errors of its cells and broken
 * rules of the rows whose cells can be read. All or nothing: a single error, and there is no plan.
 *
 * A plan made of the caller's own template, untouched, changes nothing. It holds for the very state it was made of:
 * plan and apply in one transaction, or see that the revision is still the same.
 *
 * @param state - Read at once. What is out of reach of the rights in it is passed over.
 * @param drafts - Of the format of the rights.
 * @see docs/assumptions.md, A-26, A-42, A-43 and A-46
 */
export function planBulkUpdate(state: BulkState, drafts: BulkDrafts, rights: BulkRights): BulkOutcome {
  const planning = startPlanning(state, drafts, rights);
  takeOfferRows(planning);
  takeRemovals(planning);
  const links = linksOf(planning);
  takePriceRows(planning, links);
  for (const sheet of TIER_SHEETS) takeTierRows(planning, links, sheet);
  const named = [...planning.named.values()].flatMap((target) => (target.stored ? [{ target, ...target.stored }] : []));
  named.sort((a, b) => a.offer.id - b.offer.id);
  const changed = named.map(({ target, offer }) => changeOf(planning, target, offer));
  const created = planning.created.map((target) => creationOf(planning, target));
  const { errors } = planning;
  if (drafts.errorCount + errors.count > 0) return { kind: 'errors', ...allErrors(planning) };
  const plan: BulkPlan = {
    companies: planning.owners.toCreate,
    created: created.flatMap((offer) => offer ?? []),
    changed: changed.flatMap((offer) => offer ?? []),
    months: monthsToPut(planning, named),
    counts: countsOf(planning),
    warnings: [...emptiedTiers(planning), ...repeatedNames(planning, links)],
    columns: columnsOf(drafts),
  };
  return { kind: 'plan', plan };
}

/** Errors of cells and of rules together. */
function allErrors({ drafts, errors }: Planning): RowErrors {
  const all = createRowLog<RowErrors['errors'][number]>(drafts.sheetOrder);
  for (const error of [...drafts.errors, ...errors.first()]) all.add(error);
  return { errors: all.first(), errorCount: drafts.errorCount + errors.count };
}

/** Whether a tier sheet of the file decides the tiers of an offer. */
function decidesTiers({ drafts }: Planning, target: Target, sheet: TierSheet): boolean {
  if (drafts.sheets[sheet] === null || (sheet === 'tramos_potencia' && target.supplyType === 'GAS')) return false;
  return target.offerRow !== null || target.tiers[sheet].length > 0;
}

function tiersFor(planning: Planning, target: Target): Pick<OfferChanges, 'consumptionTiers' | 'powerTiers'> {
  const tiers = (sheet: TierSheet) => target.tiers[sheet].map(({ tier }) => tier);
  return {
    ...(decidesTiers(planning, target, 'tramos_consumo') ? { consumptionTiers: tiers('tramos_consumo') } : {}),
    ...(decidesTiers(planning, target, 'tramos_potencia') ? { powerTiers: tiers('tramos_potencia') } : {}),
  };
}

function rowsOf({ offerRow, removalRow, tiers }: Target): RowsOfOffer {
  return {
    ofertas: offerRow?.row ?? null,
    borrar: removalRow,
    tramos_consumo: tiers.tramos_consumo[0]?.row.row ?? null,
    tramos_potencia: tiers.tramos_potencia[0]?.row.row ?? null,
  };
}

/** `null`: the offer stays as it is, or there is an error. */
function changeOf(planning: Planning, target: Target, offer: Offer): OfferToChange | null {
  const { company, removalRow } = target;
  const changes: OfferChanges = {
    ...(target.isSound ? target.changes : {}),
    ...tiersFor(planning, target),
    ...(company ? { companyId: company.companyId } : {}),
    ...(removalRow === null ? {} : { isActive: false }),
  };
  const draft = changeOffer(offer, settledChanges(changes, offer, planning.rights));
  reportIssues(planning, target, draft.issues);
  reportStaleOffer(planning, target, offer, draft.terms);
  const countsAlways = !planning.rights.seesCommissions && namesCommissions(changes);
  if (!countsAlways && hasTerms(offer, draft.terms)) return null;
  return { offerId: offer.id, rows: rowsOf(target), terms: draft.terms, countsAlways };
}

/** `null`: there is an error. */
function creationOf(planning: Planning, target: Target): OfferToCreate | null {
  const { company, supplyType, changes } = target;
  if (supplyType === null) return null;
  const { offerName = '', tariffType = '' } = changes;
  const required = { companyId: company?.companyId ?? 0, offerName, supplyType, tariffType };
  const draft: OfferDraft = draftOffer(required, { ...changes, ...tiersFor(planning, target) });
  reportIssues(planning, target, draft.issues);
  if (!company || !target.isSound) return null;
  return { rows: rowsOf(target), terms: draft.terms, newCompany: company.newCompany };
}

const TIER_SHEET_OF: Readonly<Record<string, TierSheet>> = {
  consumptionTiers: 'tramos_consumo',
  powerTiers: 'tramos_potencia',
};

/** Broken rules at the rows that broke them. Of a row that is wrong already only its tiers are judged. */
function reportIssues(planning: Planning, target: Target, issues: readonly Issue[]): void {
  for (const { path, message } of issues) {
    const [field = '', index, part = ''] = path.split('.');
    const sheet = Object.hasOwn(TIER_SHEET_OF, field) ? TIER_SHEET_OF[field] : undefined;
    const rows = sheet ? target.tiers[sheet] : [];
    // A rule about the whole list, its length, is shown at the first row too many.
    const tier = index === undefined ? rows[MAX_TIERS] : rows[Number(index)];
    if (sheet && tier) {
      reportIssue(planning, { sheet, row: tier.row }, { path: part, message });
    } else if (target.offerRow) {
      const place: Place = { sheet: 'ofertas', row: target.offerRow };
      if (target.isSound) reportIssue(planning, place, { path, message });
    } else {
      reportStored(planning, target, message);
    }
  }
}

/**
 * A stored offer breaks a rule of today, and only tiers of it are sent: it cannot be kept as it would be. An offer that
 * is only deactivated, or only gets a month, has no row that could be blamed, and need not keep the rules of today.
 */
function reportStored(planning: Planning, target: Target, message: string): void {
  for (const sheet of TIER_SHEETS) {
    const first = target.tiers[sheet][0];
    if (first) {
      report(planning, { sheet, row: first.row }, null, `the offer ${message}`);
      return;
    }
  }
}

/** Whether an offer has these terms already. Both are in the order in which they are stored. */
function hasTerms(offer: Offer, terms: OfferTerms): boolean {
  return Object.keys(terms).every((field) => isSame(Reflect.get(offer, field), Reflect.get(terms, field)));
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(Reflect.get(a, key), Reflect.get(b, key)));
}

function monthsToPut(
  planning: Planning,
  named: readonly { readonly target: Target; readonly offer: Offer; readonly months: readonly MonthlyPrice[] }[],
): readonly MonthToPut[] {
  const existing = named.flatMap(({ target, offer, months }) => {
    if (target.months.size === 0) return [];
    const stored = new Map(months.map((price) => [price.month, price]));
    const changed = [...target.months.values()].filter(({ price }) => !isSame(stored.get(price.month), price));
    return changed.map((month) => {
      return { ...month, offerId: offer.id, created: null, isNew: !stored.has(month.price.month) };
    });
  });
  const ofNew = planning.created.flatMap((target, created) =>
    [...target.months.values()].map((month) => ({ ...month, offerId: null, created, isNew: true })),
  );
  return [...existing, ...ofNew];
}

function countsOf({ drafts, owners }: Planning): BulkCounts {
  const { ofertas, borrar, precios_indexados, tramos_consumo, tramos_potencia } = drafts.sheets;
  const rows = ofertas?.rows ?? [];
  const created = rows.filter(({ id }) => id === null).length;
  return {
    created,
    replaced: rows.length - created,
    deactivated: borrar?.rows.length ?? 0,
    companiesCreated: owners.toCreate.length,
    pricesUpserted: precios_indexados?.rows.length ?? 0,
    tiersReplaced: (tramos_consumo?.rows.length ?? 0) + (tramos_potencia?.rows.length ?? 0),
  };
}

function columnsOf({ sheets }: BulkDrafts): BulkPlan['columns'] {
  return {
    ofertas: sheets.ofertas?.columns ?? null,
    precios_indexados: sheets.precios_indexados?.columns ?? null,
    tramos_consumo: sheets.tramos_consumo?.columns ?? null,
    tramos_potencia: sheets.tramos_potencia?.columns ?? null,
    borrar: sheets.borrar?.columns ?? null,
  };
}

/** Columns that name an offer, or say which state of it was edited: rows that do without them are what they seem. */
const NAMING: readonly string[] = [...Object.values(ID_HEADERS), FIRM_HEADER, COMPANY_HEADER, VERSION_HEADER];

/** For each sheet of a file the columns that its template would have and it does not. */
export function absentColumns(plan: BulkPlan, rights: BulkRights): readonly BulkWarning[] {
  return bulkSheets(rights.format).flatMap((sheet): readonly BulkWarning[] => {
    const present = plan.columns[sheet.name];
    if (present === null || (sheet.isCommission && !rights.seesCommissions)) return [];
    const naming = sheet.name === 'ofertas' ? NAMING : [...NAMING, NAME_HEADER];
    const columns = sheet.columns
      .filter(({ isCommission }) => rights.seesCommissions || !isCommission)
      .map(({ header }) => header)
      .filter((header) => !present.includes(header) && !naming.includes(header));
    return columns.length === 0
      ? []
      : [{ code: 'columna_ausente', sheet: sheet.name, count: columns.length, rows: [], columns }];
  });
}

/** Rows that a warning names. */
const ROWS_OF_WARNING = 20;

function warning(code: BulkWarning['code'], sheet: SheetName, targets: readonly Target[]): readonly BulkWarning[] {
  if (targets.length === 0) return [];
  const rows = targets.flatMap(({ offerRow }) => offerRow?.row ?? []).sort((a, b) => a - b);
  return [{ code, sheet, count: targets.length, rows: rows.slice(0, ROWS_OF_WARNING) }];
}

function emptiedTiers(planning: Planning): readonly BulkWarning[] {
  return TIER_SHEETS.flatMap((sheet) => {
    const emptied = [...planning.named.values()].filter((target) => {
      const { stored, tiers } = target;
      if (!stored || tiers[sheet].length > 0 || !decidesTiers(planning, target, sheet)) return false;
      // Whether there are tiers to lose is not for callers who may not see them: those are warned of every such offer.
      return !planning.rights.seesCommissions || storedTiers(stored.offer, sheet) > 0;
    });
    return warning('tiers_emptied', sheet, emptied);
  });
}

function storedTiers(offer: Offer, sheet: TierSheet): number {
  if (sheet === 'tramos_consumo') return offer.consumptionTiers.length;
  return offer.supplyType === 'LUZ' ? offer.powerTiers.length : 0;
}

function repeatedNames(planning: Planning, links: Links): readonly BulkWarning[] {
  const repeated = planning.created.filter(({ company, offerRow }) => {
    const name = offerRow && nameAt(offerRow.values, NAME_HEADER);
    return company && name !== null && links.byName.get(company, name)?.isOnly === false;
  });
  return warning('name_repeated', 'ofertas', repeated);
}
