import { MAX_TIERS } from '../engine/commission/tier.ts';
import type { Issue, RowErrors } from '../engine/errors.ts';
import { type Message, say } from '../engine/messages/message.ts';
import { changeOf, differenceOf, type OfferChange } from '../engine/offers/difference.ts';
import type { MonthlyPrice, Offer, OfferTerms } from '../engine/offers/offer.ts';
import {
  changeOffer,
  draftOffer,
  namesCommissions,
  type OfferChanges,
  type OfferDraft,
} from '../engine/offers/offer-changes.ts';
import { type Links, linksOf, reportIssue, takePriceRows, takeTierRows } from './linked-rows.ts';
import { nameAt, tiersIn } from './offer-cells.ts';
import type { CompanyToCreate } from './owners.ts';
import type { BulkDrafts } from './read-rows.ts';
import { createRowLog } from './row-errors.ts';
import {
  bulkSheets,
  COMPANY_HEADER,
  eachSheet,
  FIRM_HEADER,
  ID_HEADERS,
  isTierSheet,
  LATER_COLUMNS,
  NAME_HEADER,
  type SheetName,
  TIER_SHEETS,
  type TierSheet,
  VERSION_HEADER,
} from './sheets.ts';
import { reportStaleOffer } from './stale-rows.ts';
import type { BulkRights, BulkState } from './state.ts';
import { changesWithStoredPrecision } from './stored-precision.ts';
import {
  newPlanContext,
  type PlanContext,
  type PlannedRow,
  report,
  type Target,
  takeOfferRows,
  takeRemovals,
} from './targets.ts';

/** The rows about one offer; `null`: no such row. For a tier sheet, the first row. */
export type RowsOfOffer = Readonly<Record<Exclude<SheetName, 'precios_indexados'>, number | null>>;

/** A new offer. */
export interface OfferToCreate {
  readonly rows: RowsOfOffer;
  /** `companyId` is 0 where the company is new. */
  readonly terms: OfferTerms;
  /** Index in `companies`; `null`: the company exists. */
  readonly newCompany: number | null;
}

/** A change of an existing offer. */
export interface OfferToChange extends OfferChange {
  readonly rows: RowsOfOffer;
}

