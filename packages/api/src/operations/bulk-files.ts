import { type BulkFormat, bulkTemplate, bulkUpdate, reportIn, type TemplateKind } from '@tarifario/core/service';
import { z } from 'zod';
import { includeInactive, supplyTypeField } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation, XLSX_TYPE } from '../operation.ts';
import { formOf } from '../sent-form.ts';
import { bulkReport } from '../wire/bulk.ts';
import { fileShape } from '../wire/shapes.ts';

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
