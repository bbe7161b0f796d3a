import { type AnyTier, isSameTiers } from '../commission/tier.ts';
import type { MonthlyPrice, Offer } from '../offers/offer.ts';
import type { CellToWrite } from './cells.ts';
import { monthCells, offerCells, type RowCells, tiersIn } from './offer-cells.ts';
import type { BulkPlan, OfferToChange, OfferToCreate, RowsOfOffer } from './plan.ts';
import { createRowLog, type RowLog } from './row-errors.ts';
import {
  COMMISSION_HEADERS,
  COMPANY_HEADER,
  FIRM_HEADER,
  OFFER_COLUMNS,
  SHEET_NAMES,
  type SheetName,
  TIER_FIELDS,
  TIER_SHEETS,
  type TierSheet,
} from './sheets.ts';
import type { BulkRights, BulkState } from './state.ts';

/** A value as its cell shows it, or the whole list of tiers; `null`: none, or the caller may not see it. */
export type DiffValue = CellToWrite | readonly AnyTier[];

/** One field that a file changes. */
export interface DiffEntry {
  readonly sheet: SheetName;
  /** As the spreadsheet numbers it. Tiers: the first row of the offer, in `ofertas` where the tier sheet has none. */
  readonly row: number;
  /** `null`: a new offer. */
  readonly offerId: number | null;
  /** The offer as it is stored, or as the file creates it, because an id tells a person nothing. */
  readonly offerName: string;
  readonly companyName: string;
  /** A header, or `commission_tiers` and `commission_power_tiers`. */
  readonly field: string;
  readonly before: DiffValue;
  readonly after: DiffValue;
}

/** What a file changes, as a dry run shows it. */
export interface BulkDiff {
  /** The first `MAX_ROWS_SHOWN`, by sheet and row. */
  readonly entries: readonly DiffEntry[];
  /** Including those that are not shown. */
  readonly count: number;
}

interface DiffContext {
  readonly plan: BulkPlan;
  readonly seesCommissions: boolean;
  readonly log: RowLog<DiffEntry>;
  /** The company and firm, by the id of the company. */
  readonly owners: ReadonlyMap<number, RowCells>;
  readonly firmNames: ReadonlyMap<number | null, string>;
}

/**
 * What a plan changes, field by field. Callers who may not see commissions get an entry without values for every
 * commission that the file writes, changed or not.
 *
 * @param state - The state from which the plan was made.
 * @see docs/assumptions.md, A-46
 */
export function diffOf(plan: BulkPlan, state: BulkState, { seesCommissions }: BulkRights): BulkDiff {
  const firmNames = new Map<number | null, string>(state.firms.map(({ id, name }) => [id, name]));
  const owners = new Map(
    state.companies.map(({ id, firmId, name }) => [id, ownerCells(name, firmNames.get(firmId) ?? null)]),
  );
  const log = createRowLog<DiffEntry>(SHEET_NAMES);
  const context: DiffContext = { plan, seesCommissions, log, owners, firmNames };
  const stored = new Map(state.offers.map((entry) => [entry.offer.id, entry]));
  for (const change of plan.changed) {
    const entry = stored.get(change.offerId);
    if (entry) diffOffer(context, change, { offerId: change.offerId, before: entry.offer });
  }
  for (const creation of plan.created) diffOffer(context, creation, { offerId: null, before: null });
  for (const { row, offerId, created, price } of plan.months) {
    const entry = offerId === null ? undefined : stored.get(offerId);
    const named = namedOf(context, { offerId, before: entry?.offer ?? null }, plan.created[created ?? -1]);
    const before = entry?.months.find(({ month }) => month === price.month) ?? null;
    diffMonth(context, { row, named, before, after: price });
  }
  return { entries: log.first(), count: log.count };
}

function ownerCells(companyName: string, firmName: string | null): RowCells {
  return { [FIRM_HEADER]: firmName, [COMPANY_HEADER]: companyName };
}

