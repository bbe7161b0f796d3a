import { byMonth, NEVER } from '../engine/calendar.ts';
import type { Issue, RowError, RowErrors } from '../engine/errors.ts';
import type { MonthlyPrice, OfferTerms, OfferWithHistory, RecordStamps } from '../engine/offers/offer.ts';
import { draftOffer } from '../engine/offers/offer-changes.ts';
import { checkName, foldName } from '../engine/text.ts';
import type { Company, Firm } from '../service/firms/firm.ts';
import { nameAt, supplyTypeAt } from './offer-cells.ts';
import { type BulkPlan, planBulkUpdate } from './plan.ts';
import type { BulkDrafts, RowDraft, RowValues } from './read-rows.ts';
import { createRowLog } from './row-errors.ts';
import { COMPANY_HEADER, eachSheet, FIRM_HEADER, type SheetName, SUPPLY_HEADER } from './sheets.ts';
import type { BulkState } from './state.ts';

/** The offers in a file with own offers, or everything that is wrong with it. */
type SheetOffersOutcome =
  | {
      readonly kind: 'offers';
      /** By ascending id, with their months. */
      readonly offers: readonly OfferWithHistory[];
      /** By id: the company of every offer, and others. */
      readonly companies: ReadonlyMap<number, Company>;
    }
  | ({ readonly kind: 'errors' } & RowErrors);

/**
 * Reads the offers of a spreadsheet for programs without a database, by the rules of a bulk update of an account that
 * has exactly these offers. Firms and companies have names there and get numbers here; the firm may be left out. An
 * offer without an id gets its row number, added to the highest id in the file. Rows of `borrar` about offers that are
 * not in the file are ignored.
 *
 * @param drafts - Of the own format.
 * @see docs/assumptions.md, A-41 and A-42
 */
export function offersInSheets(drafts: BulkDrafts): SheetOffersOutcome {
  const completed = complete(drafts);
  const owners = ownersIn(completed);
  const stored = storedOffers(completed, owners);
  const state: BulkState = { ...owners, offers: stored };
  // Without a stored state no row can be outdated.
  const rights = { format: 'own', seesCommissions: true, boundFirmId: null, force: true } as const;
  const outcome = planBulkUpdate(state, completed, rights);
  if (outcome.kind === 'errors') return outcome;
  const offers = offersOf(outcome.plan, stored);
  return { kind: 'offers', offers, companies: new Map(owners.companies.map((company) => [company.id, company])) };
}

/** The name used for rows without a readable name. Real names are not empty. */
const NO_NAME = '';

/** Completes the drafts: every row gets all that it needs without a database. */
function complete(drafts: BulkDrafts): BulkDrafts {
  const errors = createRowLog<RowError>(drafts.sheetOrder);
  for (const error of drafts.errors) errors.add(error);
  const ids = new Set(drafts.sheets.ofertas?.rows.flatMap(({ id }) => id ?? []));
  const rowsOf = (sheet: SheetName, rows: readonly RowDraft[]) => {
    if (sheet === 'ofertas') return rows.map((row) => wholeRow(row, errors));
    return sheet === 'borrar' ? rows.filter(({ id }) => id !== null && ids.has(id)) : rows.map(named);
  };
  return {
    ...drafts,
    sheets: eachSheet((name) => {
      const sheet = drafts.sheets[name];
      return sheet && { ...sheet, rows: rowsOf(name, sheet.rows) };
    }),
    errors: errors.first(),
    errorCount: drafts.errorCount + errors.count - drafts.errors.length,
  };
}

function named(row: RowDraft): RowDraft {
  return { ...row, values: { ...row.values, [FIRM_HEADER]: row.values[FIRM_HEADER] ?? NO_NAME } };
}

