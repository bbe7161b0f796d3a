import type { Offer, OfferTerms } from '../engine/offers/offer.ts';
import { MONTH_HEADERS, type RowCells, type ShownChange, shownChanges } from './offer-cells.ts';
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

/** One field that a file changes. The values are `null` where the caller may not see them. */
export interface DiffEntry extends ShownChange {
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
 * @param log - Gets every entry, those that are not shown included.
 * @see docs/assumptions.md, A-46
 */
export function diffOf(
  plan: BulkPlan,
  state: BulkState,
  { seesCommissions }: BulkRights,
  log: RowLog<DiffEntry> = createRowLog(SHEET_NAMES),
): BulkDiff {
  const firmNames = new Map<number | null, string>(state.firms.map(({ id, name }) => [id, name]));
  const owners = new Map(
    state.companies.map(({ id, firmId, name }) => [id, ownerCells(name, firmNames.get(firmId) ?? null)]),
  );
  const context: DiffContext = { plan, seesCommissions, log, owners, firmNames };
  const stored = new Map(state.offers.map(({ offer }) => [offer.id, offer]));
  for (const change of plan.changed) diffOffer(context, change, change.before);
  for (const creation of plan.created) diffOffer(context, creation, null);
  for (const { row, offerId, created, before, price } of plan.months) {
    const offer = stored.get(offerId ?? 0) ?? null;
    const place = { sheet: 'precios_indexados', row, ...namedOf(context, offer, plan.created[created ?? -1]) } as const;
    const changes = shownChanges(before, price);
    for (const field of MONTH_HEADERS) {
      const change = changes.get(field);
      if (change) log.add({ ...place, field, ...change });
    }
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

type Named = Pick<DiffEntry, 'offerId' | 'offerName' | 'companyName'>;

function namedOf(context: DiffContext, before: Offer | null, change?: OfferToChange | OfferToCreate): Named {
  const owner = before ? context.owners.get(before.companyId) : change && ownerAfter(context, change);
  const { offerName = '' } = before ?? change?.terms ?? {};
  return { offerId: before?.id ?? null, offerName, companyName: String(owner?.[COMPANY_HEADER] ?? '') };
}

/** The sheet and row that gave a field of an offer, except tiers. */
function placeOf(rows: RowsOfOffer): { readonly sheet: SheetName; readonly row: number } {
  return rows.ofertas === null ? { sheet: 'borrar', row: rows.borrar ?? 0 } : { sheet: 'ofertas', row: rows.ofertas };
}

/** In the order of the columns. */
const FIELDS = [FIRM_HEADER, COMPANY_HEADER, ...OFFER_COLUMNS.map(({ header }) => header)];

function diffOffer(context: DiffContext, change: OfferToChange | OfferToCreate, before: Offer | null): void {
  const { log, plan, seesCommissions } = context;
  const named = namedOf(context, before, change);
  const place = { ...placeOf(change.rows), ...named };
  const changes = new Map([
    ...ownerChanges(context, change, before),
    ...shownChanges<OfferTerms>(before, change.terms),
  ]);
  for (const field of FIELDS) {
    const value = changes.get(field);
    if (!seesCommissions && COMMISSION_HEADERS.includes(field)) {
      const isWritten = change.rows.ofertas !== null && plan.columns.ofertas?.includes(field);
      if (isWritten) log.add({ ...place, field, before: null, after: null });
    } else if (value) log.add({ ...place, field, ...value });
  }
  for (const sheet of TIER_SHEETS) diffTiers(context, change, { named, sheet, tiers: changes.get(TIER_FIELDS[sheet]) });
}

/** The names of the firm and the company, where the offer is new or moves to another company. */
function ownerChanges(
  context: DiffContext,
  change: OfferToChange | OfferToCreate,
  before: Offer | null,
): readonly (readonly [string, ShownChange])[] {
  const from = before && (context.owners.get(before.companyId) ?? {});
  return Object.entries(ownerAfter(context, change)).flatMap(([header, after]) => {
    const name = from?.[header] ?? null;
    return name === after ? [] : [[header, { before: name, after }] as const];
  });
}

function diffTiers(
  { plan, log, seesCommissions }: DiffContext,
  { rows, terms }: OfferToChange | OfferToCreate,
  {
    named,
    sheet,
    tiers,
  }: { readonly named: Named; readonly sheet: TierSheet; readonly tiers: ShownChange | undefined },
): void {
  const row = rows[sheet] ?? rows.ofertas;
  const isWritten = plan.columns[sheet] !== null && (sheet === 'tramos_consumo' || terms.supplyType === 'LUZ');
  if (row === null || !isWritten) return;
  const place = { sheet: rows[sheet] === null ? 'ofertas' : sheet, row, ...named } as const;
  const entry = { ...place, field: TIER_FIELDS[sheet] };
  if (!seesCommissions) log.add({ ...entry, before: null, after: null });
  else if (tiers) log.add({ ...entry, ...tiers });
}
