import {
  assert,
  type Caller,
  createWebhook,
  type Delivery,
  DISABLED_REASONS,
  deleteWebhook,
  getWebhook,
  KEPT_ATTEMPTS,
  type KeptAttempt,
  listWebhookAttempts,
  listWebhooks,
  MAX_WEBHOOKS,
  MAX_WEBHOOKS_OF_KEY,
  managesWebhook,
  messageIdOf,
  type QueuedEvent,
  redeliverEvent,
  rotateWebhookSecret,
  SEND_FAILURES,
  type Secrets,
  sendTestEvent,
  UPLOAD_STATUSES,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '@tarifario/core/service';
import { z } from 'zod';
import { ID_PAGE_QUERY, listAnswer, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, clientId, count, id, instant } from '../wire/answer.ts';
import { webhookCursor } from './changes.ts';

const webhookEvents = z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length);

const MEMBERS = {
  id,
  url: z
    .string()
    .nullable()
    .describe('Null unless for the key that registered it, or one with full access that is bound to no firm.'),
  events: webhookEvents,
  client_id: clientId,
  disabled_at: instant.nullable().describe('From when on no events are sent; null while they are.'),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      '`failing`: the last retry failed, or too many events wait; `gone`: 410 was answered; `key`: its key may not call any more.',
    ),
  created_at: instant,
};

function toWire({ firmId, disabledAt, disabledReason, createdAt, ...webhook }: Webhook, caller: Caller) {
  return {
    id: webhook.id,
    url: managesWebhook(caller, webhook) ? webhook.url : null,
    events: webhook.events,
    client_id: firmId,
    disabled_at: disabledAt,
    disabled_reason: disabledReason,
    created_at: createdAt,
  };
}

const webhook = answer('Webhook', MEMBERS, toWire);

/** Only when it was made: a secret is not shown again. */
const webhookWithSecret = answer(
  'WebhookWithSecret',
  {
    ...MEMBERS,
    url: z.string(),
    secret: z.string().describe('Signs the bodies: `whsec_` and Base64. It is not shown again.'),
  },
  (made: Webhook, caller: Caller) => ({ ...toWire(made, caller), url: made.url, secret: made.secret }),
);

const DELIVERIES = '/v1/webhooks/{id}/deliveries';

const EVENT = {
  event_id: z.string().describe('`webhook-id` of the event, the same each time it is sent.'),
  type: z.enum([...WEBHOOK_EVENTS, 'webhook.test']),
};

const queuedEvent = answer('QueuedEvent', { ...EVENT, created_at: instant }, (event: QueuedEvent) => ({
  event_id: messageIdOf(event),
  type: event.type,
  created_at: event.createdAt,
}));

const delivery = answer(
  'WebhookDelivery',
  {
    id: id.describe('Counted from 1 for each webhook.'),
    ...EVENT,
    sent_at: instant,
    duration_ms: count.describe('From the look-up of the host to the status of the answer, in milliseconds.'),
    status: z.int().nullable().describe('Of HTTP; null: nothing answered.'),
    failure: z
      .enum(SEND_FAILURES)
      .nullable()
      .describe(
        'Why nothing answered. `address`: the host has no address, or one that is not public; `certificate`: its ' +
          'certificate is not valid for it; `connection`: it was refused or broken; `timeout`: 15 seconds were over; ' +
          '`other`: nothing was sent. null: there is a status.',
      ),
  },
  ({ number, eventId, type, createdAt, sentAt, durationMs, status, failure }: KeptAttempt) => ({
    ...{ id: number, event_id: messageIdOf({ id: eventId, createdAt }), type },
    ...{ sent_at: sentAt, duration_ms: durationMs, status, failure },
  }),
);

const deliveries = answer(
  'WebhookDeliveries',
  { results: z.array(delivery.shape).max(KEPT_ATTEMPTS) },
  (attempts: readonly KeptAttempt[]) => ({
    results: attempts.map((attempt) => delivery.toWire(attempt)),
  }),
);

const changed = z.object({
  cursor: z.string().describe('For `since` of GET /v1/changes, with the key and the `client_id` of the webhook.'),
});
const finished = z.object({ upload_id: id, status: z.enum(UPLOAD_STATUSES) });
const limitNear = z.object({
  points: count.describe('How many calls the account may make in a window; most of them are used.'),
  window_seconds: z.int().min(1),
});

const test = z.object({});

/** Events as the document describes them. Later versions may add members, so none is closed. */
export const SENT_EVENTS = [
  sentEvent('catalog.changed', 'Records that the key of the webhook may list have changed', changed),
  sentEvent('upload.finished', 'An upload has ended', finished),
  sentEvent('usage.limit_near', 'Few calls are left', limitNear),
  sentEvent('webhook.test', 'Somebody tries the webhook', test),
];

function sentEvent(type: WebhookEvent['type'], summary: string, data: z.ZodType) {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const name = words.join('');
  return {
    type,
    name,
    summary,
    body: z.object({ type: z.literal(type), timestamp: instant, data }).meta({ id: name }),
  };
}

/** The body of an event. */
export function webhookBody(secrets: Secrets, delivery: Delivery): string {
  const { type, createdAt: timestamp } = delivery.event;
  return JSON.stringify({ type, timestamp, data: dataOf(secrets, delivery) });
}

