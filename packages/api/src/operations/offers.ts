import type { Caller } from '@tarifario/core/service';
import {
  calculateCommission,
  compareOffers,
  countRecords,
  createOffer,
  exportOffers,
  getOffer,
  listOffers,
  MAX_EXPORT,
  offerHistory,
  seesCommissions,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, Outcome } from '../call.ts';
import {
  CLIENT_QUERY,
  clientTypeField,
  communityField,
  companyNameFilter,
  ID_PATH,
  idField,
  LIST_QUERY,
  listOf,
  ONLY_CLIENT_QUERY,
  PAGE_QUERY,
  type RecordChoice,
  supplyTypeField,
  tariffTypeFilter,
  territoryField,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCalculation } from '../wire/commission.ts';
import { toWireEvent, toWireOffer, toWireOfferDetail, type Visibility } from '../wire/offer.ts';
import { fromWireNewOffer, newOfferBody } from '../wire/offer-body.ts';
import { createOfferListJson, type OfferPage, toWireOffers } from '../wire/offer-list-json.ts';
import { EXPORT_COLUMNS, toOfferTable } from '../wire/offer-table.ts';
import { MAX_CONSUMPTION_MWH, MAX_POWER_KW, quantity } from '../wire/quantities.ts';
import { calculationShape, offerDetailShape, offerEventShape, offerShape, statsShape } from '../wire/shapes.ts';
import { toWireStats } from '../wire/stats.ts';

export function visibilityOf(caller: Caller): Visibility {
  return { seesCommissions: seesCommissions(caller) };
}

/** What own offers are filtered by, in a list and in an export, beside their supply. */
const OFFER_QUERY = {
  ...CLIENT_QUERY,
  tariff_type: tariffTypeFilter.optional(),
  company_id: idField.optional(),
  company_name: companyNameFilter.optional(),
  territory: territoryField.optional(),
  community: communityField.optional(),
  placas_solares: z.boolean().optional(),
  client_type: clientTypeField.optional(),
  include_inactive: LIST_QUERY.include_inactive,
};

function toOfferChoice<T>(query: z.output<z.ZodObject<typeof OFFER_QUERY>> & { readonly supply_type: T }) {
  return {
    firmId: query.client_id ?? null,
    includeInactive: query.include_inactive,
    filter: {
      supplyType: query.supply_type,
      tariffType: query.tariff_type ?? null,
      territory: query.territory ?? null,
      community: query.community ?? null,
      customerType: query.client_type ?? null,
      ssaaIncluded: null,
      hasSolarPanels: query.placas_solares ?? null,
    },
    company: { ownCompanyId: query.company_id ?? null, companyName: query.company_name ?? null },
  };
}

const offerListJson = createOfferListJson();

/** A page of offers, as bytes where the call takes them. */
export function offerPageAnswer(
  page: OfferPage,
  { visibility, takesJson = false }: { readonly visibility: Visibility; readonly takesJson?: boolean | undefined },
): Outcome {
  if (takesJson) return { status: 200, body: undefined, json: offerListJson(page, visibility) };
  return { status: 200, body: toWireOffers(page, visibility) };
}

export const listOffersOperation = defineOperation({
  id: 'listOffers',
  method: 'GET',
  path: '/v1/offers',
  summary: 'List own offers',
  description:
    'Own offers of one supply type that match the filters, by id. Offers of the shared catalog are not listed.',
  scopes: ['offers:read'],
  longRead: 'page',
  input: {
    path: NO_PATH,
    query: z.strictObject({ ...OFFER_QUERY, supply_type: supplyTypeField.default('LUZ'), ...PAGE_QUERY }),
    body: NO_BODY,
  },
  output: listOf(offerShape),
  mcp: 'list_offers',
  perform: async ({ deps, caller, takesJson }, { query }) => {
    const { limit, offset } = query;
    const found = await listOffers(deps, caller, { ...toOfferChoice(query), page: { limit, offset } });
    return offerPageAnswer({ ...found, limit, offset }, { visibility: visibilityOf(caller), takesJson });
  },
});

/** An offer in reach, as it is answered. */
export async function readOffer({ deps, caller }: Call, { path, query }: RecordChoice) {
  const detail = await getOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
  return toWireOfferDetail(detail, visibilityOf(caller));
}

export const getOfferOperation = defineOperation({
  id: 'getOffer',
  method: 'GET',
  path: '/v1/offers/{id}',
  summary: 'Read one offer',
  description:
    'An own offer, active or not, or a catalog offer in reach, with its tiers and its newest monthly prices.',
  scopes: ['offers:read'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerDetailShape,
  refusals: ['not_found'],
  mcp: 'get_offer',
  tagged: true,
  perform: async (call, record) => ({ status: 200, body: await readOffer(call, record) }),
});

export const getOfferHistory = defineOperation({
  id: 'getOfferHistory',
  method: 'GET',
  path: '/v1/offers/{id}/history',
  summary: 'List what was done to an offer',
  description:
    'Each change of an offer in reach, the newest first, with what was before and after. The last one, without fields, is ' +
    'its creation. Without commissions:read changes of commissions are left out.',
  scopes: ['offers:read'],
  input: { path: ID_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...PAGE_QUERY }), body: NO_BODY },
  output: listOf(offerEventShape),
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const { limit, offset } = query;
    const choice = { id: path.id, firmId: query.client_id ?? null, page: { limit, offset } };
    const { total, results } = await offerHistory(deps, caller, choice);
    return { status: 200, body: { total, limit, offset, results: results.map(toWireEvent) } };
  },
});

