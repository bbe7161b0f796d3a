import {
  DomainError,
  PAST_POINTS,
  portfolioForCaller,
  type RankedCustomer,
  type RankingQuestion,
  REFUSAL_CODES,
  refuseIfAny,
  say,
  takeMorePoints,
  WARNING_CODES,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import { detailOf, type WireError } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { readJson } from '../read-input.ts';
import { answer, count, messageShape } from '../wire/answer.ts';
import { asOfField } from '../wire/instants.ts';
import { WORDS } from '../wire/words.ts';
import { toWireAdvice, toWireMark, toWirePresent } from './ranking/advice.ts';
import { GAS_MONTH, HOUSEHOLD, MAX_TOP, oneFirm, portfolioCustomer, refField, toQuestion } from './ranking/question.ts';
import { companyOf, toWireFigures, toWireHead, toWireNames } from './ranking/ranking.ts';
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
} from './ranking/shape.ts';
import { alternativesShape, optionsShape, toWireBilled } from './taxes.ts';

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

const portfolioShape = z
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

const MAX_CUSTOMERS = 1000;
const DEFAULT_TOP = 3;
/**
 * How many customers one point pays for: `perfil` prices every offer for each entry, `impuestos` bills every offer. A month
 * costs a point as in a single ranking, because its prices are most of the work.
 */
const CUSTOMERS_PER_POINT = { any: 100, impuestos: 25, perfil: 10 } as const;
/** Different months of one call: three years. */
const MAX_MONTHS = 36;
/** How many customers are read or answered between two yields to the event loop. */
const AT_ONCE = 25;

/** Enough for a thousand customers with every field and long numbers. */
export const BODY_CAPS = { bytes: 2 * 1024 * 1024, values: 40_000 };

/** Checked one by one, so that a malformed customer only gets an error for itself. */
const anyCustomer = z.unknown().meta({ $ref: '#/components/schemas/PortfolioCustomer' });
export const customersField = z
  .array(anyCustomer)
  .min(1)
  .max(MAX_CUSTOMERS)
  .describe('At most 1000, each a question of its own.');

export const PORTFOLIO = defineOperation({
  id: 'rankPortfolio',
  method: 'POST',
  path: '/v1/offers/efficient/batch',
  summary: 'Rank offers for many customers',
  description:
    'Answers up to 1 000 customers with their best offers, in the order in which they were sent. Each gets what ' +
    '`POST /v1/offers/efficient` would answer, all over one state of the offers; one that would be refused there has ' +
    'an `error` here and does not affect the others. All customers together may ask for ' +
    `${MAX_MONTHS} different months (\`mes\`); more are refused. The call takes a point for each ` +
    `${CUSTOMERS_PER_POINT.any} customers begun, or for each of these months, each ${CUSTOMERS_PER_POINT.impuestos} ` +
    `customers with \`impuestos\` and each ${CUSTOMERS_PER_POINT.perfil} with \`perfil\` where that is more: the first as ` +
    'any call, the others once the body is read, all or none. A call that costs more than the limits ever have is 400.',
  scopes: ['offers:read'],
  bodyCaps: BODY_CAPS,
  body: z.strictObject({
    as_of: asOfField.optional(),
    customers: customersField,
    top: z.int().min(1).max(MAX_TOP).describe(WORDS.top).default(DEFAULT_TOP),
  }),
  output: portfolioShape,
  takesFields: true,
  refusals: ['business_rule'],
  examples: [
    {
      summary: 'A household, a gas customer, and one whose consumption is missing',
      body: {
        customers: [
          { ref: 'ES-1', ...HOUSEHOLD, tariff_type: '2.0TD' },
          { ref: 'ES-2', ...GAS_MONTH },
          { ref: 'ES-3', supply_type: 'GAS' },
        ],
        top: 1,
      },
    },
  ],
  perform: async (call, { firmId, body: { customers, top, as_of } }) => {
    const { deps, caller } = call;
    const read = await inPieces(call, customers, (sent) => readCustomer(sent, { firmId, top }));
    const valid = read.flatMap((customer) => ('question' in customer ? [customer] : []));
    const morePoints = pointsOf(customers.length, valid) - 1 + (as_of === undefined ? 0 : PAST_POINTS);
    const states = morePoints > 0 ? await takeMorePoints(deps, caller, morePoints) : [];
    const portfolio = await portfolioForCaller(deps, caller, { firmId, asOf: as_of ?? null });
    const answers = await portfolio.rank(valid.map(({ question }) => question));
    const answerByCustomer = new Map(valid.map((customer, place) => [customer, answers[place]]));
    const results = await inPieces(call, read, (customer) => {
      if (!('question' in customer)) return portfolioRefusal.toWire(customer.ref, customer.error);
      const answer = answerByCustomer.get(customer);
      if (answer?.ranked) return portfolioAnswer.toWire(customer.ref, answer);
      if (!(answer?.error instanceof DomainError)) deps.reportBug(answer?.error);
      return portfolioRefusal.toWire(customer.ref, answer?.error);
    });
    return {
      status: 200,
      headers: rateHeaders(states),
      body: { ...(as_of && { as_of }), total: customers.length, top, results },
    };
  },
});

/**
 * The points that a portfolio costs: by its customers, or by their months, bills and profiles where that is more.
 *
 * @param options - `hasBills`: left out, those of customers with `impuestos` are computed.
 * @throws DomainError `invalid_request` for too many months.
 */
export function pointsOf(
  customers: number,
  valid: readonly PortfolioEntry[],
  { hasBills = true }: { readonly hasBills?: boolean } = {},
): number {
  const months = new Set(valid.map(({ question }) => question.request.month));
  months.delete(null);
  if (months.size > MAX_MONTHS) {
    const message = say('ask for {count} different months (mes): one call takes {max}', {
      ...{ count: months.size, max: MAX_MONTHS },
    });
    throw new DomainError('invalid_request', { issues: [{ path: 'customers', message }] });
  }
  const { any, impuestos, perfil } = CUSTOMERS_PER_POINT;
  const billed = hasBills ? valid.filter(({ question }) => question.bill).length : 0;
  const profiles = valid.filter(({ question }) => question.request.customer.profile).length;
  const dear = months.size + Math.ceil(billed / impuestos) + Math.ceil(profiles / perfil);
  return Math.max(Math.ceil(customers / any), dear);
}

/** Maps the entries, with yields to the event loop. */
export async function inPieces<T, R>(
  { deps, caller }: Call,
  entries: readonly T[],
  work: (entry: T) => R,
): Promise<readonly R[]> {
  const done: R[] = [];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    await deps.yieldToEventLoop?.(caller.accountId);
    done.push(...entries.slice(start, start + AT_ONCE).map(work));
  }
  return done;
}

interface PortfolioEntry {
  readonly ref: string;
  readonly question: RankingQuestion;
}

type Customer = PortfolioEntry | { readonly ref: string | null; readonly error: unknown };

export function readCustomer(
  sent: unknown,
  options: { readonly firmId: number | null; readonly top: number },
): Customer {
  try {
    const body = readJson(portfolioCustomer, sent);
    const { firmId, top } = options;
    return { ref: body.ref, question: toQuestion({ ...body, limit: top }, oneFirm(firmId, body.client_id)) };
  } catch (error) {
    return { ref: refOf(sent), error };
  }
}

/** The reference of a malformed customer, if it can be read. */
function refOf(sent: unknown): string | null {
  if (typeof sent !== 'object' || sent === null || !('ref' in sent)) return null;
  const ref = refField.safeParse(sent.ref);
  return ref.success ? ref.data : null;
}
