import { searchForm } from '@tarifario/core/service';
import { CUSTOMER_COLUMNS } from './columns.ts';

/** What a column may be called besides its name on the wire: first what the page calls it, in Spanish and in English. */
type Names = readonly [es: string, en: string, ...others: string[]];

const PERIODS = [1, 2, 3, 4, 5, 6] as const;
/** What customers call the periods of 2.0TD: three of energy, two of power. */
const TIMES = ['punta', 'llano', 'valle'] as const;
const POWER_TIMES: readonly (string | undefined)[] = ['punta', 'valle'];

function namesOfPeriods(): readonly (readonly [column: string, names: Names])[] {
  return PERIODS.flatMap((period, at): [string, Names][] => {
    const ofTime = (what: string, time: string | undefined) => (time === undefined ? [] : [`${what} ${time}`]);
    const energy = ['Energía', 'Energía consumida', 'Consumo anual', 'kWh'].map((what) => `${what} P${period}`);
    const power = ['Potencia contratada', 'kW'].map((what) => `${what} P${period}`);
    const price = (what: string) => [`Precio ${what} P${period}`, `Precio ${what} actual P${period}`];
    return [
      [`e${period}`, [`Consumo P${period}`, `Consumption P${period}`, ...energy, ...ofTime('Consumo', TIMES[at])]],
      [`p${period}`, [`Potencia P${period}`, `Power P${period}`, ...power, ...ofTime('Potencia', POWER_TIMES[at])]],
      [
        `actual_e${period}`,
        [`Precio actual energía P${period}`, `Present price energy P${period}`, ...price('energía')],
      ],
      [
        `actual_p${period}`,
        [`Precio actual potencia P${period}`, `Present price power P${period}`, ...price('potencia')],
      ],
    ];
  });
}

const NAMES: Readonly<Record<string, Names>> = {
  ref: ['Cliente', 'Customer', 'Nombre', 'Nombre del cliente', 'Referencia', 'Name'],
  supply_type: ['Suministro', 'Supply', 'Tipo de suministro', 'Tipo', 'Luz o gas'],
  tariff_type: ['Peaje', 'Access tariff', 'Peaje de acceso', 'Tarifa', 'Tarifa de acceso', 'Tariff'],
  territory: ['Territorio', 'Territory'],
  community: ['Comunidad autónoma', 'Community', 'Comunidad', 'CCAA', 'Region'],
  client_type: ['Titular', 'Holder', 'Tipo de titular', 'Tipo de cliente', 'Customer type'],
  mes: ['Mes', 'Month', 'Mes de los precios'],
  company_name: ['Comercializadora que se busca', 'Retailer to search for'],
  ...Object.fromEntries(namesOfPeriods()),
  consumo_gas: ['Consumo de gas', 'Gas consumption', 'Gas', 'Gas consumido'],
  dias: ['Días', 'Days', 'Días del periodo'],
  meses: ['Meses', 'Months'],
  fee_energia: ['Fee de energía', 'Fee on energy'],
  fee_potencia: ['Fee de potencia', 'Fee on power'],
  excedentes: ['Excedentes', 'Surplus', 'Excedentes vertidos'],
  w: ['Peso del ahorro', 'Weight of the saving'],
  tolerancia: ['Tolerancia', 'Tolerance'],
  ssaa_eur_mwh: ['Servicios de ajuste', 'Balancing services'],
  permanencia_max: ['Permanencia máxima', 'Longest permanence'],
  precio_fijo_min: ['Precio fijo mínimo', 'Shortest fixed price'],
  ssaa_included: ['Con servicios de ajuste', 'With balancing services'],
  placas_solares: ['Placas solares', 'Solar panels', 'Placas'],
  energia_verde: ['Energía verde', 'Green energy', 'Energía renovable'],
  actual_gas_energy: ['Precio actual gas', 'Present price gas', 'Precio gas'],
  actual_gas_fixed: ['Término fijo actual', 'Present fixed term', 'Término fijo'],
  actual_services_cost: ['Servicios actuales', 'Present services', 'Servicios'],
  actual_precio_excedentes: ['Precio actual excedentes', 'Present price surplus', 'Precio excedentes'],
  actual_coste_total: ['Coste actual sin impuestos', 'Present cost before tax', 'Coste actual', 'Coste sin impuestos'],
  actual_factura_total: ['Factura actual con impuestos', 'Present bill with taxes', 'Factura actual'],
  actual_offer_id: ['Número de la oferta actual', 'Number of the present offer'],
  actual_bono_social: ['Bono social', 'Social bonus'],
  actual_es_tur: ['TUR', 'Last resort tariff'],
  impuestos_fecha: ['Día de la factura', 'Day of the bill', 'Fecha de los impuestos'],
  impuestos_alquiler: ['Alquiler del contador', 'Rental of the meter', 'Alquiler'],
  impuestos_vivienda: ['Vivienda', 'Dwelling'],
  impuestos_vulnerable_severo: ['Vulnerable severo', 'Severely vulnerable'],
  impuestos_financiacion_bono: ['Financiación del bono incluida', 'Financing of the bonus included'],
  impuestos_iee: ['Impuesto eléctrico', 'Electricity tax', 'IEE'],
  impuestos_indirecto: ['IVA', 'VAT', 'IGIC', 'IPSI'],
  impuestos_indirecto_servicios: ['IVA de los servicios', 'VAT on services', 'IGIC de los servicios'],
  impuestos_hidrocarburos: ['Impuesto de hidrocarburos', 'Tax on hydrocarbons'],
  impuestos_bono_social: ['Financiación del bono social', 'Financing of the social bonus'],
};

