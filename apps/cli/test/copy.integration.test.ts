import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { emptyDatabase, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Report {
  readonly copied: boolean;
  readonly rows: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly sha256: string | null }[];
}

describe('copy', () => {
  let place: Workplace;
  let from: string;

  beforeAll(async () => {
    place = await openWorkplace();
    from = `sqlite:${join(place.folder, 'from.db')}`;
    await place.json(['demo', 'seed'], { env: { DATABASE_URL: from } });
  });
  afterAll(() => place.remove());

  it.each([
    ['SQLite', async () => ({ url: `sqlite:${join(place.folder, 'to.db')}`, drop: async () => {} })],
    ...(postgresUrl === null ? [] : [['PostgreSQL', emptyDatabase] as const]),
  ] as const)('fills a database of %s, which then has the same accounts', async (_name, make) => {
    const { url, drop } = await make();
    const asked = await place.json<Report>(['copy', '--from', from, '--to', url, '--dry-run']);
    expect([asked.copied, asked.tables.find(({ table }) => table === 'accounts')]).toEqual([
      false,
      { table: 'accounts', rows: 1, sha256: null },
    ]);
    const { status, stdout, stderr } = await place.runHere(['copy', '--from', from, '--to', url, '--progress']);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^0 %, \d+ of \d+ rows written or read again, \w+\n/)]);
    const report: Report = JSON.parse(stdout);
    expect(report).toMatchObject({ copied: true, rows: asked.rows });
    const shown = await place.runHere(['copy', '--from', from, '--to', url, '--pretty']);
    expect(shown.stdout).toMatch(/^table +rows +sha256 *\n(.*\n)*accounts +1 +[0-9a-f]{64}\n/);
    expect(shown.stdout.split('\n').at(-2)).toBe(`${asked.rows} rows, nothing written`);
    const accounts = (databaseUrl: string) => place.json(['account', 'list'], { env: { DATABASE_URL: databaseUrl } });
    expect(await accounts(url)).toEqual(await accounts(from));
    expect(await place.json(['copy', '--from', from, '--to', url])).toEqual({ ...report, copied: false });
    await drop();
  });

  it('refuses a database that is not empty, and an address of another kind without showing it', async () => {
    const file = join(place.folder, 'other.db');
    const other = new DatabaseSync(file);
    other.exec('create table other (id integer)');
    other.close();
    const before = await readFile(file);
    const refused = await place.runHere(['copy', '--from', from, '--to', `sqlite:${file}`]);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^tarifario: the database file .*other\.db cannot be used: it is not empty/);
    expect(await readFile(file)).toEqual(before);
    const wrong = await place.runHere(['copy', '--from', from, '--to', 'mysql://u:hunter2@host/db']);
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('sqlite:')]);
    expect(wrong.stderr).not.toContain('hunter2');
    expect((await place.runHere(['copy', '--from', from])).stderr).toContain('copy needs --to');
  });

  it('that has not ended makes doctor and every command say so', async () => {
    const file = join(place.folder, 'begun.db');
    const database = new DatabaseSync(file);
    database.exec(`create table migrations (name text primary key, applied_at text not null) strict;
      insert into migrations values ('unfinished-copy', '2026')`);
    database.close();
    const env = { DATABASE_URL: `sqlite:${file}` };
    const sentence = expect.stringContaining('a copy into it has not ended: run tarifario copy again');
    for (const command of [['migrate'], ['account', 'list'], ['serve', '--port', '0']]) {
      expect(await place.runHere(command, env)).toMatchObject({ status: 1, stderr: sentence });
    }
    expect(await place.runHere(['doctor'], env)).toMatchObject({ status: 1, stdout: sentence });
    expect(await place.json(['copy', '--from', from, '--to', env.DATABASE_URL])).toMatchObject({ copied: true });
    expect(await place.runHere(['account', 'list'], env)).toMatchObject({ status: 0 });
  });
});
