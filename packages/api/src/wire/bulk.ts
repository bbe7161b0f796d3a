import {
  BULK_WARNINGS,
  type BulkCounts,
  type BulkDiff,
  type BulkFormat,
  type BulkWarning,
  type DiffEntry,
  type DiffValue,
  ID_HEADERS,
  type ImportReport,
  type RowError,
  type RowErrors,
  SHEET_NAMES,
  TIER_FIELDS,
  TIER_HEADERS,
  TIER_SHEETS,
} from '@tarifario/core/service';
import { z } from 'zod';

const count = z.int().min(0);
const row = z.int().min(1);
const sheet = z.enum(SHEET_NAMES);

const COUNTS = {
  created: count,
  replaced: count,
  deactivated: count,
  companies_created: count,
  prices_upserted: count,
  tiers_replaced: count,
};

const WARNINGS_SHAPE = z.array(
  z.strictObject({ code: z.enum(BULK_WARNINGS), message: z.string(), sheet, count: row, rows: z.array(row) }),
);

/** The effect of a file in its upload: without `commissions:read` nothing about tiers. */
export const bulkResultShape = z.strictObject({
  ...COUNTS,
  tiers_replaced: count.nullable(),
  warnings: WARNINGS_SHAPE,
});

/** The effect of a file, or what it would be; only a dry run has the diff. */
export const bulkReportShape = z.strictObject({
  upload_id: z.int().min(1).nullable(),
  ...COUNTS,
  warnings: WARNINGS_SHAPE,
  diff: z
    .array(
      z.strictObject({
        sheet,
        row,
        offer_id: z.int().min(1).nullable(),
        offer_name: z.string(),
        company_name: z.string(),
        field: z.string(),
        before: z.unknown(),
        after: z.unknown(),
      }),
    )
    .optional(),
  diff_count: count.optional(),
});

/** One wrong row, with the id under the name of its column in that format. */
export const rowErrorShape = z.strictObject({
  row,
  sheet: z.string(),
  offer_id: z.int().min(1).nullable().optional(),
  catalog_offer_id: z.int().min(1).nullable().optional(),
  error: z.string(),
});

/** The rows that a file applied. @see docs/assumptions.md, A-46 */
export function toWireCounts(counts: BulkCounts) {
  return {
    created: counts.created,
    replaced: counts.replaced,
    deactivated: counts.deactivated,
    companies_created: counts.companiesCreated,
    prices_upserted: counts.pricesUpserted,
    tiers_replaced: counts.tiersReplaced,
  };
}

/** The result of a file; for a dry run also the changes. */
export function toWireReport({ uploadId, counts, diff, warnings }: ImportReport) {
  const report = { upload_id: uploadId, ...toWireCounts(counts), warnings: warnings.map(toWireWarning) };
  return diff === null ? report : { ...report, ...toWireDiff(diff) };
}

function toWireDiff({ entries, count }: BulkDiff) {
  return { diff: entries.map(toWireDiffEntry), diff_count: count };
}

function toWireDiffEntry({ sheet, row, offerId, offerName, companyName, field, before, after }: DiffEntry) {
  const values = { before: toWireDiffValue(before, field), after: toWireDiffValue(after, field) };
  return { sheet, row, offer_id: offerId, offer_name: offerName, company_name: companyName, field, ...values };
}

/** Tiers in the form of an offer. */
function toWireDiffValue(value: DiffValue, field: string) {
  const sheet = TIER_SHEETS.find((name) => TIER_FIELDS[name] === field);
  if (typeof value !== 'object' || value === null || sheet === undefined) return value;
  const headers = TIER_HEADERS[sheet];
  return value.map((tier) => ({
    [headers.from]: tier.from,
    [headers.to]: tier.to,
    [headers.value]: tier.value,
    [headers.type]: tier.type,
  }));
}

const WARNINGS: Readonly<Record<BulkWarning['code'], string>> = {
  tiers_emptied: 'offers without a row in the sheet lose all their tiers',
  name_repeated: 'the company has an active offer of that name already',
  columna_ausente: 'the sheet does not have these columns, and stored offers keep what they have in them',
};

export function toWireWarning({ code, sheet, count, rows, columns = [] }: BulkWarning) {
  const message = [WARNINGS[code], ...(columns.length > 0 ? [columns.join(', ')] : [])].join(': ');
  return { code, message, sheet, count, rows };
}

/** The first wrong rows of a spreadsheet and the number of all errors. @see docs/assumptions.md, A-27 */
export function toWireRowErrors({ errors, errorCount, format }: RowErrors & { readonly format: BulkFormat }) {
  return { errors: errors.map((error) => toWireRowError(error, format)), error_count: errorCount };
}

function toWireRowError({ sheet, row, id, column, message }: RowError, format: BulkFormat) {
  return { row, sheet, [ID_HEADERS[format]]: id, error: column === null ? message : `${column}: ${message}` };
}
