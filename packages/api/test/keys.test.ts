import { asRecord, type CallInput, createWorld, newClient, type World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { beforeEach, describe, expect, it } from 'vitest';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const READS = { scopes: ['offers:read', 'offers:read'] };
const make = async (body: object = READS, input: CallInput = {}) =>
  asRecord(await world.ask('createKey', { ...input, body }));
const statusWith = async (key: unknown) => (await world.call('getAccount', { key: String(key) })).status;
const listed = async (query: Record<string, string> = {}, key = world.fullKey) =>
  asRecord(await world.ask('listKeys', { query, key })).results as readonly Record<string, unknown>[];
const dayIn = (days: number) => new Date(Date.parse(world.instant()) + days * 86_400_000).toISOString();

describe('A-143: API keys over the API', () => {
  it('a key is shown when it is made, works with its rights, and is listed without its secret', async () => {
    const { key, ...made } = await make({ ...READS, name: '  Bot de la web ' });
    expect(made).toMatchObject({ name: 'Bot de la web', scopes: ['offers:read'], full_access: false, is_own: false });
    expect(made).toMatchObject({ is_active: true, expires_at: null, last_used_at: null, client_id: null });
    expect(await world.ask('getAccount', { key: String(key) })).toMatchObject({ key: { scopes: ['offers:read'] } });
    const { body } = await world.call('listKeys', {});
    expect(asRecord(body).results).toMatchObject([{ is_own: true }, { id: made.id, prefix: made.prefix }]);
    expect(JSON.stringify(body)).not.toContain(String(key));
    const stored = await world.store.read((reader) => reader.keys.list(world.account.id));
    expect(JSON.stringify(stored)).not.toContain(String(key));
  });

  it('a revoked key is refused at once, the own one too, stays in the list of inactive ones, and can be revoked again', async () => {
    const { id, key } = await make();
    const params = { id: String(id) };
    for (let times = 0; times < 2; times++) {
      expect(await world.ask('revokeKey', { params })).toMatchObject({ id, is_active: false });
    }
    expect(await statusWith(key)).toBe(401);
    expect((await listed()).map((one) => one.id)).not.toContain(id);
    expect((await listed({ include_inactive: 'true' })).map((one) => one.id)).toContain(id);
    const own = (await listed()).find((one) => one.is_own);
    await world.ask('revokeKey', { params: { id: String(own?.id) } });
    expect(await statusWith(world.fullKey)).toBe(401);
  });

  it('a key is bound to the firm of client_id, and listed with it', async () => {
    const [first, second] = [await newClient(world, 'Uno'), await newClient(world, 'Dos')];
    const { id, key } = await make({ full_access: true }, { query: { client_id: String(first) } });
    expect(await world.ask('getAccount', { key: String(key) })).toMatchObject({ key: { client_id: first } });
    expect((await listed({ client_id: String(first) })).map((one) => one.id)).toEqual([id]);
    expect(await listed({ client_id: String(second) })).toEqual([]);
    for (const operation of ['listKeys', 'createKey']) {
      const { status } = await world.call(operation, {
        key: String(key),
        ...(operation === 'createKey' && { body: READS }),
      });
      expect([operation, status]).toEqual([operation, 403]);
    }
  });

  it('a key that ends makes none that ends later, and none without an end', async () => {
    const [early, late] = [dayIn(10), dayIn(20)];
    const { key } = await make({ full_access: true, expires_at: late });
    const input = { key: String(key) };
    expect(await make({ ...READS, expires_at: early }, input)).toMatchObject({ expires_at: early });
    expect(await make({ ...READS, expires_at: late }, input)).toMatchObject({ expires_at: late });
    for (const expires_at of [dayIn(21), null]) {
      const { status, body } = await world.call('createKey', { ...input, body: { ...READS, expires_at } });
      expect([status, body]).toMatchObject([422, { detail: { errors: [{ path: 'expires_at' }] } }]);
    }
  });

  it('a key that is revoked while its call is admitted makes none', async () => {
    const store = await newStore();
    let before = async () => {};
    const write: typeof store.write = async (unit, work) => {
      const act = before;
      before = async () => {};
      await act();
      return store.write(unit, work);
    };
    world = await createWorld({ ...store, write });
    const own = (await listed())[0];
    before = async () => {
      await store.write({ keyId: null, at: world.instant() }, (writer) => writer.keys.revoke(Number(own?.id)));
    };
    expect((await world.call('createKey', { body: READS })).status).toBe(401);
    expect(await store.read((reader) => reader.keys.list(world.account.id))).toMatchObject([{ isActive: false }]);
  });

  it.each([
    ['neither scopes nor full access', {}, 400],
    ['scopes and full access', { scopes: ['offers:read'], full_access: true }, 400],
    ['an unknown scope', { scopes: ['everything'] }, 400],
    ['the key of somebody else', { ...READS, key: 'test-1!' }, 400],
    ['a day that does not exist', { ...READS, expires_at: '2099-02-30' }, 400],
    ['an end in the past', { ...READS, expires_at: '2020-01-01' }, 422],
    ['an empty name', { ...READS, name: ' ' }, 422],
    ['a name of 201 characters', { ...READS, name: 'x'.repeat(201) }, 422],
  ])('is not made with %s', async (_case, body, expected) => {
    expect((await world.call('createKey', { body })).status).toBe(expected);
    expect(await listed()).toHaveLength(1);
  });

  it('an account has at most 100 that are not revoked, however many were', async () => {
    const made = await Promise.all(Array.from({ length: 99 }, () => make()));
    const refused = await world.call('createKey', { body: READS });
    expect(refused).toMatchObject({ status: 409, body: { detail: { code: 'quota_reached' } } });
    await world.ask('revokeKey', { params: { id: String(made[0]?.id) } });
    expect(await make()).toMatchObject({ is_active: true });
  });
});
