export const ENERGY: readonly string[] = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
export const POWER: readonly string[] = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const NUMBERS: readonly string[] = [
  'consumo_gas',
  'dias',
  'meses',
  'fee_energia',
  'fee_potencia',
  'excedentes',
  'w',
  'tolerancia',
  'ssaa_eur_mwh',
  'permanencia_max',
  'precio_fijo_min',
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
const taxed = (names: readonly string[]) => names.map((name) => `impuestos_${name}`);
/** Columns of rates in place of those of the law. */
export const TAX_RATES = taxed(['iee', 'indirecto', 'indirecto_servicios', 'hidrocarburos', 'bono_social']);
const TAX_FLAGS = taxed(['vivienda', 'vulnerable_severo', 'financiacion_bono']);
/** Columns of what bills depend on. */
export const TAXES: readonly string[] = [...taxed(['fecha', 'alquiler']), ...TAX_FLAGS, ...TAX_RATES];
/** Columns with yes or no. */
export const FLAGGED: readonly string[] = [
  ...['ssaa_included', 'placas_solares', 'energia_verde', 'actual_bono_social', 'actual_es_tur'],
  ...TAX_FLAGS,
];
/** Columns whose cells are never numbers. */
export const TEXTS: readonly string[] = [
  ...['ref', 'supply_type', 'tariff_type', 'territory', 'community', 'client_type', 'mes', 'company_name'],
];

export const CUSTOMER_COLUMNS: readonly string[] = [
  ...[...TEXTS, ...ENERGY, ...POWER, ...NUMBERS],
  ...['ssaa_included', 'placas_solares', 'energia_verde', ...CONTRACT, ...TAXES],
];
