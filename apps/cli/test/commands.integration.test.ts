import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSecrets } from '@tarifario/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRanking } from '../src/ranking-view.ts';
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

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

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

describe('migrate', () => {
  it('applies what is missing, and nothing the second time', async () => {
    const first = await place.json<{ applied: string[] }>(['migrate']);
    expect(first.applied.length).toBeGreaterThan(0);
    expect(await place.json(['migrate'])).toEqual({ applied: [] });
  });
});

describe('account', () => {
  it('create shows the account; the first one edits the catalog, later ones when it is said', async () => {
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
        created_at: expect.stringMatching(INSTANT),
      },
    });
    const second = await createAccount('dos@tarifario.example', '--plan', 'starter');
    expect(second).toMatchObject({ is_catalog_editor: false, subscription: { plan: 'starter', clients_limit: 5 } });
    const third = await createAccount('tres@tarifario.example', '--catalog-editor');
    expect(third).toMatchObject({ is_catalog_editor: true, subscription: null });
  });

  it('create refuses a taken address in any case, a short password, a bad name, address or plan', async () => {
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

  it('create reads the password from standard input for -, and keeps no password in clear', async () => {
    const args = ['account', 'create', '--name', 'X', '--email', 'stdin@tarifario.example', '--password', '-'];
    expect((await place.run(args, { stdin: 'corta\n' })).stderr).toMatch(/at least 8/);
    await place.json(args, { stdin: 'contraseña del hidalgo\nsecond line\n' });
    const bytes = await stored();
    expect(bytes).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(bytes).not.toMatch(/hidalgo|molinos/);
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

  it('commands refuse an account that does not exist, and what is not an id', async () => {
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
  it('replaces what is given and keeps the rest; the number of firms follows the plan', async () => {
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
    expect(await set('--plan', 'business', '--status', 'cancelled')).toMatchObject({
      status: 'cancelled',
      clients_limit: 200,
    });
  });

  it('keeps the subscription itself, and what is not said of it: status and the end of its period too', async () => {
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
    ]) {
      expect((await set(...args)).status, args.join(' ')).toBe(2);
    }
    expect((await set('--account', '999', '--plan', 'pro')).status).toBe(1);
  });
});

describe('key', () => {
  it('create shows the key this once; the database has its hash alone', async () => {
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

  it('create refuses anything but one of the three kinds, unknown scopes, and strangers', async () => {
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
  it('subscribe and unsubscribe decide for one company or for all, also later ones', async () => {
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

describe('what is printed', () => {
  it('may be read in part, without a word about the rest', async () => {
    const child = place.start(['--help']);
    const errors = text(child.stderr ?? process.stdin);
    child.stdout?.destroy();
    const [status] = await once(child, 'exit');
    expect([status, await errors]).toEqual([1, '']);
  });

  it('is told to be lost where it cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--conditions=source', PROGRAM, '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const errors = text(child.stderr ?? process.stdin);
    const [status] = await once(child, 'exit');
    closeSync(full);
    expect([status, await errors]).toEqual([1, expect.stringMatching(/^tarifario: ENOSPC: [^\n]+\n$/)]);
  });
});

describe('backup', () => {
  it('writes a database that holds the same, and never over a file', async () => {
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
      stderr: expect.stringMatching(/x\.db cannot be opened: check its directory and the permissions\n$/),
    });
  });
});

describe('rank', () => {
  const OFFERS = [
    { id: 7, offer_name: 'Cara', e1: 0.2, commission: 90 },
    { id: 9, offer_name: 'Barata', e1: 0.1, commission: 10 },
    { id: 8, offer_name: 'Sin precio' },
  ].map((offer) => ({
    supply_type: 'LUZ',
    tariff_type: '2.0TD',
    territory_peninsula: true,
    acepta_dni: true,
    company: { id: 1, name: 'Comercializadora', logo_url: null },
    ...offer,
  }));
  const CUSTOMER = { supply_type: 'LUZ', energia: { e1: 1000 } };

  async function files(offers: unknown, customer: unknown): Promise<string[]> {
    const folder = join(place.folder, 'rank');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'offers.json'), JSON.stringify(offers));
    await writeFile(join(folder, 'customer.json'), JSON.stringify(customer));
    return ['rank', '--offers', join(folder, 'offers.json'), '--customer', join(folder, 'customer.json')];
  }

  it('ranks an array or a list answer without a database', async () => {
    const list = { total: 3, limit: 50, offset: 0, results: OFFERS };
    for (const offers of [OFFERS, list]) {
      const ranking = await place.json(await files(offers, CUSTOMER), { env: { DATABASE_URL: 'nothing' } });
      expect(ranking).toMatchObject({
        w: 0.5,
        dias: 365,
        meses: 12,
        total: 2,
        excluded_count: 1,
        excluded: [{ offer_id: 8, offer_name: 'Sin precio', codigo: 'sin_precio_energia' }],
        mas_barata_id: 9,
        mas_comision_id: 7,
        results: [
          { offer: { id: 9 }, cost: { total: 100 }, commission: { total: 10 }, nota: 5 },
          { offer: { id: 7 }, cost: { total: 200 }, commission: { total: 90 }, nota: 5 },
        ],
      });
    }
  });

  it('takes the weight of the customer file, and before it that of --w', async () => {
    const args = await files(OFFERS, { ...CUSTOMER, w: 0 });
    expect(await place.json(args)).toMatchObject({ w: 0, mas_eficiente_id: 7 });
    expect(await place.json([...args, '--w', '1'])).toMatchObject({ w: 1, mas_eficiente_id: 9 });
    for (const w of ['2', '-1', 'x', '1e-1', '']) expect((await place.runHere([...args, '--w', w])).status, w).toBe(2);
  });

  it('filters by company as the service does', async () => {
    const other = { ...OFFERS[1], company: { id: 2, name: 'Otra', logo_url: null } };
    const args = await files([OFFERS[0], other], { ...CUSTOMER, company_name: 'COMERCIAL' });
    expect(await place.json(args)).toMatchObject({ total: 1, results: [{ offer: { id: 7 } }] });
  });

  it('ranks a file whose commissions are masked by cost alone, as the service does', async () => {
    const masked = OFFERS.map((offer) => ({
      ...offer,
      commission: null,
      commission_type: null,
      commission_tiers: null,
    }));
    const args = await files([OFFERS[0], ...masked.slice(1)], CUSTOMER);
    expect(await place.json(args)).toMatchObject({
      w: 1,
      mas_comision_id: null,
      umbrales: null,
      escala: { comision_min: null, comision_max: null },
      results: [
        { offer: { id: 9 }, commission: null, nota: 10, nota_comision: null, en_frontera: null },
        { offer: { id: 7 }, commission: null, nota: 0, nota_comision: null, en_frontera: null },
      ],
    });
    expect(await place.json([...args, '--w', '1'])).toMatchObject({ w: 1 });
    const refusal = { status: 1, stdout: '', stderr: 'tarifario: w below 1 needs the scope commissions:read\n' };
    expect(await place.runHere([...args, '--w', '0.9'])).toEqual(refusal);
    expect(await place.runHere(await files(masked, { ...CUSTOMER, w: 0.9 }))).toEqual(refusal);
  });

  it('narrows to the firm that the customer file names, and the catalog', async () => {
    const of = (id: number, client: object | null) => ({
      ...OFFERS[0],
      id,
      company: { id: id + 10, name: `Comercializadora ${id}`, logo_url: null, client },
    });
    const offers = [of(1, { id: 1, name: 'Una' }), of(2, { id: 2, name: 'Otra' }), of(3, null), OFFERS[1]];
    const ranked = async (firm: object) => {
      const ranking = await place.json<WireRanking>(await files(offers, { ...CUSTOMER, ...firm }));
      return ranking.results.map(({ offer }) => offer.id).sort();
    };
    expect(await ranked({ client_id: 1 })).toEqual([1, 3]);
    expect(await ranked({ client_id: 2 })).toEqual([2, 3]);
    expect(await ranked({ client_id: 77 })).toEqual([3]);
    expect(await ranked({})).toEqual([1, 2, 3, 9]);
  });

  it('names an indexed offer whose history the file does not have', async () => {
    const listed = { ...OFFERS[0], is_indexed: true, created_at: '2026-01-01T00:00:00.000Z' };
    const { status, stderr } = await place.runHere(await files([listed], CUSTOMER));
    expect(status).toBe(1);
    expect(stderr).toContain('offer 7 (Cara): the file has no indexed_prices of it: use the answer of compare');
    const { created_at: _, ...written } = listed;
    expect(await place.json(await files([written], CUSTOMER))).toMatchObject({
      excluded: [{ codigo: 'sin_historico' }],
    });
  });

  it('shows a table when asked', async () => {
    const { stdout } = await place.run([...(await files(OFFERS, CUSTOMER)), '--pretty']);
    expect(stdout).toMatch(/1 Barata +Comercializadora +100\.00 .* 100\.00 +10\.00 +5\.00 +10\.00 +0\.00 ★◆/);
    expect(stdout).toMatch(/Sin precio +sin_precio_energia +Sin precio de energía en el periodo P1/);
  });

  it('says which file is wrong, and what it cannot read', async () => {
    const [, , offers = '', , customer = ''] = await files(OFFERS, { ...CUSTOMER, w: 7 });
    const rank = (a: string, b: string) => place.runHere(['rank', '--offers', a, '--customer', b]);
    expect(await rank(offers, customer)).toMatchObject({ status: 1, stderr: expect.stringContaining('customer.json') });
    expect(await rank(customer, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('customer.json'),
    });
    expect(await rank(`${place.folder}/none.json`, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^tarifario: cannot read .*none\.json: .*ENOENT/),
    });
    expect(await rank(`${place.folder}/none`, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^tarifario: cannot read .*none: .*ENOENT/),
    });
    await writeFile(join(place.folder, 'offers'), '[]');
    expect(await rank(join(place.folder, 'offers'), customer)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tarifario: cannot read .*offers: its name must end in \.json or \.xlsx or \.csv/),
    });
    await writeFile(join(place.folder, 'broken.json'), '{"a":');
    expect((await rank(join(place.folder, 'broken.json'), customer)).status).toBe(1);
    expect(await rank('offers.ods', customer)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('its name must end in .json or .xlsx or .csv'),
    });
    expect(await rank(offers, 'customer.xlsx')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/customer\.xlsx: its name must end in \.json \(/),
    });
    expect((await place.runHere(['rank', '--offers', offers])).status).toBe(2);
  });
});

