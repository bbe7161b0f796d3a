import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLANS, SUBSCRIPTION_STATUSES } from '@tarifario/core/service';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

describe('help', () => {
  it.each(COMMANDS.map((spec) => [spec.words, spec] as const))(
    'of %s shows its usage, each option and an example, whichever way it is called',
    async (words, { operand = '', usage = operand, options = {}, example }) => {
      const { status, stdout, stderr } = await place.runHere([...words.split(' '), '--help']);
      expect([status, stderr]).toEqual([0, '']);
      const inOneLine = stdout.replaceAll(/(?: \\)?\s+/g, ' ');
      expect(inOneLine).toContain(`Usage: tarifario ${words} ${usage.replaceAll(/\s+/g, ' ')}`.trimEnd());
      expect(inOneLine).toContain(`Example: ${example}`);
      for (const flags of Object.keys(options)) expect(stdout).toContain(flags);
      for (const helpWords of [['help'], ['-h'], ['--help']]) {
        expect((await place.runHere([...helpWords, ...words.split(' ')])).stdout).toBe(stdout);
      }
    },
  );

  it('names every option that the usage names, and no other', () => {
    for (const { usage = '', options = {}, hasTable } of COMMANDS) {
      const named = [...usage.matchAll(/--[a-z-]+/g)].map(([name]) => name);
      const known = Object.keys(options).map((flags) => flags.split(' ')[0]);
      expect(new Set(named), usage).toEqual(new Set(known));
      expect(hasTable === true ? [] : known.filter((name) => name === '--out' || name === '--format')).toEqual([]);
    }
  });

  it('lists the values that an option takes as core has them', () => {
    const wordsOf = (name: string) =>
      COMMANDS.flatMap(({ options = {} }) => Object.keys(options))
        .filter((flags) => flags.startsWith(`${name} `))
        .map((flags) => flags.split(' ')[1]?.split('|'));
    expect(wordsOf('--plan')).toEqual([[...PLANS], [...PLANS]]);
    expect(wordsOf('--status')).toEqual([[...SUBSCRIPTION_STATUSES]]);
  });

  it.each([60, 80, 140])('of every command fits a terminal of %i columns', async (columns) => {
    const { stdout } = process;
    const before = { isTTY: stdout.isTTY, columns: stdout.columns };
    Object.assign(stdout, { isTTY: true, columns });
    try {
      for (const words of [[], ['key'], ...COMMANDS.map((spec) => spec.words.split(' '))]) {
        const { stdout: help } = await place.runHere(['help', ...words]);
        expect(help.split('\n').filter((line) => line.length > columns)).toEqual([]);
        if (words.length === 0)
          expect(Math.max(...help.split('\n').map((line) => line.length))).toBeGreaterThan(columns / 2);
      }
    } finally {
      Object.assign(stdout, before);
    }
  });

  it('of a group lists its commands', async () => {
    const { stdout } = await place.runHere(['help', 'key']);
    expect(stdout).toMatch(/tarifario key create .*\n.*tarifario key list .*\n(.*\n)?.*tarifario key revoke/);
    expect(stdout).not.toContain('account create');
  });

  it('has an example of each command that reads its arguments', async () => {
    for (const { example } of COMMANDS) {
      const words = example.replace(/^\w+=\S+ /, '').match(/"[^"]*"|\S+/g) ?? [];
      const { status, stderr } = await place.runHere([...words.slice(1), '--help']);
      expect([status, stderr], example).toEqual([0, '']);
    }
  });
});

