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
    en: 'An energy retailer.',
  },
  offerName: {
    kind: 'text',
    wire: 'offer_name',
    column: 'offer_name',
    section: 'identity',
    supply: null,
    initial: '',
    maxLength: MAX_NAME_LENGTH,
    en: null,
    es: 'Nombre de la oferta',
  },
  tariffType: {
    kind: 'text',
    wire: 'tariff_type',
    column: 'tariff_type',
    section: 'identity',
    supply: null,
    initial: '',
    maxLength: MAX_TARIFF_LENGTH,
    en: 'The access tariff, such as `2.0TD` or `RL.1`.',
    es: 'Tarifa de acceso, tal cual, como 2.0TD, 6.1TD o RL.1',
  },
  isIndexed: {
    kind: 'flag',
    wire: 'is_indexed',
    column: 'is_indexed',
    section: 'identity',
    supply: null,
    initial: false,
    en: 'Whether its prices come from the monthly history.',
    es: 'Indexada: sus precios de energía son los de la hoja precios_indexados. Vacía: no',
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
    en: 'Price of energy in P#, EUR/kWh.',
    es: 'Precio de la energía en P#',
  },
  powerEurPerKwDay: {
    kind: 'periods',
    wire: 'p',
    column: 'power',
    section: 'prices',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_KW_DAY,
    en: 'Price of power in P#, EUR/kW and day.',
    es: 'Precio de la potencia en P#',
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
    en: 'Price of gas, EUR/kWh.',
    es: 'Precio de la energía del gas',
  },
  gasFixedEurPerMonth: {
    kind: 'amount',
    wire: 'gas_fixed',
    column: 'gas_fixed',
    section: 'prices',
    supply: 'GAS',
    initial: null,
    bounds: EUR_PER_MONTH,
    en: 'Fixed term of gas, EUR/month.',
    es: 'Término fijo del gas',
  },
  servicesEurPerMonth: {
    kind: 'amount',
    wire: 'services_cost',
    column: 'services_eur_per_month',
    section: 'costs',
    supply: null,
    initial: null,
    bounds: EUR_PER_MONTH,
    en: 'Extra services, EUR/month; null counts as 0.',
    es: 'Coste de los servicios adicionales',
  },
  feePowerEurPerMwh: {
    kind: 'amount',
    wire: 'fee_power',
    column: 'fee_power_eur_per_mwh',
    section: 'options',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_MWH,
    en: 'Kept and returned, EUR/MWh; enters no calculation.',
    es: 'Fee de potencia de la oferta. Se guarda y no entra en ningún cálculo',
  },
  hasSolarPanels: {
    kind: 'flag',
    wire: 'placas_solares',
    column: 'has_solar_panels',
    section: 'options',
    supply: 'LUZ',
    initial: false,
    en: 'For customers with solar panels.',
    es: 'Oferta para placas solares. Vacía: no',
  },
  surplusEurPerKwh: {
    kind: 'amount',
    wire: 'precio_excedentes',
    column: 'surplus_eur_per_kwh',
    section: 'options',
    supply: 'LUZ',
    initial: null,
    bounds: EUR_PER_KWH,
    en: 'What exported energy is worth, EUR/kWh; only on an offer for solar panels.',
    es: 'Precio de los excedentes. Solo con placas_solares',
  },
  ssaaIncluded: {
    kind: 'flag',
    wire: 'ssaa_included',
    column: 'ssaa_included',
    section: 'options',
    supply: 'LUZ',
    initial: null,
    en: 'Whether balancing services are inside the price (true) or billed apart (false).',
    es: 'Servicios de ajuste incluidos en el precio. Vacía: no consta',
  },
  commissionValue: {
    kind: 'amount',
    wire: 'commission',
    column: 'commission_value',
    section: 'commissions',
    supply: null,
    initial: 0,
    bounds: BY_CONSUMPTION,
    en: 'What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`.',
    es: 'Comisión cuando ningún tramo de consumo la da. Vacía: 0',
  },
  commissionType: {
    kind: 'choice',
    wire: 'commission_type',
    column: 'commission_type',
    section: 'commissions',
    supply: null,
    initial: 'fixed',
    names: CONSUMPTION_COMMISSION_TYPES,
    en: '`fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`.',
    es: 'Tipo: fixed son EUR por año de contrato, per_mwh EUR por MWh al año. Vacía: fixed',
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
    en: 'Commission by annual consumption, at most 50 tiers.',
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
    en: 'Commission by contracted power, at most 50 tiers; electricity only.',
  },
  accepts: {
    kind: 'flags',
    column: 'accepts',
    section: 'reach',
    supply: null,
    initial: false,
    flags: {
      dni: { wire: 'acepta_dni', en: 'Individuals may sign.', es: 'Acepta particulares. Vacía: no' },
      cif: { wire: 'acepta_cif', en: 'Companies may sign.', es: 'Acepta empresas. Vacía: no' },
      cdad: {
        wire: 'acepta_cdad_propietarios',
        en: "Owners' communities may sign.",
        es: 'Acepta comunidades de propietarios. Vacía: no',
      },
    },
  },
  territories: {
    kind: 'flags',
    column: 'territory',
    section: 'reach',
    supply: null,
    initial: false,
    flags: {
      peninsula: {
        wire: 'territory_peninsula',
        en: 'Sold on the mainland.',
        es: 'Se ofrece en la península. Vacía: no',
      },
      canarias: {
        wire: 'territory_canarias',
        en: 'Sold on the Canary Islands.',
        es: 'Se ofrece en Canarias. Vacía: no',
      },
      baleares: {
        wire: 'territory_baleares',
        en: 'Sold on the Balearic Islands.',
        es: 'Se ofrece en Baleares. Vacía: no',
      },
      ceuta_melilla: {
        wire: 'territory_ceuta_melilla',
        en: 'Sold in Ceuta and Melilla.',
        es: 'Se ofrece en Ceuta y Melilla. Vacía: no',
      },
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
    en: 'The autonomous communities that the offer is restricted to; none is no restriction.',
    es: 'Comunidades autónomas, separadas por comas. Vacía: sin restricción',
  },
  isActive: {
    kind: 'flag',
    wire: 'is_active',
    column: 'is_active',
    section: 'reach',
    supply: null,
    initial: true,
    en: null,
    es: 'Oferta activa. Vacía: sí',
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
    en: 'The index whose hours its energy follows, such as `PVPC`; only with `is_indexed`.',
    es: 'Índice cuyas horas sigue su energía, como PVPC. Solo con is_indexed',
  },
  indexFactor: {
    kind: 'amount',
    wire: 'indice_factor',
    column: 'hourly_index_factor',
    section: 'hours',
    supply: 'LUZ',
    initial: null,
    bounds: { min: 0, max: 3, unit: 'EUR/EUR', unidad: 'EUR/EUR' },
    en: 'EUR of its price for one EUR of `indice`; null is 1.',
    es: 'EUR de su precio por cada EUR del índice. Vacía: 1',
  },
  surplusIndex: {
    kind: 'note',
    wire: 'indice_excedentes',
    column: 'surplus_index',
    section: 'hours',
    supply: 'LUZ',
    initial: null,
    ...INDEX,
    en: 'The index whose hours its surplus is paid by; only on an offer for solar panels.',
    es: 'Índice cuyas horas pagan sus excedentes. Solo con placas_solares',
  },
} as const satisfies FieldTable;

/** The fields that a month of an indexed offer has too. */
export type PriceName = {
  [Name in FieldName]: (typeof OFFER_FIELDS)[Name]['section'] extends 'prices' ? Name : never;
}[FieldName];
