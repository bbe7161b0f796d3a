import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  type Delivery,
  exchangeEvents,
  isEventDue,
  queueChanges,
  type SendOutcome,
  type SentDelivery,
  type Store,
} from '@tarifario/core/service';
import type { Log } from './log.ts';
import type { SendEvent } from './webhook-sender.ts';

/** Events that one process sends at a time. */
const PLACES = 32;
/** How often it looks for changes, and for events of other processes. */
const LOOK_EVERY_MS = 1000;
/** How long a process that stops waits for receivers. An event whose answer it does not see is sent again. */
const DRAIN_MS = 2000;

/** What became of events that this process sent since it started, and how many wait in the database. */
export interface WebhookCounts {
  readonly outcomes: ReadonlyMap<SendOutcome, number>;
  readonly waiting: number;
}

/** Of a process that sends none. */
export const NO_EVENTS: WebhookCounts = { outcomes: new Map(), waiting: 0 };

export interface WebhookJobs {
  /** As of the last look at the database. */
  counts(): WebhookCounts;
  /** Takes no more events, waits shortly for those being sent, and records what became of them. */
  stop(): Promise<void>;
}

/** Sends events until it is stopped, as many at a time as there are places. */
export function startWebhookJobs(
  parts: { readonly store: Store; readonly clock: Clock; readonly sendEvent: SendEvent },
  { log, lookEveryMs = LOOK_EVERY_MS }: { readonly log: Log; readonly lookEveryMs?: number },
): WebhookJobs {
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const sending = new Set<Promise<void>>();
  let begun = 0;
  let finished: readonly (SentDelivery & { readonly order: number })[] = [];
  let wake = Promise.withResolvers<void>();
  let lookAtMs = 0;
  /** `null`: the next look begins at the beginning, and waits its time. */
  let lookAfterId: number | null = null;
  let waiting = 0;
  const outcomes = new Map<SendOutcome, number>([
    ['delivered', 0],
    ['gone', 0],
    ['failed', 0],
  ]);

  const begin = (one: Delivery) => {
    begun += 1;
    const order = begun;
    const work = parts.sendEvent(one, abandoning.signal).then(({ outcome, attempt }) => {
      sending.delete(work);
      // One that was abandoned may have arrived: it is sent again after its lease, and does not count as a failure.
      if (outcome !== 'failed' || !abandoning.signal.aborted) {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        finished = [...finished, { order, delivery: one, outcome, attempt }];
      }
      wake.resolve();
    });
    sending.add(work);
  };
  const report = (disabled: readonly object[]) => {
    for (const webhook of disabled) log.warn(webhook, 'a webhook was disabled');
  };
  const exchange = async (limit: number) => {
    const sent = finished.toSorted((a, b) => a.order - b.order);
    const { deliveries, disabled } = await exchangeEvents(parts, sent, limit);
    finished = finished.filter((one) => !sent.includes(one));
    report(disabled);
    for (const one of deliveries) begin(one);
  };
  const exchangeDue = async () => {
    if (finished.length > 0 || (sending.size < PLACES && (await isEventDue(parts)))) {
      await exchange(PLACES - sending.size);
    }
  };
  const tell = reportingFailures(log, async () => {
    const afterId = lookAfterId;
    lookAfterId = null;
    const { disabled, failures, next } = await queueChanges(parts, afterId);
    lookAfterId = next;
    report(disabled);
    waiting = await parts.store.read((reader) => reader.webhooks.waiting(null));
    if (failures.length > 0) throw new Error('changes could not be told', { cause: failures[0] });
  });
  const serve = reportingFailures(log, exchangeDue);
  const run = async () => {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers();
      if (lookAfterId !== null || parts.clock.monotonicMs() >= lookAtMs) {
        await tell();
        lookAtMs = parts.clock.monotonicMs() + lookEveryMs;
      }
      const isServed = await serve();
      const isIdle = finished.length === 0 && lookAfterId === null;
      if (!isServed) await pause(lookEveryMs);
      else if (isIdle) await Promise.race([wake.promise, pause(lookEveryMs)]);
    }
  };
  const pause = (ms: number) => delay(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
  const running = run();
  return {
    counts: () => ({ outcomes, waiting }),
    async stop() {
      stopping.abort();
      await running;
      await Promise.race([Promise.all(sending), delay(DRAIN_MS, undefined, { ref: false })]);
      abandoning.abort();
      await Promise.all(sending);
      if (finished.length > 0) await exchange(0).catch((error) => log.warn({ error }, 'events may be sent again'));
    },
  };
}

/** Work that may fail, and is repeated: the first failure in a row is logged. @returns Whether it succeeded. */
function reportingFailures(log: Log, work: () => Promise<void>): () => Promise<boolean> {
  let isFailing = false;
  return async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'events cannot be sent for now');
      isFailing = true;
    }
    return !isFailing;
  };
}
