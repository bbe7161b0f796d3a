import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { createSecrets } from '@tarifario/runtime';
import { openWorkplace, PROGRAM, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface WireKey {
  readonly id: number;
  readonly key: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
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

  it('refuses a database of an earlier build and says what to do, as every command that opens it', async () => {
    const file = join(place.folder, 'earlier.db');
    const database = new DatabaseSync(file);
    database.exec(`create table migrations (name text); insert into migrations values ('0001-initial');
      create table accounts (id integer)`);
    database.close();
    const env = { DATABASE_URL: `sqlite:${file}` };
    const sentence = expect.stringMatching(/its tables are those of an earlier build .* to a new database/);
    for (const command of [['migrate'], ['account', 'list'], ['serve', '--port', '0']]) {
      const { status, stderr } = await place.runHere(command, env);
      expect([command, status, stderr]).toEqual([command, 1, sentence]);
    }
    expect(await place.runHere(['doctor'], env)).toMatchObject({ status: 1, stdout: sentence });
  });
});

describe('key', () => {
  it('create shows the key once; the database has its hash alone', async () => {
    const person = ['--name', 'Una', '--email', 'una@tarifario.example', '--password', 'molinos de viento'];
    const { id } = await place.json<{ id: number }>(['account', 'create', ...person]);
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
      expires_at: null,
    });
    expect(keys.slice(1).map(({ scopes }) => scopes)).toEqual([
      ['offers:read', 'offers:write'],
      ['offers:read', 'catalog:read'],
      ['offers:read', 'catalog:read', 'commissions:read'],
    ]);
    const bytes = await place.storedBytes();
    const { hashFor } = createSecrets();
    for (const { key, prefix } of keys) {
      expect(bytes).toContain(prefix);
      expect(bytes).not.toContain(key.slice(0, 20));
      expect(bytes).not.toContain(key.slice(20));
      expect(bytes).toContain(hashFor(key));
    }
    const listed = await place.runHere(['key', 'list', ...account]);
    expect(JSON.parse(listed.stdout)).toHaveLength(4);
    for (const { key } of keys) expect(listed.stdout).not.toContain(key.slice(0, 20));
  });

  it('list shows what a key may do, revoke ends it', async () => {
    const [account] = await place.json<{ id: number }[]>(['account', 'list']);
    const of = ['--account', String(account?.id)];
    const end = ['--expires-at', '2199-01-31T00:00:00+01:00'];
    const { id, prefix } = await place.json<WireKey>(['key', 'create', ...of, '--mcp', '--name', 'bot', ...end]);
    const shown = {
      id,
      prefix,
      account_id: account?.id,
      client_id: null,
      name: 'bot',
      scopes: ['offers:read', 'catalog:read'],
      full_access: false,
      is_active: true,
      expires_at: '2199-01-30T23:00:00.000Z',
      last_used_at: null,
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
      [['--full-access', '--expires-at', '2020-01-01'], 2],
      [['--full-access', '--expires-at', 'never'], 2],
      [['--full-access', '--expires-at', '2199-01-01T00:00'], 2],
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
    expect(await place.runHere(['backup', file])).toMatchObject({
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
    const file = join(place.folder, 'progress.db');
    const { status, stdout, stderr } = await place.runHere(['backup', file, '--progress']);
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
