import { randomInt } from 'node:crypto';
import type {
  ClaimedWebhook,
  Horizon,
  QueuedEvent,
  Reader,
  SendAttempt,
  Webhook,
  WebhookEvent,
  WebhookQuery,
  Writes,
} from '@tarifario/core/service';
import { assert, KEPT_ATTEMPTS } from '@tarifario/core/service';
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { pageById } from './pages.ts';
import { KEPT_ATTEMPT, QUEUED_EVENT, WEBHOOK } from './rows.ts';
import type { Schema } from './schema.ts';
import { ownerIdOf, type UnitOfWork } from './unit-of-work.ts';

export function webhookReads(session: Session): Reader['webhooks'] {
  return {
    list: (query, page) => pageById(matching(session, query).select(WEBHOOK.columns), page, WEBHOOK.read),
    get: async (query, webhookId) => {
      const row = await matching(session, query).selectAll().where('id', '=', webhookId).executeTakeFirst();
      return row ? WEBHOOK.read(row) : null;
    },
    behind: (afterId, limit) => webhooksBehind(session, afterId, limit),
    isDue: async (instant, horizon) =>
      (await dueWebhooks(session, { instant, horizon }).limit(1).executeTakeFirst()) !== undefined,
    waiting: async (webhookId) => {
      const events = session.db.selectFrom('webhook_events').select(({ fn }) => fn.countAll<number>().as('count'));
      const those = events.$if(webhookId !== null, (query) => query.where('webhook_id', '=', webhookId));
      return (await those.executeTakeFirstOrThrow()).count;
    },
    attempts: async (webhookId) => {
      const kept = session.db.selectFrom('webhook_attempts').select(KEPT_ATTEMPT.columns);
      return (await kept.where('webhook_id', '=', webhookId).orderBy('number', 'desc').execute()).map(
        KEPT_ATTEMPT.read,
      );
    },
  };
}

function matching({ db }: Session, { accountId, firmId, keyId }: WebhookQuery) {
  return db
    .selectFrom('webhooks')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId ?? 0));
}

async function webhooksBehind({ db }: Session, afterId: number, limit: number): Promise<readonly Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .leftJoin('revisions as own', 'own.owner_id', 'webhooks.account_id')
    .leftJoin('revisions as catalog', (join) => join.on('catalog.owner_id', '=', ownerIdOf('catalog')))
    .where('webhooks.id', '>', afterId)
    .where('disabled_at', 'is', null)
    .where('events', 'like', '%"catalog.changed"%')
    .where(({ or, eb, ref }) =>
      or([
        eb('own.revision', '>', ref('webhooks.own_revision')),
        eb('catalog.revision', '>', ref('webhooks.catalog_revision')),
      ]),
    )
    .where(({ not, exists, selectFrom }) => {
      const queued = selectFrom('webhook_events').select('webhook_events.id').where('type', '=', 'catalog.changed');
      return not(exists(queued.whereRef('webhook_id', '=', 'webhooks.id')));
    })
    .orderBy('webhooks.id')
    .limit(limit)
    .execute();
  return rows.map(WEBHOOK.read);
}

/** A moment at which something is looked for that is due. */
interface Now {
  readonly instant: string;
  readonly horizon: Horizon | undefined;
}

/** Webhooks that may be served. Those that are disabled have no events. */
function dueWebhooks({ db }: Session, now: Now) {
  const { instant, horizon } = now;
  return db
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where(({ eb, or }) =>
      or([eb('lease_until', '<=', instant), ...(horizon ? [eb('lease_until', '>', horizon.lease)] : [])]),
    )
    .where(({ exists, selectFrom }) => {
      const due = selectFrom('webhook_events')
        .select('webhook_events.id')
        .where((eb) => isDue(eb, now));
      return exists(due.whereRef('webhook_id', '=', 'webhooks.id'));
    });
}

function isDue(eb: ExpressionBuilder<Schema, 'webhook_events'>, { instant, horizon }: Now) {
  const isTooFar = (horizon?.dueAfter ?? []).map((latest, attempts) =>
    eb.and([eb('webhook_events.attempts', '=', attempts), eb('due_at', '>', latest)]),
  );
  return eb.or([eb('due_at', '<=', instant), ...isTooFar]);
}

