import type { Ranking, RankingResult } from '@tarifario/client';

/** A result without its commission, and without what tells one. */
export function unpaid(result: RankingResult): RankingResult {
  const { nota_precio: nota } = result;
  return { ...result, nota, nota_comision: null, commission: null, comision_extra: null, en_frontera: null };
}

/**
 * What a customer may see: no commission, and what is paid as the order.
 *
 * @param answer - One at the weight of savings alone.
 */
export function forCustomer(answer: Ranking): Ranking {
  const paid = ({ factura_estimada, cost }: RankingResult) => factura_estimada?.total ?? cost.total;
  const results = answer.results
    .map(unpaid)
    .toSorted((a, b) => paid(a) - paid(b) || a.cost.total - b.cost.total || a.offer.id - b.offer.id);
  return { ...answer, umbrales: null, conflicto: null, results };
}
