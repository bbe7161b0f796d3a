import type { Ranking, RankingResult } from '@tarifario/client';
import { type Conflict, MAX_TOLERANCE, type Preference, type RankedFigures, reweigh } from '@tarifario/core';

/** The preference of a caller who sees commissions: a weight, or a tolerance; `null`: that of the answer. */
export type RequestedPreference = Preference | null;

/** A weight or a tolerance as a field of the request. */
export function toWirePreference(preference: RequestedPreference): {
  readonly w?: number;
  readonly tolerancia?: number;
} {
  if (preference === null) return {};
  return 'weight' in preference ? { w: preference.weight } : { tolerancia: preference.tolerance };
}

/** Whether the page can rank again at another weight: the answer has every ranked offer, with its commission. */
export function canReweigh({ total, results }: Ranking): boolean {
  return total > 0 && total === results.length && results.every(({ commission }) => commission !== null);
}

/**
 * The answer that the server would give at another weight or tolerance, to the last bit.
 *
 * @param answer - One for which `canReweigh` holds.
 */
export function reweighed(answer: Ranking, preference: RequestedPreference): Ranking {
  if (preference === null) return answer;
  const byId = new Map(answer.results.map((result) => [result.offer.id, result]));
  const { weight, winners, conflict, results } = reweigh(answer.results.map(figuresOf), preference, {
    days: answer.dias,
    months: answer.meses,
  });
  return {
    ...answer,
    w: weight,
    mas_eficiente_id: results[0]?.id ?? null,
    umbrales: winners.map(({ fromWeight, toWeight, offerId }) => {
      return { w_desde: fromWeight, w_hasta: toWeight, offer_id: offerId };
    }),
    conflicto: conflict && toWireConflict(conflict),
    results: results.flatMap(({ id, score, priceScore, commissionScore, isOnFrontier }, place) => {
      const result = byId.get(id);
      if (!result) return [];
      const notas = { nota: rounded(score, 4), nota_precio: rounded(priceScore, 4) };
      const nota_comision = rounded(commissionScore, 4);
      return [{ ...result, ...notas, nota_comision, is_optimal: place === 0, en_frontera: isOnFrontier }];
    }),
  };
}

function figuresOf({ offer, cost, commission }: RankingResult): RankedFigures {
  return { id: offer.id, costEur: cost.total, commissionEur: commission?.total ?? 0 };
}

function toWireConflict(conflict: Conflict): NonNullable<Ranking['conflicto']> {
  const { customerEurPerCommissionEur: rate } = conflict;
  const toWire = ({ offerId, costEur, commissionEur }: Conflict['bestPaid']) => ({
    offer_id: offerId,
    coste_extra_anual: rounded(costEur, 6),
    comision_extra: rounded(commissionEur, 6),
  });
  return {
    euros_cliente_por_euro_comision: rate === null ? null : rounded(rate, 6),
    mas_eficiente: toWire(conflict.mostEfficient),
    mas_comision: toWire(conflict.bestPaid),
  };
}

/** Rounds as the API does. */
function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(value * scale + 0.5) / scale + 0;
}

const STEPS = 300;

/** The tolerance at a position of its slider, 0 to 1. The first euros take most of the slider. */
export function toleranceAt(position: number): number {
  return rounded(MAX_TOLERANCE * position ** 3, 6);
}

export function positionOf(tolerance: number): number {
  return Math.round(STEPS * Math.cbrt(Math.min(tolerance, MAX_TOLERANCE) / MAX_TOLERANCE)) / STEPS;
}

export const TOLERANCE_STEP = 1 / STEPS;
