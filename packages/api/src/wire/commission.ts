import {
  type ConsumptionCommission,
  type ExpectedCommission,
  type PowerCommission,
  type Recommendation,
  TIER_HEADERS,
  type TierHeaders,
} from '@tarifario/core/service';
import { toWireEur } from './numbers.ts';
import { toWireOffer } from './offer.ts';

function toWireCommission(
  { valueEur, type, matchedTier }: ConsumptionCommission | PowerCommission,
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

/** Both commissions of one offer, with the requested quantities; gas ignores the power. */
export function toWireCalculation(
  { offer, consumption, power }: ExpectedCommission,
  quantities: { readonly annualMwh: number; readonly powerKw: number | null },
) {
  return {
    offer_id: offer.id,
    consumption_mwh: quantities.annualMwh,
    power_kw: offer.supplyType === 'GAS' ? null : quantities.powerKw,
    ...toWireCommissions({ consumption, power }),
  };
}

/** One offer with its expected commission. Every caller who may call the operation may see commissions. */
export function toWireRecommendation({ record, consumption, power, totalEur }: Recommendation) {
  return {
    offer: toWireOffer(record, { seesCommissions: true }),
    ...toWireCommissions({ consumption, power }),
    total_commission: toWireEur(totalEur),
  };
}
