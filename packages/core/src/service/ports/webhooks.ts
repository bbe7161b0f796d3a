import type { UploadStatus } from '../uploads/upload.ts';
import type { Page, PageOf } from './lists.ts';
import type { ChangeCursor } from './records.ts';

/** The kinds of events that a webhook may want to hear of. */
export const WEBHOOK_EVENTS = ['catalog.changed', 'upload.finished', 'usage.limit_near'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** Why a webhook gets no more events: its last retry failed or too many wait, its receiver answered 410, or its key may not call. */
export const DISABLED_REASONS = ['failing', 'gone', 'key'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Something that a webhook is told. It has no names and nothing about commissions. */
export type WebhookEvent =
  /** Records that the key of the webhook may list changed after `since`: own ones too, whatever the name of the event says. */
  | { readonly type: 'catalog.changed'; readonly data: { readonly since: ChangeCursor } }
  | { readonly type: 'upload.finished'; readonly data: { readonly uploadId: number; readonly status: UploadStatus } }
  /** The account has few calls left of those that it may make in a window. */
  | { readonly type: 'usage.limit_near'; readonly data: { readonly points: number; readonly windowSeconds: number } }
  /** Somebody tries the webhook, whatever it wants to hear of. Senders of earlier releases know nothing to tell of it. */
  | { readonly type: 'webhook.test'; readonly data: Readonly<Record<string, never>> };

/** How far a webhook was told of changes. */
export interface ChangesTold {
  readonly cursor: ChangeCursor;
  /** The revisions up to which it was looked for changes; most often those of the cursor. */
  readonly ownRevision: number;
  readonly catalogRevision: number;
}

/** A new webhook. */
export interface WebhookTerms extends ChangesTold {
  /** Only what is about this advisory firm; `null`: about the account. */
  readonly firmId: number | null;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** Under which bodies are signed, `whsec_...`. */
  readonly secret: string;
  /** Under which cursors are sealed, so that only the key of the webhook can use them. */
  readonly cursorSecret: string;
}

/** An address that is told of events, with the rights of the key that registered it. */
export interface Webhook extends WebhookTerms {
  readonly id: number;
  readonly accountId: number;
  readonly keyId: number;
  /** The secret before the present one, and until when (excluded) it signs too; `null`: there is none. */
  readonly formerSecret: string | null;
  readonly formerUntil: string | null;
  /** `null`: it is enabled. */
  readonly disabledAt: string | null;
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: string;
}

/** Which webhooks of one account. */
export interface WebhookQuery {
  readonly accountId: number;
  /** Those of one advisory firm only; `null`: all. */
  readonly firmId: number | null;
  /** Those that this key made; left out: all. */
  readonly keyId?: number;
}

/** An event that waits for its webhook. */
export type QueuedEvent = WebhookEvent & {
  readonly id: number;
  readonly createdAt: string;
  /** The trace of the request that caused it; `null`: none, or changes of several. */
  readonly traceparent: string | null;
  /** How often it was sent in vain. */
  readonly attempts: number;
};

/** Why nothing answered: its host, its certificate, the connection, the time; `other`: nothing was sent. */
export const SEND_FAILURES = ['address', 'certificate', 'connection', 'timeout', 'other'] as const;
export type SendFailure = (typeof SEND_FAILURES)[number];

/** What came of sending an event once. */
export interface SendAttempt {
  readonly sentAt: string;
  readonly durationMs: number;
  /** Of HTTP; `null`: nothing answered. */
  readonly status: number | null;
  /** `null`: there was an answer. */
  readonly failure: SendFailure | null;
}

/** How many attempts of each webhook are kept. */
export const KEPT_ATTEMPTS = 20;

/** An attempt with what was sent, from which it can be sent again; nothing of either body, and no secret. */
export type KeptAttempt = SendAttempt &
  Omit<QueuedEvent, 'id' | 'attempts'> & {
    /** Counted from 1 for each webhook. */
    readonly number: number;
    readonly eventId: number;
  };

/** A webhook that a sender has taken, with the event that it sends. */
export interface ClaimedWebhook {
  readonly webhook: Webhook;
  readonly event: QueuedEvent;
  /** When it was due: later if it is queued again meanwhile. */
  readonly dueAt: string;
  /** Until then (excluded) nobody else sends to this webhook. */
  readonly leaseUntil: string;
}

/**
 * What is later than this was set by a clock that has gone back since, and holds nothing up: the end of a lease, and when
 * an event is due that was sent in vain so many times.
 */
export interface Horizon {
  readonly lease: string;
  readonly dueAfter: readonly string[];
}

/** Webhooks and their queues. */
export interface WebhookReads {
  list(query: WebhookQuery, page: Page): Promise<PageOf<Webhook>>;
  /** `null` when the query has no such webhook. */
  get(query: WebhookQuery, webhookId: number): Promise<Webhook | null>;
  /**
   * Webhooks with greater ids, by id, whose account or catalog has changed since they were looked at: enabled ones that
   * want to hear of changes and for which no such event is queued.
   */
  behind(afterId: number, limit: number): Promise<readonly Webhook[]>;
  /** Whether `claim` would find something at an instant, without making writers wait. */
  isDue(instant: string, horizon?: Horizon): Promise<boolean>;
  /** How many events wait to be delivered to a webhook; `null`: to all of all accounts. */
  waiting(webhookId: number | null): Promise<number>;
  /** The newest first. */
  attempts(webhookId: number): Promise<readonly KeptAttempt[]>;
}

/** Webhooks and their events create no revision and no version. */
export interface WebhookWrites {
  /** The firm belongs to the account, and a key writes. */
  insert(accountId: number, terms: WebhookTerms): Promise<Webhook>;
  /** Gives a webhook of the account another secret. @param formerUntil - Until when the present one signs too. */
  rotate(accountId: number, webhookId: number, next: { secret: string; formerUntil: string }): Promise<Webhook>;
  /** Deletes a webhook of the account, with its events. */
  delete(accountId: number, webhookId: number): Promise<void>;
  /** @returns `false` when it was disabled or is gone. Its events are deleted. */
  disable(webhookId: number, reason: DisabledReason): Promise<boolean>;
  /**
   * Queues an event, due at once, for the enabled webhooks of an account that want to hear of it, whatever the concerns
   * of the unit of work.
   *
   * @param firmId - The firm that it is about: webhooks of other firms do not hear of it. `any`: all hear of it.
   */
  queue(accountId: number, event: WebhookEvent, firmId: number | null | 'any'): Promise<void>;
  /**
   * Queues an event, due at once, for one webhook of the account.
   *
   * @returns `null` when it is disabled.
   */
  queueFor(accountId: number, webhookId: number, event: WebhookEvent): Promise<QueuedEvent | null>;
  /**
   * Queues the event of a kept attempt under the id that it had, due at once and as for the first time, also where it
   * still waits.
   *
   * @returns `null` when the webhook of the account is disabled, or the attempt is gone.
   */
  queueAgain(accountId: number, webhookId: number, number: number): Promise<QueuedEvent | null>;
  /**
   * Records how far a webhook was told of changes, and queues an event if there is one to tell.
   *
   * @param from - As it was read. @returns `false` when it has changed since: nothing is recorded.
   */
  moveOn(from: Webhook, to: ChangesTold, event: WebhookEvent | null): Promise<boolean>;
  /**
   * Takes enabled webhooks that nobody else has taken and for which an event is due, those first that have waited
   * longest since they were last served. Two concurrent calls never take the same one.
   *
   * @param horizon - Left out: all leases hold, and nothing is due before its time.
   */
  claim(leaseUntil: string, limit: number, horizon?: Horizon): Promise<readonly ClaimedWebhook[]>;
  /**
   * Ends a lease.
   *
   * @param retryAt - When to send the event again; `null`: it was delivered, and is deleted. One that was queued again
   *   meanwhile stays, and is due as it was queued.
   * @param servedAt - When it counts as served: its place among those that wait. Left out: now.
   * @returns `false` when the lease was not valid any more: nothing is changed.
   */
  settle(claimed: ClaimedWebhook, retryAt: string | null, servedAt?: string): Promise<boolean>;
  /** Keeps an attempt in place of the oldest, of a webhook that `settle` or `queueFor` has found. */
  keepAttempt(webhookId: number, event: QueuedEvent, attempt: SendAttempt): Promise<void>;
}
