import { secondsAfter } from '../../../engine/calendar.ts';
import { DomainError } from '../../../engine/errors.ts';
import type { Caller } from '../../access/caller.ts';
import type { Clock } from '../../ports/machine.ts';
import type { Reader, Store, Writer } from '../../ports/stores.ts';
import type {
  ClaimedWebhook,
  DisabledReason,
  Horizon,
  QueuedEvent,
  SendAttempt,
  Webhook,
} from '../../ports/webhooks.ts';
import { callerOf } from '../requests/admit.ts';
import { changesFor } from './changes.ts';
import { changesTold } from './webhooks.ts';

interface EventParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** When an event is sent again after each failure, in seconds: those that Standard Webhooks recommends. */
const RETRY_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** How many events may wait for a webhook that fails: they are deleted at once when it is disabled. */
const MAX_WAITING = 10_000;
/** Longer than a sender waits for an answer. */
const LEASE_SECONDS = 60;
/** The most webhooks that one call looks at. */
const BEHIND_AT_ONCE = 100;

/** What receivers know an event by, however often it is sent. */
export function messageIdOf({ id, createdAt }: Pick<QueuedEvent, 'id' | 'createdAt'>): string {
  return `msg_${Date.parse(createdAt)}_${id}`;
}

/** What became of an event: answered with 2xx, answered with 410, or anything else. */
export type SendOutcome = 'delivered' | 'gone' | 'failed';

/** What became of a delivery, and the attempt to keep; left out: none is. */
export interface SentDelivery {
  readonly delivery: Delivery;
  readonly outcome: SendOutcome;
  readonly attempt?: SendAttempt;
}

/** An event to send, and the caller whose rights it is told with. */
export interface Delivery extends ClaimedWebhook {
  readonly caller: Caller;
}

/** A webhook that was disabled, for the log. */
interface DisabledWebhook {
  readonly webhookId: number;
  readonly reason: DisabledReason;
}

/** What a look for changes did. */
interface Look {
  readonly disabled: readonly DisabledWebhook[];
  /** Of webhooks that could not be told: the others do not wait for them. */
  readonly failures: readonly unknown[];
  /** Where the next look goes on; `null`: at the beginning, all that were behind were looked at. */
  readonly next: number | null;
}

/**
 * Queues `catalog.changed` for webhooks whose records have changed, and disables those whose key may not call any more.
 * A change that a webhook may not hear of only moves it on.
 *
 * @param afterId - The last id of the look before. The next look goes on from there, so that webhooks that are always
 *   behind do not keep later ones waiting.
 * @see docs/assumptions.md, A-122 and A-123
 */
export async function queueChanges({ store, clock }: EventParts, afterId: number | null): Promise<Look> {
  const disabled: DisabledWebhook[] = [];
  const failures: unknown[] = [];
  const behind = await store.read((reader) => reader.webhooks.behind(afterId ?? 0, BEHIND_AT_ONCE));
  for (const webhook of behind) {
    try {
      const news = await store.read((reader) => newsFor(reader, clock, webhook));
      await store.write({ keyId: null, at: clock.now(), concerns: [] }, async (writer) => {
        if (news === null) await writer.webhooks.disable(webhook.id, 'key');
        else await writer.webhooks.moveOn(webhook, news.told, news.event);
      });
      if (news === null) disabled.push({ webhookId: webhook.id, reason: 'key' });
    } catch (error) {
      failures.push(error);
    }
  }
  return { disabled, failures, next: behind.length < BEHIND_AT_ONCE ? null : (behind.at(-1)?.id ?? null) };
}

/** `null`: the key of the webhook may not call. */
async function newsFor(reader: Reader, clock: EventParts['clock'], { keyId, firmId, cursor }: Webhook) {
  const caller = await callerNow(reader, clock, keyId);
  if (caller === null) return null;
  const told = await changesTold(reader, caller, firmId);
  const hasNews = await hasChanged(reader, caller, { firmId, since: cursor, limit: 1 });
  return hasNews
    ? { told, event: { type: 'catalog.changed', data: { since: cursor } } as const }
    : { told: { ...told, cursor }, event: null };
}

