import {
  foreignFirm,
  PAST_POINTS,
  rankForCaller,
  recommendForCaller,
  refuseIfAny,
  takeMorePoints,
} from '@tarifario/core/service';
import { z } from 'zod';
import {
  CLIENT_QUERY,
  clientTypeField,
  communityField,
  listOf,
  ONLY_CLIENT_QUERY,
  PAGE_QUERY,
  supplyTypeField,
  tariffTypeFilter,
  territoryField,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { toWireWarning } from '../wire/advice.ts';
import { toWireRecommendation } from '../wire/commission.ts';
import { MAX_CONSUMPTION_MWH, MAX_POWER_KW, quantity } from '../wire/quantities.ts';
import { toWireRanking } from '../wire/ranking.ts';
import { createRankingJson } from '../wire/ranking-json.ts';
import { efficientBody, toQuestion } from '../wire/ranking-question.ts';
import { rankingShape, recommendationShape, warningsShape } from '../wire/shapes.ts';

/** The firm from the query or the body; two different ones are refused. */
function oneFirm(inQuery: number | undefined, inBody: number | undefined): number | null {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw foreignFirm();
  return inQuery ?? inBody ?? null;
}

/** One per process: the JSON of an offer is written once. */
const rankingJson = createRankingJson();

export const rankOffers = defineOperation({
  id: 'rankOffers',
  method: 'POST',
  path: '/v1/offers/efficient',
  summary: 'Rank offers for one customer',
  description:
    'Prices every offer in reach for the customer, scores cost against commission at the weight w, and says which ' +
    'offers could not be priced and why. Cost is in EUR over the calculation period. Taxes (VAT, IGIC or IPSI, ' +
    'electricity tax, hydrocarbon tax) and the rental of the meter are excluded: they are the same whichever offer is ' +
    'taken, so they do not change the order, and the cost is not the amount of an invoice. Commission is in EUR per ' +
    'contract-year, whatever the calculation period. With as_of it ranks offers and months as they were then: that costs ' +
    'five points, and one at a time of an account is answered (429).',
  scopes: ['offers:read'],
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: efficientBody },
  output: rankingShape,
  refusals: ['weight_needs_commissions', 'business_rule'],
  mcp: 'rank_offers',
  perform: async ({ deps, caller, takesJson }, { query, body }) => {
    const firmId = oneFirm(query.client_id, body.client_id);
    const question = toQuestion(body, firmId);
    if (body.as_of !== undefined) {
      const states = await takeMorePoints(deps, caller, PAST_POINTS);
      const answer = toWireRanking(await rankForCaller(deps, caller, question));
      return { status: 200, headers: rateHeaders(states), body: { as_of: body.as_of, ...answer } };
    }
    const answer = await rankForCaller(deps, caller, question);
    if (takesJson) return { status: 200, body: undefined, json: rankingJson(answer) };
    return { status: 200, body: toWireRanking(answer) };
  },
});

export const recommendOffers = defineOperation({
  id: 'recommendOffers',
  method: 'GET',
  path: '/v1/offers/recommend',
  summary: 'Order offers by expected commission',
  description: 'What each offer in reach is expected to pay per contract-year at an annual consumption, highest first.',
  scopes: ['offers:read', 'commissions:read'],
  input: {
    path: NO_PATH,
    query: z.strictObject({
      ...CLIENT_QUERY,
      consumption_mwh: quantity(MAX_CONSUMPTION_MWH),
      power_kw: quantity(MAX_POWER_KW).optional(),
      supply_type: supplyTypeField.default('LUZ'),
      tariff_type: tariffTypeFilter.optional(),
      territory: territoryField.optional(),
      community: communityField.optional(),
      client_type: clientTypeField.optional(),
      ...PAGE_QUERY,
    }),
    body: NO_BODY,
  },
  output: listOf(recommendationShape).extend({ avisos: warningsShape }),
  refusals: ['business_rule'],
  mcp: 'recommend_offers',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset, supply_type, power_kw } = query;
    const isGas = supply_type === 'GAS';
    const { total, results, warnings } = await recommendForCaller(deps, caller, {
      firmId: query.client_id ?? null,
      request: {
        annualMwh: query.consumption_mwh,
        powerKw: isGas ? null : (power_kw ?? null),
        filter: {
          supplyType: supply_type,
          tariffType: query.tariff_type ?? null,
          territory: query.territory ?? null,
          community: query.community ?? null,
          customerType: query.client_type ?? null,
          ssaaIncluded: null,
          hasSolarPanels: null,
        },
        company: { ownCompanyId: null, companyName: null },
        limit,
        offset,
      },
    });
    refuseIfAny(isGas && power_kw !== undefined ? [{ path: 'power_kw', message: 'is not allowed for GAS' }] : []);
    return {
      status: 200,
      body: { total, limit, offset, avisos: warnings.map(toWireWarning), results: results.map(toWireRecommendation) },
    };
  },
});
