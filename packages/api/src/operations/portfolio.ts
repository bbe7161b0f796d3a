import {
  DomainError,
  foreignFirm,
  PAST_POINTS,
  portfolioForCaller,
  type RankingQuestion,
  say,
  takeMorePoints,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import { defineOperation } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { readJson } from '../read-input.ts';
import { asOfField } from '../wire/instants.ts';
import { portfolioAnswer, portfolioRefusal, portfolioShape } from '../wire/portfolio.ts';
import { MAX_TOP, portfolioCustomer, refField, toQuestion } from '../wire/ranking-question.ts';
import { WORDS } from '../wire/words.ts';

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

// The customers of the examples.
export const HOUSEHOLD = {
  supply_type: 'LUZ',
  energia: { e1: 1100, e2: 900, e3: 1500 },
  potencia: { p1: 4.6, p2: 4.6 },
};
export const GAS_MONTH = { supply_type: 'GAS', consumo_gas: 800, dias: 30, w: 1 };

/** The firm from the query or the body; two different ones are refused. */
export function oneFirm(inQuery: number | null, inBody: number | undefined): number | null {
  if (inQuery !== null && inBody !== undefined && inQuery !== inBody) throw foreignFirm();
  return inQuery ?? inBody ?? null;
}

export const rankPortfolio = defineOperation({
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
