import type { Caller } from '@tarifario/core';
import {
  calculateCommission,
  compareOffers,
  createOffer,
  getOffer,
  listOffers,
  seesCommissions,
} from '@tarifario/core';
import { z } from 'zod';
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
  supplyTypeField,
  tariffTypeFilter,
  territoryField,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCalculation } from '../wire/commission.ts';
import { type Sight, toWireOffer, toWireOfferDetail } from '../wire/offer.ts';
import { fromWireNewOffer, newOfferBody } from '../wire/offer-body.ts';
import { MAX_CONSUMPTION_MWH, MAX_POWER_KW, quantity } from '../wire/quantities.ts';
import { calculationShape, offerDetailShape, offerShape } from '../wire/shapes.ts';

function sightOf(caller: Caller): Sight {
  return { seesCommissions: seesCommissions(caller) };
}

export const listOffersOperation = defineOperation({
  id: 'listOffers',
  method: 'GET',
  path: '/v1/offers',
  summary: 'List own offers',
  description:
    'Own offers of one supply type that match the filters, by id. Offers of the shared catalog are not listed.',
  scopes: ['offers:read'],
  limits: [],
  input: {
    path: NO_PATH,
    query: z.strictObject({
      ...CLIENT_QUERY,
      supply_type: supplyTypeField.default('LUZ'),
      tariff_type: tariffTypeFilter.optional(),
      company_id: idField.optional(),
      company_name: companyNameFilter.optional(),
      territory: territoryField.optional(),
      community: communityField.optional(),
      placas_solares: z.boolean().optional(),
      client_type: clientTypeField.optional(),
      ...LIST_QUERY,
    }),
    body: NO_BODY,
  },
  output: listOf(offerShape),
  success: [200],
  refusals: [],
  mcp: 'list_offers',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listOffers(deps, caller, {
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
      page: { limit, offset },
    });
    const sight = sightOf(caller);
    return {
      status: 200,
      body: { total, limit, offset, results: results.map((record) => toWireOffer(record, sight)) },
    };
  },
});

export const getOfferOperation = defineOperation({
  id: 'getOffer',
  method: 'GET',
  path: '/v1/offers/{id}',
  summary: 'Read one offer',
  description: 'An own offer, active or not, or a catalog offer in reach, with its tiers and monthly prices.',
  scopes: ['offers:read'],
  limits: [],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerDetailShape,
  success: [200],
  refusals: ['not_found'],
  mcp: 'get_offer',
  perform: async ({ deps, caller }, { path, query }) => {
    const detail = await getOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOfferDetail(detail, sightOf(caller)) };
  },
});

const comparedIds = z
  .array(idField)
  .min(2)
  .max(10)
  .refine((ids) => new Set(ids).size === ids.length, 'must be distinct');

export const compareOffersOperation = defineOperation({
  id: 'compareOffers',
  method: 'GET',
  path: '/v1/offers/compare',
  summary: 'Read 2 to 10 offers side by side',
  description: 'Full detail of each offer, in the order asked. The parameter ids is repeated once per offer.',
  scopes: ['offers:read'],
  limits: [],
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ids: comparedIds }), body: NO_BODY },
  output: z.strictObject({ total: z.int().min(2).max(10), results: z.array(offerDetailShape) }),
  success: [200],
  refusals: ['not_found'],
  mcp: 'compare_offers',
  perform: async ({ deps, caller }, { query }) => {
    const details = await compareOffers(deps, caller, { ids: query.ids, firmId: query.client_id ?? null });
    const sight = sightOf(caller);
    const results = details.map((detail) => toWireOfferDetail(detail, sight));
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
  limits: [],
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
  success: [200],
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
  limits: [],
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: newOfferBody },
  output: offerShape,
  success: [201],
  refusals: ['not_found', 'business_rule'],
  mcp: null,
  perform: async ({ deps, caller }, { query, body }) => {
    const record = await createOffer(deps, caller, { firmId: query.client_id ?? null, ...fromWireNewOffer(body) });
    return { status: 201, body: toWireOffer(record, sightOf(caller)) };
  },
});