export function webhookWrites(unit: UnitOfWork): Writes['webhooks'] {
  const { db, context } = unit;
  return {
    insert: async (accountId, terms) => {
      assert(context.keyId !== null, 'a key registers a webhook');
      const { at: createdAt, keyId } = context;
      const none = { formerSecret: null, formerUntil: null, disabledAt: null, disabledReason: null };
      const webhook = { ...terms, accountId, keyId, ...none, createdAt };
      const row = { ...WEBHOOK.write(webhook), lease_until: await dueNow(unit) };
      const { id } = await db.insertInto('webhooks').values(row).returning('id').executeTakeFirstOrThrow();
      return { ...webhook, id };
    },
    rotate: async (accountId, webhookId, { secret, formerUntil }) => {
      const rotated = db
        .updateTable('webhooks')
        .set(({ ref }) => ({ secret, former_secret: ref('secret'), former_until: formerUntil }))
        .where('account_id', '=', accountId)
        .where('id', '=', webhookId);
      return WEBHOOK.read(await rotated.returningAll().executeTakeFirstOrThrow());
    },
    delete: async (accountId, webhookId) => {
      const deleted = db.deleteFrom('webhooks').where('account_id', '=', accountId).where('id', '=', webhookId);
      await deleted.returning('id').executeTakeFirstOrThrow();
    },
    disable: async (webhookId, disabledReason) => {
      const change = WEBHOOK.write({ disabledAt: context.at, disabledReason });
      const enabled = db.updateTable('webhooks').set(change).where('id', '=', webhookId);
      const row = await enabled.where('disabled_at', 'is', null).returning('id').executeTakeFirst();
      if (row) await db.deleteFrom('webhook_events').where('webhook_id', '=', webhookId).execute();
      return row !== undefined;
    },
    queueFor: async (accountId, webhookId, event) => {
      if (!(await lockEnabled(unit, accountId, webhookId))) return null;
      const [queued] = await insertEvents(unit, [webhookId], event);
      return queued ?? null;
    },
    queueAgain: async (accountId, webhookId, number) =>
      (await lockEnabled(unit, accountId, webhookId)) ? queueAgain(unit, webhookId, number) : null,
    queue: (accountId, event, firmId) => queueEvent(unit, { accountId, event, firmId }),
    moveOn: async ({ id, ownRevision, catalogRevision }, told, event) => {
      const moved = db
        .updateTable('webhooks')
        .set(WEBHOOK.write(told))
        .where('id', '=', id)
        .where('own_revision', '=', ownRevision)
        .where('catalog_revision', '=', catalogRevision)
        .where('disabled_at', 'is', null);
      const row = await moved.returning('id').executeTakeFirst();
      if (row && event) await insertEvents(unit, [id], event);
      return row !== undefined;
    },
    claim: (leaseUntil, limit, horizon) => claimWebhooks(unit, leaseUntil, { limit, horizon }),
    settle: (claimed, retryAt, servedAt = context.at) => settleEvent(unit, claimed, { retryAt, servedAt }),
    keepAttempt: (webhookId, event, attempt) => keepAttempt(unit, webhookId, { event, attempt }),
  };
}

/** On PostgreSQL it is locked, so that it is not disabled before its event is there. */
async function lockEnabled(unit: UnitOfWork, accountId: number, webhookId: number): Promise<boolean> {
  const enabled = matching(unit, { accountId, firmId: null })
    .select('id')
    .where('id', '=', webhookId)
    .where('disabled_at', 'is', null)
    .$if(unit.dialect.locksRows, (query) => query.forNoKeyUpdate());
  return (await enabled.executeTakeFirst()) !== undefined;
}

/** On PostgreSQL the webhooks are locked, so that none is deleted before its event refers to it. */
async function queueEvent(
  unit: UnitOfWork,
  {
    accountId,
    event,
    firmId,
  }: { readonly accountId: number; readonly event: WebhookEvent; readonly firmId: number | null | 'any' },
): Promise<void> {
  const hearing = await matching(unit, { accountId, firmId: null })
    .select(['id', 'firm_id'])
    .where('disabled_at', 'is', null)
    .where('events', 'like', `%"${event.type}"%`)
    .orderBy('id')
    .$if(unit.dialect.locksRows, (query) => query.forKeyShare())
    .execute();
  const told = hearing.filter(({ firm_id }) => firmId === 'any' || firm_id === null || firm_id === firmId);
  await insertEvents(
    unit,
    told.map(({ id }) => id),
    event,
  );
}

/** At once, by the clock that `claim` follows: that of this process may be ahead. */
async function dueNow({ db, dialect, context: { at } }: UnitOfWork): Promise<string> {
  const now = await dialect.instant(db, at);
  return now < at ? now : at;
}

/**
 * Receivers see the id of an event. A counted one would tell a key without commissions that an event was queued for
 * another webhook, as after a change of commissions alone.
 */
const EVENT_IDS = 2 ** 48 - 1;

async function insertEvents(
  unit: UnitOfWork,
  webhookIds: readonly number[],
  { type, data }: WebhookEvent,
): Promise<readonly QueuedEvent[]> {
  if (webhookIds.length === 0) return [];
  const { db, context } = unit;
  const { at, traceparent = null } = context;
  const due = await dueNow(unit);
  const row = { type, data: JSON.stringify(data), created_at: at, due_at: due, traceparent, attempts: 0 };
  const rows = webhookIds.map((webhook_id) => ({ ...row, webhook_id, id: randomInt(1, EVENT_IDS) }));
  const inserted = db.insertInto('webhook_events').values(rows);
  return (await inserted.returningAll().execute()).map(QUEUED_EVENT.read);
}

