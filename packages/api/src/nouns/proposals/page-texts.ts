import { COMMUNITIES, communityName } from '@tarifario/core/service';
import type { z } from 'zod';
import { TEXTS_FOR_CUSTOMERS } from '../../messages/es.ts';
import type { toWireRanking } from '../ranking/ranking.ts';
import type { pageRowShape } from '../ranking/shape.ts';

export type Answer = ReturnType<typeof toWireRanking>;
export type Row = z.output<typeof pageRowShape>;

/** Of an offer whose access tariff the customer cannot have. */
export const NOT_FOR_CUSTOMER = 'Su peaje no es el de este suministro';

export const warningText = ({ codigo, mensaje }: Answer['avisos'][number]): string =>
  TEXTS_FOR_CUSTOMERS[codigo] ?? mensaje;

const REASONS: Readonly<Record<string, string>> = {
  fuera_de_limites: 'para otra potencia u otro consumo',
  fuera_de_vigencia: 'fuera de su plazo de contratación',
};

/** How many offers were compared, and why others were not. */
export function comparedText({ total, excluded_count, excluded }: Answer): string {
  const reasons = new Set(excluded.map(({ codigo }) => REASONS[codigo] ?? 'sin precio para este suministro'));
  const others = excluded_count === 0 ? '' : `; ${excluded_count} sin comparar (${[...reasons].join(', ')})`;
  return `De ${counted(total, 'oferta comparada', 'ofertas comparadas')}${others}.`;
}

export const NUMBER = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 6, useGrouping: 'always' });
export const RATE_FORMAT = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 8 });
/** A number with its noun. */
export const counted = (count: number, one: string, many: string) =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`;
export const daysText = (days: number) => counted(days, 'día', 'días');
export const monthsText = (months: number) => counted(months, 'mes', 'meses');
const MONEY = new Intl.NumberFormat('es-ES', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  useGrouping: 'always',
});
export const eur = (value: number | null | undefined) =>
  value === null || value === undefined ? '—' : `${MONEY.format(value)} €`;

const LONG = { dateStyle: 'long', timeZone: 'UTC' } as const;
export const dayText = (day: string) => new Date(day).toLocaleDateString('es-ES', LONG);
/** A month `YYYY-MM`, or any day of it. */
export const monthText = (month: string) =>
  new Date(month).toLocaleDateString('es-ES', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const PERIODS = [1, 2, 3, 4, 5, 6];
/** The prices of an offer with their units, by their names on the wire. */
export const PRICE_NAMES: readonly (readonly [wire: string, name: string])[] = [
  ...PERIODS.map((period) => [`e${period}`, `Energía P${period} (€/kWh)`] as const),
  ...PERIODS.map((period) => [`p${period}`, `Potencia P${period} (€/kW·día)`] as const),
  ['gas_energy', 'Energía (€/kWh)'],
  ['gas_fixed', 'Término fijo (€/mes)'],
  ['services_cost', 'Servicios (€/mes)'],
  ['precio_excedentes', 'Excedentes (€/kWh)'],
];

export const unitText = (unit: string) => unit.replace('EUR', '€');

/**
 * The fields of the question with their names in Spanish. Fields that are missing here are of no interest to the
 * customer.
 */
export const REQUEST_NAMES: Readonly<Record<string, string>> = {
  supply_type: 'Suministro',
  tariff_type: 'Peaje',
  territory: 'Territorio',
  community: 'Comunidad',
  client_type: 'Titular',
  company_name: 'Comercializadora',
  energia: 'Energía (kWh)',
  potencia: 'Potencia (kW)',
  consumo_gas: 'Gas (kWh)',
  excedentes: 'Excedentes (kWh)',
  perfil: 'Perfil',
  fee_energia: 'Margen acordado en la energía (€/MWh)',
  fee_potencia: 'Margen acordado en la potencia (€/MWh)',
  mes: 'Precios del mes',
  fecha_firma: 'Fecha de la firma',
  placas_solares: 'Ofertas para placas solares',
  ssaa_included: 'Servicios de ajuste incluidos',
  ssaa_eur_mwh: 'Servicios de ajuste (€/MWh)',
  permanencia_max: 'Permanencia máxima (meses)',
  precio_fijo_min: 'Precio fijo mínimo (meses)',
  energia_verde: 'Energía verde',
};

/** How each line of the cost is computed from what is printed. */
export function methodText(request: Readonly<Record<string, unknown>>): string {
  const plus = (fee: string) => (request[fee] === undefined ? '' : ', y el margen acordado por los MWh');
  const ssaa = request.ssaa_eur_mwh === undefined ? '' : ' Servicios de ajuste: su precio por los MWh.';
  const cap = `${request.fee_energia === undefined ? '' : ' sin el margen'}${request.perfil === undefined ? '' : ' en cada parte del perfil'}`;
  const surplus =
    request.excedentes === undefined
      ? ''
      : ` Excedentes: los kWh vertidos por su precio, sin pasar del coste de la energía${cap}.`;
  return `Energía: los kWh de cada periodo por su precio${plus('fee_energia')}. Potencia: los kW de cada periodo por su precio y por los días${plus('fee_potencia')}. Fijo y servicios: su precio por los meses.${ssaa}${surplus}`;
}

const VALUE_NAMES: Readonly<Record<string, string>> = {
  LUZ: 'Electricidad',
  GAS: 'Gas',
  peninsula: 'Península',
  baleares: 'Baleares',
  canarias: 'Canarias',
  ceuta_melilla: 'Ceuta y Melilla',
  dni: 'Particular',
  cif: 'Empresa',
  cdad: 'Comunidad de propietarios',
  ...Object.fromEntries(COMMUNITIES.map((community) => [community, communityName(community)])),
};
const IS_DAY = /^\d{4}-\d\d-\d\d$/;

export function valueText(value: unknown): string {
  if (typeof value === 'number') return NUMBER.format(value);
  if (typeof value === 'boolean') return value ? 'sí' : 'no';
  if (Array.isArray(value)) return counted(value.length, 'parte', 'partes');
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    return VALUE_NAMES[text] ?? (IS_DAY.test(text) ? dayText(text) : text);
  }
  return Object.entries(value)
    .map(([name, inner]) => `${name.replace(/^[ep](?=\d$)/, 'P')} ${valueText(inner)}`)
    .join(' · ');
}
