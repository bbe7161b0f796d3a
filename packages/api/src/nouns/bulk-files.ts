import {
  BULK_WARNINGS,
  type BulkCounts,
  type BulkDiff,
  type BulkFormat,
  type BulkWarning,
  bulkTemplate,
  bulkUpdate,
  type DiffEntry,
  type ImportReport,
  type Message,
  type RowError,
  type RowErrors,
  reportIn,
  SHEET_NAMES,
  say,
  type TemplateKind,
  TIER_FIELDS,
  TIER_HEADERS,
  TIER_SHEETS,
} from '@tarifario/core/service';
import { z } from 'zod';
import { includeInactive, supplyTypeField } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation, XLSX_TYPE } from '../operation.ts';
import { formOf } from '../sent-form.ts';
import { answer, commission, count, id, messageShape } from '../wire/answer.ts';

/** A file, not JSON. */
const fileShape = z.string().meta({ format: 'binary' });

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
const SHARES = 'all percentages of {column} are at most 1: {percentage} is {percentage} %, or was {meant} % meant?';
const WARNINGS: Readonly<Record<BulkWarning['code'], Message>> = {
  tiers_emptied: 'offers without a row in the sheet lose all their tiers',
  name_repeated: 'the company has an active offer of that name already',
  columna_ausente: 'the sheet does not have these columns, and stored offers keep what they have in them',
  peaje_desconocido: 'no access tariff of the supply has that name, so customers who say theirs do not get the offer',
  potencia_bajo_regulado: 'the price of power is below the regulated tolls and charges of today',
  penalizacion_sobre_el_limite:
    'the penalty is above the 5 % that the law allows for persons in 2.0TD (RD 88/2026, art. 28.3)',
  precio_improbable: 'a price is above what contracts have: it may be in cents, or of a year',
  indice_sin_cargar: 'no prices of that index are loaded, so its name may be wrong',
  porcentaje_improbable: 'all percentages of a column are at most 1, and may be shares of 1',
};

export function toWireWarning({ code, sheet, count, rows, columns = [], percentage }: BulkWarning) {
  const named = columns.join(', ');
  const message = named === '' ? WARNINGS[code] : say(ABSENT_COLUMNS, { columns: named });
  if (percentage === undefined) return { code, message, sheet, count, rows };
  const meant = Number((percentage * 100).toPrecision(15));
  return { code, message: say(SHARES, { column: named, percentage, meant }), sheet, count, rows };
}

/** The first wrong rows of a spreadsheet and the number of all errors. @see docs/assumptions.md, A-27 */
export function toWireRowErrors({ errors, errorCount, format }: RowErrors & { readonly format: BulkFormat }) {
  return { errors: errors.map((error) => toWireRowError(error, format)), error_count: errorCount };
}

function toWireRowError({ sheet, row, id, column, message }: RowError, format: BulkFormat) {
  const offer = format === 'own' ? { offer_id: id } : { catalog_offer_id: id };
  return { row, sheet, ...offer, error: column === null ? message : say('{column}: {=message}', { column, message }) };
}

/** The fields that all bulk updates share. */
const RULES =
  'One form part file, an XLSX workbook of at most 10 MB with the sheets of the templates. A row with an id replaces ' +
  'the whole offer and an empty cell erases the value; a column or a sheet that is absent changes nothing. All or ' +
  'nothing: a refusal names the wrong rows, the first 1000, and how many errors there are. With dry_run nothing is ' +
  'changed, and the answer also says what would be, field by field, the first 1000. A row whose version is not that of ' +
  'the stored offer or month is an error that names both values, unless force says to put them in its place.';

const dryRunField = z.boolean().default(false).describe('Nothing is changed, and the answer says what would be.');

const keepField = z
  .boolean()
  .default(false)
  .describe('With dry_run: the file is kept for a day as a pending upload, which `/v1/uploads/{id}/apply` applies.');

/** A bulk update of own offers or of the catalog. */
function updateRow(
  format: BulkFormat,
  description: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'scopes' | 'limits' | 'examples'>,
): Operation {
  return defineOperation({
    ...description,
    method: 'POST',
    replayable: true,
    query: { dry_run: dryRunField, keep: keepField, force: z.boolean().default(false) },
    body: formOf({}),
    beforeForm: async ({ deps }) => {
      deps.imports.expectFile();
      return null;
    },
    output: bulkReport,
    refusals: ['quota_reached', 'storage_full', 'business_rule'],
    // The thread that applies the file stores the report in the transaction of its own.
    answer: (
      { deps, caller, idempotencyRequest = null },
      { firmId, query: { dry_run: dryRun, keep, force }, body: { file } },
    ) => {
      const { name: fileName, bytes } = file;
      const input = { format, firmId, fileName, bytes, dryRun, keep, force, idempotencyRequest };
      return bulkUpdate(deps, caller, input);
    },
    replay: (stored) => bulkReport.toWire(reportIn(stored)),
  });
}

const SENT_BACK =
  'An XLSX workbook that can be edited and sent back as a bulk update; sent back as it is, it changes nothing.';
const WITHOUT_COMMISSIONS = ' Without commissions:read it has neither columns nor sheets of commissions.';
const TOO_LONG = 'What would be too large to be sent back is refused; supply_type narrows it.';

