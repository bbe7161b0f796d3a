import type { ElectricityTerms, GasTerms } from '@tarifario/core/service';

/** Prices by period have a name for each period. */
type OfferField = Exclude<keyof ElectricityTerms | keyof GasTerms, 'energyEurPerKwh' | 'powerEurPerKwDay'>;

const OFFER_NAMES: Readonly<Record<OfferField, string>> = {
  companyId: 'company_id',
  offerName: 'offer_name',
  tariffType: 'tariff_type',
  supplyType: 'supply_type',
  isIndexed: 'is_indexed',
  servicesEurPerMonth: 'services_cost',
  commissionValue: 'commission',
  commissionType: 'commission_type',
  consumptionTiers: 'commission_tiers',
  powerTiers: 'commission_power_tiers',
  feePowerEurPerMwh: 'fee_power',
  hasSolarPanels: 'placas_solares',
  surplusEurPerKwh: 'precio_excedentes',
  ssaaIncluded: 'ssaa_included',
  gasEnergyEurPerKwh: 'gas_energy',
  gasFixedEurPerMonth: 'gas_fixed',
  isActive: 'is_active',
  // A rule about all flags of a kind is shown at the first of them.
  territories: 'territory_peninsula',
  accepts: 'acepta_dni',
  communities: 'communities',
};

/** Core names of fields, as far as an issue can name them, and what they are called on the wire. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  ...OFFER_NAMES,
  month: 'reference_month',
  imageUrl: 'image_url',
  logoUrl: 'logo_url',
  fileName: 'file_name',
};

const TIER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  consumptionTiers: {
    from: 'consumption_from',
    to: 'consumption_to',
    value: 'commission',
    type: 'commission_type',
  },
  powerTiers: { from: 'power_from', to: 'power_to', value: 'commission', type: 'commission_type' },
};

const PERIOD_PREFIXES: Readonly<Record<string, string>> = { energyEurPerKwh: 'e', powerEurPerKwDay: 'p' };

/**
 * The wire name of the field that an issue of core is about: `energyEurPerKwh.0` is `e1`, `consumptionTiers.0.to` is
 * `commission_tiers.0.consumption_to`. What is no core name stays as it is.
 */
export function toWirePath(path: string): string {
  const [field = '', index, part] = path.split('.');
  const prefix = own(PERIOD_PREFIXES, field);
  if (prefix !== null && index !== undefined) return `${prefix}${Number(index) + 1}`;
  const name = own(WIRE_NAMES, field);
  if (name === null) return path;
  if (index === undefined) return name;
  return part === undefined
    ? `${name}.${index}`
    : `${name}.${index}.${own(own(TIER_NAMES, field) ?? {}, part) ?? part}`;
}

function own<T>(names: Readonly<Record<string, T>>, key: string): T | null {
  return Object.hasOwn(names, key) ? (names[key] ?? null) : null;
}
