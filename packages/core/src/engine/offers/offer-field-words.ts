import type { FieldWordsTable } from './field-spec.ts';

/** The words of the table of offer fields, apart from it, so that a bundle that ranks does without. */
export const OFFER_FIELD_WORDS = {
  companyId: { en: 'An energy retailer.' },
  offerName: { en: null, es: 'Nombre de la oferta' },
  tariffType: {
    en: 'The access tariff, such as `2.0TD` or `RL.1`.',
    es: 'Tarifa de acceso, tal cual, como 2.0TD, 6.1TD o RL.1',
  },
  isIndexed: {
    en: 'Whether its prices come from the monthly history.',
    es: 'Indexada: sus precios de energía son los de la hoja precios_indexados. Vacía: no',
  },
  energyEurPerKwh: { en: 'Price of energy in P#, EUR/kWh.', es: 'Precio de la energía en P#' },
  powerEurPerKwDay: { en: 'Price of power in P#, EUR/kW and day.', es: 'Precio de la potencia en P#' },
  gasEnergyEurPerKwh: { en: 'Price of gas, EUR/kWh.', es: 'Precio de la energía del gas' },
  gasFixedEurPerMonth: { en: 'Fixed term of gas, EUR/month.', es: 'Término fijo del gas' },
  servicesEurPerMonth: { en: 'Extra services, EUR/month; null counts as 0.', es: 'Coste de los servicios adicionales' },
  feePowerEurPerMwh: {
    en: 'Kept and returned, EUR/MWh; enters no calculation.',
    es: 'Fee de potencia de la oferta. Se guarda y no entra en ningún cálculo',
  },
  hasSolarPanels: { en: 'For customers with solar panels.', es: 'Oferta para placas solares. Vacía: no' },
  surplusEurPerKwh: {
    en: 'What exported energy is worth, EUR/kWh; only on an offer for solar panels.',
    es: 'Precio de los excedentes. Solo con placas_solares',
  },
  ssaaIncluded: {
    en: 'Whether balancing services are inside the price (true) or billed apart (false).',
    es: 'Servicios de ajuste incluidos en el precio. Vacía: no consta',
  },
  commissionValue: {
    en: 'What the offer pays by itself or, in a tier, for a quantity in it: EUR per contract-year (`fixed`), EUR/MWh (`per_mwh`) or EUR/kW (`per_kw`). Null without `commissions:read`.',
    es: 'Comisión cuando ningún tramo de consumo la da. Vacía: 0',
  },
  commissionType: {
    en: '`fixed` or `per_mwh`; in a power tier `fixed` or `per_kw`.',
    es: 'Tipo: fixed son EUR por año de contrato, per_mwh EUR por MWh al año. Vacía: fixed',
  },
  consumptionTiers: { en: 'Commission by annual consumption, at most 50 tiers.' },
  powerTiers: { en: 'Commission by contracted power, at most 50 tiers; electricity only.' },
  'accepts.dni': { en: 'Individuals may sign.', es: 'Acepta particulares. Vacía: no' },
  'accepts.cif': { en: 'Companies may sign.', es: 'Acepta empresas. Vacía: no' },
  'accepts.cdad': { en: "Owners' communities may sign.", es: 'Acepta comunidades de propietarios. Vacía: no' },
  'territories.peninsula': { en: 'Sold on the mainland.', es: 'Se ofrece en la península. Vacía: no' },
  'territories.canarias': { en: 'Sold on the Canary Islands.', es: 'Se ofrece en Canarias. Vacía: no' },
  'territories.baleares': { en: 'Sold on the Balearic Islands.', es: 'Se ofrece en Baleares. Vacía: no' },
  'territories.ceuta_melilla': { en: 'Sold in Ceuta and Melilla.', es: 'Se ofrece en Ceuta y Melilla. Vacía: no' },
  communities: {
    en: 'The autonomous communities that the offer is restricted to; none is no restriction.',
    es: 'Comunidades autónomas, separadas por comas. Vacía: sin restricción',
  },
  isActive: { en: null, es: 'Oferta activa. Vacía: sí' },
  minPowerKw: {
    en: 'For a highest contracted power from here on, kW; others are excluded.',
    es: 'Potencia contratada mínima. Por debajo se excluye',
  },
  maxPowerKw: {
    en: 'For contracted powers up to here, kW; others are excluded.',
    es: 'Potencia contratada máxima. Por encima se excluye',
  },
  minAnnualKwh: {
    en: 'For an annual consumption from here on, kWh; others are excluded.',
    es: 'Consumo anual mínimo. Por debajo se excluye',
  },
  maxAnnualKwh: {
    en: 'For an annual consumption up to here, kWh; others are excluded.',
    es: 'Consumo anual máximo. Por encima se excluye',
  },
  validFrom: {
    en: 'The first day on which it can be signed; `fecha_firma` before it is excluded.',
    es: 'Primer día en que se puede contratar. Antes se excluye, si se dice fecha_firma',
  },
  validTo: {
    en: 'The last day on which it can be signed; `fecha_firma` after it is excluded.',
    es: 'Último día en que se puede contratar. Después se excluye, si se dice fecha_firma',
  },
  permanenceMonths: {
    en: 'Permanence, months; 0 is none, null is not known.',
    es: 'Permanencia. 0: ninguna. Vacía: no consta',
  },
  penaltyEur: { en: 'For leaving before the permanence ends, EUR.', es: 'Penalización por baja anticipada, en EUR' },
  penaltyPercent: {
    en: 'For leaving before the permanence ends, percent of the energy that is left by estimate.',
    es: 'Penalización por baja anticipada, sobre la energía estimada pendiente',
  },
  fixedPriceMonths: { en: 'For how many months its prices are fixed.', es: 'Meses con el precio fijo' },
  energyDiscountPercent: {
    en: 'Off its price of energy in the first `descuento_meses`, percent.',
    es: 'Descuento en el precio de la energía, en los primeros descuento_meses',
  },
  powerDiscountPercent: {
    en: 'Off its price of power in the first `descuento_meses`, percent.',
    es: 'Descuento en el precio de la potencia, en los primeros descuento_meses',
  },
  discountMonths: { en: 'For how many months it has its discounts.', es: 'Meses que dura el descuento' },
  isGreen: { en: 'Whether its energy is certified as renewable.', es: 'Energía verde. Vacía: no consta' },
  passesTolls: {
    en: 'Whether a change of regulated tolls changes its prices.',
    es: 'Si un cambio de los peajes cambia sus precios. Vacía: no consta',
  },
  requirements: {
    en: 'What else the customer must do or have; told, never priced.',
    es: 'Requisitos. No entran en ningún cálculo',
  },
  index: {
    en: 'The index whose hours its energy follows, such as `PVPC`; only with `is_indexed`.',
    es: 'Índice cuyas horas sigue su energía, como PVPC. Solo con is_indexed',
  },
  indexFactor: {
    en: 'EUR of its price for one EUR of `indice`; null is 1.',
    es: 'EUR de su precio por cada EUR del índice. Vacía: 1',
  },
  surplusIndex: {
    en: 'The index whose hours its surplus is paid by; only on an offer for solar panels.',
    es: 'Índice cuyas horas pagan sus excedentes. Solo con placas_solares',
  },
} as const satisfies FieldWordsTable;
