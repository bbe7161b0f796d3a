import {
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionCommission,
  type ExpectedCommission,
  POWER_COMMISSION_TYPES,
  type PowerCommission,
  type Recommendation,
  TIER_HEADERS,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import { toWireMark } from './advice.ts';
import { answer, id } from './answer.ts';
import { toWireEur } from './numbers.ts';
import { toWireOffer } from './offer.ts';
import { offerShape } from './offer-shapes.ts';
import { impossibleMark } from './shapes.ts';
import { asField, tierBounds, WORDS } from './words.ts';

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
export const recommendation = answer(
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