/** The prices of one month that a file creates or replaces. */
interface MonthToPut {
  readonly row: number;
  /** An existing offer; `null`: a new one. */
  readonly offerId: number | null;
  /** Index in `created`; `null`: an existing one. */
  readonly created: number | null;
  /** `null`: the offer has no such month. */
  readonly before: MonthlyPrice | null;
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

/** Every warning; {@link BulkWarning} has the meaning of each. */
export const BULK_WARNINGS = [
  'tiers_emptied',
  'name_repeated',
  'columna_ausente',
  'peaje_desconocido',
  'potencia_bajo_regulado',
  'penalizacion_sobre_el_limite',
  'porcentaje_improbable',
  'precio_improbable',
  'indice_sin_cargar',
] as const;

/** Something that is permitted but rarely intended. */
export interface BulkWarning {
  /**
   * - `tiers_emptied`: offers of `ofertas` that have no row in a tier sheet of the file, and so lose their tiers.
   * - `name_repeated`: new offers with the name of an active one of the same company.
   * - `columna_ausente`: columns that the sheet does not have, so that stored offers keep what they have; dry runs only.
   * - `peaje_desconocido`: active offers of `ofertas` whose tariff does not exist for their supply; dry runs only.
   * - `potencia_bajo_regulado`: active offers of `ofertas` with a price of power below tolls and charges; dry runs only.
   * - `penalizacion_sobre_el_limite`: active offers of `ofertas` for persons with a penalty above that of the law; dry runs
   *   only.
   * - `porcentaje_improbable`: a column of percentages, all of which are above 0 and at most 1; dry runs only.
   * - `precio_improbable`: active offers of `ofertas`, and months, with a price of energy that may be in cents, or a monthly
   *   one that may be yearly; dry runs only.
   * - `indice_sin_cargar`: active offers of `ofertas` that follow the hours of an index without prices; dry runs only.
   */
  readonly code: (typeof BULK_WARNINGS)[number];
  readonly sheet: SheetName;
  /** How many offers, or columns. */
  readonly count: number;
  /** The first rows of `ofertas` that it is about, ascending. */
  readonly rows: readonly number[];
  /** The columns that are absent, or the one with percentages; left out of other warnings. */
  readonly columns?: readonly string[];
  /** One of the percentages; left out of other warnings. */
  readonly percentage?: number;
}

/**
 * The effect of a file, to be applied in one transaction. Contains only what differs from the state it was made from.
 */
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

/** A plan, or everything that is wrong with the file; never both. */
export type BulkOutcome =
  | { readonly kind: 'plan'; readonly plan: BulkPlan }
  | ({ readonly kind: 'errors' } & RowErrors);

/**
 * Plans the effect of a workbook on the caller's offers, or finds everything that is wrong with it: errors of cells,
 * and broken rules in rows that can be read. With a single error there is no plan.
 *
 * An unchanged template gives a plan that changes nothing. A plan is valid only for the state it was made from: plan
 * and apply in one transaction, or check that the revision is still the same.
 *
 * @param state - Read in one transaction. Records that the rights do not cover are ignored.
 * @param drafts - Of the format of the rights.
 * @see docs/assumptions.md, A-26, A-42, A-43 and A-46
 */
export function planBulkUpdate(state: BulkState, drafts: BulkDrafts, rights: BulkRights): BulkOutcome {
  const context = newPlanContext(state, drafts, rights);
  takeOfferRows(context);
  takeRemovals(context);
  const links = linksOf(context);
  takePriceRows(context, links);
  for (const sheet of TIER_SHEETS) takeTierRows(context, links, sheet);
  const named = [...context.named.values()].flatMap((target) => (target.stored ? [{ target, ...target.stored }] : []));
  named.sort((a, b) => a.offer.id - b.offer.id);
  const changed = named.map(({ target, offer }) => changeTo(context, target, offer));
  const created = context.created.map((target) => creationOf(context, target));
  const { errors } = context;
  if (drafts.errorCount + errors.count > 0) return { kind: 'errors', ...allErrors(context) };
  const plan: BulkPlan = {
    companies: context.owners.toCreate,
    created: created.flatMap((offer) => offer ?? []),
    changed: changed.flatMap((offer) => offer ?? []),
    months: monthsToPut(context, named),
    counts: countsOf(context),
    warnings: [...emptiedTiers(context), ...repeatedNames(context, links)],
    columns: eachSheet((sheet) => drafts.sheets[sheet]?.columns ?? null),
  };
  return { kind: 'plan', plan };
}

/** Errors of cells and of rules together. */
function allErrors({ drafts, errors }: PlanContext): RowErrors {
  const all = createRowLog<RowErrors['errors'][number]>(drafts.sheetOrder);
  for (const error of [...drafts.errors, ...errors.first()]) all.add(error);
  return { errors: all.first(), errorCount: drafts.errorCount + errors.count };
}

/** Whether a tier sheet of the file replaces the tiers of an offer. */
function decidesTiers({ drafts }: PlanContext, target: Target, sheet: TierSheet): boolean {
  if (drafts.sheets[sheet] === null || (sheet === 'tramos_potencia' && target.supplyType === 'GAS')) return false;
  return target.offerRow !== null || target.tiers[sheet].length > 0;
}

function tiersFor(context: PlanContext, target: Target): Pick<OfferChanges, 'consumptionTiers' | 'powerTiers'> {
  const tiers = (sheet: TierSheet) => target.tiers[sheet].map(({ tier }) => tier);
  return {
    ...(decidesTiers(context, target, 'tramos_consumo') ? { consumptionTiers: tiers('tramos_consumo') } : {}),
    ...(decidesTiers(context, target, 'tramos_potencia') ? { powerTiers: tiers('tramos_potencia') } : {}),
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
function changeTo(context: PlanContext, target: Target, offer: Offer): OfferToChange | null {
  const { company, removalRow } = target;
  const changes: OfferChanges = {
    ...(target.isReadable ? target.changes : {}),
    ...tiersFor(context, target),
    ...(company ? { companyId: company.companyId } : {}),
    ...(removalRow === null ? {} : { isActive: false }),
  };
  const draft = changeOffer(offer, changesWithStoredPrecision(changes, offer, context.rights));
  reportIssues(context, target, draft.issues);
  const writesCommissions = namesCommissions(changes);
  reportStaleOffer(context, target, { offer, terms: draft.terms, writesCommissions });
  // Otherwise callers who may not see commissions would learn whether those of the file equal the stored ones.
  const isBlind = !context.rights.seesCommissions && writesCommissions;
  const change = changeOf(offer, draft.terms, { isBlind });
  return change && { ...change, rows: rowsOf(target) };
}

/** `null`: there is an error. */
function creationOf(context: PlanContext, target: Target): OfferToCreate | null {
  const { company, supplyType, changes } = target;
  if (supplyType === null) return null;
  const { offerName = '', tariffType = '' } = changes;
  const required = { companyId: company?.companyId ?? 0, offerName, supplyType, tariffType };
  const draft: OfferDraft = draftOffer(required, { ...changes, ...tiersFor(context, target) });
  reportIssues(context, target, draft.issues);
  if (!company || !target.isReadable) return null;
  return { rows: rowsOf(target), terms: draft.terms, newCompany: company.newCompany };
}

const TIER_SHEET_OF: Readonly<Record<string, TierSheet>> = {
  consumptionTiers: 'tramos_consumo',
  powerTiers: 'tramos_potencia',
};

/** Reports broken rules at their rows. For a row that already has an error only its tiers are checked. */
function reportIssues(context: PlanContext, target: Target, issues: readonly Issue[]): void {
  for (const { path, message } of issues) {
    const [field = '', index, part = ''] = path.split('.');
    const sheet = Object.hasOwn(TIER_SHEET_OF, field) ? TIER_SHEET_OF[field] : undefined;
    const rows = sheet ? target.tiers[sheet] : [];
    // An error about the length of the list is reported at the first row beyond it.
    const tier = index === undefined ? rows[MAX_TIERS] : rows[Number(index)];
    if (sheet && tier) {
      reportIssue(context, { sheet, row: tier.row }, { path: part, message });
    } else if (target.offerRow) {
      const place: PlannedRow = { sheet: 'ofertas', row: target.offerRow };
      if (target.isReadable) reportIssue(context, place, { path, message });
    } else {
      reportStored(context, target, message);
    }
  }
}

/**
 * Reports a stored offer that breaks a current rule when the file has only tiers of it: the result would be invalid. An
 * offer that is only deactivated, or only gets a month, is not checked, because no row of the file is wrong.
 */
function reportStored(context: PlanContext, target: Target, message: Message): void {
  for (const sheet of TIER_SHEETS) {
    const first = target.tiers[sheet][0];
    if (first) {
      report(context, { sheet, row: first.row }, null, say('the offer {=message}', { message }));
      return;
    }
  }
}

function monthsToPut(
  context: PlanContext,
  named: readonly { readonly target: Target; readonly offer: Offer; readonly months: readonly MonthlyPrice[] }[],
): readonly MonthToPut[] {
  const existing = named.flatMap(({ target, offer, months }) => {
    if (target.months.size === 0) return [];
    const stored = new Map(months.map((price) => [price.month, price]));
    return [...target.months.values()].flatMap((month) => {
      const before = stored.get(month.price.month) ?? null;
      const isChange = before === null || differenceOf(before, month.price).length > 0;
      return isChange ? { ...month, offerId: offer.id, created: null, before } : [];
    });
  });
  const ofNew = context.created.flatMap((target, created) =>
    [...target.months.values()].map((month) => ({ ...month, offerId: null, created, before: null })),
  );
  return [...existing, ...ofNew];
}

function countsOf({ drafts, owners }: PlanContext): BulkCounts {
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

/** Columns that identify an offer, or the version that was edited: rows without them are complete. */
const NAMING: readonly string[] = [...Object.values(ID_HEADERS), FIRM_HEADER, COMPANY_HEADER, VERSION_HEADER];
/** Nobody misses these. */
const OPTIONAL: readonly string[] = LATER_COLUMNS.map(({ header }) => header);

/** For each sheet of a file the missing columns of its template. */
export function absentColumns(plan: BulkPlan, rights: BulkRights): readonly BulkWarning[] {
  return bulkSheets(rights.format).flatMap((sheet): readonly BulkWarning[] => {
    const present = plan.columns[sheet.name];
    if (present === null || (isTierSheet(sheet.name) && !rights.seesCommissions)) return [];
    const naming = sheet.name === 'ofertas' ? [...NAMING, ...OPTIONAL] : [...NAMING, NAME_HEADER];
    const columns = sheet.columns
      .filter(({ isCommission }) => rights.seesCommissions || !isCommission)
      .map(({ header }) => header)
      .filter((header) => !present.includes(header) && !naming.includes(header));
    return columns.length === 0
      ? []
      : [{ code: 'columna_ausente', sheet: sheet.name, count: columns.length, rows: [], columns }];
  });
}

/** How many rows a warning names. */
export const ROWS_OF_WARNING = 20;

function warning(code: BulkWarning['code'], sheet: SheetName, targets: readonly Target[]): readonly BulkWarning[] {
  if (targets.length === 0) return [];
  const rows = targets.flatMap(({ offerRow }) => offerRow?.row ?? []).sort((a, b) => a - b);
  return [{ code, sheet, count: targets.length, rows: rows.slice(0, ROWS_OF_WARNING) }];
}

function emptiedTiers(context: PlanContext): readonly BulkWarning[] {
  return TIER_SHEETS.flatMap((sheet) => {
    const emptied = [...context.named.values()].filter((target) => {
      const { stored, tiers } = target;
      if (!stored || tiers[sheet].length > 0 || !decidesTiers(context, target, sheet)) return false;
      // Callers who may not see commissions must not learn whether there were tiers to lose, so they are warned about
      // every such offer.
      return !context.rights.seesCommissions || tiersIn(stored.offer, sheet).length > 0;
    });
    return warning('tiers_emptied', sheet, emptied);
  });
}

function repeatedNames(context: PlanContext, links: Links): readonly BulkWarning[] {
  const repeated = context.created.filter(({ company, offerRow }) => {
    const name = offerRow && nameAt(offerRow.values, NAME_HEADER);
    return company && name !== null && links.byName.get(company, name)?.isOnly === false;
  });
  return warning('name_repeated', 'ofertas', repeated);
}
