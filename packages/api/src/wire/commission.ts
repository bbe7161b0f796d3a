import type {
  ConsumptionCommission,
  ExpectedCommission,
  PowerCommission,
  Recommendation,
} from '@tarifario/core/service';
import { toWireEur } from './numbers.ts';
import { toWireOffer } from './offer.ts';

function toWireConsumptionCommission({ valueEur, type, matchedTier }: ConsumptionCommission) {
  return {
    value: toWireEur(valueEur),
    commission_type: type,
    matched_tier: matchedTier && { consumption_from: matchedTier.from, consumption_to: matchedTier.to },
  };
}

function toWirePowerCommission({ valueEur, type, matchedTier }: PowerCommission) {
  return {
    value: toWireEur(valueEur),
    commission_type: type,
    matched_tier: matchedTier && { power_from: matchedTier.from, power_to: matchedTier.to },
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
    consumption_commission: toWireConsumptionCommission(consumption),
    power_commission: toWirePowerCommission(power),
  };
}

/** One offer with its expected commission. Every caller who may call the operation may see commissions. */
export function toWireRecommendation({ record, consumption, power, totalEur }: Recommendation) {
  return {
    offer: toWireOffer(record, { seesCommissions: true }),
    consumption_commission: toWireConsumptionCommission(consumption),
    power_commission: toWirePowerCommission(power),
    total_commission: toWireEur(totalEur),
  };
}
