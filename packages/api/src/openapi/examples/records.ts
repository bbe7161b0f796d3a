// The records that several examples speak of, as the service tells them: a field stands here once, in the order of the
// answers, and an example names only where its record differs.

interface Fields {
  readonly [field: string]: unknown;
}

const LEVANTE = { id: 1, name: 'Asesoría Levante', image_url: null };
export const ALBA = { id: 1, name: 'Comercializadora Alba', logo_url: null };
const OFFERED_BY_ALBA = { ...ALBA, client: LEVANTE };
export const OFFERED_BY_BRISA = { id: 2, name: 'Comercializadora Brisa', logo_url: null, client: LEVANTE };
export const OFFERED_BY_DUERO = { id: 3, name: 'Comercializadora Duero', logo_url: null, client: null };

const NO_ENERGY_PRICES = { e1: null, e2: null, e3: null, e4: null, e5: null, e6: null };
const NO_POWER_PRICES = { p1: null, p2: null, p3: null, p4: null, p5: null, p6: null };

/** The prices of six periods of energy and six of power: those named, and null for the others. */
export function periodPrices(named: Fields): Fields {
  return { ...NO_ENERGY_PRICES, ...NO_POWER_PRICES, ...named };
}

/** A month of an indexed offer. */
export function indexedMonth(month: string, named: Fields): Fields {
  return { reference_month: month, ...periodPrices(named) };
}

const FOR_INDIVIDUALS_ON_THE_MAINLAND = {
  acepta_dni: true,
  acepta_cif: false,
  acepta_cdad_propietarios: false,
  territory_peninsula: true,
  territory_canarias: false,
  territory_baleares: false,
  territory_ceuta_melilla: false,
  communities: [],
  is_active: true,
  created_at: '2026-01-01T00:00:23.000Z',
  updated_at: '2026-01-01T00:00:23.000Z',
};

/** An electricity offer of Alba to individuals on the mainland, without tiers. */
export function electricityOffer(differences: Fields): Fields {
  return {
    id: null,
    offer_name: null,
    supply_type: 'LUZ',
    tariff_type: '2.0TD',
    is_indexed: false,
    is_catalog: false,
    company: OFFERED_BY_ALBA,
    ...periodPrices({}),
    fee_power: null,
    placas_solares: false,
    precio_excedentes: null,
    ssaa_included: null,
    services_cost: null,
    commission: null,
    commission_type: 'fixed',
    commission_tiers: [],
    commission_power_tiers: [],
    ...FOR_INDIVIDUALS_ON_THE_MAINLAND,
    ...differences,
  };
}

/** A gas offer of Alba to individuals on the mainland, without tiers. */
export function gasOffer(differences: Fields): Fields {
  return {
    id: null,
    offer_name: null,
    supply_type: 'GAS',
    tariff_type: 'RL.1',
    is_indexed: false,
    is_catalog: false,
    company: OFFERED_BY_ALBA,
    gas_energy: null,
    gas_fixed: null,
    services_cost: null,
    commission: null,
    commission_type: 'fixed',
    commission_tiers: [],
    ...FOR_INDIVIDUALS_ON_THE_MAINLAND,
    ...differences,
  };
}
