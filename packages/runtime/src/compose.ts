import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createDispatch, type Dispatch, fromWireRows, webhookBody } from '@tarifario/api';
import {
  BYTES_PER_MB,
  type Clock,
  createLimitWatch,
  createOfferCache,
  createUsageLog,
  DEFAULT_CACHE_MB,
  DomainError,
  firstOpenDay,
  fullestShares,
  type Imprint,
  inWords,
  isUploadQueued,
  RATES,
  type Rate,
  REGULATED_PRICES,
  type RegulatedPrice,
  type Secrets,
  type Store,
  withOperatorPrices,
  withOperatorRates,
} from '@tarifario/core/service';
import { createWorkbookReader, createWorkbookWriter, csvTables } from '@tarifario/sheets';
import { forgetsStatements, migrate as migrateDatabase, openDatabase } from '@tarifario/store';
import { systemClock } from './clock.ts';
import { ConfigError } from './config.ts';
import { createYieldQueue, remembered } from './event-loop.ts';
import { createImports } from './import-queue.ts';
import { addWait, type Log } from './log.ts';
import { createLongReads } from './long-reads.ts';
import type { ServiceCounts } from './metrics.ts';
import { createTokens } from './oauth.ts';
import type { OAuthConfig } from './oauth-config.ts';
import { createMemoryRateLimiter } from './rate-limiter.ts';
import { countRefusals } from './refusal-count.ts';
import { createSecrets } from './secrets.ts';
import { startUsageJobs } from './usage-jobs.ts';
import { NO_EVENTS, startWebhookJobs } from './webhook-jobs.ts';
import { createSendEvent, LOCAL_RECEIVERS, PUBLIC_RECEIVERS, type Receivers } from './webhook-sender.ts';

/**
 * How long the result of a readiness check is reused. Load balancers ask every second, and anybody else may ask too.
 */
const READY_MS = 1000;
/** From when on the log says how long a write waited for others. */
const LONG_WAIT_MS = 100;

/** The parts of one process, wired together. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** The counters of this process and what it holds in memory. */
  counts(): ServiceCounts;
  /** Answers one request, whatever transport it came by. Never rejects. */
  readonly dispatch: Dispatch;
  /** Whether the database can be reached and written and has every migration; looked up once a second at most. */
  readonly isReady: () => Promise<boolean>;
  /** Finishes the file that is being applied, writes the calls that are not yet recorded, then closes the store. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  /** Recorded calls older than this, and old files, are deleted now and every hour; `null`: not by this process. */
  readonly usageRetentionDays?: number | null;
  /** Whether this process takes up queued uploads and sends events, its own and those of others. */
  readonly worksOnQueues?: boolean;
  /** Memory for the cache of offers, in units of 1 048 576 bytes. */
  readonly cacheMb?: number;
  /** Connections to PostgreSQL that this process opens at most, besides those of the thread that applies files. */
  readonly maxConnections?: number;
  /** The file of `tablesWith`; `null`: none. */
  readonly regulatedRowsFile?: string | null;
  /** What the operator says of the installation. */
  readonly imprint?: Imprint;
  /** For tests alone, and so no setting leads here: with others than these, webhooks could ask inner networks. */
  readonly receivers?: Receivers;
  /** Whether webhooks may lead to programs of this machine. */
  readonly takesLocalReceivers?: boolean;
  /** The issuer whose tokens are taken; `null`: none is. */
  readonly oauth?: OAuthConfig | null;
}

