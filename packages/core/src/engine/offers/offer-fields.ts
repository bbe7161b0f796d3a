import { INDEX_NAME, MAX_INDEX_NAME_LENGTH } from '../bounds.ts';
import { CONSUMPTION_COMMISSION_TYPES, POWER_COMMISSION_TYPES } from '../commission/tier.ts';
import { MAX_NAME_LENGTH } from '../text.ts';
import { CONTRACT_FIELDS } from './contract-fields.ts';
import type { FieldName, FieldTable } from './field-spec.ts';
import { COMMUNITIES } from './offer.ts';

/** Longest access tariff, in characters. */
export const MAX_TARIFF_LENGTH = 32;

const EUR_PER_KWH = { min: 0, max: 10, unit: 'EUR/kWh', unidad: 'EUR/kWh' } as const;
/** Market prices of one month can be negative. */
const MARKET_EUR_PER_KWH = { ...EUR_PER_KWH, min: -10 } as const;
/** Low enough to refuse a price per kW and year that was typed by mistake. */
const EUR_PER_KW_DAY = { min: 0, max: 1, unit: 'EUR/kW·day', unidad: 'EUR/kW·día' } as const;
const EUR_PER_MONTH = { min: 0, max: 100_000, unit: 'EUR/month', unidad: 'EUR/mes' } as const;
const EUR_PER_MWH = { min: 0, max: 100_000, unit: 'EUR/MWh', unidad: 'EUR/MWh' } as const;
const BY_CONSUMPTION = { min: 0, max: 1_000_000, unit: 'EUR/year or EUR/MWh', unidad: 'EUR/año o EUR/MWh' } as const;
const INDEX = { maxLength: MAX_INDEX_NAME_LENGTH, pattern: INDEX_NAME } as const;
const BY_POWER = { ...BY_CONSUMPTION, unit: 'EUR/year or EUR/kW', unidad: 'EUR/año o EUR/kW' } as const;

/**
 * The fields of an offer, in the order of spreadsheets. Rules, defaults, cells, JSON, columns and their descriptions are made of
 * these rows, by the kind of the field.
 *
 * @see docs/decisions/0035-one-table-of-offer-fields.md
 */
