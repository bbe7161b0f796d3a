import type { CustomerAnswer } from '@tarifario/core';
import { detailOf } from '../errors.ts';
import { companyOf, toWireFigures } from './ranking.ts';

type Ranked = Extract<CustomerAnswer, { readonly ranked: true }>;

/** A customer of a portfolio with his best offers: the figures that a ranking of him alone shows. */
export function toWireCustomer(ref: string, { ranking, cheapestId, companies }: Ranked) {
  return {
    ref,
    w: ranking.weight,
    dias: ranking.period.days,
    meses: ranking.period.months,
    total: ranking.rankedCount,
    excluded_count: ranking.excludedCount,
    mas_barata_id: cheapestId,
    mas_eficiente_id: ranking.mostEfficientId,
    best: ranking.results.map((result) => {
      const company = companyOf(result.offer, companies);
      return {
        offer_id: result.offer.id,
        offer_name: result.offer.offerName,
        company_name: company.name,
        is_catalog: company.firmId === null,
        ...toWireFigures(result),
      };
    }),
  };
}

/**
 * A customer of a portfolio that is refused, as he would be alone.
 *
 * @param ref - `null` where it is what is wrong.
 */
export function toWireRefusedCustomer(ref: string | null, error: unknown) {
  return { ref, error: detailOf(error) };
}
