import type { OfferChanges, RequiredTerms } from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, idField, numberField, patchOf, supplyTypeField } from '../fields.ts';
import { fromWirePrices } from './prices.ts';

const price = numberField.nullable().optional();
const flag = z.boolean().optional();

/** Prices by period and gas prices; an offer and a month of its history have the same. */
export const PRICE_FIELDS = {
  e1: price,
  e2: price,
  e3: price,
  e4: price,
  e5: price,
  e6: price,
  p1: price,
  p2: price,
  p3: price,
  p4: price,
  p5: price,
  p6: price,
  gas_energy: price,
  gas_fixed: price,
};

const TIER_FIELDS = { commission: numberField, commission_type: z.string().default('fixed') };
const consumptionTiers = z.array(
  z.strictObject({
    consumption_from: numberField,
    consumption_to: numberField.nullable().default(null),
    ...TIER_FIELDS,
  }),
);
const powerTiers = z.array(
  z.strictObject({ power_from: numberField, power_to: numberField.nullable().default(null), ...TIER_FIELDS }),
);

/** Every field of an offer that a writer may send besides those that creation requires. */
export const OFFER_FIELDS = {
  ...PRICE_FIELDS,
  is_indexed: flag,
  services_cost: price,
  commission: numberField.optional(),
  commission_type: z.string().optional(),
  commission_tiers: consumptionTiers.optional(),
  // Null is accepted for the sake of gas, where it says nothing.
  commission_power_tiers: powerTiers.nullable().optional(),
  fee_power: price,
  placas_solares: z.boolean().nullable().optional(),
  precio_excedentes: price,
  ssaa_included: z.boolean().nullable().optional(),
  acepta_dni: flag,
  acepta_cif: flag,
  acepta_cdad_propietarios: flag,
  territory_peninsula: flag,
  territory_canarias: flag,
  territory_baleares: flag,
  territory_ceuta_melilla: flag,
  communities: z.array(communityField).optional(),
  is_active: flag,
};

/** The body of `POST /v1/offers`. */
export const newOfferBody = z
  .strictObject({
    company_id: idField,
    offer_name: z.string(),
    supply_type: supplyTypeField,
    tariff_type: z.string(),
    ...OFFER_FIELDS,
  })
  .superRefine((body, context) => {
    if (body.supply_type === 'GAS') return;
    if (body.placas_solares === null) {
      context.addIssue({ code: 'custom', path: ['placas_solares'], message: 'must be true or false' });
    }
    if (body.commission_power_tiers === null) {
      context.addIssue({ code: 'custom', path: ['commission_power_tiers'], message: 'must be a list' });
    }
  });

const TEXT_FIELDS = { offer_name: z.string().optional(), tariff_type: z.string().optional() };

/** What may become of several offers at once: each of their fields but the company. */
export const offerUpdates = patchOf({ ...TEXT_FIELDS, ...OFFER_FIELDS });

/** The body of `PATCH /v1/offers/{id}`. */
export const offerPatchBody = patchOf({ company_id: idField.optional(), ...TEXT_FIELDS, ...OFFER_FIELDS });

const offerFields = z.strictObject(OFFER_FIELDS);
type OfferFields = z.output<typeof offerFields>;

function fromWireTier(tier: { readonly commission: number; readonly commission_type: string }) {
  return { value: tier.commission, type: tier.commission_type };
}

/** Null stays null: it says nothing on gas and is refused on electricity. */
function fromWirePowerTiers(sent: OfferFields['commission_power_tiers']): OfferChanges['powerTiers'] {
  if (sent === null || sent === undefined) return sent;
  return sent.map((tier) => ({ ...fromWireTier(tier), from: tier.power_from, to: tier.power_to }));
}

/** What the sent fields of an offer change. */
export function fromWireOfferFields(sent: OfferFields): OfferChanges {
  return {
    ...fromWirePrices(sent),
    isIndexed: sent.is_indexed,
    servicesEurPerMonth: sent.services_cost,
    commissionValue: sent.commission,
    commissionType: sent.commission_type,
    consumptionTiers: sent.commission_tiers?.map((tier) => ({
      ...fromWireTier(tier),
      from: tier.consumption_from,
      to: tier.consumption_to,
    })),
    powerTiers: fromWirePowerTiers(sent.commission_power_tiers),
    feePowerEurPerMwh: sent.fee_power,
    hasSolarPanels: sent.placas_solares,
    surplusEurPerKwh: sent.precio_excedentes,
    ssaaIncluded: sent.ssaa_included,
    accepts: { dni: sent.acepta_dni, cif: sent.acepta_cif, cdad: sent.acepta_cdad_propietarios },
    territories: {
      peninsula: sent.territory_peninsula,
      canarias: sent.territory_canarias,
      baleares: sent.territory_baleares,
      ceuta_melilla: sent.territory_ceuta_melilla,
    },
    communities: sent.communities,
    isActive: sent.is_active,
  };
}

/** A new offer: what creation requires, and the rest. */
export function fromWireNewOffer(body: z.output<typeof newOfferBody>): {
  readonly required: RequiredTerms;
  readonly changes: OfferChanges;
} {
  const { company_id, offer_name, supply_type, tariff_type, ...fields } = body;
  return {
    required: { companyId: company_id, offerName: offer_name, supplyType: supply_type, tariffType: tariff_type },
    changes: fromWireOfferFields(fields),
  };
}

/** A change of offers: only the fields sent. */
export function fromWireOfferPatch(body: z.output<typeof offerPatchBody>): OfferChanges {
  const { company_id, offer_name, tariff_type, ...fields } = body;
  return { companyId: company_id, offerName: offer_name, tariffType: tariff_type, ...fromWireOfferFields(fields) };
}