/** Opens the store and puts everything together. Nothing is migrated. */
export async function compose(
  databaseUrl: string,
  log: Log,
  {
    usageRetentionDays = null,
    worksOnQueues = false,
    cacheMb = DEFAULT_CACHE_MB,
    oauth = null,
    regulatedRowsFile = null,
    imprint,
    takesLocalReceivers = false,
    receivers = takesLocalReceivers ? LOCAL_RECEIVERS : PUBLIC_RECEIVERS,
    ...pool
  }: ComposeOptions = {},
): Promise<Service> {
  const tables = tablesWith(regulatedRowsFile);
  const report = (error: unknown) => log.error({ error }, 'the database failed');
  const writeWaits = { writes: 0, seconds: 0 };
  const onWriteWait = (ms: number) => {
    writeWaits.writes += 1;
    writeWaits.seconds += ms / 1000;
    if (ms >= LONG_WAIT_MS) addWait(ms);
  };
  const database = await openDatabase(databaseUrl, { ...pool, report, onWriteWait });
  const { store } = database;
  const files = { reader: createWorkbookReader(), writer: createWorkbookWriter() };
  const workbooks = { read: files.reader.read, write: files.writer.write };
  const hasWork = worksOnQueues ? () => isUploadQueued({ store, clock: systemClock }) : null;
  const imports = createImports({ databaseUrl, regulatedPrices: tables.regulatedPrices, log, hasWork });
  const machine = { store, clock: systemClock, secrets: createSecrets(), tables: csvTables };
  const yieldToEventLoop = createYieldQueue();
  const offerCache = createOfferCache({ maxBytes: cacheMb * BYTES_PER_MB, pause: yieldToEventLoop });
  const reportFailure = (error: unknown) => log.error({ error }, 'calls cannot be recorded for now');
  // Neither the token nor what the issuer sent is in the log.
  const reportIssuer = (error: unknown) =>
    log.error({ reason: error instanceof Error ? error.name : 'unknown' }, 'the keys of OAUTH_JWKS_URL cannot be read');
  const usageLog = createUsageLog(machine, { name: randomUUID(), reportFailure });
  const { limiter, refusals } = countRefusals(database.limiter ?? createMemoryRateLimiter());
  const dispatch = createDispatch({
    ...machine,
    workbooks,
    imports,
    offerCache,
    limiter,
    usageLog,
    limitWatch: createLimitWatch(machine, (error) => log.error({ error }, 'an event could not be queued')),
    reportBug: (error) => log.error({ error }, 'a bug: the caller gets "internal error"'),
    tokens: oauth === null ? undefined : createTokens(oauth, reportIssuer),
    longReads: createLongReads(database.longReads),
    takesLocalReceivers,
    ...tables,
    ...(imprint && { imprint }),
    yieldToEventLoop,
  });
  const sendEvent = createSendEvent({ bodyOf: (sending) => webhookBody(machine.secrets, sending) }, receivers);
  const webhookJobs = worksOnQueues ? startWebhookJobs({ ...machine, sendEvent }, { log }) : null;
  const usageJobs = startUsageJobs({ ...machine, usageLog }, { retentionDays: usageRetentionDays, log });
  const counts = () => ({
    usage: { waiting: usageLog.waiting(), dropped: usageLog.dropped() },
    offerCache: offerCache.counts(),
    refusals,
    connections: database.connections(),
    writeWaits,
    webhooks: webhookJobs?.counts() ?? NO_EVENTS,
    openRatesFrom: () => firstOpenDay(tables, systemClock.now().slice(0, 10)),
    storage: () => store.read(fullestShares).catch(() => null),
  });
  const isReady = remembered(READY_MS, async () => {
    try {
      // Does not wait for readers.
      await store.latest.changes.revisions(0);
      return (await database.pending()).length === 0;
    } catch (error) {
      log.warn({ error }, 'the database cannot be used');
      return false;
    }
  });
  const close = async () => {
    await Promise.all([imports.close(), webhookJobs?.stop()]);
    files.reader.close();
    await files.writer.close();
    await usageJobs.stop().finally(() => store.close());
  };
  return { ...machine, counts, dispatch, isReady, close };
}

/**
 * The rates of taxes and the regulated prices of power, with the rows of an operator.
 *
 * @param file - JSON, with rows as `GET /v1/taxes` and `GET /v1/regulated-prices` answer them; `null`: none.
 * @throws ConfigError for a file that cannot be read, and for a row of a day that is settled already.
 */
export function tablesWith(file: string | null): {
  readonly rates: readonly Rate[];
  readonly regulatedPrices: readonly RegulatedPrice[];
} {
  if (file === null) return { rates: RATES, regulatedPrices: REGULATED_PRICES };
  try {
    const { rates, prices } = fromWireRows(JSON.parse(readFileSync(file, 'utf8')));
    return { rates: withOperatorRates(rates), regulatedPrices: withOperatorPrices(prices) };
  } catch (error) {
    const [issue] =
      error instanceof DomainError && error.code === 'invalid_request' ? (error.details.issues ?? []) : [];
    const place = issue?.path ? `row ${issue.path}:` : 'the file, or its filas,';
    const reason = issue ? `${place} ${inWords(issue.message)}` : error instanceof Error ? error.message : '';
    throw new ConfigError(`TAX_ROWS: ${reason}`);
  }
}

/** Before the first call would fail. @throws ConfigError, and DatabaseProblem of the store. */
export async function refuseForgottenStatements(databaseUrl: string): Promise<void> {
  if (!(await forgetsStatements(databaseUrl))) return;
  throw new ConfigError(
    'DATABASE_URL leads to a pooler that loses prepared statements between transactions: ' +
      'it needs session mode, or PgBouncer 1.21 or newer with max_prepared_statements above 0',
  );
}

/** Migrates a database to the current schema, or waits for another process that does. @throws DatabaseProblem. */
export function migrate(databaseUrl: string, log?: Log): Promise<{ readonly applied: readonly string[] }> {
  return migrateDatabase(databaseUrl, () => log?.info('waiting for another process that migrates the database'));
}

export { createWorkbookReader, createWorkbookWriter, csvRows, csvTables, decoderOf } from '@tarifario/sheets';
export { backUp, copyDatabase, examine, exposureOf, pendingMigrations } from '@tarifario/store';
