import { roundHalfUp, type UsageRecord, type UsageSummary } from '@tarifario/core/service';
import { z } from 'zod';

const id = z.int().min(1);
const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });

export const usageShape = z.strictObject({
  id,
  endpoint: z.string(),
  method: z.string(),
  status_code: z.int().min(100).max(599),
  response_time_ms: z.number().min(0),
  client_id: id.nullable(),
  created_at: instant,
});

export const usageSummaryShape = z.strictObject({
  from: instant,
  to: instant,
  total_calls: count,
  calls_by_endpoint: z.array(z.strictObject({ endpoint: z.string(), calls: count })),
  p95_response_time_ms: z.number().min(0).nullable(),
});

/** A recorded call. `client_id` is the firm that its key was bound to. */
export function toWireUsage(record: UsageRecord) {
  return {
    id: record.id,
    endpoint: record.endpoint,
    method: record.method,
    status_code: record.statusCode,
    response_time_ms: roundHalfUp(record.responseTimeMs, 4),
    client_id: record.firmId,
    created_at: record.createdAt,
  };
}

/** The totals of the calls of a period. */
export function toWireUsageSummary(period: { readonly from: string; readonly to: string }, summary: UsageSummary) {
  const { totalCalls, callsByEndpoint, p95ResponseTimeMs } = summary;
  return {
    from: period.from,
    to: period.to,
    total_calls: totalCalls,
    calls_by_endpoint: callsByEndpoint.map(({ endpoint, calls }) => ({ endpoint, calls })),
    p95_response_time_ms: p95ResponseTimeMs === null ? null : roundHalfUp(p95ResponseTimeMs, 4),
  };
}
