import { readFileSync } from 'node:fs';
import type { OfferCacheCounts, StoredBytes } from '@tarifario/core/service';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WebhookCounts } from './webhook-jobs.ts';

/** What a process counts about itself: totals since it started, and current values. */
export interface ServiceCounts {
  /** Calls that wait to be recorded, and calls that were dropped. */
  readonly usage: { readonly waiting: number; readonly dropped: number };
  readonly offerCache: OfferCacheCounts;
  /** Calls refused with 429, by the name of the limit that was reached. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Those to PostgreSQL; `null`: the database is SQLite. */
  readonly connections: Readonly<Record<'idle' | 'used' | 'waiting', number>> | null;
  /** Writes to PostgreSQL, and how long they waited together for others that write for the same account. */
  readonly writeWaits: { readonly writes: number; readonly seconds: number };
  readonly webhooks: WebhookCounts;
  /** The first day, `YYYY-MM-DD`, of which a tax or a regulated price is not known; `null`: none for some months. */
  readonly openRatesFrom?: () => string | null;
  /** The greatest shares of their quotas that accounts have stored; `null`: the database cannot be used. */
  readonly storage: () => Promise<StoredBytes | null>;
}

export interface EndedRequest {
  readonly method: string;
  /** The template of its path; `null` for an unknown path, so that callers cannot create new label values. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

export interface EndedToolCall {
  /** One of our tools. */
  readonly tool: string;
  /** That of the same call over REST. */
  readonly status: number;
  readonly seconds: number;
}

/** What the HTTP server reports about its traffic. */
export interface Traffic {
  requestBegan(): void;
  /** Once for each request that began, also when its caller disconnected. */
  requestEnded(request: EndedRequest): void;
  /** Bytes that were not a complete HTTP request, answered with a status. */
  requestBroken(status: number): void;
  /** A connection that was closed because there were too many. */
  connectionDropped(): void;
}

export interface Metrics extends Traffic {
  /** A call of a tool over MCP. Its request is reported besides. */
  toolCallEnded(call: EndedToolCall): void;
  readonly contentType: string;
  /**
   * All metrics as text for Prometheus. Reading them resets what is measured between two reads (the delay of the event
   * loop).
   */
  page(): Promise<string>;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];
const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/**
 * The numbers of this process for Prometheus. Labels are taken from fixed lists only: the templates of our paths,
 * methods, statuses, names of tools and of limits. Never a key, an account, a name or an id.
 *
 * @param counts - Called at every read of the page.
 */