function dataOf(
  secrets: Secrets,
  delivery: Delivery,
): z.input<typeof changed> | z.input<typeof finished> | z.input<typeof limitNear> | z.input<typeof test> {
  const { event } = delivery;
  switch (event.type) {
    case 'catalog.changed':
      return { cursor: webhookCursor(secrets, delivery, event.data.since) };
    case 'upload.finished':
      return { upload_id: event.data.uploadId, status: event.data.status };
    case 'usage.limit_near':
      return { points: event.data.points, window_seconds: event.data.windowSeconds };
    case 'webhook.test':
      return event.data;
  }
}

const LIST = { path: '/v1/webhooks', scopes: ['webhooks:write'] } as const;
const ONE = { ...LIST, path: '/v1/webhooks/{id}' } as const;

const BY_ITS_KEY = 'By the key that registered it, or one with full access that is bound to no firm.';

export const WEBHOOKS: readonly Operation[] = [
  defineOperation({
    ...LIST,
    id: 'listWebhooks',
    method: 'GET',
    summary: 'List webhooks',
    description: 'The webhooks of the account, by id; those of its advisory firm for a bound key.',
    query: ID_PAGE_QUERY,
    output: listAnswer(webhook),
    examples: [{ summary: 'All of them' }],
    answer: ({ deps, caller }, { firmId, query }) => listWebhooks(deps, caller, { firmId, page: pageOf(query) }),
  }),
  defineOperation({
    ...LIST,
    id: 'createWebhook',
    method: 'POST',
    summary: 'Register a webhook',
    description:
      'From now on events are sent to url as Standard Webhooks 1.0.0: `{ type, timestamp, data }`, signed with secret, at ' +
      'least once and in no order. data of catalog.changed has cursor: GET /v1/changes with since=cursor, the key that ' +
      'registered the webhook and the same client_id lists what changed. That of upload.finished has upload_id and ' +
      'status, that of usage.limit_near points and window_seconds of the calls of the account, most of which are used. ' +
      'Private, loopback and link-local addresses are never asked, and redirects are failures. At most ' +
      `${MAX_WEBHOOKS} of an account, and ${MAX_WEBHOOKS_OF_KEY} of a key that has no full access or is bound to a firm.`,
    replayable: true,
    body: z.strictObject({
      url: z.string().describe('https, with a host name, without user info and fragment.'),
      events: webhookEvents.default([...WEBHOOK_EVENTS]),
    }),
    output: webhookWithSecret,
    success: [201],
    refusals: ['quota_reached', 'business_rule'],
    examples: [
      {
        summary: 'All that changes',
        body: { url: 'https://receptor.example.com/tarifario', events: ['catalog.changed'] },
      },
    ],
    command: createWebhook,
    input: ({ firmId, body: { url, events } }, { cursorSecret }) => {
      assert(cursorSecret !== undefined, 'a request has a secret');
      return { firmId, url, events, cursorSecret: cursorSecret() };
    },
  }),
  defineOperation({
    ...ONE,
    id: 'getWebhook',
    method: 'GET',
    summary: 'Read a webhook',
    description: 'Without its secret.',
    output: webhook,
    examples: [{ summary: 'One', params: { id: 1 } }],
    answer: ({ deps, caller }, { path: { id }, firmId }) => getWebhook(deps, caller, { id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/secret',
    summary: 'Give a webhook a new secret',
    description: `For 24 hours events are signed with the former secret too. ${BY_ITS_KEY}`,
    replayable: true,
    output: webhookWithSecret,
    refusals: ['not_full_access'],
    examples: [{ summary: 'A new secret', params: { id: 1 } }],
    command: rotateWebhookSecret,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send a test event to a webhook',
    description:
      'Whatever events it gets, webhook.test with an empty data is queued for it, signed, sent, and sent again after ' +
      `a failure as any other. ${BY_ITS_KEY}`,
    replayable: true,
    limits: ['webhook_sends'],
    output: queuedEvent,
    success: [202],
    shownAt: DELIVERIES,
    refusals: ['not_full_access', 'business_rule'],
    examples: [{ summary: 'A test', params: { id: 1 } }],
    command: sendTestEvent,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: DELIVERIES,
    summary: 'List what was sent to a webhook',
    description:
      `The last ${KEPT_ATTEMPTS} attempts, the newest first, without their bodies. One whose sender ended before it ` +
      `was recorded is missing. ${BY_ITS_KEY}`,
    output: deliveries,
    refusals: ['not_full_access'],
    examples: [{ summary: 'One that failed', params: { id: 1 } }],
    answer: ({ deps, caller }, { path: { id }, firmId }) => listWebhookAttempts(deps, caller, { id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    summary: 'Send an event to a webhook again',
    description:
      'The event of a delivery that is still listed, with the same event_id, by which receivers know that it is the ' +
      `same; one that waits to be sent again is sent at once. ${BY_ITS_KEY}`,
    replayable: true,
    limits: ['webhook_sends'],
    output: queuedEvent,
    success: [202],
    shownAt: DELIVERIES,
    refusals: ['not_full_access', 'business_rule'],
    examples: [{ summary: 'One that failed', params: { id: 1, delivery_id: 1 } }],
    command: redeliverEvent,
    input: ({ path: { id, delivery_id }, firmId }) => ({ id, number: delivery_id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'deleteWebhook',
    method: 'DELETE',
    summary: 'Delete a webhook',
    description: `With the events that wait for it. ${BY_ITS_KEY}`,
    output: null,
    refusals: ['not_full_access'],
    success: [204],
    examples: [{ summary: 'It gets no more events', params: { id: 1 } }],
    command: deleteWebhook,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
];
