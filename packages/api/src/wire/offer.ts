import type { ConsumptionTier, Offer, OfferDetail, OfferRecord, PowerTier } from '@tarifario/core/service';
import { toWireMonth, toWirePrices } from './prices.ts';

/** What decides about the masked fields of an answer. */
export interface Sight {
  /** `false`: the four commission fields are null. */
  readonly seesCommissions: boolean;
}

/**
 * An offer on the wire: every key of its supply type, null when unset, and none of the other. The only place that
 * writes an offer's commissions into an answer, and so the only one that masks them.
 *
 * @see docs/assumptions.md, A-26 and A-49
 */
export function toWireOffer({ offer, company, firm }: OfferRecord, { seesCommissions }: Sight) {
  return {
    id: offer.id,
    offer_name: offer.offerName,
    supply_type: offer.supplyType,
    tariff_type: offer.tariffType,
    is_indexed: offer.isIndexed,
    is_catalog: company.firmId === null,
    company: {
      id: company.id,
      name: company.name,
      logo_url: company.logoUrl,
      client: firm ? { id: firm.id, name: firm.name, image_url: firm.imageUrl } : null,
    },
    ...toWirePrices(offer),
    ...electricityFields(offer),
    services_cost: offer.servicesEurPerMonth,
    ...(seesCommissions ? commissionFields(offer) : maskedFields(offer)),
    acepta_dni: offer.accepts.dni,
    acepta_cif: offer.accepts.cif,
    acepta_cdad_propietarios: offer.accepts.cdad,
    territory_peninsula: offer.territories.peninsula,
    territory_canarias: offer.territories.canarias,
    territory_baleares: offer.territories.baleares,
    territory_ceuta_melilla: offer.territories.ceuta_melilla,
    communities: offer.communities,
    is_active: offer.isActive,
    created_at: offer.createdAt,
    updated_at: toWireUpdatedAt(offer, seesCommissions),
  };
}

/** When an offer last changed, as far as a caller may see. @see docs/assumptions.md, A-26 */
export function toWireUpdatedAt({ updatedAt, maskedUpdatedAt = updatedAt }: Offer, seesCommissions: boolean): string {
  return seesCommissions ? updatedAt : maskedUpdatedAt;
}

/** As `toWireOffer`, with the newest of the monthly history, oldest first, and its length. */
export function toWireOfferDetail({ record, months, monthCount }: OfferDetail, sight: Sight) {
  const history = { indexed_prices: months.map(toWireMonth), indexed_prices_total: monthCount };
  return { ...toWireOffer(record, sight), ...history };
}

function electricityFields(offer: Offer) {
  if (offer.supplyType === 'GAS') return {};
  return {
    fee_power: offer.feePowerEurPerMwh,
    placas_solares: offer.hasSolarPanels,
    precio_excedentes: offer.surplusEurPerKwh,
    ssaa_included: offer.ssaaIncluded,
  };
}

function commissionFields(offer: Offer) {
  return {
    commission: offer.commissionValue,
    commission_type: offer.commissionType,
    commission_tiers: offer.consumptionTiers.map(toWireConsumptionTier),
    ...(offer.supplyType === 'LUZ' ? { commission_power_tiers: offer.powerTiers.map(toWirePowerTier) } : {}),
  };
}

function maskedFields({ supplyType }: Offer) {
  return {
    commission: null,
    commission_type: null,
    commission_tiers: null,
    ...(supplyType === 'LUZ' ? { commission_power_tiers: null } : {}),
  };
}

function toWireConsumptionTier({ from, to, value, type }: ConsumptionTier) {
  return { consumption_from: from, consumption_to: to, commission: value, commission_type: type };
}

function toWirePowerTier({ from, to, value, type }: PowerTier) {
  return { power_from: from, power_to: to, commission: value, commission_type: type };
}
