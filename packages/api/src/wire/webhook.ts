import {
  type Caller,
  type Delivery,
  DISABLED_REASONS,
  managesWebhook,
  type Secrets,
  WEBHOOK_EVENTS,
  type Webhook,
} from '@tarifario/core/service';
import { z } from 'zod';
import { webhookCursor } from '../operations/changes.ts';
import { answer, clientId, id, instant } from './answer.ts';

export const webhookEvents = z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length);

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

export const webhook = answer('Webhook', MEMBERS, toWire);

/** Only when it was made: a secret is not shown again. */
export const webhookWithSecret = answer(
  'WebhookWithSecret',
  {
    ...MEMBERS,
    url: z.string(),
    secret: z.string().describe('Signs the bodies: `whsec_` and Base64. It is not shown again.'),
  },
  (made: Webhook, caller: Caller) => ({ ...toWire(made, caller), url: made.url, secret: made.secret }),
);

/** The body of an event. */
export function webhookBody(secrets: Secrets, delivery: Delivery): string {
  const { type, createdAt: timestamp } = delivery.event;
  return JSON.stringify({ type, timestamp, data: dataOf(secrets, delivery) });
}

function dataOf(secrets: Secrets, delivery: Delivery): object {
  const { event } = delivery;
  switch (event.type) {
    case 'catalog.changed':
      return { cursor: webhookCursor(secrets, delivery, event.data.since) };
    case 'upload.finished':
      return { upload_id: event.data.uploadId, status: event.data.status };
    default:
      return { points: event.data.points, window_seconds: event.data.windowSeconds };
  }
}