export const OFFER_FIELDS = {
  companyId: {
    kind: 'id',
    wire: 'company_id',
    column: 'company_id',
    section: 'owner',
    supply: null,
    initial: 0,
  },
  offerName: {
    kind: 'text',
    wire: 'offer_name',
    column: 'offer_name',
    section: 'identity',
    supply: null,
    initial: '',
    maxLength: MAX_NAME_LENGTH,
  },
  tariffType: {
    kind: 'text',
    wire: 'tariff_type',
    column: 'tariff_type',
    section: 'identity',
    supply: null,
    initial: '',
    maxLength: MAX_TARIFF_LENGTH,
  },
  isIndexed: {
    kind: 'flag',
    wire: 'is_indexed',
    column: 'is_indexed',
    section: 'identity',
    supply: null,
    initial: false,
  },
  energyEurPerKwh: {
    kind: 'periods',
    wire: 'e',
    column: 'energy',
    section: 'prices',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_KWH,
    monthlyBounds: MARKET_EUR_PER_KWH,
  },
  powerEurPerKwDay: {
    kind: 'periods',
    wire: 'p',
    column: 'power',
    section: 'prices',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_KW_DAY,
  },
  gasEnergyEurPerKwh: {
    kind: 'amount',
    wire: 'gas_energy',
    column: 'gas_energy',
    section: 'prices',
    supply: 'GAS',
    initial: null,
    bounds: EUR_PER_KWH,
    monthlyBounds: MARKET_EUR_PER_KWH,
  },
  gasFixedEurPerMonth: {
    kind: 'amount',
    wire: 'gas_fixed',
    column: 'gas_fixed',
    section: 'prices',
    supply: 'GAS',
    initial: null,
    bounds: EUR_PER_MONTH,
  },
  servicesEurPerMonth: {
    kind: 'amount',
    wire: 'services_cost',
    column: 'services_eur_per_month',
    section: 'costs',
    supply: null,
    initial: null,
    bounds: EUR_PER_MONTH,
  },
  feePowerEurPerMwh: {
    kind: 'amount',
    wire: 'fee_power',
    column: 'fee_power_eur_per_mwh',
    section: 'options',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_MWH,
  },
  hasSolarPanels: {
    kind: 'flag',
    wire: 'placas_solares',
    column: 'has_solar_panels',
    section: 'options',
    supply: 'LUZ',
    initial: false,
  },
  surplusEurPerKwh: {
    kind: 'amount',
    wire: 'precio_excedentes',
    column: 'surplus_eur_per_kwh',
    section: 'options',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_KWH,
  },
  ssaaIncluded: {
    kind: 'flag',
    wire: 'ssaa_included',
    column: 'ssaa_included',
    section: 'options',
    supply: 'LUZ',
    initial: null,
  },
  commissionValue: {
    kind: 'amount',
    wire: 'commission',
    column: 'commission_value',
    section: 'commissions',
    supply: null,
    initial: 0,
    bounds: BY_CONSUMPTION,
  },
  commissionType: {
    kind: 'choice',
    wire: 'commission_type',
    column: 'commission_type',
    section: 'commissions',
    supply: null,
    initial: 'fixed',
    names: CONSUMPTION_COMMISSION_TYPES,
  },
  consumptionTiers: {
    kind: 'tiers',
    wire: 'commission_tiers',
    column: 'consumption_tiers',
    section: 'commissions',
    supply: null,
    initial: [],
    types: CONSUMPTION_COMMISSION_TYPES,
    bounds: BY_CONSUMPTION,
  },
  powerTiers: {
    kind: 'tiers',
    wire: 'commission_power_tiers',
    column: 'power_tiers',
    section: 'commissions',
    supply: 'LUZ',
    initial: [],
    types: POWER_COMMISSION_TYPES,
    bounds: BY_POWER,
  },
  accepts: {
    kind: 'flags',
    column: 'accepts',
    section: 'reach',
    supply: null,
    initial: false,
    flags: { dni: 'acepta_dni', cif: 'acepta_cif', cdad: 'acepta_cdad_propietarios' },
  },
  territories: {
    kind: 'flags',
    column: 'territory',
    section: 'reach',
    supply: null,
    initial: false,
    flags: {
      peninsula: 'territory_peninsula',
      canarias: 'territory_canarias',
      baleares: 'territory_baleares',
      ceuta_melilla: 'territory_ceuta_melilla',
    },
  },
  communities: {
    kind: 'list',
    wire: 'communities',
    column: 'communities',
    section: 'reach',
    supply: null,
    initial: [],
    names: COMMUNITIES,
  },
  isActive: {
    kind: 'flag',
    wire: 'is_active',
    column: 'is_active',
    section: 'reach',
    supply: null,
    initial: true,
  },
  ...CONTRACT_FIELDS,
  index: {
    kind: 'note',
    wire: 'indice',
    column: 'hourly_index',
    section: 'hours',
    supply: 'LUZ',
    initial: null,
    ...INDEX,
  },
  indexFactor: {
    kind: 'amount',
    wire: 'indice_factor',
    column: 'hourly_index_factor',
    section: 'hours',
    supply: 'LUZ',
    initial: null,
    bounds: { min: 0, max: 3, unit: 'EUR/EUR', unidad: 'EUR/EUR' },
  },
  surplusIndex: {
    kind: 'note',
    wire: 'indice_excedentes',
    column: 'surplus_index',
    section: 'hours',
    supply: 'LUZ',
    initial: null,
    ...INDEX,
  },
} as const satisfies FieldTable;

/** The fields that a month of an indexed offer has too. */
export type PriceName = {
  [Name in FieldName]: (typeof OFFER_FIELDS)[Name]['section'] extends 'prices' ? Name : never;
}[FieldName];
