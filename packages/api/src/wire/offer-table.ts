import type { Cell, OfferRecord } from '@tarifario/core/service';
import { type Sight, toWireOffer } from './offer.ts';
import { ENERGY_KEYS, POWER_KEYS } from './prices.ts';

/**
 * The columns of an export, in their order, whatever the supply type: the keys of a listed offer, with company and
 * firm as columns of their own.
 *
 * @see docs/assumptions.md, A-35
 */
export const EXPORT_COLUMNS = [
  'id',
  'company_id',
  'company_name',
  'client_id',
  'client_name',
  'offer_name',
  'supply_type',
  'tariff_type',
  'is_indexed',
  'is_catalog',
  ...ENERGY_KEYS,
  ...POWER_KEYS,
  'gas_energy',
  'gas_fixed',
  'services_cost',
  'fee_power',
  'placas_solares',
  'precio_excedentes',
  'ssaa_included',
  'commission',
  'commission_type',
  'commission_tiers',
  'commission_power_tiers',
  'acepta_dni',
  'acepta_cif',
  'acepta_cdad_propietarios',
  'territory_peninsula',
  'territory_canarias',
  'territory_baleares',
  'territory_ceuta_melilla',
  'communities',
  'is_active',
  'created_at',
  'updated_at',
] as const;

/** Offers as a table with a header, row by row as they are taken. */
export function* toOfferTable(records: readonly OfferRecord[], sight: Sight): Generator<readonly Cell[]> {
  yield EXPORT_COLUMNS;
  for (const record of records) yield toOfferRow(record, sight);
}

/** What the list would show; a key that it would not have, and null, are an empty cell. */
function toOfferRow(record: OfferRecord, sight: Sight): readonly Cell[] {
  const { company, communities, ...offer } = toWireOffer(record, sight);
  const fields: Readonly<Record<string, unknown>> = {
    ...offer,
    client_id: company.client?.id,
    client_name: company.client?.name,
    company_id: company.id,
    company_name: company.name,
    communities: communities.join(','),
  };
  return EXPORT_COLUMNS.map((column) => toCell(fields[column]));
}

/** A list, such as that of tiers, becomes JSON text. */
function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
