import type { toWireRanking } from './ranking.ts';

type Answer = ReturnType<typeof toWireRanking>;

/** What a customer reads in place of a message that names members of the answer or the question. */
const FOR_CUSTOMERS: Readonly<Record<string, string>> = {
  peajes_mezclados: 'Hay ofertas de varios peajes, y un cliente solo puede contratar las del suyo',
  consumo_improbable: 'El consumo no parece el de esa potencia',
  periodo_incoherente: 'Los días y los meses no son el mismo periodo',
  sin_filtro_territorio: 'No se ha indicado el territorio, y no todas las ofertas se ofrecen en los mismos',
  sin_filtro_cliente: 'No se ha indicado el titular, y no todas las ofertas aceptan a los mismos',
  alquiler_sin_indicar: 'La factura no lleva el alquiler del contador',
  tipo_por_confirmar: 'Algún tipo de estos impuestos está por confirmar',
  orden_distinto_con_impuestos: 'Con impuestos la oferta más barata es otra',
};

export const warningText = ({ codigo, mensaje }: Answer['avisos'][number]): string => FOR_CUSTOMERS[codigo] ?? mensaje;

const REASONS: Readonly<Record<string, string>> = {
  fuera_de_limites: 'para otra potencia u otro consumo',
  fuera_de_vigencia: 'fuera de su plazo de contratación',
};

/** How many offers were compared, and why others were not. */
export function comparedText({ total, excluded_count, excluded }: Answer): string {
  const reasons = new Set(excluded.map(({ codigo }) => REASONS[codigo] ?? 'sin precio para este suministro'));
  const others = excluded_count === 0 ? '' : `; ${excluded_count} sin comparar (${[...reasons].join(', ')})`;
  return `De ${total} ofertas comparadas${others}.`;
}
