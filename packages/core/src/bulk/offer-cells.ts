import {
  type Community,
  CUSTOMER_TYPES,
  type MonthlyPrice,
  type OfferTerms,
  type SupplyType,
  TERRITORIES,
} from '../offers/offer.ts';
import type { MonthDraft, OfferChanges, SparsePrices, TierDraft } from '../offers/offer-changes.ts';
import { PERIOD_COUNT } from '../periods.ts';
import type { CellToWrite } from './cells.ts';
import { settled } from './kept-digits.ts';
import type { RowValues } from './read-rows.ts';
import {
  type COMPANY_HEADER,
  type FIRM_HEADER,
  MONTH_HEADER,
  NAME_HEADER,
  SUPPLY_HEADER,
  type TierHeaders,
} from './sheets.ts';

/** Cells of a row by header. */
export type RowCells = Readonly<Record<string, CellToWrite>>;

const PERIODS = Array.from({ length: PERIOD_COUNT }, (_, index) => index + 1);
/** Made once, and not for every row. */
const PRICE_HEADERS = { e: PERIODS.map((period) => `e${period}`), p: PERIODS.map((period) => `p${period}`) } as const;

/** A column that is absent stays absent: `undefined`. An empty cell is `erased`. */
function textAt<T>(values: RowValues, header: string, erased: T): string | T | undefined {
  const value = values[header];
  return value === null ? erased : typeof value === 'string' ? value : undefined;
}

function numberAt<T>(values: RowValues, header: string, erased: T): number | T | undefined {
  const value = values[header];
  return value === null ? erased : typeof value === 'number' ? value : undefined;
}

function booleanAt<T>(values: RowValues, header: string, erased: T): boolean | T | undefined {
  const value = values[header];
  return value === null ? erased : typeof value === 'boolean' ? value : undefined;
}

function communitiesAt(values: RowValues): readonly Community[] | undefined {
  const value = values.communities;
  return value === null ? [] : typeof value === 'object' ? value : undefined;
}

function pricesAt(values: RowValues, prefix: 'e' | 'p'): SparsePrices {
  return PRICE_HEADERS[prefix].map((header) => numberAt(values, header, null));
}

/** The text of a cell that names something; `null`: empty or absent. */
export function nameAt(
  values: RowValues,
  header: typeof FIRM_HEADER | typeof COMPANY_HEADER | typeof NAME_HEADER,
): string | null {
  return textAt(values, header, null) ?? null;
}

/** The supply type that a row gives; `null`: an empty cell; `undefined`: no column. */
export function supplyTypeAt(values: RowValues): SupplyType | null | undefined {
  const text = textAt(values, SUPPLY_HEADER, null);
  return text === 'LUZ' || text === 'GAS' || text === null ? text : undefined;
}

/**
 * What a row of `ofertas` changes. Empty cells become what a new offer has there; the company and the supply type are
 * not among it.
 *
 * @see docs/assumptions.md, A-42 and A-49
 */
export function changesOf(values: RowValues): OfferChanges {
  return {
    offerName: textAt(values, NAME_HEADER, ''),
    tariffType: textAt(values, 'tariff_type', ''),
    isIndexed: booleanAt(values, 'is_indexed', false),
    energyEurPerKwh: pricesAt(values, 'e'),
    powerEurPerKwDay: pricesAt(values, 'p'),
    gasEnergyEurPerKwh: numberAt(values, 'gas_energy', null),
    gasFixedEurPerMonth: numberAt(values, 'gas_fixed', null),
    servicesEurPerMonth: numberAt(values, 'services_cost', null),
    feePowerEurPerMwh: numberAt(values, 'fee_power', null),
    hasSolarPanels: booleanAt(values, 'placas_solares', false),
    surplusEurPerKwh: numberAt(values, 'precio_excedentes', null),
    ssaaIncluded: booleanAt(values, 'ssaa_included', null),
    commissionValue: numberAt(values, 'commission', 0),
    commissionType: textAt(values, 'commission_type', 'fixed'),
    accepts: {
      dni: booleanAt(values, 'acepta_dni', false),
      cif: booleanAt(values, 'acepta_cif', false),
      cdad: booleanAt(values, 'acepta_cdad_propietarios', false),
    },
    territories: {
      peninsula: booleanAt(values, 'territory_peninsula', false),
      canarias: booleanAt(values, 'territory_canarias', false),
      baleares: booleanAt(values, 'territory_baleares', false),
      ceuta_melilla: booleanAt(values, 'territory_ceuta_melilla', false),
    },
    communities: communitiesAt(values),
    isActive: booleanAt(values, 'is_active', true),
  };
}

