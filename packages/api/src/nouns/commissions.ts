import {
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionCommission,
  calculateCommission,
  type ExpectedCommission,
  MAX_KW,
  misplacedCommunity,
  POWER_COMMISSION_TYPES,
  type PowerCommission,
  type Recommendation,
  recommendForCaller,
  refuseIfAny,
  TIER_HEADERS,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import {
  FILTER_FIELDS,
  filterFrom,
  listAnswer,
  numberBetween,
  PAGE_QUERY,
  pageOf,
  supplyTypeField,
} from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { answer, id } from '../wire/answer.ts';
import { toWireEur } from '../wire/numbers.ts';
import { misplacedIn } from '../wire/prices.ts';
import { asField, tierBounds, WORDS } from '../wire/words.ts';
import { offerShape, toWireOffer } from './offers/offer.ts';
import { toWireMark, toWireWarning } from './ranking/advice.ts';
import { impossibleMark, warningsShape } from './ranking/shape.ts';

/** Largest annual consumption, in MWh: no ranking can have a greater annual figure. */
const MAX_CONSUMPTION_MWH = 1e10;

/** The quantities of a year, for which a commission is expected. */
const YEAR_QUERY = {
  consumption_mwh: numberBetween(0, MAX_CONSUMPTION_MWH).describe(WORDS.consumption_mwh),
  power_kw: numberBetween(0, MAX_KW).describe(WORDS.power_kw).optional(),
};

function toWireCommission<Type>(
  { valueEur, type, matchedTier }: (ConsumptionCommission | PowerCommission) & { readonly type: Type },
  { from, to }: TierHeaders,
) {
  const tier = matchedTier && { [from]: matchedTier.from, [to]: matchedTier.to };
  return { value: toWireEur(valueEur), commission_type: type, matched_tier: tier };
}

function toWireCommissions({ consumption, power }: Pick<ExpectedCommission, 'consumption' | 'power'>) {
  return {
    consumption_commission: toWireCommission(consumption, TIER_HEADERS.tramos_consumo),
    power_commission: toWireCommission(power, TIER_HEADERS.tramos_potencia),
  };
}

const commissionOf = <Type extends z.ZodType>(type: Type, headers: TierHeaders) =>
  z.strictObject({
    value: z.number().describe('EUR per contract-year.'),
    commission_type: asField('commission_type', type),
    matched_tier: z
      .strictObject(tierBounds(headers, { from: z.number(), to: z.number().nullable() }))
      .nullable()
      .describe('The tier that gave the amount; null: none matched.'),
  });
const COMMISSIONS = {
  consumption_commission: commissionOf(z.enum(CONSUMPTION_COMMISSION_TYPES), TIER_HEADERS.tramos_consumo).describe(
    'What the consumption pays.',
  ),
  power_commission: commissionOf(z.enum(POWER_COMMISSION_TYPES).nullable(), TIER_HEADERS.tramos_potencia).describe(
    'What the power pays: 0 for gas, where no power was given and where no tier matches.',
  ),
};

/** Both commissions of one offer, with the requested quantities; gas ignores the power. */
export const commissionCalculation = answer(
  'CommissionCalculation',
  {
    offer_id: id,
    consumption_mwh: z.number().describe(WORDS.consumption_mwh),
    power_kw: z.number().nullable().describe(WORDS.power_kw),
    ...COMMISSIONS,
  },
  (
    { offer, consumption, power }: ExpectedCommission,
    quantities: { readonly annualMwh: number; readonly powerKw: number | null },
  ) => ({
    offer_id: offer.id,
    consumption_mwh: quantities.annualMwh,
    power_kw: offer.supplyType === 'GAS' ? null : quantities.powerKw,
    ...toWireCommissions({ consumption, power }),
  }),
);

/** One offer with its expected commission. Every caller who may call the operation may see commissions. */
const recommendation = answer(
  'Recommendation',
  {
    offer: offerShape,
    ...COMMISSIONS,
    total_commission: z.number().describe('Both commissions together, in EUR per contract-year.'),
    peaje_imposible: impossibleMark,
  },
  ({ record, consumption, power, totalEur, ...marked }: Recommendation) => ({
    offer: toWireOffer(record, { seesCommissions: true }),
    ...toWireCommissions({ consumption, power }),
    total_commission: toWireEur(totalEur),
    ...toWireMark(marked),
  }),
);

const recommendations = listAnswer(recommendation);

export const RECOMMENDATION = defineOperation({
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

export const COMMISSION_OF_OFFER = defineOperation({
  id: 'calculateCommission',
  method: 'GET',
  path: '/v1/offers/{id}/commission-calculator',
  summary: 'Calculate the commission of one offer',
  description: 'EUR per contract-year at an annual consumption and, for electricity, a contracted power.',
  scopes: ['commissions:read'],
  query: YEAR_QUERY,
  output: commissionCalculation.shape,
  mcp: 'calculate_commission',
  examples: [
    {
      summary: 'A tier of consumption and one of power',
      params: { id: 1 },
      query: { consumption_mwh: 3.5, power_kw: 4.6 },
    },
  ],
  answer: async ({ deps, caller }, { path: { id }, firmId, query }) => {
    const quantities = { annualMwh: query.consumption_mwh, powerKw: query.power_kw ?? null };
    return commissionCalculation.toWire(
      await calculateCommission(deps, caller, { id, firmId, ...quantities }),
      quantities,
    );
  },
});
