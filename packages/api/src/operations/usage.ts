import { listUsage, summarizeUsage } from '@tarifario/core/service';
import { z } from 'zod';
import { endpointFilter, listAnswer, PAGE_QUERY, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { instantField } from '../wire/instants.ts';
import { usageRecord, usageSummary } from '../wire/usage.ts';
import { WORDS } from '../wire/words.ts';

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
