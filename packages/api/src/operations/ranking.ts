import {
  misplacedCommunity,
  PAST_POINTS,
  rankForCaller,
  recommendForCaller,
  refuseIfAny,
  takeMorePoints,
} from '@tarifario/core/service';
import { FILTER_FIELDS, filterFrom, listAnswer, PAGE_QUERY, pageOf, supplyTypeField } from '../fields.ts';
import { utf8 } from '../json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { toWireWarning } from '../wire/advice.ts';
import { recommendation } from '../wire/commission.ts';
import { misplacedIn } from '../wire/prices.ts';
import { YEAR_QUERY } from '../wire/quantities.ts';
import { ranking } from '../wire/ranking.ts';
import { efficientBody, toQuestion } from '../wire/ranking-question.ts';
import { warningsShape } from '../wire/shapes.ts';
import { negotiate } from './negotiation.ts';
import { GAS_MONTH, HOUSEHOLD, oneFirm, rankPortfolio } from './portfolio.ts';

const rank = defineOperation({
  id: 'rankOffers',
  method: 'POST',
  path: '/v1/offers/efficient',
  summary: 'Rank offers for one customer',
  description:
    'Prices every visible offer for the customer, scores cost against commission at the weight w, and says which ' +
    'offers could not be priced and why. Cost is in EUR over the calculation period. Taxes (VAT, IGIC or IPSI, ' +
    'electricity tax, hydrocarbon tax) and the rental of the meter are excluded: the cost is not the amount of an invoice. ' +
    'With impuestos each result has factura_estimada, the bill with taxes by law and date; services bear other taxes, so ' +
    'the lowest bill may be that of another offer (mas_barata_factura_id). Cost, scores and order stay before tax. Commission is in EUR per ' +
    'contract-year, whatever the calculation period. With q the results are the offers that have its words in their name or ' +
    "their retailer's, each with its place in the whole ranking (puesto), which all other members describe. " +
    'With as_of it ranks offers and months as they were then: that costs ' +
    'five points, and one at a time of an account is answered (429).',
  scopes: ['offers:read'],
  body: efficientBody,
  output: ranking.shape,
  takesFields: true,
  refusals: ['weight_needs_commissions', 'not_found', 'business_rule'],
  mcp: 'rank_offers',
  examples: [
    {
      summary: 'A household, savings and commission alike',
      body: { ...HOUSEHOLD, w: 0.5, tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', limit: 2 },
    },
    {
      summary: 'Gas for one month, savings only, beside what is paid today',
      body: { ...GAS_MONTH, contrato_actual: { gas_energy: 0.063, gas_fixed: 6.1 } },
    },
    {
      summary:
        'Indexed offers at the prices of one month, with a fee, and 1.50 EUR of the customer for one of commission',
      body: { ...HOUSEHOLD, mes: '2025-11', fee_energia: 5, tolerancia: 1.5, company_id: 1, limit: 1 },
      isLong: true,
    },
    {
      summary: 'A household that says its months, as the curve of its meter does',
      body: {
        supply_type: 'LUZ',
        potencia: { p1: 4.6, p2: 4.6 },
        perfil: [
          { mes: 11, dias: 30, energia: { e1: 95, e2: 70, e3: 120 }, excedentes: 20 },
          { mes: 12, dias: 31, energia: { e1: 105, e2: 80, e3: 140 }, excedentes: 5 },
        ],
        tariff_type: '2.0TD',
        limit: 1,
      },
    },
    {
      summary: 'A household with the bills that it would pay, beside the bill of today',
      body: {
        ...HOUSEHOLD,
        w: 1,
        tariff_type: '2.0TD',
        territory: 'peninsula',
        client_type: 'dni',
        limit: 1,
        contrato_actual: { factura_total: 980.4 },
        impuestos: { fecha: '2026-10-15', alquiler: 'monofasico' },
      },
    },
    {
      summary: 'Why an offer is the best for the household, and another one costs more',
      body: {
        ...HOUSEHOLD,
        w: 1,
        tariff_type: '2.0TD',
        limit: 2,
        explicar: true,
        umbrales_consumo: true,
        margen: true,
        retrospectiva: true,
      },
    },
    {
      summary: 'The offers of one name, at their places in the whole ranking',
      body: { ...HOUSEHOLD, w: 0.5, tariff_type: '2.0TD', q: 'catalogo', limit: 1 },
    },
  ],
  perform: async ({ deps, caller, takesJson }, { firmId, body }) => {
    const question = toQuestion(body, oneFirm(firmId, body.client_id));
    const { as_of } = body;
    const states = as_of === undefined ? [] : await takeMorePoints(deps, caller, PAST_POINTS);
    const answer = { ...(as_of && { as_of }), ...ranking.toWire(await rankForCaller(deps, caller, question)) };
    // It has no messages to be put in words, and at most 200 results.
    const form = takesJson ? { body: undefined, json: utf8(JSON.stringify(answer)) } : { body: answer };
    return { status: 200, headers: rateHeaders(states), ...form };
  },
});

const recommendations = listAnswer(recommendation);

const recommend = defineOperation({
  id: 'recommendOffers',
  method: 'GET',
  path: '/v1/offers/recommend',
  summary: 'Order offers by expected commission',
  description: 'What each visible offer is expected to pay per contract-year at an annual consumption, highest first.',
  scopes: ['offers:read', 'commissions:read'],
  query: {
    ...YEAR_QUERY,
    supply_type: supplyTypeField.default('LUZ'),
    ...FILTER_FIELDS,
    ...PAGE_QUERY,
  },
  output: recommendations.shape.extend({ avisos: warningsShape }),
  refusals: ['business_rule'],
  mcp: 'recommend_offers',
  examples: [
    {
      summary: '3.5 MWh a year at 4.6 kW',
      query: { consumption_mwh: 3.5, power_kw: 4.6, supply_type: 'LUZ', limit: 2 },
    },
  ],
  answer: async ({ deps, caller }, { firmId, query }) => {
    const { supply_type, power_kw } = query;
    const isGas = supply_type === 'GAS';
    const recommended = await recommendForCaller(deps, caller, {
      firmId,
      request: {
        annualMwh: query.consumption_mwh,
        powerKw: isGas ? null : (power_kw ?? null),
        filter: { ...filterFrom(query), supplyType: supply_type },
        company: { ownCompanyId: null, companyName: null },
        ...pageOf(query),
      },
    });
    refuseIfAny([
      ...(isGas ? misplacedIn(query, ['power_kw'], supply_type) : []),
      ...misplacedCommunity(query.territory ?? null, query.community ?? null),
    ]);
    const { results, ...page } = recommendations.toWire(recommended, caller, { query });
    return { ...page, avisos: recommended.warnings.map(toWireWarning), results };
  },
});

export const RANKINGS: readonly Operation[] = [rank, rankPortfolio, negotiate, recommend];
