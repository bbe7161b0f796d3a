import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import { BILL_NOTICES } from '../taxes/bill-terms.ts';
import type { Named } from './facts.ts';

/** Why the offers of a ranking may not be comparable, in the order of the answer. The codes are wire values. */
export const WARNING_CODES = [
  'sin_potencia',
  'peaje_imposible',
  'peajes_mezclados',
  'peaje_en_el_limite',
  'gas_capacidad',
  'consumo_en_un_periodo',
  'potencia_en_un_periodo',
  'consumo_improbable',
  'potencia_decreciente',
  'potencia_bajo_regulado',
  'penalizacion_sobre_el_limite',
  'descuento_temporal',
  'ssaa_mezclados',
  'historico_corto',
  'historico_antiguo',
  'historico_sin_actualizar',
  'ventanas_distintas',
  'periodo_incoherente',
  'excedentes_tope_anual',
  'bono_social',
  'salir_de_la_tur',
  'indexada_sin_curva',
  'solo_con_placas',
  'placas_sin_excedentes',
  'sin_filtro_territorio',
  'sin_filtro_cliente',
  'terminos_desconocidos',
  'fee_power_sin_efecto',
  'actual_improbable',
  'menos_de_un_ano',
  'alcance_actual',
  'peaje_sin_ofertas',
  'sin_ofertas',
  ...BILL_NOTICES,
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** About a margin of the advisor: callers who may not see commissions, and customers, do not get these. */
export const ADVISOR_WARNINGS: ReadonlySet<string> = new Set<WarningCode>(['fee_power_sin_efecto']);

/** A reason to check a ranking. */
export interface RankingWarning extends Named {
  readonly code: WarningCode;
  /**
   * For `peaje_sin_ofertas`: the tariffs that may be meant. For `peaje_imposible` where no tariff is asked for: those that the
   * customer can have.
   */
  readonly tariffTypes?: readonly string[];
  /** For `consumo_en_un_periodo` and `potencia_en_un_periodo`: the number of the only period that has some, from 1. */
  readonly period?: number;
  /** For `sin_ofertas`: the filter without which there are offers; `null`: no single one. */
  readonly filterName?: FilterName | null;
}

/** A condition of a filter. */
export type FilterName = keyof OfferFilter | keyof CompanyFilter;
