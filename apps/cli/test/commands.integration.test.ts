import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSecrets } from '@tarifario/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, PROGRAM, type Workplace } from './run-program.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface WireAccount {
  readonly id: number;
  readonly email: string;
  readonly is_active: boolean;
  readonly is_catalog_editor: boolean;
  readonly created_at: string;
  readonly subscription: object | null;
}

interface WireKey {
  readonly id: number;
  readonly key: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
}

function createAccount(email: string, ...more: string[]): Promise<WireAccount> {
  return place.json([
    'account',
    'create',
    '--name',
    'Una',
    '--email',
    email,
    '--password',
    'molinos de viento',
    ...more,
  ]);
}

/** Where a first period ends that nobody has said anything about. */
function monthAfter(instant: string): string {
  return new Date(Date.parse(instant) + 30 * 24 * 60 * 60 * 1000).toISOString();
}

/** Everything that the database keeps, as bytes. */
async function stored(): Promise<string> {
  const files = ['', '-wal'].map((end) => place.databaseFile + end).filter((file) => existsSync(file));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('');
}

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

describe('migrate', () => {
  it('applies missing migrations, and nothing the second time', async () => {
    const first = await place.json<{ applied: string[] }>(['migrate']);
    expect(first.applied.length).toBeGreaterThan(0);
    expect(await place.json(['migrate'])).toEqual({ applied: [] });
  });
});

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
    const bytes = await stored();
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
    const before = await stored();
    await place.json(['account', 'set', String(id), '--password', '-'], { stdin: 'otra contraseña' });
    expect((await stored()).match(/\$argon2id/g)?.length).toBeGreaterThan(0);
    expect(await stored()).not.toBe(before);
    const accounts = await place.json<WireAccount[]>(['account', 'list']);
    expect(accounts.find((account) => account.id === id)).toMatchObject({ is_active: true, is_catalog_editor: true });
    expect(accounts.map((account) => account.id)).toEqual(
      accounts.map((account) => account.id).toSorted((a, b) => a - b),
    );
  });

  it('commands refuse an account that does not exist, and an invalid id', async () => {
    for (const args of [
      ['activate', '999'],
      ['deactivate', '999'],
      ['set', '999', '--catalog-editor', 'true'],
    ]) {
      expect(await place.runHere(['account', ...args])).toEqual({
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
    const quotas = ['--companies-limit', '12', '--offers-limit', '34', '--months-limit', '0'];
    const agreed = { companies_limit: 12, offers_limit: 34, months_limit: 0 };
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

describe('key', () => {
  it('create shows the key once; the database has its hash alone', async () => {
    const { id } = await createAccount('llaves@tarifario.example');
    const account = ['--account', String(id)];
    const keys = [
      await place.json<WireKey>(['key', 'create', ...account, '--full-access', '--name', 'all']),
      await place.json<WireKey>(['key', 'create', ...account, '--scopes', 'offers:write,offers:read,offers:read']),
      await place.json<WireKey>(['key', 'create', ...account, '--mcp']),
      await place.json<WireKey>(['key', 'create', ...account, '--mcp', '--internal']),
    ];
    expect(keys[0]).toEqual({
      id: expect.any(Number),
      key: expect.stringMatching(/^tfk_[0-9A-Za-z]{49}$/),
      prefix: keys[0]?.key.slice(0, 12),
      account_id: id,
      client_id: null,
      scopes: [],
      full_access: true,
    });
    expect(keys.slice(1).map(({ scopes }) => scopes)).toEqual([
      ['offers:read', 'offers:write'],
      ['offers:read', 'catalog:read'],
      ['offers:read', 'catalog:read', 'commissions:read'],
    ]);
    const bytes = await stored();
    const { hashFor } = createSecrets();
    for (const { key, prefix } of keys) {
      expect(bytes).toContain(prefix);
      expect(bytes).not.toContain(key.slice(0, 20));
      expect(bytes).not.toContain(key.slice(20));
      expect(bytes).toContain(hashFor(key));
    }
    const listed = await place.run(['key', 'list', ...account]);
    expect(JSON.parse(listed.stdout)).toHaveLength(4);
    for (const { key } of keys) expect(listed.stdout).not.toContain(key.slice(0, 20));
  });

  it('list shows what a key may do, revoke ends it', async () => {
    const [account] = await place.json<WireAccount[]>(['account', 'list']);
    const of = ['--account', String(account?.id)];
    const { id, prefix } = await place.json<WireKey>(['key', 'create', ...of, '--mcp', '--name', 'bot']);
    const shown = {
      id,
      prefix,
      account_id: account?.id,
      client_id: null,
      name: 'bot',
      scopes: ['offers:read', 'catalog:read'],
      full_access: false,
      is_active: true,
      created_at: expect.stringMatching(INSTANT),
    };
    expect(await place.json(['key', 'list', ...of])).toContainEqual(shown);
    expect(await place.json(['key', 'revoke', String(id)])).toEqual({ ...shown, is_active: false });
    expect(await place.json(['key', 'list', ...of])).toContainEqual({ ...shown, is_active: false });
  });

  it('create refuses anything but one of the three kinds, unknown scopes, and firms of another account', async () => {
    const tried: [string[], number][] = [
      [[], 2],
      [['--full-access', '--mcp'], 2],
      [['--full-access', '--internal'], 2],
      [['--scopes', 'offers:read', '--internal'], 2],
      [['--scopes', ''], 2],
      [['--scopes', 'offers:read,'], 2],
      [['--scopes', 'everything'], 2],
      [['--full-access', '--client', 'x'], 2],
      [['--full-access', '--client', '999'], 1],
      [['--full-access', '--name', 'b\u034fot'], 2],
      [['--full-access', '--name', ' '], 2],
      [['--full-access', '--name', 'x'.repeat(201)], 2],
    ];
    for (const [args, status] of tried) {
      const result = await place.runHere(['key', 'create', '--account', '1', ...args]);
      expect([result.status, result.stdout], args.join(' ')).toEqual([status, '']);
    }
    expect((await place.runHere(['key', 'create', '--account', '999', '--mcp'])).status).toBe(1);
    expect((await place.runHere(['key', 'list', '--account', '999'])).status).toBe(1);
    expect((await place.runHere(['key', 'revoke', '999'])).status).toBe(1);
  });
});

describe('catalog', () => {
  it('A-22: subscribe and unsubscribe decide for one company, or for all, later ones included', async () => {
    const other = await openWorkplace();
    await other.json(['demo', 'seed']);
    const decide = (...args: string[]) => other.json(['catalog', ...args]);
    expect(await decide('unsubscribe', '--client', '1', '--company', '2')).toEqual({
      client_id: 1,
      catalog: 'all',
      companies: [{ company_id: 2, subscribed: false }],
    });
    expect(await decide('subscribe', '--client', '1', '--all')).toEqual({
      client_id: 1,
      catalog: 'all',
      companies: [{ company_id: 2, subscribed: true }],
    });
    expect(await decide('unsubscribe', '--client', '1', '--all')).toEqual({
      client_id: 1,
      catalog: 'none',
      companies: [{ company_id: 2, subscribed: false }],
    });
    expect(await decide('subscribe', '--client', '1', '--company', '3')).toMatchObject({
      catalog: 'none',
      companies: [
        { company_id: 2, subscribed: false },
        { company_id: 3, subscribed: true },
      ],
    });
    const refused: [string[], number][] = [
      [['--client', '1'], 2],
      [['--client', '1', '--all', '--company', '2'], 2],
      [['--company', '2'], 2],
      [['--client', '999', '--all'], 1],
      // The last company of the demo is a firm's own.
      [['--client', '1', '--company', '12'], 1],
      [['--client', '1', '--company', '999'], 1],
    ];
    for (const [args, status] of refused) {
      expect((await other.runHere(['catalog', 'subscribe', ...args])).status, args.join(' ')).toBe(status);
    }
    await other.remove();
  });
});

describe('the output of a command', () => {
  it('may be read only in part, without an error message', async () => {
    const child = place.start(['--help']);
    const errors = text(child.stderr ?? process.stdin);
    child.stdout?.destroy();
    const [status] = await once(child, 'exit');
    expect([status, await errors]).toEqual([1, '']);
  });

  it('ends with an error if it cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--conditions=tarifario-source', PROGRAM, '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const errors = text(child.stderr ?? process.stdin);
    const [status] = await once(child, 'exit');
    closeSync(full);
    expect([status, await errors]).toEqual([1, expect.stringMatching(/^tarifario: ENOSPC: [^\n]+\n$/)]);
  });
});

describe('backup', () => {
  it('writes a database with the same content, and never overwrites a file', async () => {
    const file = join(place.folder, 'copy.db');
    expect(await place.json(['backup', file])).toMatchObject({ file });
    const copied = await place.json(['account', 'list'], { env: { DATABASE_URL: `sqlite:${file}` } });
    expect(copied).toEqual(await place.json(['account', 'list']));
    expect(await place.run(['backup', file])).toMatchObject({
      status: 1,
      stderr: `tarifario: ${file} exists already\n`,
    });
    expect((await place.runHere(['backup'])).status).toBe(2);
    expect(await place.runHere(['backup', join(place.folder, 'nowhere', 'x.db')])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/x\.db cannot be made: check its directory and the permissions\n$/),
    });
  });

  it('with --progress writes its progress to stderr, and nothing else', async () => {
    const file = join(place.folder, 'told.db');
    const { status, stdout, stderr } = await place.run(['backup', file, '--progress']);
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { file }]);
    expect(stderr).toMatch(/^0 %, 0 of \d+ MB\n(\d+ %, \d+ of \d+ MB\n)*$/);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'on a full disk ends with one line that says so, and leaves no file',
    async () => {
      const folder = join(place.folder, 'full');
      await mkdir(folder);
      const file = join(folder, 'copy.db');
      await symlink('/dev/full', `${file}.partial`);
      const { status, stdout, stderr } = await place.runHere(['backup', file]);
      expect([status, stdout, stderr]).toEqual([
        1,
        '',
        `tarifario: the backup ${file} cannot be written: the disk is full\n`,
      ]);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});