export function createMetrics(counts: () => ServiceCounts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'tarifario_http_request_duration_seconds',
    help: 'Time until a request was over; _count is how many there were.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  let inFlightCount = 0;
  addGauge(registry, 'tarifario_http_requests_in_flight', 'Requests that began and are not over.', () => inFlightCount);
  const broken = new Counter({
    name: 'tarifario_http_broken_requests_total',
    help: 'What was not well-formed HTTP, too large or too slow.',
    labelNames: ['status'],
    registers,
  });
  const dropped = new Counter({
    name: 'tarifario_http_dropped_connections_total',
    help: 'Connections refused because there were too many.',
    registers,
  });
  const toolCalls = new Histogram({
    name: 'tarifario_mcp_tool_duration_seconds',
    help: 'Time until a call of a tool over MCP was answered, with the status that it has over REST.',
    labelNames: ['tool', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  addBuildInfo(registry);
  addServiceCounts(registry, counts);
  return {
    contentType: registry.contentType,
    page: () => registry.metrics(),
    requestBegan: () => {
      inFlightCount += 1;
    },
    requestEnded: ({ method, route, status, seconds }) => {
      inFlightCount -= 1;
      const labels = { method: METHODS.includes(method) ? method : 'other', route: route ?? 'unknown', status };
      durations.observe(labels, seconds);
    },
    requestBroken: (status) => broken.inc({ status }),
    connectionDropped: () => dropped.inc(),
    toolCallEnded: ({ tool, status, seconds }) => toolCalls.observe({ tool, status }, seconds),
  };
}

/** @param read - Called at every read of the page. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    collect() {
      this.set(read());
    },
  });
}

function addBuildInfo(registry: Registry): void {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const info = new Gauge({
    name: 'tarifario_build_info',
    help: 'Always 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  info.set({ version: manifest.version, node: process.version }, 1);
}

const OPEN_RATES =
  'When the first day begins (UTC) of which a tax or a regulated price is not known; +Inf: none within months.';

function openRatesSeconds({ openRatesFrom }: ServiceCounts): number {
  const day = openRatesFrom?.() ?? null;
  return day === null ? Number.POSITIVE_INFINITY : Date.parse(day) / 1000;
}

interface CounterTerms {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
}
type ReadCounter = (now: ServiceCounts) => Iterable<readonly [string, number]>;

/** A counter whose values, by the one label that it may have, are counted elsewhere. */
function addCounter(
  registry: Registry,
  { label, ...about }: CounterTerms,
  read: () => Iterable<readonly [string, number]>,
): void {
  new Counter({
    ...about,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of read()) this.inc(label === undefined ? {} : { [label]: value }, count);
    },
  });
}

function addServiceCounts(registry: Registry, counts: () => ServiceCounts): void {
  const registers = [registry];
  const counter = (about: CounterTerms, read: ReadCounter) => addCounter(registry, about, () => read(counts()));
  const gauge = (name: string, help: string, read: (now: ServiceCounts) => number) =>
    addGauge(registry, name, help, () => read(counts()));
  addGauge(registry, 'tarifario_rates_open_timestamp_seconds', OPEN_RATES, () => openRatesSeconds(counts()));
  gauge('tarifario_usage_waiting', 'Calls that wait to be recorded.', ({ usage }) => usage.waiting);
  gauge('tarifario_offer_cache_offers', 'Offers kept in memory, ready to be ranked.', (now) => now.offerCache.offers);
  gauge('tarifario_offer_cache_bytes', 'About how much memory they take.', ({ offerCache }) => offerCache.bytes);
  counter(
    { name: 'tarifario_usage_dropped_total', help: 'Calls that were not recorded because too many waited.' },
    ({ usage }) => [['', usage.dropped]],
  );
  counter(
    {
      name: 'tarifario_offer_cache_reads_total',
      help: 'Reads of compiled offers: ready in memory, brought forward by what changed, or compiled from nothing.',
      label: 'outcome',
    },
    ({ offerCache: { ready, patched, rebuilt } }) => Object.entries({ ready, patched, rebuilt }),
  );
  counter(
    {
      name: 'tarifario_rate_limited_total',
      help: 'Calls refused with 429, by the limit that was reached.',
      label: 'limit',
    },
    ({ refusals }) => refusals,
  );
  counter(
    {
      name: 'tarifario_webhook_deliveries_total',
      help: 'Events that were sent, by what became of them: delivered, gone (answered with 410), or failed.',
      label: 'outcome',
    },
    ({ webhooks }) => webhooks.outcomes,
  );
  gauge(
    'tarifario_webhook_events_waiting',
    'Events of all replicas that are not delivered.',
    (now) => now.webhooks.waiting,
  );
  new Gauge({
    name: 'tarifario_storage_fullest_ratio',
    help: 'Of the account of all replicas that has stored most of what it may: bytes stored of those that its plan allows.',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      const shares = await counts().storage();
      if (shares === null) return;
      this.set({ kind: 'history' }, shares.historyBytes);
      this.set({ kind: 'proposals' }, shares.proposalsBytes);
    },
  });
  addDatabaseCounts(registry, counts);
}

function addDatabaseCounts(registry: Registry, counts: () => ServiceCounts): void {
  addCounter(registry, { name: 'tarifario_writes_total', help: 'Writes to PostgreSQL.' }, () => [
    ['', counts().writeWaits.writes],
  ]);
  addCounter(
    registry,
    {
      name: 'tarifario_write_wait_seconds_total',
      help: 'How long writes to PostgreSQL waited for others that write for the same account.',
    },
    () => [['', counts().writeWaits.seconds]],
  );
  addGauge(
    registry,
    'tarifario_database_waiting',
    'Transactions and reads that wait for a connection to PostgreSQL.',
    () => counts().connections?.waiting ?? 0,
  );
  new Gauge({
    name: 'tarifario_database_connections',
    help: 'Connections of the pool to PostgreSQL, by state; none with SQLite.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { connections } = counts();
      if (connections === null) return;
      this.set({ state: 'idle' }, connections.idle);
      this.set({ state: 'used' }, connections.used);
    },
  });
}