/** The fields of an offer as a row of `ofertas` has them, but for its id, firm and company. */
export function offerCells(terms: OfferTerms): RowCells {
  const electricity = terms.supplyType === 'LUZ' ? terms : null;
  const gas = terms.supplyType === 'GAS' ? terms : null;
  const cells: Record<string, CellToWrite> = {
    [NAME_HEADER]: terms.offerName,
    [SUPPLY_HEADER]: terms.supplyType,
    tariff_type: terms.tariffType,
    is_indexed: terms.isIndexed,
    ...priceCells(terms),
    gas_energy: gas?.gasEnergyEurPerKwh ?? null,
    gas_fixed: gas?.gasFixedEurPerMonth ?? null,
    services_cost: terms.servicesEurPerMonth,
    fee_power: electricity?.feePowerEurPerMwh ?? null,
    placas_solares: electricity?.hasSolarPanels ?? null,
    precio_excedentes: electricity?.surplusEurPerKwh ?? null,
    ssaa_included: electricity?.ssaaIncluded ?? null,
    commission: terms.commissionValue,
    commission_type: terms.commissionType,
    communities: terms.communities.length === 0 ? null : terms.communities.join(','),
    is_active: terms.isActive,
  };
  for (const type of CUSTOMER_TYPES) cells[ACCEPTS_HEADERS[type]] = terms.accepts[type];
  for (const territory of TERRITORIES) cells[`territory_${territory}`] = terms.territories[territory];
  return cells;
}

const ACCEPTS_HEADERS = { dni: 'acepta_dni', cif: 'acepta_cif', cdad: 'acepta_cdad_propietarios' } as const;

function priceCells(prices: OfferTerms | MonthlyPrice): RowCells {
  const cells: Record<string, CellToWrite> = {};
  const electricity = prices.supplyType === 'LUZ' ? prices : null;
  for (const period of PERIODS) {
    cells[`e${period}`] = electricity?.energyEurPerKwh[period - 1] ?? null;
    cells[`p${period}`] = electricity?.powerEurPerKwDay[period - 1] ?? null;
  }
  return cells;
}

/**
 * The month that a row of `precios_indexados` gives an offer: a column that is absent keeps what is stored, and so does
 * a number that agrees with it as far as spreadsheets keep digits.
 *
 * @param stored - The month as it is; `null`: the offer has none.
 */
export function monthOf(values: RowValues, stored: MonthlyPrice | null): MonthDraft {
  const electricity = stored?.supplyType === 'LUZ' ? stored : null;
  const gas = stored?.supplyType === 'GAS' ? stored : null;
  const energy = pricesAt(values, 'e');
  const power = pricesAt(values, 'p');
  const orStored = (price: number | null | undefined, kept: number | null | undefined) =>
    price === undefined ? kept : settled(price, kept);
  return {
    month: textAt(values, MONTH_HEADER, '') ?? '',
    energyEurPerKwh: energy.map((price, index) => orStored(price, electricity?.energyEurPerKwh[index])),
    powerEurPerKwDay: power.map((price, index) => orStored(price, electricity?.powerEurPerKwDay[index])),
    gasEnergyEurPerKwh: orStored(numberAt(values, 'gas_energy', null), gas?.gasEnergyEurPerKwh),
    gasFixedEurPerMonth: orStored(numberAt(values, 'gas_fixed', null), gas?.gasFixedEurPerMonth),
  };
}

/** A month as a row of `precios_indexados` has it, but for the offer. */
export function monthCells(price: MonthlyPrice): RowCells {
  const gas = price.supplyType === 'GAS' ? price : null;
  return {
    [MONTH_HEADER]: price.month,
    ...priceCells(price),
    gas_energy: gas?.gasEnergyEurPerKwh ?? null,
    gas_fixed: gas?.gasFixedEurPerMonth ?? null,
  };
}

/** The tier that a row of a tier sheet gives, by the headers of that sheet. Its needed cells are there. */
export function tierOf(values: RowValues, headers: TierHeaders): TierDraft {
  return {
    from: numberAt(values, headers.from, 0) ?? 0,
    to: numberAt(values, headers.to, null) ?? null,
    value: numberAt(values, headers.value, 0) ?? 0,
    type: textAt(values, headers.type, 'fixed') ?? 'fixed',
  };
}

/** A tier as a row of its sheet has it, but for the offer. */
export function tierCells(tier: TierDraft, headers: TierHeaders): RowCells {
  return {
    [headers.from]: tier.from,
    [headers.to]: tier.to,
    [headers.value]: tier.value,
    [headers.type]: tier.type,
  };
}
