/** One authenticated call. It never contains an address, a key or a body. */
export interface UsageEntry {
  readonly accountId: number;
  /** The firm that the key was bound to, or `null`. */
  readonly firmId: number | null;
  /** Route template (`/v1/offers/{id}`), or `mcp:<tool>`. */
  readonly endpoint: string;
  readonly method: string;
  readonly statusCode: number;
  /** Milliseconds, >= 0. */
  readonly responseTimeMs: number;
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly createdAt: string;
}

/** A call as it was recorded. */
export interface UsageRecord extends UsageEntry {
  readonly id: number;
}

/** A selection of calls. */
export interface UsageQuery {
  readonly accountId: number;
  /** Calls of keys bound to one firm only; `null`: all of the account. */
  readonly firmId: number | null;
  readonly endpoint: string | null;
  readonly statusCode: number | null;
  /** Instants, both included; `null`: without bound. */
  readonly from: string | null;
  readonly to: string | null;
}

/** A summary of calls. */
export interface UsageSummary {
  readonly totalCalls: number;
  /** Most calls first, then by name. */
  readonly callsByEndpoint: readonly { readonly endpoint: string; readonly calls: number }[];
  /** The 95th percentile of the response times, within 1 % of the exact one; `null` without calls. */
  readonly p95ResponseTimeMs: number | null;
}

/** Days that a summary covers by default. */
export const SUMMARY_DAYS = 30;
