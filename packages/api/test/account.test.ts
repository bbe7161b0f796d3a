import { SCOPES } from '@tarifario/core/service';
import { asRecord, type CallInput, createWorld, newClient, PASSWORD, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

const edit = (body: object, input: CallInput = {}) => world.call('updateAccount', { ...input, body });
const refusal = (status: number, code: string) => ({ status, body: { detail: { code } } });

describe('the account', () => {
  it('A-105: says what the key of the call may do, and nothing that identifies it', async () => {
    const all = await world.ask('getAccount');
    expect(all).toMatchObject({ key: { full_access: true, client_id: null, scopes: SCOPES } });
    const clientId = await newClient(world, 'Lumbre');
    const key = await world.newKey(world.account.id, { scopes: ['offers:write', 'offers:read'], firmId: clientId });
    const own = await world.ask('getAccount', { key });
    expect(asRecord(own).key).toEqual({
      full_access: false,
      client_id: clientId,
      scopes: ['offers:read', 'offers:write'],
    });
  });

  it.each([
    ['name', ''],
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['name', 'a\u202Eb'],
    ['email', 'nobody'],
    ['email', 'a@b'],
    ['email', 'a@b@c.es'],
    ['email', 'a b@c.es'],
    ['email', 'a\u0000@c.es'],
    ['email', `${'a'.repeat(250)}@c.es`],
  ])('refuses the %s %j with 422', async (field, text) => {
    const { status, body } = await edit({ [field]: text, current_password: PASSWORD });
    expect({ status, body }).toMatchObject(refusal(422, 'business_rule'));
    expect(asRecord(asRecord(body).detail).errors).toMatchObject([{ path: field }]);
  });

  it('stores both of two concurrent changes', async () => {
    const [one, two] = await Promise.all([
      edit({ email: 'nueva@example.com', current_password: PASSWORD }),
      edit({ name: 'Nueva', current_password: PASSWORD }),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(await world.ask('getAccount')).toMatchObject({ name: 'Nueva', email: 'nueva@example.com' });
  });
});

describe('the password', () => {
  const change = (current: unknown, next: unknown) =>
    world.call('changePassword', { body: { current_password: current, new_password: next } });

  it('has 8 to 128 characters, counted as people count them', async () => {
    for (const text of ['', '1234567', '😀'.repeat(7), 'x'.repeat(129), '😀'.repeat(129), '1234567\uD800', null, 8]) {
      const { status, body } = await change(PASSWORD, text);
      expect({ status, body }, String(text)).toMatchObject(refusal(400, 'invalid_request'));
      expect(asRecord(asRecord(body).detail).errors).toMatchObject([{ path: 'new_password' }]);
    }
    for (const text of ['12345678', '😀'.repeat(8), '😀'.repeat(128), ' '.repeat(8)]) {
      expect((await change(PASSWORD, text)).status, text).toBe(204);
      expect((await change(text, PASSWORD)).status, text).toBe(204);
    }
  });

  it('changed twice at once with the same old one is changed once', async () => {
    const answers = await Promise.all([change(PASSWORD, 'la primera nueva'), change(PASSWORD, 'la segunda nueva')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  it('that was correct before a concurrent change no longer permits a new e-mail address', async () => {
    const answers = await Promise.all([
      change(PASSWORD, 'la primera nueva'),
      edit({ email: 'ladron@example.com', current_password: PASSWORD }),
    ]);
    const { email } = await world.ask('getAccount');
    // Whichever was first, the second met what the first had left.
    expect([answers[1]?.status, email]).toEqual(
      answers[1]?.status === 200 ? [200, 'ladron@example.com'] : [401, 'cuenta1@example.com'],
    );
    expect((await change(PASSWORD, 'x'.repeat(8))).status).toBe(401);
  });

  it('is in no answer', async () => {
    const answers = [
      await change('canary-old', 'canary-new'),
      await change(PASSWORD, 'canary-new'),
      await edit({ email: 'x', current_password: 'canary-new' }),
      await edit({ name: 'Otro', current_password: 'canary-old' }),
      await world.call('getAccount'),
      await world.call('listUsage'),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/canary|molinos/);
  });
});
