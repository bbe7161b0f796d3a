import {
  assert,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  MAX_WEBHOOKS_OF_KEY,
  rotateWebhookSecret,
  taskOf,
  WEBHOOK_EVENTS,
} from '@tarifario/core/service';
import { z } from 'zod';
import { ID_PAGE_QUERY, listAnswer, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { webhook, webhookEvents, webhookWithSecret } from '../wire/webhook.ts';

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
    write: ({ firmId, body: { url, events } }, { cursorSecret }) => {
      assert(cursorSecret !== undefined, 'a request has a secret');
      return taskOf(createWebhook, { firmId, url, events, cursorSecret: cursorSecret() });
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
    write: ({ path: { id }, firmId }) => taskOf(rotateWebhookSecret, { id, firmId }),
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
    write: ({ path: { id }, firmId }) => taskOf(deleteWebhook, { id, firmId }),
  }),
];