describe('every command', () => {
  it('runs as a program of its own, prints one document and ends with status 0', async () => {
    const other = await openWorkplace();
    const person = ['--name', 'Una', '--email', 'una@tarifario.example', '--password', 'molinos de viento'];
    const copy = join(other.folder, 'copy.db');
    const [offers, customer] = [join(other.folder, 'offers.json'), join(other.folder, 'customer.json')];
    await writeFile(offers, '[]');
    await writeFile(customer, JSON.stringify({ supply_type: 'GAS', consumo_gas: 1 }));
    const commands = [
      ['migrate'],
      ['demo', 'seed'],
      ['account', 'create', ...person],
      ['account', 'list'],
      ['account', 'deactivate', '2'],
      ['account', 'activate', '2'],
      ['account', 'set', '2', '--catalog-editor', 'true'],
      ['subscription', 'set', '--account', '2', '--plan', 'pro'],
      ['key', 'create', '--account', '2', '--mcp'],
      ['key', 'list', '--account', '2'],
      ['key', 'revoke', '1'],
      ['catalog', 'unsubscribe', '--client', '1', '--all'],
      ['catalog', 'subscribe', '--client', '1', '--company', '1'],
      ['backup', copy],
      ['rank', '--offers', offers, '--customer', customer],
    ];
    for (const command of commands) {
      const { status, stdout, stderr } = await other.run(command);
      expect([status, stderr], command.join(' ')).toEqual([0, '']);
      expect(stdout).toMatch(/^[[{][\s\S]*[\]}]\n$/);
      expect(() => JSON.parse(stdout)).not.toThrow();
    }
    await other.remove();
  }, 120_000);
});

