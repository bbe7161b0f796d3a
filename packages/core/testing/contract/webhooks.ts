import type { KeyTerms } from '../../src/service/ports/records.ts';
import type { Store, Writer } from '../../src/service/ports/stores.ts';
import type {
  ClaimedWebhook,
  Horizon,
  SendAttempt,
  Webhook,
  WebhookEvent,
  WebhookTerms,
} from '../../src/service/ports/webhooks.ts';
import { type CaseOn, equal, fails, holds, present } from './assertions.ts';
import { at, EVERYTHING, moment, newCatalogCompany, newTenant, type Tenant } from './world.ts';

const BEGINNING = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };
const TERMS: WebhookTerms = {
  ...{ firmId: null, url: 'https://example.com/a', events: ['catalog.changed', 'upload.finished'] },
  ...{ secret: 'whsec_a', cursorSecret: 'b', cursor: { own: BEGINNING, catalog: BEGINNING } },
  ...{ ownRevision: 0, catalogRevision: 0 },
};
const FINISHED: WebhookEvent = { type: 'upload.finished', data: { uploadId: 1, status: 'completed' } };
const CHANGED: WebhookEvent = { type: 'catalog.changed', data: { since: TERMS.cursor } };

let keys = 0;

async function newKey(store: Store, accountId: number): Promise<number> {
  keys += 1;
  const secretHash = keys.toString(16).padStart(64, '0');
  const terms: KeyTerms = {
    accountId,
    secretHash,
    ...{ firmId: null, name: null, prefix: 'tfk_a', fullAccess: true, scopes: [] },
  };
  return (await store.write(at(0), (writer) => writer.keys.insert(terms))).id;
}

interface Listener {
  readonly tenant: Tenant;
  readonly accountId: number;
  insert(n: number, changes?: Partial<WebhookTerms>): Promise<Webhook>;
}

async function newListener(store: Store): Promise<Listener> {
  const tenant = await newTenant(store);
  const accountId = tenant.account.id;
  const keyId = await newKey(store, accountId);
  return {
    tenant,
    accountId,
    insert: (n, changes) =>
      store.write(at(n, keyId), (writer) => writer.webhooks.insert(accountId, { ...TERMS, ...changes })),
  };
}

const listOf = (store: Store, accountId: number, firmId: number | null = null) =>
  store.read((reader) => reader.webhooks.list({ accountId, firmId }, EVERYTHING));
const queue = (store: Store, accountId: number, n: number, firmId: number | null | 'any' = null) =>
  store.write({ ...at(n), concerns: [] }, (writer) => writer.webhooks.queue(accountId, FINISHED, firmId));
const claim = (store: Store, n: number, limit = 10) =>
  store.write({ ...at(n), concerns: [] }, (writer) => writer.webhooks.claim(moment(n + 60), limit));
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const waiting = (store: Store, id: number | null = null) => store.read((reader) => reader.webhooks.waiting(id));
const isDue = (store: Store, n: number) => store.read((reader) => reader.webhooks.isDue(moment(n)));
const idsOf = (webhooks: readonly { readonly webhook: Webhook }[]) => webhooks.map(({ webhook }) => webhook.id);

