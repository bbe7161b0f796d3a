import { type ConsumptionTier, NO_PRICES, type OfferTerms, type PowerTier } from '@tarifario/core/service';
import type { TermsValues } from './offer-rows.ts';
import type { ElementType } from './postgres-arrays.ts';
import { bitsOf, finite, flag, nullableFlag } from './rows.ts';
import type { OfferTermsColumns } from './schema.ts';

/** The columns that hold the terms of an offer, with their types in PostgreSQL, in the order of `toTermsValues`. */
export const TERMS_TYPES: Readonly<Record<keyof OfferTermsColumns, ElementType>> = {
  supply_type: 'text',
  company_id: 'bigint',
  offer_name: 'text',
  tariff_type: 'text',
  is_indexed: 'smallint',
  services_eur_per_month: 'double precision',
  commission_value: 'double precision',
  commission_type: 'text',
  consumption_tiers: 'text',
  power_tiers: 'text',
  accepts_dni: 'smallint',
  accepts_cif: 'smallint',
  accepts_cdad: 'smallint',
  territory_peninsula: 'smallint',
  territory_canarias: 'smallint',
  territory_baleares: 'smallint',
  territory_ceuta_melilla: 'smallint',
  communities: 'integer',
  is_active: 'smallint',
  fee_power_eur_per_mwh: 'double precision',
  has_solar_panels: 'smallint',
  surplus_eur_per_kwh: 'double precision',
  ssaa_included: 'smallint',
  energy_1: 'double precision',
  energy_2: 'double precision',
  energy_3: 'double precision',
  energy_4: 'double precision',
  energy_5: 'double precision',
  energy_6: 'double precision',
  power_1: 'double precision',
  power_2: 'double precision',
  power_3: 'double precision',
  power_4: 'double precision',
  power_5: 'double precision',
  power_6: 'double precision',
  gas_energy: 'double precision',
  gas_fixed: 'double precision',
};

/** Columns of tiers: a version names what they held by id, because most changes leave it as it was. */
export const TIER_COLUMNS = ['consumption_tiers', 'power_tiers'] as const;

export const TERMS_COLUMNS = Object.keys(TERMS_TYPES) as readonly (keyof OfferTermsColumns)[];

/** What a version copies from the row of its offer. */
export const PAST_COLUMNS: readonly string[] = [
  ...TERMS_COLUMNS.filter((name) => !TIER_COLUMNS.some((tiers) => tiers === name)),
  'created_at',
  'updated_at',
  'masked_updated_at',
];

/** Columns that tell of commissions alone: a change of nothing else is not for everybody to see. */
const OF_COMMISSIONS: readonly string[] = ['commission_value', 'commission_type', ...TIER_COLUMNS];
export const VISIBLE_COLUMNS = TERMS_COLUMNS.filter((name) => !OF_COMMISSIONS.includes(name));

/** The terms of an offer, in the order of `TERMS_COLUMNS`. */
export function toTermsValues(terms: OfferTerms): TermsValues {
  const luz = terms.supplyType === 'LUZ' ? terms : null;
  const gas = terms.supplyType === 'GAS' ? terms : null;
  const energy = luz?.energyEurPerKwh ?? NO_PRICES;
  const power = luz?.powerEurPerKwDay ?? NO_PRICES;
  return [
    terms.supplyType,
    terms.companyId,
    terms.offerName,
    terms.tariffType,
    flag(terms.isIndexed),
    finite(terms.servicesEurPerMonth),
    finite(terms.commissionValue),
    terms.commissionType,
    toTiersText(terms.consumptionTiers),
    luz && toTiersText(luz.powerTiers),
    flag(terms.accepts.dni),
    flag(terms.accepts.cif),
    flag(terms.accepts.cdad),
    flag(terms.territories.peninsula),
    flag(terms.territories.canarias),
    flag(terms.territories.baleares),
    flag(terms.territories.ceuta_melilla),
    bitsOf(terms.communities),
    flag(terms.isActive),
    finite(luz?.feePowerEurPerMwh ?? null),
    nullableFlag(luz?.hasSolarPanels ?? null),
    finite(luz?.surplusEurPerKwh ?? null),
    nullableFlag(luz?.ssaaIncluded ?? null),
    finite(energy[0]),
    finite(energy[1]),
    finite(energy[2]),
    finite(energy[3]),
    finite(energy[4]),
    finite(energy[5]),
    finite(power[0]),
    finite(power[1]),
    finite(power[2]),
    finite(power[3]),
    finite(power[4]),
    finite(power[5]),
    finite(gas?.gasEnergyEurPerKwh ?? null),
    finite(gas?.gasFixedEurPerMonth ?? null),
  ];
}

/** Tiers as text: two equal lists give equal text, whatever the order of their fields. */
function toTiersText(tiers: readonly (ConsumptionTier | PowerTier)[]): string {
  return JSON.stringify(
    tiers.map(({ from, to, value, type }) => ({ from: finite(from), to: finite(to), value: finite(value), type })),
  );
}
