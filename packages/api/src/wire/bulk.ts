import {
  BULK_WARNINGS,
  type BulkCounts,
  type BulkDiff,
  type BulkFormat,
  type BulkWarning,
  type DiffEntry,
  type ImportReport,
  type Message,
  type RowError,
  type RowErrors,
  SHEET_NAMES,
  say,
  TIER_FIELDS,
  TIER_HEADERS,
  TIER_SHEETS,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answer, commission, count, id, messageShape } from './answer.ts';

const rowNumber = z.int().min(1);
const row = rowNumber.describe('As the spreadsheet numbers it: the first one is 1, and the header counts.');
const sheet = z.enum(SHEET_NAMES);
const tiersReplaced = 'The rows of both sheets of tiers; of an upload null without `commissions:read`.';

const COUNTS = {
  created: count.describe('Offers that are new: the rows of `ofertas` without an id.'),
  replaced: count.describe('Offers that existed: the rows of `ofertas` with an id, changed or not.'),
  deactivated: count.describe('The rows of `borrar`.'),
  companies_created: count.describe('Retailers that did not exist under that name.'),
  prices_upserted: count.describe('The rows of `precios_indexados`.'),
};

const warnings = z
  .array(
    z.strictObject({
      code: z.enum(BULK_WARNINGS),
      message: messageShape,
      sheet,
      count: rowNumber,
      rows: z.array(rowNumber).describe('The first rows of `ofertas` that it is about.'),
    }),
  )
  .describe(
    'Changes that are allowed but rarely intended; for an upload nothing about tiers without `commissions:read`.',
  );

/** The effect of a file in its upload: without `commissions:read` nothing about tiers. */
export const bulkResultShape = z.strictObject({
  ...COUNTS,
  tiers_replaced: commission(count, tiersReplaced),
  warnings,
});

/** The effect of a file, or what it would be; only a dry run has the diff. */
export const bulkReport = answer(
  'BulkReport',
  {
    upload_id: id.nullable().describe('The record of the file; null for a dry run that does not keep it.'),
    ...COUNTS,
    tiers_replaced: count.describe(tiersReplaced),
    warnings,
    diff: z
      .array(
        z.strictObject({
          sheet,
          row,
          offer_id: id.nullable(),
          offer_name: z.string().describe('The name of the offer, as stored or as the file creates it.'),
          company_name: z.string().describe('The retailer of the offer, as stored or as the file creates it.'),
          field: z.string(),
          before: z.unknown().describe('As it is; null: nothing, or a commission that the key may not see.'),
          after: z.unknown().describe('As it would be; null: nothing, or a commission that the key may not see.'),
        }),
      )
      .optional()
      .describe('What a dry run would change, field by field, by sheet and row: at most 1000 entries.'),
    diff_count: count.optional().describe('How many entries there are, those that are not shown included.'),
  },
  ({ uploadId, counts, diff, warnings }: ImportReport) => ({
    upload_id: uploadId,
    ...toWireCounts(counts),
    warnings: warnings.map(toWireWarning),
    ...(diff && toWireDiff(diff)),
  }),
);

/** One wrong row, with the id under the name of its column in that format. */
export const rowErrorShape = z.strictObject({
  row,
  sheet: z.string(),
  offer_id: id.nullable().optional(),
  catalog_offer_id: id.nullable().optional(),
  error: messageShape,
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

function toWireDiff({ entries, count }: BulkDiff) {
  const diff = entries.map(({ sheet, row, offerId, offerName, companyName, field, before, after }) => ({
    ...{ sheet, row, offer_id: offerId, offer_name: offerName, company_name: companyName, field },
    before: toWireDiffValue(before, field),
    after: toWireDiffValue(after, field),
  }));
  return { diff, diff_count: count };
}

/** Tiers in the form of an offer. */
function toWireDiffValue(value: DiffEntry['before'], field: string) {
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

const ABSENT_COLUMNS =
  'the sheet does not have these columns, and stored offers keep what they have in them: {columns}';
const WARNINGS: Readonly<Record<BulkWarning['code'], Message>> = {
  tiers_emptied: 'offers without a row in the sheet lose all their tiers',
  name_repeated: 'the company has an active offer of that name already',
  columna_ausente: 'the sheet does not have these columns, and stored offers keep what they have in them',
  peaje_desconocido: 'no access tariff of the supply has that name, so customers who say theirs do not get the offer',
  potencia_bajo_regulado: 'the price of power is below the regulated tolls and charges of today',
  penalizacion_sobre_el_limite:
    'the penalty is above the 5 % that the law allows for persons in 2.0TD (RD 88/2026, art. 28.3)',
};

export function toWireWarning({ code, sheet, count, rows, columns = [] }: BulkWarning) {
  const message = columns.length > 0 ? say(ABSENT_COLUMNS, { columns: columns.join(', ') }) : WARNINGS[code];
  return { code, message, sheet, count, rows };
}

/** The first wrong rows of a spreadsheet and the number of all errors. @see docs/assumptions.md, A-27 */
export function toWireRowErrors({ errors, errorCount, format }: RowErrors & { readonly format: BulkFormat }) {
  return { errors: errors.map((error) => toWireRowError(error, format)), error_count: errorCount };
}

function toWireRowError({ sheet, row, id, column, message }: RowError, format: BulkFormat) {
  const offer = format === 'own' ? { offer_id: id } : { catalog_offer_id: id };
  return { row, sheet, ...offer, error: column === null ? message : say('{column}: {=message}', { column, message }) };
}