describe('the program', () => {
  it('says how it is called, to whoever asks, and to whoever calls it wrongly', async () => {
    const { status, stdout } = await place.run(['--help']);
    expect(status).toBe(0);
    for (const words of [
      'account create',
      'subscription set',
      'key revoke',
      'catalog unsubscribe',
      'demo run',
      'rank',
    ]) {
      expect(stdout).toContain(`tarifario ${words}`);
    }
    for (const args of [[], ['nonsense'], ['account'], ['account', 'destroy'], ['key', 'list', '--accounts', '1']]) {
      const result = await place.runHere(args);
      expect([result.status, result.stdout], args.join(' ')).toEqual([2, '']);
      expect(result.stderr).toMatch(/^tarifario: .*--help shows the commands/);
    }
  });

  it('prints tables for people with --pretty', async () => {
    const { stdout } = await place.runHere(['account', 'list', '--pretty']);
    const [titles, rule, first] = stdout.split('\n');
    expect(titles).toMatch(/^id name +email +is_active/);
    expect(rule).toMatch(/^[─ ]+$/);
    expect(first).toMatch(/^1 +Una +una@tarifario\.example +true/);
  });

  it('stops with one line and status 2 when a setting is wrong', async () => {
    for (const env of [{ DATABASE_URL: 'mysql://x' }, { PORT: 'eighty' }, { LOG_LEVEL: 'loud' }]) {
      for (const args of [['serve'], ['account', 'list']]) {
        const { status, stdout, stderr } = await place.runHere(args, env);
        expect([status, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(new RegExp(`^tarifario: ${Object.keys(env)[0]} [^\\n]+\\n$`));
      }
    }
  });

  it('stops with one line when the database cannot be opened', async () => {
    const { status, stderr } = await place.runHere(['account', 'list'], { DATABASE_URL: 'sqlite:/dev/null/x.db' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tarifario: [^\n]+\n$/);
  });

  it('ends a process of its own with the same status', async () => {
    expect(await place.run(['nonsense'])).toMatchObject({ status: 2, stdout: '' });
    expect(await place.run(['serve'], { env: { PORT: 'eighty' } })).toMatchObject({
      status: 2,
      stderr: 'tarifario: PORT must be a whole number from 0 to 65535\n',
    });
    expect(await place.run(['key', 'revoke', '999'])).toMatchObject({ status: 1, stdout: '' });
  });

  it('works without the export condition too', async () => {
    expect(await place.json(['account', 'list'], { nodeFlags: [] })).toEqual(await place.json(['account', 'list']));
    expect((await place.run(['nonsense'], { nodeFlags: [] })).status).toBe(2);
  });

  it('on a Node that is too old says so and does nothing', async () => {
    const folder = join(place.folder, 'old');
    await mkdir(folder);
    const pretend = join(folder, 'old-node.mjs');
    await writeFile(pretend, "Object.defineProperty(process.versions, 'napi', { value: '9' });");
    const nodeFlags = ['--conditions=source', '--import', pretend];
    const { status, stdout, stderr } = await place.run(['account', 'list'], { nodeFlags });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tarifario: Node [\d.]+ is too old[^\n]+\n$/);
  });
});
