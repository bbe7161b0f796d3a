export const ENERGY: readonly string[] = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
export const POWER: readonly string[] = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
export const NUMBERS: readonly string[] = [
  'consumo_gas',
  'dias',
  'meses',
  'fee_energia',
  'fee_potencia',
  'excedentes',
  'w',
  'tolerancia',
  'ssaa_eur_mwh',
];
/** Columns of the present contract, in the units of an offer. */
export const CONTRACT: readonly string[] = [
  ...[...ENERGY, ...POWER],
  ...[
    'gas_energy',
    'gas_fixed',
    'services_cost',
    'precio_excedentes',
    'coste_total',
    'factura_total',
    'offer_id',
    'bono_social',
    'es_tur',
  ],
].map((name) => `actual_${name}`);
/** Columns with yes or no. */
export const FLAGGED: readonly string[] = ['ssaa_included', 'placas_solares', 'actual_bono_social', 'actual_es_tur'];
/** Columns of what bills depend on, by their names on the wire. */
export const TAXES: Readonly<Record<string, string>> = {
  impuestos_fecha: 'fecha',
  impuestos_alquiler: 'alquiler',
};
const TEXTS = ['ref', 'supply_type', 'tariff_type', 'territory', 'community', 'client_type', 'mes', 'company_name'];

export const CUSTOMER_COLUMNS: readonly string[] = [
  ...[...TEXTS, ...ENERGY, ...POWER, ...NUMBERS],
  ...['ssaa_included', 'placas_solares', ...CONTRACT, ...Object.keys(TAXES)],
];
