import { listUsage, roundHalfUp, summarizeUsage, type UsageRecord } from '@tarifario/core/service';
import { z } from 'zod';
import { endpointFilter, listAnswer, PAGE_QUERY, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, clientId, count, id, instant } from '../wire/answer.ts';
import { instantField } from '../wire/instants.ts';
import { WORDS } from '../wire/words.ts';

const endpoint = z.string().describe(WORDS.endpoint);

/** A recorded call. `client_id` is the firm that its key was bound to. */
const usageRecord = answer(
  'UsageRecord',
  {
    id,
    endpoint,
    method: z.string(),
    status_code: z.int().min(100).max(599),
    response_time_ms: z.number().min(0).describe('Milliseconds until the answer was made.'),
    client_id: clientId,
    created_at: instant,
  },
  (record: UsageRecord) => ({
    id: record.id,
    endpoint: record.endpoint,
    method: record.method,
    status_code: record.statusCode,
    response_time_ms: roundHalfUp(record.responseTimeMs, 4),
    client_id: record.firmId,
    created_at: record.createdAt,
  }),
);

/** The totals of the calls of a period. */
const usageSummary = answer(
  'UsageSummary',
  {
    from: instant.describe(WORDS.from),
    to: instant.describe(WORDS.to),
    total_calls: count,
    calls_by_endpoint: z.array(z.strictObject({ endpoint, calls: count })),
    p95_response_time_ms: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Milliseconds within which 95 of 100 calls were answered, 10 percent more or less; null without calls.',
      ),
  },
  ({ period, summary }: Awaited<ReturnType<typeof summarizeUsage>>) => {
    const { totalCalls, callsByEndpoint, p95ResponseTimeMs } = summary;
    return {
      ...period,
      total_calls: totalCalls,
      calls_by_endpoint: callsByEndpoint.map(({ endpoint, calls }) => ({ endpoint, calls })),
      p95_response_time_ms: p95ResponseTimeMs === null ? null : roundHalfUp(p95ResponseTimeMs, 4),
    };
  },
);

const USAGE_QUERY = {
  endpoint: endpointFilter.optional(),
  status_code: z.int().min(100).max(599).optional(),
  from: instantField('00:00:00.000').describe(WORDS.from).optional(),
  to: instantField('23:59:59.999').describe(WORDS.to).optional(),
};

function choiceOf(query: z.output<z.ZodObject<typeof USAGE_QUERY>>) {
  return {
    endpoint: query.endpoint ?? null,
    statusCode: query.status_code ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
  };
}

const order = z.enum(['asc', 'desc']).default('asc').describe('`asc`: by id; `desc`: the newest first.');

const ONE_DAY = { from: '2025-12-01', to: '2025-12-01' };

export const USAGE: readonly Operation[] = [
  defineOperation({
    id: 'listUsage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'List recorded calls',
    description:
      'One entry for each authenticated call, refused ones included, by id: the oldest first, or the newest with order=desc. A key bound to an advisory firm sees the calls of that firm. from and to are both included; a time without a zone is UTC, a day without a time is the whole day.',
    anyKey: true,
    longRead: 'rows',
    query: { ...USAGE_QUERY, order, ...PAGE_QUERY },
    output: listAnswer(usageRecord),
    examples: [{ summary: 'The calls of one day', query: { ...ONE_DAY, limit: 2 } }],
    answer: ({ deps, caller }, { firmId, query }) => {
      const page = { ...pageOf(query), order: query.order };
      return listUsage(deps, caller, { firmId, ...choiceOf(query), page });
    },
  }),
  defineOperation({
    id: 'getUsageSummary',
    method: 'GET',
    path: '/v1/usage/summary',
    summary: 'Summarize recorded calls',
    description:
      'How many calls there were, by endpoint, and the 95th percentile of their response times: of the last 30 days unless from and to say otherwise.',
    anyKey: true,
    longRead: 'rows',
    query: USAGE_QUERY,
    output: usageSummary,
    examples: [{ summary: 'One day', query: ONE_DAY }],
    answer: ({ deps, caller }, { firmId, query }) => summarizeUsage(deps, caller, { firmId, ...choiceOf(query) }),
  }),
];