function ownerAfter({ plan, owners, firmNames }: DiffContext, change: OfferToChange | OfferToCreate): RowCells {
  const index = 'newCompany' in change ? change.newCompany : null;
  const company = index === null ? undefined : plan.companies[index];
  if (company) return ownerCells(company.name, firmNames.get(company.firmId) ?? null);
  return owners.get(change.terms.companyId) ?? {};
}

interface Stored {
  readonly offerId: number | null;
  readonly before: Offer | null;
}

type Named = Pick<DiffEntry, 'offerId' | 'offerName' | 'companyName'>;

function namedOf(context: DiffContext, { offerId, before }: Stored, change?: OfferToChange | OfferToCreate): Named {
  const owner = before ? context.owners.get(before.companyId) : change && ownerAfter(context, change);
  const { offerName = '' } = before ?? change?.terms ?? {};
  return { offerId, offerName, companyName: String(owner?.[COMPANY_HEADER] ?? '') };
}

/** The sheet and row that gave a field of an offer, except tiers. */
function placeOf(rows: RowsOfOffer): { readonly sheet: SheetName; readonly row: number } {
  return rows.ofertas === null ? { sheet: 'borrar', row: rows.borrar ?? 0 } : { sheet: 'ofertas', row: rows.ofertas };
}

/** In the order of the columns. */
const FIELDS = [FIRM_HEADER, COMPANY_HEADER, ...OFFER_COLUMNS.map(({ header }) => header)];

function diffOffer(context: DiffContext, change: OfferToChange | OfferToCreate, { offerId, before }: Stored): void {
  const { log, owners, plan, seesCommissions } = context;
  const named = namedOf(context, { offerId, before }, change);
  const place = { ...placeOf(change.rows), ...named };
  const cellsBefore: RowCells = before ? { ...owners.get(before.companyId), ...offerCells(before) } : {};
  const cellsAfter: RowCells = { ...ownerAfter(context, change), ...offerCells(change.terms) };
  for (const field of FIELDS) {
    const [value, after] = [cellsBefore[field] ?? null, cellsAfter[field] ?? null];
    if (!seesCommissions && COMMISSION_HEADERS.includes(field)) {
      const isWritten = change.rows.ofertas !== null && plan.columns.ofertas?.includes(field);
      if (isWritten) log.add({ ...place, field, before: null, after: null });
    } else if (value !== after) {
      log.add({ ...place, field, before: value, after });
    }
  }
  for (const sheet of TIER_SHEETS) diffTiers(context, change, { named, before, sheet });
}

function diffTiers(
  { plan, log, seesCommissions }: DiffContext,
  { rows, terms }: OfferToChange | OfferToCreate,
  { named, before, sheet }: { readonly named: Named; readonly before: Offer | null; readonly sheet: TierSheet },
): void {
  const row = rows[sheet] ?? rows.ofertas;
  const isWritten = plan.columns[sheet] !== null && (sheet === 'tramos_consumo' || terms.supplyType === 'LUZ');
  if (row === null || !isWritten) return;
  const place = { sheet: rows[sheet] === null ? 'ofertas' : sheet, row, ...named } as const;
  const entry = { ...place, field: TIER_FIELDS[sheet] };
  const [from, to] = [before ? tiersIn(before, sheet) : [], tiersIn(terms, sheet)];
  if (!seesCommissions) log.add({ ...entry, before: null, after: null });
  else if (!isSameTiers(from, to)) log.add({ ...entry, before: from, after: to });
}

function diffMonth(
  { log }: DiffContext,
  month: {
    readonly row: number;
    readonly named: Named;
    readonly before: MonthlyPrice | null;
    readonly after: MonthlyPrice;
  },
): void {
  const { row, named } = month;
  const cellsBefore = month.before ? monthCells(month.before) : {};
  for (const [field, after] of Object.entries(monthCells(month.after))) {
    const before = cellsBefore[field] ?? null;
    if (before !== after) log.add({ sheet: 'precios_indexados', row, ...named, field, before, after });
  }
}