/** On PostgreSQL the rows are locked, and rows locked by others are skipped. */
async function claimWebhooks(
  unit: UnitOfWork,
  leaseUntil: string,
  { limit, horizon }: { readonly limit: number; readonly horizon: Horizon | undefined },
): Promise<readonly ClaimedWebhook[]> {
  const { db, context, dialect } = unit;
  const now = { instant: context.at, horizon };
  const due = await dueWebhooks(unit, now)
    .selectAll('webhooks')
    .orderBy('lease_until')
    .orderBy('webhooks.id')
    .limit(limit)
    .$if(dialect.locksRows, (query) => query.forUpdate('webhooks').skipLocked())
    .execute();
  const claimed: ClaimedWebhook[] = [];
  for (const row of due) {
    const events = db.selectFrom('webhook_events').selectAll().where('webhook_id', '=', row.id);
    const first = events
      .where((eb) => isDue(eb, now))
      .orderBy('due_at')
      .orderBy('id')
      .limit(1);
    const event = await first.executeTakeFirst();
    if (event) {
      const [webhook, dueAt] = [WEBHOOK.read(row), event.due_at];
      claimed.push({ webhook, event: QUEUED_EVENT.read(event), dueAt, leaseUntil });
    }
  }
  if (claimed.length > 0) {
    const ids = claimed.map(({ webhook }) => webhook.id);
    const leased = db.updateTable('webhooks').set({ lease_until: leaseUntil });
    await leased.where((eb) => dialect.isAnyOf(eb.ref('id'), ids)).execute();
  }
  return claimed;
}

async function settleEvent(
  { db }: UnitOfWork,
  { webhook, event, dueAt, leaseUntil }: ClaimedWebhook,
  { retryAt, servedAt }: { readonly retryAt: string | null; readonly servedAt: string },
): Promise<boolean> {
  const leased = db.updateTable('webhooks').set({ lease_until: servedAt }).where('id', '=', webhook.id);
  const row = await leased.where('lease_until', '=', leaseUntil).returning('id').executeTakeFirst();
  if (!row) return false;
  // It is due at another time where it was queued again meanwhile.
  const isSame = expressionBuilder<Schema, 'webhook_events'>().and({ id: event.id, due_at: dueAt });
  if (retryAt === null) await db.deleteFrom('webhook_events').where(isSame).execute();
  else
    await db
      .updateTable('webhook_events')
      .set({ due_at: retryAt, attempts: event.attempts + 1 })
      .where(isSame)
      .execute();
  return true;
}

/** One statement: the number decides the place, and with it which attempt goes. The row of the webhook is locked. */
async function keepAttempt(
  { db }: UnitOfWork,
  webhookId: number,
  { event, attempt }: { readonly event: QueuedEvent; readonly attempt: SendAttempt },
): Promise<void> {
  const { id: eventId, attempts: _times, ...told } = event;
  const { number: _number, ...row } = KEPT_ATTEMPT.write({ number: 0, eventId, ...told, ...attempt });
  const names = Object.keys(row) as (keyof typeof row)[];
  await db
    .insertInto('webhook_attempts')
    .columns(['webhook_id', 'place', 'number', ...names])
    .expression(({ selectFrom, val }) => {
      const next = sql<number>`coalesce(max(number), 0) + 1`;
      const values = names.map((name) => val(row[name]).as(name));
      const place = sql<number>`(${next}) % ${sql.lit(KEPT_ATTEMPTS)}`;
      return selectFrom('webhook_attempts')
        .select([val(webhookId).as('webhook_id'), place.as('place'), next.as('number'), ...values])
        .where('webhook_id', '=', webhookId);
    })
    .onConflict((conflict) =>
      conflict
        .columns(['webhook_id', 'place'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(['number' as const, ...names].map((name) => [name, ref(`excluded.${name}`)])),
        ),
    )
    .execute();
}

async function queueAgain(unit: UnitOfWork, webhookId: number, number: number): Promise<QueuedEvent | null> {
  const due = await dueNow(unit);
  const row = await unit.db
    .insertInto('webhook_events')
    .columns(['id', 'webhook_id', 'type', 'data', 'created_at', 'traceparent', 'due_at', 'attempts'])
    .expression(({ selectFrom, val }) =>
      selectFrom('webhook_attempts')
        .select(['event_id as id', 'webhook_id', 'type', 'data', 'created_at', 'traceparent'])
        .select([val(due).as('due_at'), sql.lit(0).as('attempts')])
        .where('webhook_id', '=', webhookId)
        .where('number', '=', number),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        due_at: ref('excluded.due_at'),
        attempts: ref('excluded.attempts'),
      })),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? QUEUED_EVENT.read(row) : null;
}
