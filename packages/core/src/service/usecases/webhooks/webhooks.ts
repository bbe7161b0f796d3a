import { secondsAfter } from '../../../engine/calendar.ts';
import { DomainError, type Issue, refuseIfAny } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { checkUrl } from '../../../engine/text.ts';
import type { Caller } from '../../access/caller.ts';
import { mayChangeAccount } from '../../access/permit.ts';
import type { Page, PageOf } from '../../ports/lists.ts';
import type { Reader } from '../../ports/stores.ts';
import type { ChangesTold, KeptAttempt, QueuedEvent, Webhook, WebhookEventType } from '../../ports/webhooks.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, notFound, type RecordChoice, readFor, resolveFirmId } from '../requests/record-access.ts';
import { changesFor } from './changes.ts';

/** How many webhooks an account may have, disabled ones included. */
export const MAX_WEBHOOKS = 5;
/** How many of them a key may have that may not change the account. */
export const MAX_WEBHOOKS_OF_KEY = 2;
/** How long the former secret signs beside a new one. */
const ROTATION_SECONDS = 24 * 3600;

interface NewWebhook extends FirmChoice {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly cursorSecret: string;
}

interface WithSecret {
  readonly secret: string;
}

/**
 * Registers a webhook, with the rights of the key that does. It is told of what changes from now on.
 *
 * @throws DomainError `foreign_firm`, `quota_reached`, `business_rule` for an address that is not one of a host name.
 * @see docs/assumptions.md, A-122
 */
export const createWebhook: Command<
  NewWebhook,
  Webhook,
  number | null,
  NewWebhook & WithSecret & Pick<Deps, 'takesLocalReceivers'>
> = {
  before: async ({ secrets, takesLocalReceivers = false }, _caller, input) => {
    return { ...input, takesLocalReceivers, secret: secrets.newWebhookSecret() };
  },
  async find(writer, caller, { firmId }) {
    const narrowed = await resolveFirmId(writer, caller, firmId);
    await refuseTooMany(writer, caller);
    return narrowed;
  },
  async run(writer, caller, { url, events, secret, cursorSecret, takesLocalReceivers = false }, firmId) {
    if (!takesLocalReceivers || !isLocalReceiver(url)) refuseIfAny(hostIssues(url));
    const told = await changesTold(writer, caller, firmId);
    const terms = { firmId, url, events: [...new Set(events)], secret, cursorSecret };
    return writer.webhooks.insert(caller.accountId, { ...terms, ...told });
  },
};

async function refuseTooMany(reader: Reader, caller: Caller): Promise<void> {
  const countOf = async (which: { readonly keyId?: number }) => {
    const query = { accountId: caller.accountId, firmId: null, ...which };
    return (await reader.webhooks.list(query, { limit: 1, offset: 0 })).total;
  };
  const count = await countOf({});
  if (count >= MAX_WEBHOOKS) {
    throw new DomainError('quota_reached', {
      message: say('the account has {count} webhooks: delete one first', { count }),
    });
  }
  const own = mayChangeAccount(caller) ? 0 : await countOf({ keyId: caller.keyId });
  if (own >= MAX_WEBHOOKS_OF_KEY) {
    throw new DomainError('quota_reached', {
      message: say('the key has {count} webhooks: delete one first', { count: own }),
    });
  }
}

/**
 * Whether a caller may change a webhook, and see its address, which may have a secret of its receiver: the key that
 * registered it, and one that may change the account.
 *
 * @see docs/assumptions.md, A-122
 */
export function managesWebhook(caller: Caller, { keyId }: Pick<Webhook, 'keyId'>): boolean {
  return keyId === caller.keyId || mayChangeAccount(caller);
}