function wholeRow(draft: RowDraft, errors: { add(error: RowError): void }): RowDraft {
  const row = named(draft);
  const { [SUPPLY_HEADER]: supply, ...others } = row.values;
  const companyName = nameAt(row.values, COMPANY_HEADER);
  const issues: Issue[] = companyName === null ? [empty(COMPANY_HEADER)] : checkName(COMPANY_HEADER, companyName);
  if (supply == null) issues.unshift(empty(SUPPLY_HEADER));
  const wrong = issues.filter(({ path }) => !row.unreadable.includes(path));
  for (const { path: column, message } of wrong) {
    errors.add({ sheet: 'ofertas', row: row.row, id: row.id, column, message });
  }
  const cells: RowValues = supply == null ? others : row.values;
  const values = { ...cells, [COMPANY_HEADER]: companyName ?? NO_NAME };
  return { ...row, values, unreadable: [...row.unreadable, ...wrong.map(({ path }) => path)] };
}

function empty(path: string): Issue {
  return { path, message: 'must not be empty' };
}

interface SheetOwners {
  readonly firms: readonly Pick<Firm, 'id' | 'name'>[];
  readonly companies: readonly Company[];
  /** The id of the company that a row names; `undefined`: none. */
  readonly companyIdAt: (values: RowValues) => number | undefined;
}

/** Every firm and company that a row names, numbered in the order in which they are first named. */
function ownersIn({ sheets }: BulkDrafts): SheetOwners {
  const firms = new Map<string, Pick<Firm, 'id' | 'name'>>();
  const companies = new Map<string, Company>();
  const stamps = { createdAt: NEVER, updatedAt: NEVER };
  const folded = (values: RowValues, header: typeof FIRM_HEADER | typeof COMPANY_HEADER) =>
    foldName(nameAt(values, header) ?? NO_NAME);
  const keyOf = (values: RowValues) => JSON.stringify([folded(values, FIRM_HEADER), folded(values, COMPANY_HEADER)]);
  for (const { values } of Object.values(sheets).flatMap((sheet) => sheet?.rows ?? [])) {
    const firmName = nameAt(values, FIRM_HEADER);
    const name = nameAt(values, COMPANY_HEADER);
    if (firmName === null) continue;
    const firm = firms.get(foldName(firmName)) ?? { id: firms.size + 1, name: firmName };
    firms.set(foldName(firmName), firm);
    if (name === null || companies.has(keyOf(values))) continue;
    const id = companies.size + 1;
    companies.set(keyOf(values), { id, firmId: firm.id, name, logoUrl: null, isActive: true, ...stamps });
  }
  const companyIdAt = (values: RowValues) => companies.get(keyOf(values))?.id;
  return { firms: [...firms.values()], companies: [...companies.values()], companyIdAt };
}

/** The offer that a row with an id replaces: one with only a company and a supply type. */
function storedOffers({ sheets }: BulkDrafts, { companyIdAt }: SheetOwners): readonly OfferWithHistory[] {
  const stored = new Map<number, OfferWithHistory>();
  for (const { id, values } of sheets.ofertas?.rows ?? []) {
    const companyId = companyIdAt(values);
    if (id === null || companyId === undefined || stored.has(id)) continue;
    const required = { companyId, offerName: '', supplyType: supplyTypeAt(values) ?? 'LUZ', tariffType: '' };
    stored.set(id, { offer: stamped(id, draftOffer(required, {}).terms), months: [] });
  }
  return [...stored.values()];
}

function stamped<T extends OfferTerms>(id: number, terms: T): T & RecordStamps {
  return { ...terms, id, createdAt: NEVER, updatedAt: NEVER };
}

function offersOf({ changed, created, months }: BulkPlan, stored: readonly OfferWithHistory[]): OfferWithHistory[] {
  const highestId = stored.reduce((highest, { offer }) => Math.max(highest, offer.id), 0);
  const idOf = (index: number | null) => highestId + (created[index ?? -1]?.rows.ofertas ?? 0);
  const terms = new Map(changed.map(({ before, terms: after }) => [before.id, after]));
  const offers = [
    ...stored.map(({ offer }) => stamped(offer.id, terms.get(offer.id) ?? offer)),
    ...created.map((creation, index) => stamped(idOf(index), creation.terms)),
  ];
  const history = new Map<number, MonthlyPrice[]>(offers.map(({ id }) => [id, []]));
  for (const { offerId, created: index, price } of months) history.get(offerId ?? idOf(index))?.push(price);
  return offers
    .sort((a, b) => a.id - b.id)
    .map((offer) => ({ offer, months: (history.get(offer.id) ?? []).sort(byMonth) }));
}
