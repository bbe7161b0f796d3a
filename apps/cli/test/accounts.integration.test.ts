import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface WireAccount {
  readonly id: number;
  readonly email: string;
  readonly is_active: boolean;
  readonly is_catalog_editor: boolean;
  readonly created_at: string;
  readonly subscription: object | null;
}

function createAccount(email: string, ...more: string[]): Promise<WireAccount> {
  const person = ['--name', 'Una', '--email', email, '--password', 'molinos de viento'];
  return place.json(['account', 'create', ...person, ...more]);
}

/** The end of the first period of an account that is created without one. */
function monthAfter(instant: string): string {
  return new Date(Date.parse(instant) + 30 * 24 * 60 * 60 * 1000).toISOString();
}

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

describe('account', () => {
  it('A-23: create shows the account; the first one edits the catalog, later ones with an option', async () => {
    const first = await createAccount('una@tarifario.example', '--plan', 'pro', '--clients-limit', '7');
    expect(first).toEqual({
      id: expect.any(Number),
      name: 'Una',
      email: 'una@tarifario.example',
      is_active: true,
      is_catalog_editor: true,
      created_at: expect.stringMatching(INSTANT),
      subscription: {
        id: expect.any(Number),
        plan: 'pro',
        status: 'active',
        clients_limit: 7,
        trial_ends_at: null,
        current_period_end: monthAfter(first.created_at),
        calls_per_minute: null,
        client_calls_per_minute: null,
        companies_limit: null,
        offers_limit: null,
        months_limit: null,
        history_limit: null,
        proposals_limit: null,
        created_at: expect.stringMatching(INSTANT),
      },
    });
    const second = await createAccount('dos@tarifario.example', '--plan', 'starter');
    expect(second).toMatchObject({ is_catalog_editor: false, subscription: { plan: 'starter', clients_limit: 5 } });
    const third = await createAccount('tres@tarifario.example', '--catalog-editor');
    expect(third).toMatchObject({ is_catalog_editor: true, subscription: null });
  });

  it('create refuses an address that is taken in any case, a short password, a bad name, address or plan', async () => {
    const attempt = (...args: string[]) => place.runHere(['account', 'create', ...args]);
    const name = ['--name', 'X'];
    const password = ['--password', 'long enough'];
    const email = ['--email', 'x@tarifario.example'];
    const tried: [string[], number, RegExp][] = [
      [[...name, ...password, '--email', 'UNA@tarifario.example'], 1, /another account has that e-mail/],
      [[...name, ...email, '--password', 'seven77'], 1, /at least 8/],
      [[...email, ...password, '--name', ' '], 1, /name: must have 1 to 200/],
      [[...name, ...password, '--email', 'nobody'], 1, /e-mail/],
      [[...name, ...email, ...password, '--plan', 'gold'], 2, /free, trial/],
      [[...name, ...email, ...password, '--clients-limit', '3'], 2, /--plan/],
      [[...name, ...email, ...password, '--plan', 'pro', '--clients-limit', '-3'], 2, /ambiguous|whole number/],
      [[...name, ...email], 2, /--password/],
      [[...name, ...name, ...email, ...password], 2, /more than once/],
      [[...name, ...email, ...password, '--admin'], 2, /--admin/],
      [[...name, ...email, ...password, 'extra'], 2, /no word/],
    ];
    const before = await place.json(['account', 'list']);
    for (const [args, status, message] of tried) {
      const result = await attempt(...args);
      expect([result.status, result.stdout], args.join(' ')).toEqual([status, '']);
      expect(result.stderr).toMatch(message);
      expect(result.stderr).toMatch(/^tarifario: [^\n]+(\n {2}[^\n]+)*\n$/);
    }
    expect(await place.json(['account', 'list'])).toEqual(before);
  });

  it('create reads the password from standard input for -, and stores no password in plain text', async () => {
    const args = ['account', 'create', '--name', 'X', '--email', 'stdin@tarifario.example', '--password', '-'];
    expect((await place.run(args, { stdin: 'corta\n' })).stderr).toMatch(/at least 8/);
    await place.json(args, { stdin: 'contraseña del hidalgo\nsecond line\n' });
    const bytes = await place.storedBytes();
    expect(bytes).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(bytes).not.toMatch(/hidalgo|molinos/);
  });

  it('set ends once it has read a password, although standard input stays open', async () => {
    const { id } = await createAccount('abierta@tarifario.example');
    const child = place.start(['account', 'set', String(id), '--password', '-']);
    child.stdin?.write('contraseña del hidalgo\n');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('deactivate, activate and set change one account, and list shows it', async () => {
    const { id } = await createAccount('cambia@tarifario.example');
    expect(await place.json(['account', 'deactivate', String(id)])).toMatchObject({ id, is_active: false });
    expect(await place.json(['account', 'activate', String(id)])).toMatchObject({ id, is_active: true });
    const editor = ['account', 'set', String(id), '--catalog-editor', 'true'];
    expect(await place.json(editor)).toMatchObject({ id, is_catalog_editor: true });
    const before = await place.storedBytes();
    await place.json(['account', 'set', String(id), '--password', '-'], { stdin: 'otra contraseña' });
    expect((await place.storedBytes()).match(/\$argon2id/g)?.length).toBeGreaterThan(0);
    expect(await place.storedBytes()).not.toBe(before);
    const accounts = await place.json<WireAccount[]>(['account', 'list']);
    expect(accounts.find((account) => account.id === id)).toMatchObject({ is_active: true, is_catalog_editor: true });
    expect(accounts.map((account) => account.id)).toEqual(
      accounts.map((account) => account.id).toSorted((a, b) => a - b),
    );
  });

  it('commands refuse an account that does not exist, and an invalid id', async () => {
    const customer = join(place.folder, 'customer.json');
    await writeFile(customer, JSON.stringify({ supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 1 } }));
    for (const args of [
      ['account', 'activate', '999'],
      ['account', 'deactivate', '999'],
      ['account', 'set', '999', '--catalog-editor', 'true'],
      ['key', 'list', '--account', '999'],
      ['rank', '--account', '999', '--customer', customer],
      ['rank', '--account', '999', '--customer', customer, '--as-of', new Date().toISOString()],
      ['negotiate', '--account', '999', '--offer', '1', '--customers', join(place.folder, 'none.csv')],
    ]) {
      expect(await place.runHere(args), args.join(' ')).toEqual({
        status: 1,
        stdout: '',
        stderr: 'tarifario: there is no account 999\n',
      });
    }
    for (const args of [
      ['activate', 'x'],
      ['activate'],
      ['activate', '1', '2'],
      ['set', '1'],
      ['set', '1', '--catalog-editor', 'yes'],
    ]) {
      expect((await place.runHere(['account', ...args])).status, args.join(' ')).toBe(2);
    }
  });
});

describe('subscription set', () => {
  it('changes the given values and no others; the number of firms follows the plan', async () => {
    const { id } = await createAccount('plan@tarifario.example');
    const set = (...args: string[]) => place.json(['subscription', 'set', '--account', String(id), ...args]);
    const all = ['--trial-ends-at', '2027-01-31', '--current-period-end', '2027-02-28T23:59:59+01:00'];
    const ceilings = ['--calls-per-minute', '5000', '--client-calls-per-minute', '900'];
    expect(await set('--plan', 'pro', '--clients-limit', '9', ...all, ...ceilings)).toMatchObject({
      plan: 'pro',
      status: 'active',
      clients_limit: 9,
      trial_ends_at: '2027-01-31T00:00:00.000Z',
      current_period_end: '2027-02-28T22:59:59.000Z',
      calls_per_minute: 5000,
      client_calls_per_minute: 900,
    });
    expect(await set('--plan', 'pro', '--calls-per-minute', 'none')).toMatchObject({
      clients_limit: 9,
      trial_ends_at: '2027-01-31T00:00:00.000Z',
      current_period_end: '2027-02-28T22:59:59.000Z',
      calls_per_minute: null,
      client_calls_per_minute: 900,
    });
    const quotas = [
      '--companies-limit',
      '12',
      '--offers-limit',
      '34',
      '--months-limit',
      '0',
      '--history-limit',
      '5000000000',
      '--proposals-limit',
      '7',
    ];
    const agreed = {
      ...{ companies_limit: 12, offers_limit: 34, months_limit: 0 },
      ...{ history_limit: 5_000_000_000, proposals_limit: 7 },
    };
    expect(await set('--plan', 'pro', ...quotas)).toMatchObject({ ...agreed, client_calls_per_minute: 900 });
    expect(await set('--plan', 'pro', '--offers-limit', 'none')).toMatchObject({ ...agreed, offers_limit: null });
    expect(await set('--plan', 'business', '--status', 'cancelled')).toMatchObject({
      status: 'cancelled',
      clients_limit: 200,
    });
  });

  it('edits the same subscription, and leaves what no option names: also the status and the end of its period', async () => {
    const { id } = await createAccount('sigue@tarifario.example');
    const set = (...args: string[]) => place.json<object>(['subscription', 'set', '--account', String(id), ...args]);
    const first = await set('--plan', 'pro');
    const stamps = { id: expect.any(Number), created_at: expect.stringMatching(INSTANT) };
    expect(first).toMatchObject({ ...stamps, status: 'active', current_period_end: expect.stringMatching(INSTANT) });
    const cancelled = await set('--plan', 'pro', '--status', 'cancelled');
    expect(cancelled).toEqual({ ...first, status: 'cancelled' });
    expect(await set('--plan', 'pro')).toEqual(cancelled);
    expect(await set('--plan', 'pro', '--status', 'active')).toEqual(first);
  });

  it('refuses a wrong plan, status, number or day, and an account that does not exist', async () => {
    const set = (...args: string[]) => place.runHere(['subscription', 'set', ...args]);
    const right = ['--account', '1', '--plan', 'pro'];
    for (const args of [
      ['--account', '1'],
      ['--plan', 'pro'],
      ['--account', '1', '--plan', 'gold'],
      [...right, '--status', 'expired'],
      [...right, '--clients-limit', 'many'],
      [...right, '--trial-ends-at', 'tomorrow'],
      [...right, '--trial-ends-at', '2027-02-30'],
      [...right, '--current-period-end', '2027-01-01T00:00:00'],
      [...right, '--current-period-end', 'none'],
      [...right, '--calls-per-minute', '0'],
      [...right, '--offers-limit', 'many'],
      [...right, '--months-limit', '-1'],
    ]) {
      expect((await set(...args)).status, args.join(' ')).toBe(2);
    }
    expect((await set('--account', '999', '--plan', 'pro')).status).toBe(1);
  });
});