/** Webhooks and the events that are queued for them. */
export const webhookCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-122: a webhook belongs to its account and firm, and has a new secret beside the former one',
    run: async (store) => {
      const [mine, theirs] = [await newListener(store), await newListener(store)];
      const { accountId } = mine;
      const firmId = mine.tenant.firm.id;
      const one = await mine.insert(2);
      const ofFirm = await mine.insert(3, { firmId, events: ['usage.limit_near'] });
      equal((await listOf(store, accountId)).results, [one, ofFirm], 'all of the account');
      equal((await listOf(store, accountId, firmId)).results, [ofFirm], 'those of the firm');
      equal((await listOf(store, theirs.accountId)).total, 0, 'none of another account');
      const ofKey = (keyId: number) =>
        store.read((reader) => reader.webhooks.list({ accountId, firmId: null, keyId }, EVERYTHING));
      equal((await ofKey(one.keyId)).results, [one, ofFirm], 'those of the key');
      equal((await ofKey(await newKey(store, accountId))).total, 0, 'none of another key');
      const query = { accountId: theirs.accountId, firmId: null };
      equal(await store.read((reader) => reader.webhooks.get(query, one.id)), null, 'a foreign one');
      const next = { secret: 'whsec_b', formerUntil: moment(90) };
      const rotated = await store.write(at(4), (writer) => writer.webhooks.rotate(accountId, one.id, next));
      equal(rotated, { ...one, ...next, formerSecret: one.secret }, 'rotated');
      equal(await store.read((reader) => reader.webhooks.get({ accountId, firmId: null }, one.id)), rotated, 'kept');
      await fails(mine.insert(5, { firmId: theirs.tenant.firm.id }), 'a foreign firm');
      await fails(
        store.write(at(5), (writer) => writer.webhooks.rotate(theirs.accountId, one.id, next)),
        'another account rotates',
      );
      await fails(
        store.write(at(5), (writer) => writer.webhooks.delete(theirs.accountId, one.id)),
        'another account deletes',
      );
      await queue(store, accountId, 6);
      equal(await waiting(store), 1, 'an event waits');
      await store.write(at(7), (writer) => writer.webhooks.delete(accountId, one.id));
      equal((await listOf(store, accountId)).results, [ofFirm], 'deleted');
      equal([await isDue(store, 8), await waiting(store)], [false, 0], 'its events too');
      equal((await store.read((reader) => reader.changes.revisions(accountId))).own, 1, 'no revision');
    },
  },
  {
    name: 'A-123: an event is queued for the enabled webhooks of the account and firm that want to hear of it',
    run: async (store) => {
      const [mine, theirs] = [await newListener(store), await newListener(store)];
      const { accountId, tenant } = mine;
      const whole = await mine.insert(2);
      const ofFirm = await mine.insert(3, { firmId: tenant.firm.id });
      await mine.insert(4, { events: ['catalog.changed'] });
      const disabled = await mine.insert(5);
      await theirs.insert(6);
      await store.write(at(7), (writer) => writer.webhooks.disable(disabled.id, 'gone'));
      equal(await isDue(store, 50), false, 'nothing is queued');
      await store.write({ ...at(8), traceparent: TRACE, concerns: [] }, (writer) =>
        writer.webhooks.queue(accountId, FINISHED, null),
      );
      equal(await isDue(store, 7), false, 'not yet due');
      equal(await isDue(store, 8), true, 'due at once');
      const [first] = await claim(store, 8);
      const event = {
        ...FINISHED,
        id: present(first, 'an event').event.id,
        createdAt: moment(8),
        traceparent: TRACE,
        attempts: 0,
      };
      equal(first, { webhook: whole, event, dueAt: moment(8), leaseUntil: moment(68) }, 'what is sent');
      for (const firmId of [tenant.firm.id, 'any'] as const) await queue(store, accountId, 9, firmId);
      equal(idsOf(await claim(store, 9)), [ofFirm.id], 'that of the firm, the other one is taken');
      const counts = await Promise.all([whole.id, ofFirm.id, disabled.id].map((id) => waiting(store, id)));
      equal([await waiting(store), ...counts], [5, 3, 2, 0], 'also those that were taken');
    },
  },
  {
    name: 'A-123: an event for one webhook is queued for no other, and for none that is disabled or foreign',
    run: async (store) => {
      const [mine, theirs] = [await newListener(store), await newListener(store)];
      const { accountId } = mine;
      const [one, other] = [await mine.insert(2, { events: ['usage.limit_near'] }), await mine.insert(3)];
      const test: WebhookEvent = { type: 'webhook.test', data: {} };
      const queueFor = (owner: number, { id }: Webhook) =>
        store.write({ ...at(4), traceparent: TRACE }, (writer) => writer.webhooks.queueFor(owner, id, test));
      const queued = present(await queueFor(accountId, one), 'an event');
      equal(
        queued,
        { ...test, id: queued.id, createdAt: moment(4), traceparent: TRACE, attempts: 0 },
        'what is queued',
      );
      equal(await queueFor(theirs.accountId, one), null, 'of another account');
      await store.write(at(5), (writer) => writer.webhooks.disable(other.id, 'gone'));
      equal(await queueFor(accountId, other), null, 'a disabled one');
      equal(await waiting(store), 1, 'one waits');
      equal(
        await claim(store, 6),
        [{ webhook: one, event: queued, dueAt: moment(4), leaseUntil: moment(66) }],
        'due at once',
      );
    },
  },
  {
    name: 'A-122: ids of events do not tell how many were queued for others, as of changes of commissions',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      const [one] = [await insert(2), await insert(3)];
      const test: WebhookEvent = { type: 'webhook.test', data: {} };
      const queueFor = () =>
        store.write(at(4), async (writer) => present(await writer.webhooks.queueFor(accountId, one.id, test), 'event'));
      const [first, second] = [await queueFor(), await queueFor()];
      await queue(store, accountId, 5);
      const third = await queueFor();
      const gaps = [second.id - first.id, third.id - second.id];
      holds(
        gaps.every((gap) => Math.abs(gap) > 1000),
        `ids are random: ${gaps}`,
      );
    },
  },
  {
    name: 'A-123: the last 20 attempts of each webhook are kept, the newest first, and go with it',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      const [one, other] = [await insert(2), await insert(3)];
      await queue(store, accountId, 4);
      const claimed = await claim(store, 5);
      const eventOf = ({ id }: Webhook) =>
        present(
          claimed.find(({ webhook }) => webhook.id === id),
          'event',
        ).event;
      const attempt = (n: number): SendAttempt => ({
        ...{ sentAt: moment(n), durationMs: n },
        ...(n % 2 ? { status: null, failure: 'timeout' } : { status: 500, failure: null }),
      });
      const keep = (webhook: Webhook, n: number) =>
        store.write({ ...at(n), concerns: [] }, (writer) =>
          writer.webhooks.keepAttempt(webhook.id, eventOf(webhook), attempt(n)),
        );
      const attemptsOf = ({ id }: Webhook) => store.read((reader) => reader.webhooks.attempts(id));
      const kept = (webhook: Webhook, number: number) => {
        const { id: eventId, attempts: _attempts, ...told } = eventOf(webhook);
        return { number, eventId, ...told, ...attempt(number) };
      };
      equal(await attemptsOf(one), [], 'none yet');
      await keep(other, 1);
      for (let n = 1; n <= 43; n += 1) await keep(one, n);
      const numbers = Array.from({ length: 20 }, (_, index) => 43 - index);
      equal(
        await attemptsOf(one),
        numbers.map((number) => kept(one, number)),
        'the last 20',
      );
      equal(await attemptsOf(other), [kept(other, 1)], 'of another one');
      const again = (owner: number, { id }: Webhook, number: number) =>
        store.write(at(44), (writer) => writer.webhooks.queueAgain(owner, id, number));
      equal(await again(accountId, one, 43), { ...eventOf(one), attempts: 0 }, 'one that waits');
      const deliver = async (all: typeof claimed) => {
        for (const taken of all) {
          await store.write({ ...at(45), concerns: [] }, (writer) => writer.webhooks.settle(taken, null));
        }
      };
      await deliver(claimed);
      await deliver(await claim(store, 45));
      equal(await waiting(store), 0, 'all are delivered');
      equal(await again(accountId, one, 23), null, 'one that is gone');
      equal(await again(accountId + 1, one, 24), null, 'of another account');
      equal(await again(accountId, one, 24), eventOf(one), 'the same event');
      equal(
        (await claim(store, 46)).map(({ event }) => event),
        [eventOf(one)],
        'due at once',
      );
      await store.write(at(50), (writer) => writer.webhooks.disable(other.id, 'gone'));
      equal(await again(accountId, other, 1), null, 'of a disabled one');
      equal((await attemptsOf(other)).length, 1, 'of a disabled one');
      await store.write(at(51), (writer) => writer.webhooks.delete(accountId, one.id));
      equal(await attemptsOf(one), [], 'of one that is deleted');
    },
  },
  {
    name: 'A-123: an event that is queued again while it is sent is due at once, whatever comes of the sending',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      const { id } = await insert(2);
      await queue(store, accountId, 3);
      const settle = (n: number, one: ClaimedWebhook, retryAt: string | null) =>
        store.write({ ...at(n), concerns: [] }, (writer) => writer.webhooks.settle(one, retryAt));
      const sent: SendAttempt = { sentAt: moment(5), durationMs: 1, status: 500, failure: null };
      const claimed = async (n: number) => present((await claim(store, n))[0], 'due');
      const first = await claimed(5);
      await store.write({ ...at(6), concerns: [] }, (writer) => writer.webhooks.keepAttempt(id, first.event, sent));
      const again = (n: number) => store.write(at(n), (writer) => writer.webhooks.queueAgain(accountId, id, 1));
      await again(7);
      equal(await settle(8, first, moment(900)), true, 'failed');
      const second = await claimed(9);
      equal([second.event, second.dueAt], [first.event, moment(7)], 'sent again at once');
      await again(10);
      equal(await settle(11, second, null), true, 'delivered');
      const third = await claimed(12);
      equal([third.event, third.dueAt], [first.event, moment(10)], 'as it was asked for');
      equal(await settle(13, third, moment(18)), true, 'failed');
      equal((await again(14))?.attempts, 0, 'its times begin anew while it waits');
      const fourth = await claimed(15);
      equal([fourth.event, fourth.dueAt], [first.event, moment(14)], 'before its time');
      equal([await settle(16, fourth, null), await waiting(store)], [true, 0], 'delivered, and asked for no more');
    },
  },
  {
    name: 'A-123: one sender has a webhook at a time, and those served least recently come first',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      const webhooks = [await insert(2), await insert(3), await insert(4)];
      for (const n of [5, 6]) await queue(store, accountId, n);
      const taken = await Promise.all([claim(store, 10, 1), claim(store, 10, 1), claim(store, 10, 1)]);
      // A row that another transaction holds is skipped, so concurrent claims may find less than there is.
      const all = [...taken.flat(), ...(await claim(store, 10)), ...(await claim(store, 10))];
      equal(idsOf(all).sort(), webhooks.map(({ id }) => id).sort(), 'each once');
      equal(await isDue(store, 69), false, 'all are taken');
      const [first, second, third] = all.toSorted((a, b) => a.webhook.id - b.webhook.id);
      type One = (typeof all)[number] | undefined;
      const settle = (n: number, one: One, retryAt: string | null, servedAt?: string) =>
        store.write({ ...at(n), concerns: [] }, (writer) =>
          writer.webhooks.settle(present(one, 'one'), retryAt, servedAt),
        );
      equal(await settle(12, first, null), true, 'delivered');
      equal(await settle(13, second, moment(100), moment(11)), true, 'to be sent again');
      equal(await settle(14, second, null), false, 'without a lease nothing changes');
      equal(idsOf(await claim(store, 20, 1)), idsOf([present(second, 'one')]), 'served before the other one');
      const again = await claim(store, 75, 10);
      equal(
        idsOf(again),
        idsOf([present(first, 'one'), present(third, 'one')]),
        'served before the lease that ran out',
      );
      equal(await settle(76, third, null), false, 'whose lease ran out');
      const sent = [];
      for (const n of [200, 201]) {
        for (const one of await claim(store, n)) sent.push(one, await settle(n, one, null));
      }
      holds(
        sent.some((one) => typeof one === 'object' && one.event.attempts === 1),
        'a retry counts',
      );
    },
  },
  {
    name: 'A-123: a lease, or the time of an event, that is further ahead than it can be holds nothing up',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      await insert(2);
      const horizon = { lease: moment(80), dueAfter: [moment(30), moment(50)] };
      const claimAt = (n: number, until: number, on?: Horizon) =>
        store.write({ ...at(n), concerns: [] }, (writer) => writer.webhooks.claim(moment(until), 9, on));
      const isDueBefore = (on?: Horizon) => store.read((reader) => reader.webhooks.isDue(moment(20), on));
      const found = async (...[on]: Parameters<typeof isDueBefore>) => {
        const hasDue = await isDueBefore(on);
        const [taken] = await claimAt(20, 70, on);
        equal(taken !== undefined, hasDue, 'what is due is taken');
        return taken;
      };
      // The clock was at 90 and is at 20 now: an event was queued, taken, and sent in vain.
      await queue(store, accountId, 90);
      equal(await found(), undefined, 'due later');
      equal(await found({ ...horizon, dueAfter: [moment(90)] }), undefined, 'as late as it can be');
      await claimAt(90, 150);
      equal(await found({ ...horizon, lease: moment(150) }), undefined, 'a lease that can be');
      const taken = present(await found(horizon), 'the event');
      const retry = (writer: Writer) => writer.webhooks.settle(taken, moment(95));
      equal(await store.write({ ...at(20), concerns: [] }, retry), true, 'the new lease holds');
      equal(await found({ ...horizon, dueAfter: [moment(30), moment(95)] }), undefined, 'a retry that can be');
      equal(present(await found(horizon), 'the event').event.attempts, 1, 'a retry that cannot be');
    },
  },
  {
    name: 'A-123: a disabled webhook has no events, and is disabled once',
    run: async (store) => {
      const { accountId, insert } = await newListener(store);
      const { id, ...rest } = await insert(2);
      await queue(store, accountId, 3);
      const disable = (n: number) => store.write(at(n), (writer) => writer.webhooks.disable(id, 'failing'));
      equal([await disable(4), await disable(5)], [true, false], 'once');
      const now = { ...rest, id, disabledAt: moment(4), disabledReason: 'failing' };
      equal((await listOf(store, accountId)).results, [now], 'says why');
      equal(await isDue(store, 50), false, 'no events');
    },
  },
  {
    name: 'A-123: a webhook is behind after any change of its account or of the catalog, until it moves on',
    run: async (store) => {
      const { accountId, insert, tenant } = await newListener(store);
      const webhook = await insert(2, { ownRevision: 1 });
      await insert(2, { events: ['upload.finished'] });
      const behind = async (afterId = 0, limit = 10) =>
        (await store.read((reader) => reader.webhooks.behind(afterId, limit))).map(({ id }) => id);
      const moveOn = (from: Webhook, own: number, catalog: number, event: WebhookEvent | null) =>
        store.write({ ...at(9), concerns: [] }, (writer) => {
          const to = { cursor: from.cursor, ownRevision: own, catalogRevision: catalog };
          return writer.webhooks.moveOn(from, to, event);
        });
      equal(await behind(), [], 'nothing has changed');
      await newTenant(store);
      equal(await behind(), [], 'another account has changed');
      await store.write(at(3), (writer) => writer.firms.update(accountId, tenant.firm.id, { name: 'Otra' }));
      equal(await behind(), [webhook.id], 'the account has changed');
      equal(await moveOn(webhook, 2, 0, null), true, 'nothing to tell');
      equal(await behind(), [], 'moved on');
      await newCatalogCompany(store, 'Común');
      equal(await behind(), [webhook.id], 'the catalog has changed');
      const other = await insert(4, { ownRevision: 2 });
      equal([await behind(0, 1), await behind(webhook.id)], [[webhook.id], [other.id]], 'by id');
      await store.write(at(5), (writer) => writer.webhooks.delete(accountId, other.id));
      equal(await moveOn(webhook, 2, 1, CHANGED), false, 'as it was read before');
      const now = present(
        await store.read((reader) => reader.webhooks.get({ accountId, firmId: null }, webhook.id)),
        'one',
      );
      equal(await moveOn(now, 2, 1, CHANGED), true, 'told');
      await store.write(at(4), (writer) => writer.firms.update(accountId, tenant.firm.id, { name: 'Una' }));
      equal(await behind(), [], 'one such event is queued at most');
      const [claimed] = await claim(store, 20);
      equal(present(claimed, 'event').event.data, CHANGED.data, 'what is told');
      await store.write(at(21), (writer) => writer.webhooks.settle(present(claimed, 'event'), null));
      equal(await behind(), [webhook.id], 'what changed meanwhile is told next');
    },
  },
];
