import {
  type RankedCustomer,
  type RankingQuestion,
  REFUSAL_CODES,
  refuseIfAny,
  WARNING_CODES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { detailOf, type WireError } from '../errors.ts';
import { readJson } from '../read-input.ts';
import { toWireAdvice, toWireMark, toWirePresent } from './advice.ts';
import { answer, count, messageShape } from './answer.ts';
import { companyOf, toWireFigures, toWireHead, toWireNames } from './ranking.ts';
import { MAX_TOP, portfolioCustomer, refField, toQuestion } from './ranking-question.ts';
import {
  ADVICE,
  asOf,
  BILLED,
  cheapest,
  excludedCount,
  FIGURES,
  HEAD,
  impossibleMark,
  mostEfficient,
  OFFER_NAMES,
  presentCode,
  presentShape,
} from './shapes.ts';
import { alternativesShape, optionsShape, toWireBilled } from './taxes.ts';
import { WORDS } from './words.ts';

/** A customer of a portfolio with the best offers, with the figures of a single ranking. */
export const portfolioAnswer = answer(
  'PortfolioAnswer',
  {
    ref: refField,
    ...HEAD,
    total: count.describe('How many offers were ranked.'),
    excluded_count: excludedCount,
    mas_barata_id: cheapest,
    mas_eficiente_id: mostEfficient,
    ...BILLED,
    avisos: z.array(z.enum(WARNING_CODES)).describe(WORDS.avisos),
    peajes_parecidos: z
      .array(z.string())
      .min(1)
      .max(10)
      .describe(
        'With `peaje_sin_ofertas`: at most three tariffs that offers have, the most similar to `tariff_type` first. With `peaje_imposible`: those to ask with.',
      )
      .optional(),
    actual: presentShape,
    actual_codigo: presentCode,
    best: z
      .array(z.strictObject({ ...OFFER_NAMES, ...FIGURES, ...ADVICE, peaje_imposible: impossibleMark }))
      .max(MAX_TOP)
      .describe('The best offers, at most `top`, the best first.'),
  },
  (ref: string, { ranking, companies }: RankedCustomer) => {
    const nearTariffs = ranking.warnings.find(({ tariffTypes }) => tariffTypes)?.tariffTypes;
    return {
      ref,
      ...toWireHead(ranking),
      mas_barata_id: ranking.cheapestId,
      mas_eficiente_id: ranking.mostEfficientId,
      ...toWireBilled(ranking),
      avisos: ranking.warnings.map(({ code }) => code),
      ...(nearTariffs && { peajes_parecidos: nearTariffs }),
      ...toWirePresent(ranking),
      best: ranking.results.map((result) => ({
        ...toWireNames(result.offer, companyOf(result.offer, companies)),
        ...toWireFigures(result),
        ...toWireAdvice(result),
        ...toWireMark(result),
      })),
    };
  },
);

/** A refused customer of a portfolio, with the refusal of a single question; without `ref` where that itself is wrong. */
export const portfolioRefusal = answer(
  'PortfolioRefusal',
  {
    ref: refField.nullable().describe(WORDS.ref),
    error: z.strictObject({
      code: z.enum([...REFUSAL_CODES, 'internal_error']),
      message: messageShape,
      errors: z
        .array(z.strictObject({ path: z.string(), error: messageShape }))
        .max(100)
        .optional(),
      alternativas: alternativesShape.optional(),
      opciones: optionsShape.optional(),
    }),
  },
  (ref: string | null, refused: unknown) => {
    const { code, message, errors, alternativas, opciones } = detailOf(refused);
    // Only a file has wrong rows, and only a batch of offers has their ids.
    const issues = errors && { errors: errors as readonly WireError[] };
    return {
      ref,
      error: { code, message, ...issues, ...(alternativas && { alternativas }), ...(opciones && { opciones }) },
    };
  },
);

export const portfolioShape = z
  .strictObject({
    as_of: asOf,
    total: z.int().min(1).describe('How many customers were sent.'),
    top: z.int().min(1).max(MAX_TOP).describe(WORDS.top),
    results: z.array(z.union([portfolioAnswer.shape, portfolioRefusal.shape])),
  })
  .meta({ id: 'Portfolio' });

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