const FORMATS = {
  own: {
    word: 'Offers',
    path: '/v1/offers',
    whose: 'the own offers',
    about: '',
    scopes: ['offers:write', 'commissions:read'],
  },
  catalog: {
    word: 'CatalogOffers',
    path: '/v1/catalog/offers',
    whose: 'the offers of the catalog',
    about: WITHOUT_COMMISSIONS,
    scopes: ['catalog:read'],
  },
} as const;

/** A workbook with the offers as they are. */
function templateRow(format: BulkFormat, kind: TemplateKind, fileName: string, example: Example): Operation {
  const { word, path, whose, about, scopes } = FORMATS[format];
  const isIndexed = kind === 'indexed';
  return defineOperation({
    id: `bulkTemplate${isIndexed ? 'Indexed' : ''}${word}`,
    method: 'GET',
    path: `${path}/bulk-template${isIndexed ? '-indexed' : ''}`,
    summary: `A workbook with ${whose} that are ${isIndexed ? 'indexed, and their monthly prices' : 'not indexed'}`,
    description: `${SENT_BACK}${about} ${TOO_LONG}`,
    scopes,
    longRead: 'workbook',
    query: { supply_type: supplyTypeField.optional(), include_inactive: includeInactive },
    tagged: true,
    output: fileShape,
    contentType: XLSX_TYPE,
    refusals: ['wrong_state'],
    examples: [example],
    perform: async ({ deps, caller }, { firmId, query }) => {
      const { supply_type: supplyType = null, include_inactive } = query;
      const choice = { format, kind, firmId, supplyType, includeInactive: include_inactive };
      const bytes = await bulkTemplate(deps, caller, choice);
      const headers = { 'Content-Type': XLSX_TYPE, 'Content-Disposition': `attachment; filename="${fileName}"` };
      return { status: 200, headers, body: undefined, bytes };
    },
  });
}

export const BULK_FILES: readonly Operation[] = [
  updateRow('own', {
    id: 'bulkUpdateOffers',
    path: '/v1/offers/bulk-update',
    summary: 'Create, replace and deactivate own offers with a workbook',
    description: RULES,
    scopes: ['offers:write'],
    limits: ['bulk_update'],
    examples: [
      {
        summary: 'A new price, a new offer, and one that is no longer sold',
        query: { client_id: 1 },
        form: {
          sheets: {
            ofertas: [
              ['offer_id', 'cliente', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'e1', 'e2', 'e3'],
              [1, 'Asesoría Levante', 'Comercializadora Alba', 'Alba Hogar', 'LUZ', '2.0TD', 0.171, 0.121, 0.086],
            ],
            tramos_consumo: [
              ['offer_id', 'consumption_from', 'consumption_to', 'commission', 'commission_type'],
              [1, 0, 3, 45, 'fixed'],
              [1, 3, null, 16, 'per_mwh'],
            ],
            borrar: [['offer_id'], [2]],
          },
        },
      },
      {
        summary: 'What a file would change',
        query: { dry_run: true },
        form: {
          sheets: {
            ofertas: [
              ['offer_id', 'e1'],
              [1, 0.171],
            ],
            tramos_consumo: [['offer_id', 'consumption_from', 'consumption_to', 'commission']],
          },
        },
      },
    ],
  }),
  templateRow('own', 'fixed', 'ofertas.xlsx', {
    summary: 'Electricity of one firm',
    query: { client_id: 1, supply_type: 'LUZ' },
  }),
  templateRow('own', 'indexed', 'ofertas-indexadas.xlsx', {
    summary: 'Inactive offers too',
    query: { include_inactive: true },
  }),
];

export const CATALOG_BULK_FILES: readonly Operation[] = [
  updateRow('catalog', {
    id: 'bulkUpdateCatalogOffers',
    path: '/v1/catalog/offers/bulk-update',
    summary: 'Create, replace and deactivate offers of the catalog with a workbook',
    description: `${RULES} Every firm that subscribes has the result in its next ranking.`,
    scopes: ['catalog:write'],
    limits: ['catalog_bulk_update', 'catalog_write'],
    examples: [
      {
        summary: 'A month of an indexed offer, and an offer of a new retailer',
        form: {
          sheets: {
            ofertas: [
              [
                ...['catalog_offer_id', 'company_name', 'offer_name', 'supply_type', 'tariff_type'],
                ...['gas_energy', 'gas_fixed', 'acepta_dni', 'territory_peninsula'],
              ],
              [null, 'Comercializadora Ebro', 'Ebro Gas', 'GAS', 'RL.1', 0.0588, 5.12, true, true],
            ],
            precios_indexados: [
              ['catalog_offer_id', 'reference_month', 'e1', 'e2', 'e3'],
              [6, '2025-12', 0.21, 0.13, 0.1],
            ],
          },
        },
      },
    ],
  }),
  templateRow('catalog', 'fixed', 'catalogo.xlsx', { summary: 'Gas', query: { supply_type: 'GAS' } }),
  templateRow('catalog', 'indexed', 'catalogo-indexado.xlsx', { summary: 'Active offers' }),
];