/** Columns that tables of customers often have and that no ranking needs. They are not read. */
const UNREAD = [
  'CUPS',
  'Dirección',
  'Address',
  'Teléfono',
  'Phone',
  'Correo',
  'Email',
  'Observaciones',
  'Notas',
  'Notes',
];

/** The unit of a column as it may stand behind its name: another one is another column. */
function unitsOf(column: string): readonly string[] {
  if (/^(e\d|consumo_gas|excedentes)$/.test(column)) return ['kWh'];
  if (/^p\d$/.test(column)) return ['kW'];
  if (/^actual_(e\d|gas_energy|precio_excedentes)$/.test(column)) return ['€/kWh', 'EUR/kWh'];
  if (/^actual_p\d$/.test(column)) return ['€/kW día', '€/kW y día', 'EUR/kW día'];
  return /^actual_(coste|factura)_total$/.test(column) ? ['€', 'EUR', 'euros'] : [];
}

const SMALL_WORDS = new Set(['', 'de', 'del', 'la', 'las', 'el', 'los', 'of', 'the', 'y']);

/** A name without case, accents, signs and small words. */
export const headerForm = (name: string): string =>
  searchForm(name.replaceAll('€', ' eur '))
    .split(/[^a-z0-9]+/)
    .filter((word) => !SMALL_WORDS.has(word))
    .join('_');

const COLUMN_OF: ReadonlyMap<string, string | null> = new Map([
  ...UNREAD.map((name) => [headerForm(name), null] as const),
  ...CUSTOMER_COLUMNS.flatMap((column) => {
    const names = [column, ...(NAMES[column] ?? [])];
    const all = names.flatMap((name) => [name, ...unitsOf(column).map((unit) => `${name} ${unit}`)]);
    return all.map((name) => [headerForm(name), column] as const);
  }),
]);

/** The column of a name; `null`: one that is not read; `undefined`: none. */
export const columnNamed = (name: string): string | null | undefined => COLUMN_OF.get(headerForm(name));

/** What the page calls a column. */
export function columnText(column: string, language: 'es' | 'en'): string {
  const [es = column, en = column] = NAMES[column] ?? [];
  return language === 'es' ? es : en;
}