describe('the program', () => {
  it('shows its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    for (const flag of ['--version', '-v']) {
      expect(await place.runHere([flag])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('called without a command shows its help', async () => {
    expect(await place.runHere([])).toEqual(await place.runHere(['--help']));
    expect(await place.runHere([])).toMatchObject({ status: 0, stdout: expect.stringContaining('Commands:') });
  });

  it.each([
    [['acount', 'list'], "unknown command 'acount' (Did you mean account?)"],
    [['account', 'lst'], "unknown command 'lst' (Did you mean list?)"],
    [['help', 'rnak'], "unknown command 'rnak' (Did you mean rank?)"],
    [['--help', 'key', 'lst'], "unknown command 'lst' (Did you mean list?)"],
    [['rank', '--ofers', 'x'], "unknown option '--ofers' (Did you mean --offers?)"],
    [['account', 'set', '--pasword=tfk_canary'], "unknown option '--pasword'"],
    [['account', 'set', '--password', 'tfk_a', '--password', 'tfk_b'], '--password is given more than once'],
    [['key'], 'key needs one of create, list, revoke'],
    [['backup', 'a', 'b'], 'backup takes no word more without an option'],
  ])('called with %j suggests the likely command', async (args, message) => {
    const stderr = `tarifario: ${message} (tarifario --help shows the commands)\n`;
    expect(await place.runHere(args)).toEqual({ status: 2, stdout: '', stderr });
  });

  it.each(shareOf(['bash', 'zsh', 'fish', 'powershell'], 4))('prints a completion script for %s', async (shell) => {
    const { status, stdout } = await place.run(['completion', shell]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('tarifario complete ')]);
  });

  it('does not load the engine for help, nor at each press of the key that completes', async () => {
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: (url, context, next) => {
      if (!url.startsWith('node:')) process.stderr.write(url + '\\n');
      return next(url, context); } })`;
    const nodeFlags = ['--conditions=tarifario-source', '--import', `data:text/javascript,${encodeURIComponent(hook)}`];
    for (const args of [
      ['rank', '--help'],
      ['complete', '--', 'rank', ''],
    ]) {
      const { status, stderr } = await place.run(args, { nodeFlags });
      const loaded = stderr.trim().split('\n');
      expect([status, loaded.filter((url) => url.endsWith('/cli/src/commands.ts')).length]).toEqual([0, 1]);
      expect(loaded.filter((url) => /\/(kysely|zod|packages\/core)\//.test(url))).toEqual([]);
    }
  });

  it('completes commands, options and the values of options', async () => {
    const complete = async (...args: string[]) => {
      const { stdout } = await place.run(['complete', '--', ...args]);
      return stdout.split('\n').map((line) => line.split('\t')[0]);
    };
    const all: readonly (readonly [words: readonly string[], completed: readonly string[]])[] = [
      [['account', 'create', '--plan', ''], PLANS],
      [['account', 's'], ['set']],
      [['account', 'create', '--cl'], ['--clients-limit']],
    ];
    for (const [words, completed] of shareOf(all, 3)) {
      expect(await complete(...words)).toEqual(expect.arrayContaining([...completed]));
    }
  });
});

describe('a table', () => {
  beforeAll(async () => {
    const password = ['--password', 'molinos de viento', '--plan', 'pro'];
    await place.json(['account', 'create', '--name', 'Una', '--email', 'una@tarifario.example', ...password]);
  });

  it('is printed as CSV, with commas or in the form of a spreadsheet in Spanish', async () => {
    const { stdout } = await place.runHere(['account', 'list', '--format', 'csv']);
    expect(stdout).toMatch(/^id,name,email,is_active,.*,subscription\.plan,.*\r\n1,Una,una@tarifario\.example,true,/);
    const spanish = await place.runHere(['account', 'list', '--format', 'es']);
    expect(spanish.stdout).toMatch(/^\uFEFFid;name;email;.*\r\n1;Una;una@/);
  });

  it('is written into a file, whose name is printed', async () => {
    for (const [name, start] of [
      ['accounts.csv', 'id,name'],
      ['accounts.xlsx', 'PK'],
    ] as const) {
      const out = join(place.folder, name);
      expect(await place.json(['account', 'list', '--out', out])).toEqual({ out, rows: 1 });
      expect((await readFile(out, 'latin1')).startsWith(start)).toBe(true);
    }
  });

  it.each([
    [['--out', 'x.ods'], 2, '--out must end in .csv or .xlsx'],
    [['--out', 'x.xlsx', '--format', 'es'], 2, '--format is for CSV'],
    [['--format', 'de'], 2, 'Allowed choices are csv, es'],
    [['--out', '/no/such/folder/x.csv'], 1, 'cannot write /no/such/folder/x.csv: ENOENT'],
  ] as const)('is refused with %j', async (args, status, message) => {
    const result = await place.runHere(['account', 'list', ...args]);
    expect([result.status, result.stdout, result.stderr]).toEqual([status, '', expect.stringContaining(message)]);
  });
});

describe('doctor', () => {
  const states = async (env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout } = await place.runHere(['doctor'], env);
    const checks: { check: string; state: string; about: string }[] = JSON.parse(stdout);
    return [status, Object.fromEntries(checks.map(({ check, state }) => [check, state]))];
  };

  it('reports a database in use as good, and says which settings a proxy would need', async () => {
    expect(await states()).toEqual([
      0,
      {
        settings: 'good',
        database: 'good',
        migrations: 'good',
        pooler: 'good',
        permissions: 'good',
        clock: 'good',
        // By the day on which this runs.
        taxes: expect.stringMatching(/^(good|look)$/),
        // By the name servers of the machine.
        webhooks: expect.stringMatching(/^(good|look)$/),
        'proxy headers': 'look',
      },
    ]);
    expect(await states({ WEBHOOK_LOOPBACK: 'on' })).toMatchObject([0, { webhooks: 'look' }]);
    expect(await states({ TRUST_PROXY: '1' })).toMatchObject([0, { 'proxy headers': 'good' }]);
  });

  it('ends with 1 for a wrong setting or a missing database, and creates none', async () => {
    expect(await states({ TAX_ROWS: join(place.folder, 'missing.json') })).toMatchObject([1, { taxes: 'bad' }]);
    expect(await states({ PORT: 'eighty' })).toEqual([1, { settings: 'bad' }]);
    const missing = join(place.folder, 'missing.db');
    expect(await states({ DATABASE_URL: `sqlite:${missing}` })).toMatchObject([1, { database: 'bad' }]);
    await expect(readFile(missing)).rejects.toThrow('ENOENT');
  });

  it('fits one screen', async () => {
    const { stdout } = await place.runHere(['doctor', '--pretty']);
    expect(stdout.split('\n').length).toBeLessThan(24);
  });
});