/** A name with a dot, whose last label no program takes for a number, also without letters that are not shown; nothing after `#`. */
const NAMED_HOST = /^https:\/\/[^/:?#]+\.(?!\p{Default_Ignorable_Code_Point})\p{L}[^/:?#.]*(?::\d+)?(?:[/?][^#]*)?$/iu;

/** `localhost` and what ends with it is always this machine (RFC 6761). */
const LOCAL_HOST = /^https?:\/\/(?:[^/:?#]+\.)?localhost(?::\d+)?(?:[/?][^#]*)?$/i;

/** Whether an address names a program of the machine that sends events, with TLS or without. */
function isLocalReceiver(url: string): boolean {
  return LOCAL_HOST.test(url) && checkUrl('url', url.replace(/^http:/i, 'https:')).length === 0;
}

/** What the name resolves to is checked whenever an event is sent. */
function hostIssues(url: string): readonly Issue[] {
  const issues = checkUrl('url', url);
  if (issues.length > 0 || NAMED_HOST.test(url)) return issues;
  return [{ path: 'url', message: 'must have a host name such as example.com, and no fragment' }];
}

/** How far there are changes that a caller may list. */
export async function changesTold(reader: Reader, caller: Caller, firmId: number | null): Promise<ChangesTold> {
  const { own, catalog } = await reader.changes.revisions(caller.accountId);
  const { next } = await changesFor(reader, caller, { firmId, since: null, limit: 1 });
  return { cursor: next, ownRevision: own, catalogRevision: catalog };
}

/** The webhooks of the account; for a bound key those of its firm. @throws DomainError `foreign_firm`. */
export async function listWebhooks(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { firmId: requestedFirmId, page }: FirmChoice & { readonly page: Page },
): Promise<PageOf<Webhook>> {
  return readFor(deps, { caller, firmId: requestedFirmId }, (reader, firmId) =>
    reader.webhooks.list({ accountId: caller.accountId, firmId }, page),
  );
}

/** @throws DomainError `foreign_firm`, `not_found`. */
export async function getWebhook(deps: Pick<Deps, 'store'>, caller: Caller, input: RecordChoice): Promise<Webhook> {
  return deps.store.read((reader) => visibleWebhook(reader, caller, input));
}

async function visibleWebhook(reader: Reader, caller: Caller, { id, ...choice }: RecordChoice): Promise<Webhook> {
  const firmId = await resolveFirmId(reader, caller, choice.firmId);
  const webhook = await reader.webhooks.get({ accountId: caller.accountId, firmId }, id);
  if (!webhook) throw notFound('no such webhook');
  return webhook;
}

async function managedWebhook(reader: Reader, caller: Caller, input: RecordChoice): Promise<Webhook> {
  const webhook = await visibleWebhook(reader, caller, input);
  if (managesWebhook(caller, webhook)) return webhook;
  throw new DomainError('not_full_access', {
    message: 'this needs the key that registered the webhook, or one with full access that is bound to no firm',
  });
}

/**
 * What was sent to a webhook lately, the newest first. When it was told of changes may follow from commissions that
 * its key sees, so no other key reads it.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `not_full_access`.
 */
export async function listWebhookAttempts(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  input: RecordChoice,
): Promise<readonly KeptAttempt[]> {
  return deps.store.read(async (reader) => {
    const { id } = await managedWebhook(reader, caller, input);
    return reader.webhooks.attempts(id);
  });
}

async function enabledWebhook(reader: Reader, caller: Caller, input: RecordChoice): Promise<Webhook> {
  const webhook = await managedWebhook(reader, caller, input);
  if (webhook.disabledAt !== null) throw disabled();
  return webhook;
}

function disabled(): DomainError {
  return new DomainError('business_rule', { message: 'the webhook is disabled: register it again' });
}

/**
 * Queues an event that tells nothing, which is sent, and sent again, as any other.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `not_full_access`, `business_rule` where it is disabled.
 */
export const sendTestEvent: Command<RecordChoice, QueuedEvent, Webhook> = {
  find: enabledWebhook,
  async run(writer, { accountId }, { id }) {
    const event = await writer.webhooks.queueFor(accountId, id, { type: 'webhook.test', data: {} });
    // A sender may have disabled it since it was read.
    if (event === null) throw disabled();
    return event;
  },
};

/**
 * Queues the event of an attempt again, with the id by which its receiver knows it.
 *
 * @throws DomainError `foreign_firm`, `not_found`, also where the attempt is gone, `not_full_access`, `business_rule`
 *   where the webhook is disabled.
 */
export const redeliverEvent: Command<RecordChoice & { readonly number: number }, QueuedEvent, Webhook> = {
  async find(writer, caller, { number, ...choice }) {
    const webhook = await managedWebhook(writer, caller, choice);
    const attempts = await writer.webhooks.attempts(webhook.id);
    if (!attempts.some((attempt) => attempt.number === number)) throw notFound('no such delivery', 'delivery_id');
    if (webhook.disabledAt !== null) throw disabled();
    return webhook;
  },
  async run(writer, { accountId }, { id, number }) {
    const event = await writer.webhooks.queueAgain(accountId, id, number);
    if (event === null) throw disabled();
    return event;
  },
};

/**
 * Deletes a webhook with the events that wait for it.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `not_full_access`.
 */
export const deleteWebhook: Command<RecordChoice, void, Webhook> = {
  find: managedWebhook,
  run: (writer, { accountId }, { id }) => writer.webhooks.delete(accountId, id),
};

/**
 * Gives a webhook a new secret. The former one signs too for a day; one before that no more.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `not_full_access`.
 */
export const rotateWebhookSecret: Command<
  RecordChoice,
  Webhook,
  Webhook,
  RecordChoice & WithSecret & { readonly formerUntil: string }
> = {
  before: async ({ secrets }, _caller, input, at) => {
    return { ...input, secret: secrets.newWebhookSecret(), formerUntil: secondsAfter(at, ROTATION_SECONDS) };
  },
  find: managedWebhook,
  run: (writer, { accountId }, { id, secret, formerUntil }) =>
    writer.webhooks.rotate(accountId, id, { secret, formerUntil }),
};
