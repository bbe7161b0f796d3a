import fc, { type Arbitrary } from 'fast-check';
import type { BulkState } from '../src/bulk/state.ts';
import type { CellToWrite, CellValue, SheetPart, SheetRow, SheetToWrite } from '../src/engine/cells.ts';
import type { BulkFormat } from '../src/engine/errors.ts';
import type { OfferTerms, OfferWithHistory } from '../src/engine/offers/offer.ts';
import { foldName } from '../src/engine/text.ts';
import type { Company, Firm } from '../src/service/firms/firm.ts';
import { arbitraryCompany, arbitraryFirm } from './arbitrary-firms.ts';
import { arbitraryOfferWithHistory } from './arbitrary-offers.ts';

/** A cell as a reader would find it, had a writer written it. */
export function toCellValue(value: Exclude<CellToWrite, null>): CellValue {
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number') return { kind: 'number', text: String(value), number: value };
  return { kind: 'text', text: value };
}

/** Rows of values as a reader would find them; the first one is row 1. Empty cells and empty rows are left out. */
export function toSheetRows(rows: Iterable<readonly CellToWrite[]>): readonly SheetRow[] {
  return [...rows].flatMap((values, index) => {
    const cells = values.flatMap((value, column) =>
      value === null || value === '' ? [] : [{ column, value: toCellValue(value) }],
    );
    return cells.length === 0 ? [] : [{ row: index + 1, cells }];
  });
}

/** A workbook as it would be read, had it been written. */
export function toSheetParts(sheets: readonly SheetToWrite[]): readonly SheetPart[] {
  return sheets.map((sheet, index) => {
    const rows =
      sheet.kind === 'table'
        ? [sheet.columns.map(({ header }) => header), ...sheet.rows]
        : sheet.lines.map(({ cells }) => cells);
    return { sheet: index, name: sheet.name, dates1904: false, rows: toSheetRows(rows) };
  });
}

/** A valid offer: for at least one territory and one type of customer. */
function sound<T extends OfferTerms>(terms: T): T {
  const accepts = Object.values(terms.accepts).some(Boolean) ? terms.accepts : { ...terms.accepts, cif: true };
  const isSomewhere = Object.values(terms.territories).some(Boolean);
  const territories = isSomewhere ? terms.territories : { ...terms.territories, peninsula: true };
  return { ...terms, accepts, territories };
}

/** Records with the ids 1, 2, 3, ... and names that stay apart when they are folded, within each group. */
function numbered<T extends { readonly id: number; readonly name: string }>(
  records: readonly T[],
  groupOf: (record: T) => unknown = () => null,
): readonly T[] {
  const seen = new Set<string>();
  const distinct = records.filter((record) => {
    const key = `${groupOf(record)} ${foldName(record.name)}`;
    return !seen.has(key) && seen.add(key);
  });
  return distinct.map((record, index) => ({ ...record, id: index + 1 }));
}

/** What an account, or the catalog, may have: firms and companies with distinct names, sound offers with months. */
export function arbitraryBulkState(
  format: BulkFormat,
  { maxOffers = 8 }: { readonly maxOffers?: number } = {},
): Arbitrary<BulkState & { readonly firms: readonly Firm[]; readonly companies: readonly Company[] }> {
  const firms: Arbitrary<readonly Firm[]> =
    format === 'catalog'
      ? fc.constant([])
      : fc.array(arbitraryFirm(), { minLength: 1, maxLength: 3 }).map((all) => numbered(all));
  // Who belongs to whom is a place in the list, taken as far as the list goes: so nothing is drawn anew when a list shrinks.
  const place = fc.nat({ max: 59 });
  const sellers = fc.array(fc.tuple(arbitraryCompany(fc.constant(null)), place), { minLength: 1, maxLength: 5 });
  const offered = arbitraryOfferWithHistory({ companyId: fc.constant(1) });
  return fc
    .tuple(firms, sellers, fc.array(fc.tuple(offered, place), { maxLength: maxOffers }))
    .map(([owners, unowned, entries]) => {
      const owned = unowned.map(([company, at]) => ({ ...company, firmId: owners[at % owners.length]?.id ?? null }));
      const companies = numbered(owned, (company) => company.firmId);
      const offers = entries.map(([{ offer, months }, at], index): OfferWithHistory => {
        const companyId = companies[at % companies.length]?.id ?? 1;
        // Ids with gaps, so that an id is neither a position nor a row.
        return { offer: { ...sound(offer), companyId, id: index * 3 + 10 }, months };
      });
      return { firms: owners, companies, offers };
    });
}
