import { assert } from '../src/engine/errors.ts';
import type { Reader, Writes } from '../src/service/ports/stores.ts';
import type { Horizon, Webhook, WebhookEvent, WebhookQuery } from '../src/service/ports/webhooks.ts';
import { type MemoryState, type MemoryUnit, nextId, ownedRecord, pageOf, required } from './memory-state.ts';

export function webhookReads(state: MemoryState): Reader['webhooks'] {
  const matching = ({ accountId, firmId, keyId }: WebhookQuery) =>
    all(state)
      .filter((webhook) => webhook.accountId === accountId && (firmId === null || webhook.firmId === firmId))
      .filter((webhook) => keyId === undefined || webhook.keyId === keyId);
  return {
    list: async (query, page) => pageOf(matching(query), page),
    get: async (query, webhookId) => matching(query).find(({ id }) => id === webhookId) ?? null,
    behind: async (afterId, limit) =>
      all(state)
        .filter((webhook) => webhook.id > afterId && isBehind(state, webhook))
        .slice(0, limit),
    isDue: async (instant, horizon) => all(state).some(({ id }) => dueEvent(state, id, { instant, horizon }) !== null),
    waiting: async (webhookId) => (webhookId === null ? state.webhookEvents.size : eventsOf(state, webhookId).length),
  };
}

function all({ webhooks }: MemoryState): readonly Webhook[] {
  return [...webhooks.values()].map(({ webhook }) => webhook);
}

function eventsOf({ webhookEvents }: MemoryState, webhookId: number) {
  return [...webhookEvents.values()].filter((queued) => queued.webhookId === webhookId);
}

function isBehind(state: MemoryState, { id, accountId, disabledAt, events, ...seen }: Webhook): boolean {
  const isToldAlready = eventsOf(state, id).some(({ event }) => event.type === 'catalog.changed');
  if (disabledAt !== null || !events.includes('catalog.changed') || isToldAlready) return false;
  const { revisions } = state;
  return (revisions.get(accountId) ?? 0) > seen.ownRevision || (revisions.get('catalog') ?? 0) > seen.catalogRevision;
}

/** The event that may be sent to a webhook at an instant; `null`: there is none, or the webhook is taken. */
function dueEvent(
  state: MemoryState,
  webhookId: number,
  { instant, horizon }: { readonly instant: string; readonly horizon: Horizon | undefined },
) {
  const { leaseUntil } = required(state.webhooks.get(webhookId), 'a webhook');
  const isPast = (at: string, latest: string | undefined) => at <= instant || (latest !== undefined && at > latest);
  const due = eventsOf(state, webhookId).filter(({ dueAt, event }) => isPast(dueAt, horizon?.dueAfter[event.attempts]));
  const [first] = due.sort((a, b) => (a.dueAt === b.dueAt ? a.event.id - b.event.id : a.dueAt < b.dueAt ? -1 : 1));
  return isPast(leaseUntil, horizon?.lease) && first ? first.event : null;
}

function addEvent(
  { state, context: { at, traceparent = null } }: MemoryUnit,
  webhookId: number,
  event: WebhookEvent,
): void {
  const id = nextId(state, 'webhookEvent');
  const queued = { ...event, id, createdAt: at, traceparent, attempts: 0 };
  state.webhookEvents.set(id, { webhookId, event: queued, dueAt: at });
}

function dropEvents(state: MemoryState, webhookId: number): void {
  for (const { event } of eventsOf(state, webhookId)) state.webhookEvents.delete(event.id);
}

export function webhookWrites(unit: MemoryUnit): Writes['webhooks'] {
  const { state, context } = unit;
  const ofAccount = (accountId: number, webhookId: number) => {
    const stored = required(state.webhooks.get(webhookId), 'a webhook that is changed');
    assert(stored.webhook.accountId === accountId, 'a webhook of the account is changed');
    return stored;
  };
  const change = (webhookId: number, changes: Partial<Webhook>): Webhook => {
    const { webhook, leaseUntil } = required(state.webhooks.get(webhookId), 'a webhook');
    const changed = { ...webhook, ...changes };
    state.webhooks.set(webhookId, { webhook: changed, leaseUntil });
    return changed;
  };
  return {
    insert: async (accountId, terms) => {
      const keyId = required(context.keyId, 'a key registers a webhook');
      required(state.keys.get(keyId), 'a webhook has a key');
      if (terms.firmId !== null) required(ownedRecord(state.firms, accountId, terms.firmId), 'a firm of the account');
      const { at: createdAt } = context;
      const none = { formerSecret: null, formerUntil: null, disabledAt: null, disabledReason: null };
      const webhook: Webhook = { ...terms, id: nextId(state, 'webhook'), accountId, keyId, ...none, createdAt };
      state.webhooks.set(webhook.id, { webhook, leaseUntil: createdAt });
      return webhook;
    },
    rotate: async (accountId, webhookId, { secret, formerUntil }) => {
      const { webhook } = ofAccount(accountId, webhookId);
      return change(webhookId, { secret, formerSecret: webhook.secret, formerUntil });
    },
    delete: async (accountId, webhookId) => {
      ofAccount(accountId, webhookId);
      dropEvents(state, webhookId);
      state.webhooks.delete(webhookId);
    },
    disable: async (webhookId, disabledReason) => {
      if (state.webhooks.get(webhookId)?.webhook.disabledAt !== null) return false;
      change(webhookId, { disabledAt: context.at, disabledReason });
      dropEvents(state, webhookId);
      return true;
    },
    queue: async (accountId, event, firmId) => {
      for (const webhook of all(state)) {
        const isAbout = firmId === 'any' || webhook.firmId === null || webhook.firmId === firmId;
        const hears = webhook.disabledAt === null && webhook.events.includes(event.type);
        if (webhook.accountId === accountId && isAbout && hears) addEvent(unit, webhook.id, event);
      }
    },
    moveOn: async ({ id, ownRevision, catalogRevision }, told, event) => {
      const now = state.webhooks.get(id)?.webhook;
      const isSame = now?.ownRevision === ownRevision && now.catalogRevision === catalogRevision;
      if (!isSame || now.disabledAt !== null) return false;
      change(id, told);
      if (event) addEvent(unit, id, event);
      return true;
    },
    claim: async (leaseUntil, limit, horizon) => {
      const now = { instant: context.at, horizon };
      const due = [...state.webhooks.values()]
        .filter(({ webhook }) => dueEvent(state, webhook.id, now) !== null)
        .sort((a, b) =>
          a.leaseUntil === b.leaseUntil ? a.webhook.id - b.webhook.id : a.leaseUntil < b.leaseUntil ? -1 : 1,
        );
      return due.slice(0, limit).map(({ webhook }) => {
        const event = required(dueEvent(state, webhook.id, now), 'a due event');
        state.webhooks.set(webhook.id, { webhook, leaseUntil });
        return { webhook, event, leaseUntil };
      });
    },
    settle: async ({ webhook: { id }, event, leaseUntil }, retryAt, servedAt = context.at) => {
      const stored = state.webhooks.get(id);
      if (stored?.leaseUntil !== leaseUntil) return false;
      state.webhooks.set(id, { ...stored, leaseUntil: servedAt });
      const attempts = event.attempts + 1;
      if (retryAt === null) state.webhookEvents.delete(event.id);
      else state.webhookEvents.set(event.id, { webhookId: id, event: { ...event, attempts }, dueAt: retryAt });
      return true;
    },
  };
}
