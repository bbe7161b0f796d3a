import { roundHalfUp, type UsageRecord, type UsageSummary } from '@tarifario/core/service';

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

/** What the calls of a period come to. */
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
