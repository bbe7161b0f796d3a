import { roundHalfUp, type summarizeUsage, type UsageRecord } from '@tarifario/core/service';
import { z } from 'zod';
import { answer, clientId, count, id, instant } from './answer.ts';
import { WORDS } from './words.ts';

const endpoint = z.string().describe(WORDS.endpoint);

/** A recorded call. `client_id` is the firm that its key was bound to. */
export const usageRecord = answer(
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
export const usageSummary = answer(
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