async function hasChanged(...question: Parameters<typeof changesFor>): Promise<boolean> {
  try {
    return (await changesFor(...question)).changes.length > 0;
  } catch (error) {
    // The receiver is told so too when it asks: it reads everything again.
    if (error instanceof DomainError && error.code === 'unknown_cursor') return true;
    throw error;
  }
}

async function callerNow(reader: Reader, clock: EventParts['clock'], keyId: number): Promise<Caller | null> {
  try {
    return callerOf(await reader.keys.record(keyId), clock);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Nothing is set later, unless the clock has gone back since; a lease more than it takes, because clocks differ a little. */
function horizonAt(now: string): Horizon {
  const at = (seconds: number) => secondsAfter(now, seconds + LEASE_SECONDS);
  return { lease: at(LEASE_SECONDS), dueAfter: [0, ...RETRY_SECONDS].map(at) };
}

/** Whether `exchangeEvents` would find an event, without making writers wait. */
export function isEventDue({ store, clock }: EventParts): Promise<boolean> {
  return store.read(async (reader) => {
    const now = await reader.queue.instant(clock.now());
    return reader.webhooks.isDue(now, horizonAt(now));
  });
}

/**
 * Records what became of events and takes others, in one unit of work: each for another webhook that nobody else sends
 * to. Who dies meanwhile has them no longer than their lease: they are sent again.
 *
 * @param sent - In the order in which they were taken: so they are served again. With one instant for all, those with
 *   small ids would overtake the others.
 * @param limit - The most events to take.
 * @throws what the store throws; nothing is recorded then, and the call can be repeated.
 * @see docs/assumptions.md, A-123
 */
export async function exchangeEvents(
  { store, clock }: EventParts,
  sent: readonly SentDelivery[],
  limit: number,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly disabled: readonly DisabledWebhook[] }> {
  const at = await store.read((reader) => reader.queue.instant(clock.now()));
  return store.write({ keyId: null, at, concerns: [] }, async (writer) => {
    const disabled: DisabledWebhook[] = [];
    const disable = async (webhookId: number, reason: DisabledReason) => {
      if (await writer.webhooks.disable(webhookId, reason)) disabled.push({ webhookId, reason });
    };
    for (const [index, one] of sent.entries()) {
      const servedAt = secondsAfter(at, (index + 1 - sent.length) / 1000);
      const reason = await settle(writer, { at, servedAt, ...one });
      if (reason !== null) await disable(one.delivery.webhook.id, reason);
    }
    const deliveries: Delivery[] = [];
    const until = secondsAfter(at, LEASE_SECONDS);
    for (const claimed of limit > 0 ? await writer.webhooks.claim(until, limit, horizonAt(at)) : []) {
      const caller = await callerNow(writer, clock, claimed.webhook.keyId);
      if (caller === null) await disable(claimed.webhook.id, 'key');
      else deliveries.push({ ...claimed, caller });
    }
    return { deliveries, disabled };
  });
}

/** @returns Why the webhook is to be disabled; `null`: it is not. */
async function settle(
  writer: Writer,
  { at, servedAt, delivery, outcome, attempt }: SentDelivery & { readonly at: string; readonly servedAt: string },
): Promise<DisabledReason | null> {
  const seconds = RETRY_SECONDS[delivery.event.attempts];
  const isRetried = outcome === 'failed' && seconds !== undefined;
  const isOurs = await writer.webhooks.settle(delivery, isRetried ? secondsAfter(at, seconds) : null, servedAt);
  if (isOurs && attempt) await writer.webhooks.keepAttempt(delivery.webhook.id, delivery.event, attempt);
  if (!isOurs || outcome === 'delivered') return null;
  if (outcome === 'gone') return 'gone';
  const isKept = isRetried && (await writer.webhooks.waiting(delivery.webhook.id)) <= MAX_WAITING;
  return isKept ? null : 'failing';
}