const comparedIds = z
  .array(idField)
  .min(2)
  .max(10)
  .refine((ids) => new Set(ids).size === ids.length, 'must be distinct')
  .meta({ uniqueItems: true });

export const compareOffersOperation = defineOperation({
  id: 'compareOffers',
  method: 'GET',
  path: '/v1/offers/compare',
  summary: 'Read 2 to 10 offers side by side',
  description: 'Full detail of each offer, in the order asked. The parameter ids is repeated once per offer.',
  scopes: ['offers:read'],
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ids: comparedIds }), body: NO_BODY },
  output: z.strictObject({ total: z.int().min(2).max(10), results: z.array(offerDetailShape) }),
  refusals: ['not_found'],
  mcp: 'compare_offers',
  perform: async ({ deps, caller }, { query }) => {
    const details = await compareOffers(deps, caller, { ids: query.ids, firmId: query.client_id ?? null });
    const visibility = visibilityOf(caller);
    const results = details.map((detail) => toWireOfferDetail(detail, visibility));
    return { status: 200, body: { total: results.length, results } };
  },
});

export const calculateCommissionOperation = defineOperation({
  id: 'calculateCommission',
  method: 'GET',
  path: '/v1/offers/{id}/commission-calculator',
  summary: 'Calculate the commission of one offer',
  description: 'EUR per contract-year at an annual consumption and, for electricity, a contracted power.',
  scopes: ['commissions:read'],
  input: {
    path: ID_PATH,
    query: z.strictObject({
      ...CLIENT_QUERY,
      consumption_mwh: quantity(MAX_CONSUMPTION_MWH),
      power_kw: quantity(MAX_POWER_KW).optional(),
    }),
    body: NO_BODY,
  },
  output: calculationShape,
  refusals: ['not_found'],
  mcp: 'calculate_commission',
  perform: async ({ deps, caller }, { path, query }) => {
    const asked = { consumptionMwh: query.consumption_mwh, powerKw: query.power_kw ?? null };
    const answer = await calculateCommission(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      annualMwh: asked.consumptionMwh,
      powerKw: asked.powerKw,
    });
    return { status: 200, body: toWireCalculation(answer, asked) };
  },
});

export const createOfferOperation = defineOperation({
  id: 'createOffer',
  method: 'POST',
  path: '/v1/offers',
  summary: 'Create an offer',
  description: 'Creates an offer of an own company, with its commission tiers. Fields left out have their defaults.',
  scopes: ['offers:write'],
  replayable: true,
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: newOfferBody },
  output: offerShape,
  success: [201],
  refusals: ['not_found', 'quota_reached', 'business_rule'],
  tagged: true,
  perform: async ({ deps, caller }, { query, body }) => {
    const record = await createOffer(deps, caller, { firmId: query.client_id ?? null, ...fromWireNewOffer(body) });
    return { status: 201, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const getStats = defineOperation({
  id: 'getStats',
  method: 'GET',
  path: '/v1/offers/stats',
  summary: 'Count own records',
  description:
    'How many offers, advisory firms, retailers and uploads the account has, or the firm that client_id names. The ' +
    'shared catalog is not counted; indexed counts active offers only.',
  scopes: ['offers:read'],
  longRead: 'rows',
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: statsShape,
  perform: async ({ deps, caller }, { query }) => {
    const counts = await countRecords(deps, caller, { firmId: query.client_id ?? null });
    return { status: 200, body: toWireStats(counts) };
  },
});

export const exportOffersOperation = defineOperation({
  id: 'exportOffers',
  method: 'GET',
  path: '/v1/offers/export',
  summary: 'Export own offers as CSV',
  description:
    'The own offers that a list with the same filters shows, of both supplies where supply_type is left out; ' +
    `placas_solares selects electricity. The first ${MAX_EXPORT} by id; the header X-Total-Count says how many match. ` +
    'Text that a spreadsheet could run as a formula begins with an apostrophe. The separator ; ' +
    'also writes decimal commas and a byte order mark, for a spreadsheet in Spanish. Without commissions:read the ' +
    `columns of commissions are empty. Columns: ${EXPORT_COLUMNS.join(', ')}.`,
  scopes: ['offers:export'],
  longRead: 'rows',
  input: {
    path: NO_PATH,
    query: z.strictObject({
      ...OFFER_QUERY,
      supply_type: supplyTypeField.optional(),
      separator: z.enum([',', ';']).default(','),
    }),
    body: NO_BODY,
  },
  output: z.string(),
  contentType: 'text/csv',
  perform: async ({ deps, caller }, { query }) => {
    const { total, results } = await exportOffers(
      deps,
      caller,
      toOfferChoice({ ...query, supply_type: query.supply_type ?? null }),
    );
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="ofertas.csv"',
        'X-Total-Count': String(total),
      },
      body: undefined,
      text: deps.tables.csv(toOfferTable(results, visibilityOf(caller)), { separator: query.separator }),
    };
  },
});
