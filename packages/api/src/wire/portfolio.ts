import { type CustomerAnswer, type RankingQuestion, refuseIfAny } from '@tarifario/core/service';
import { detailOf } from '../errors.ts';
import { readJson } from '../read-input.ts';
import { toWireAdvice, toWirePresentCost } from './advice.ts';
import { companyOf, toWireFigures } from './ranking.ts';
import { portfolioCustomer, toQuestion } from './ranking-question.ts';

type RankedCustomer = Extract<CustomerAnswer, { readonly ranked: true }>;

/** A customer of a portfolio with the best offers, with the figures of a single ranking. */
export function toWireCustomer(ref: string, { ranking, companies }: RankedCustomer) {
  const nearTariffs = ranking.warnings.find(({ tariffTypes }) => tariffTypes)?.tariffTypes;
  return {
    ref,
    w: ranking.weight,
    dias: ranking.period.days,
    meses: ranking.period.months,
    total: ranking.rankedCount,
    excluded_count: ranking.excludedCount,
    mas_barata_id: ranking.cheapestId,
    mas_eficiente_id: ranking.mostEfficientId,
    avisos: ranking.warnings.map(({ code }) => code),
    ...(nearTariffs && { peajes_parecidos: nearTariffs }),
    actual: toWirePresentCost(ranking.presentCost),
    best: ranking.results.map((result) => {
      const company = companyOf(result.offer, companies);
      return {
        offer_id: result.offer.id,
        offer_name: result.offer.offerName,
        company_name: company.name,
        is_catalog: company.firmId === null,
        ...toWireFigures(result),
        ...toWireAdvice(result),
      };
    }),
  };
}

/**
 * A refused customer of a portfolio, with the refusal of a single question.
 *
 * @param ref - `null` where the `ref` itself is wrong.
 */
export function toWireRefusedCustomer(ref: string | null, error: unknown) {
  return { ref, error: detailOf(error) };
}

/**
 * A customer of a portfolio in wire form, for programs without a server.
 *
 * @param top - How many of the best offers the customer gets.
 * @throws DomainError `invalid_request` for malformed input, `business_rule` for fields of the other supply type.
 */
export function fromWireCustomer(
  json: unknown,
  top: number,
): { readonly ref: string; readonly question: RankingQuestion } {
  const body = readJson(portfolioCustomer, json);
  const question = toQuestion({ ...body, limit: top }, body.client_id ?? null);
  refuseIfAny(question.issues);
  return { ref: body.ref, question };
}
