import { type BulkFormat, bulkTemplate, bulkUpdate, type TemplateKind } from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, Outcome } from '../call.ts';
import { CLIENT_QUERY, supplyTypeField } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH, XLSX_TYPE } from '../operation.ts';
import { formOf, type SentFile } from '../sent-form.ts';
import { bulkReportShape, toWireReport } from '../wire/bulk.ts';
import { fileShape } from '../wire/shapes.ts';

const updateQuery = z.strictObject({
  ...CLIENT_QUERY,
  dry_run: z.boolean().default(false),
  force: z.boolean().default(false),
});
const templateQuery = z.strictObject({
  ...CLIENT_QUERY,
  supply_type: supplyTypeField.optional(),
  include_inactive: z.boolean().default(false),
});

/** What every bulk update says of itself. */
const RULES =
  'One form part file, an XLSX workbook of at most 10 MB with the sheets of the templates. A row with an id replaces ' +
  'the whole offer and an empty cell erases the value; a column or a sheet that is absent changes nothing. All or ' +
  'nothing: a refusal names the wrong rows, the first 1000, and how many errors there are. With dry_run nothing is ' +
  'changed, and the answer also says what would be, field by field, the first 1000. A row whose version is not that of ' +
  'the stored offer or month is an error that names both values, unless force says to put them in its place.';

async function expectFile({ deps }: Call): Promise<null> {
  deps.imports.expectFile();
  return null;
}

async function update(
  { deps, caller }: Call,
  input: { readonly format: BulkFormat; readonly query: z.output<typeof updateQuery>; readonly file: SentFile },
): Promise<Outcome> {
  const { format, query, file } = input;
  const report = await bulkUpdate(deps, caller, {
    format,
    firmId: query.client_id ?? null,
    fileName: file.name,
    bytes: file.bytes,
    dryRun: query.dry_run,
    force: query.force,
  });
  return { status: 200, body: toWireReport(report) };
}

async function template(
  { deps, caller }: Call,
  input: {
    readonly format: BulkFormat;
    readonly kind: TemplateKind;
    readonly query: z.output<typeof templateQuery>;
    readonly fileName: string;
  },
): Promise<Outcome> {
  const { format, kind, query, fileName } = input;
  const bytes = await bulkTemplate(deps, caller, {
    format,
    kind,
    firmId: query.client_id ?? null,
    supplyType: query.supply_type ?? null,
    includeInactive: query.include_inactive,
  });
  const headers = { 'Content-Type': XLSX_TYPE, 'Content-Disposition': `attachment; filename="${fileName}"` };
  return { status: 200, headers, body: undefined, bytes };
}

export const bulkUpdateOffers = defineOperation({
  id: 'bulkUpdateOffers',
  method: 'POST',
  path: '/v1/offers/bulk-update',
  summary: 'Create, replace and deactivate own offers with a workbook',
  description: RULES,
  scopes: ['offers:write'],
  limits: ['bulk_update'],
  replayable: true,
  input: { path: NO_PATH, query: updateQuery, body: formOf({}) },
  beforeForm: expectFile,
  output: bulkReportShape,
  refusals: ['quota_reached', 'business_rule'],
  perform: (call, { query, body }) => update(call, { format: 'own', query, file: body.file }),
});

export const bulkUpdateCatalogOffers = defineOperation({
  id: 'bulkUpdateCatalogOffers',
  method: 'POST',
  path: '/v1/catalog/offers/bulk-update',
  summary: 'Create, replace and deactivate offers of the catalog with a workbook',
  description: `For catalog editors. ${RULES} Every firm that subscribes has the result in its next ranking.`,
  scopes: ['catalog:write'],
  limits: ['catalog_bulk_update', 'catalog_write'],
  replayable: true,
  input: { path: NO_PATH, query: updateQuery, body: formOf({}) },
  beforeForm: expectFile,
  output: bulkReportShape,
  refusals: ['bound_key', 'not_catalog_editor', 'quota_reached', 'business_rule'],
  perform: (call, { query, body }) => update(call, { format: 'catalog', query, file: body.file }),
});

const SENT_BACK =
  'An XLSX workbook that can be edited and sent back as a bulk update; sent back as it is, it changes nothing.';
const TOO_LONG = 'What would be too large to be sent back is refused; supply_type narrows it.';

export const bulkTemplateOffers = defineOperation({
  id: 'bulkTemplateOffers',
  method: 'GET',
  path: '/v1/offers/bulk-template',
  summary: 'A workbook with the own offers that are not indexed',
  description: `${SENT_BACK} ${TOO_LONG}`,
  scopes: ['offers:write', 'commissions:read'],
  longRead: 'workbook',
  input: { path: NO_PATH, query: templateQuery, body: NO_BODY },
  output: fileShape,
  contentType: XLSX_TYPE,
  refusals: ['wrong_state'],
  perform: (call, { query }) => template(call, { format: 'own', kind: 'fixed', query, fileName: 'ofertas.xlsx' }),
});

export const bulkTemplateIndexedOffers = defineOperation({
  id: 'bulkTemplateIndexedOffers',
  method: 'GET',
  path: '/v1/offers/bulk-template-indexed',
  summary: 'A workbook with the own offers that are indexed, and their monthly prices',
  description: `${SENT_BACK} ${TOO_LONG}`,
  scopes: ['offers:write', 'commissions:read'],
  longRead: 'workbook',
  input: { path: NO_PATH, query: templateQuery, body: NO_BODY },
  output: fileShape,
  contentType: XLSX_TYPE,
  refusals: ['wrong_state'],
  perform: (call, { query }) =>
    template(call, { format: 'own', kind: 'indexed', query, fileName: 'ofertas-indexadas.xlsx' }),
});

const WITHOUT_COMMISSIONS = 'Without commissions:read it has neither columns nor sheets of commissions.';

export const bulkTemplateCatalogOffers = defineOperation({
  id: 'bulkTemplateCatalogOffers',
  method: 'GET',
  path: '/v1/catalog/offers/bulk-template',
  summary: 'A workbook with the offers of the catalog that are not indexed',
  description: `${SENT_BACK} ${WITHOUT_COMMISSIONS} ${TOO_LONG}`,
  scopes: ['catalog:read'],
  longRead: 'workbook',
  input: { path: NO_PATH, query: templateQuery, body: NO_BODY },
  output: fileShape,
  contentType: XLSX_TYPE,
  refusals: ['wrong_state'],
  perform: (call, { query }) => template(call, { format: 'catalog', kind: 'fixed', query, fileName: 'catalogo.xlsx' }),
});

export const bulkTemplateIndexedCatalogOffers = defineOperation({
  id: 'bulkTemplateIndexedCatalogOffers',
  method: 'GET',
  path: '/v1/catalog/offers/bulk-template-indexed',
  summary: 'A workbook with the offers of the catalog that are indexed, and their monthly prices',
  description: `${SENT_BACK} ${WITHOUT_COMMISSIONS} ${TOO_LONG}`,
  scopes: ['catalog:read'],
  longRead: 'workbook',
  input: { path: NO_PATH, query: templateQuery, body: NO_BODY },
  output: fileShape,
  contentType: XLSX_TYPE,
  refusals: ['wrong_state'],
  perform: (call, { query }) =>
    template(call, { format: 'catalog', kind: 'indexed', query, fileName: 'catalogo-indexado.xlsx' }),
});
