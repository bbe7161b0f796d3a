import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@tarifario/store';
import { openWorkplace } from '@tarifario/testkit/cli/run-program';
import { onServer } from '@tarifario/testkit/postgres/databases';
import { startPostgres } from '@tarifario/testkit/postgres/server';
import { isFullLength } from '@tarifario/testkit/share';
import { afterEach, describe, expect, it } from 'vitest';

/** What `docs/operations.md` and `deploy/` say about the program, held against the program. */
const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/operations.md');
const deployed = readdirSync(join(root, 'deploy')).map((name) => ({ name, text: read(`deploy/${name}`) }));
const textOf = (name: string) => deployed.find((file) => file.name === name)?.text ?? '';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-operations-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function allIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

describe('copies of the database', () => {
  const HOUR_MS = 3_600_000;
  const nameOf = (hoursAgo: number) =>
    new Date(Date.now() - hoursAgo * HOUR_MS).toISOString().slice(0, 19).replaceAll(':', '');
  const thinned = (names: readonly string[]) => {
    const folder = newFolder();
    for (const name of names) writeFileSync(join(folder, name), '');
    execFileSync(join(root, 'deploy/thin-backups.sh'), [folder]);
    return readdirSync(folder).toSorted();
  };

  it('stay hourly for a day and daily for two weeks', () => {
    const hourly = Array.from({ length: 30 * 24 }, (_, hour) => `${nameOf(hour + 0.5)}.db`);
    const copies = thinned(hourly);
    const lastDay = hourly.slice(0, 24);
    const days = copies.filter((name) => !lastDay.includes(name)).map((name) => name.slice(0, 10));
    expect(copies).toEqual(expect.arrayContaining(lastDay));
    expect(days).toHaveLength(new Set(days).size);
    expect(days.length).toBeGreaterThanOrEqual(13);
    expect(days.length).toBeLessThanOrEqual(15);
    // Of each of them the last one, unless the last day has it.
    for (const day of days) expect(copies.includes(hourly.find((name) => name.startsWith(day)) ?? '')).toBe(true);
    expect(thinned(copies)).toEqual(copies);
  });

  it('are not all deleted when none was made for long, and other files stay', () => {
    const old = [`${nameOf(900)}.dump`, `${nameOf(901)}.dump`];
    const [latest = ''] = old;
    const others = ['notes.txt', `${nameOf(0.1)}.db.partial`];
    expect(thinned([...old, ...others, `${nameOf(50)}.db.partial`])).toEqual([latest, ...others].toSorted());
  });

  it('of PostgreSQL are made by the timer as the page says', () => {
    const [block = ''] = allIn(page, /^```sh backup-postgresql\n(.*?)^```/gms);
    expect(textOf('backup-postgresql.sh')).toContain(block.replace('set -eu\n', ''));
  });
});

/** What a process that crashes leaves in the -wal: a write that is not in the file yet. */
async function walOfCrash(databaseFile: string): Promise<Buffer> {
  const store = await openStore(`sqlite:${databaseFile}`);
  const terms = { name: 'c', email: 'crashed@example.com', passwordHash: '', isCatalogEditor: false };
  await store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) => writer.accounts.insert(terms));
  const wal = readFileSync(`${databaseFile}-wal`);
  await store.close();
  return wal;
}

it('a damaged database is restored as the page says', async () => {
  const place = await openWorkplace();
  try {
    const create = async (name: string) => {
      const args = ['account', 'create', '--name', name, '--email', `${name}@example.com`];
      await place.json([...args, '--password', 'molinos de viento']);
    };
    await create('before');
    const backup = join(place.folder, 'backup.db');
    await place.json(['backup', backup]);
    await create('after');
    const wal = await walOfCrash(place.databaseFile);
    writeFileSync(place.databaseFile, 'no database at all');
    expect((await place.runHere(['account', 'list'])).status).toBe(1);
    writeFileSync(`${place.databaseFile}-wal`, wal);

    const [script = ''] = allIn(page, /^```sh restore\n(.*?)^```/gms);
    const env = {
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      DB: place.databaseFile,
      BACKUP: backup,
    };
    const output = execFileSync('sh', ['-c', script], { cwd: root, env, encoding: 'utf8' });
    expect(output).toContain('before@example.com');
    expect(output).not.toMatch(/after@|crashed@/);
    const names = readdirSync(place.folder);
    const [aside = ''] = names.filter((name) => name.startsWith('test.db.broken-'));
    expect(readdirSync(join(place.folder, aside)).toSorted()).toEqual(
      expect.arrayContaining(['test.db', 'test.db-wal']),
    );
    await create('after');
  } finally {
    await place.remove();
  }
});

describe('a PostgreSQL database', () => {
  const programs = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'psql', 'createdb', 'vacuumdb'];
  const installed = globSync('/usr/lib/postgresql/*/bin').find((folder) =>
    programs.every((name) => existsSync(join(folder, name))),
  );
  if (installed === undefined)
    console.warn(
      '!!! NOT TESTED: no PostgreSQL with its own programs is installed, so nothing was dumped or restored !!!',
    );

  /** Every row of every table, and what tables, indexes, functions and triggers are. */
  async function contentOf(url: string, bin: string): Promise<unknown> {
    const rows = await onServer(url, async (client) => {
      const tables = await client.query("select tablename as name from pg_tables where schemaname = 'public'");
      const queries = tables.rows.map(({ name }) => `select '${name}' as name, ${name}::text as row from ${name}`);
      return (await client.query(`${queries.join(' union all ')} order by 1, 2`)).rows;
    });
    const options = ['--schema-only', '--no-owner', '--no-privileges', url];
    const definitions = execFileSync(join(bin, 'pg_dump'), options, { encoding: 'utf8' });
    // Lines of psql, with a word that is another one each time.
    return { rows, definitions: definitions.replaceAll(/^\\.*$/gm, '') };
  }

  it.runIf(installed && isFullLength)(
    'is dumped while it is used, and restored by an administrator of a fresh server',
    async () => {
      const bin = installed ?? '';
      const [server, fresh] = [await startPostgres(bin), await startPostgres(bin)];
      const place = await openWorkplace();
      const old = server.url('tarifario');
      // The service may make no databases, and reads and writes what is its own.
      const restored = fresh.url('tarifario_restored').replace('//postgres@', '//tarifario@');
      const backup = join(place.folder, 'tarifario.dump');
      const values = { DATABASE_URL: old, BACKUP: backup, SERVER_URL: fresh.url() };
      const env = {
        PATH: `${bin}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        OWNER: 'tarifario',
        NEW: 'tarifario_restored',
        NEW_URL: restored,
        ...values,
      };
      const runBlock = (name: string) => {
        const [, script = ''] = new RegExp(`^\`\`\`sh ${name}\\n(.*?)^\`\`\``, 'ms').exec(page) ?? [];
        expect(script).not.toBe('');
        return execFileSync('sh', ['-ec', `umask 022\n${script}`], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' });
      };
      const create = async (name: string, url: string) => {
        const args = ['account', 'create', '--name', name, '--email', `${name}@example.com`];
        await place.json([...args, '--password', 'molinos de viento'], { env: { DATABASE_URL: url } });
      };
      try {
        await onServer(server.url(), (client) =>
          client.query("create database tarifario encoding 'UTF8' template template0"),
        );
        await place.json(['demo', 'seed'], { env: { DATABASE_URL: old } });
        const store = await openStore(old);
        const before = await contentOf(old, bin);
        runBlock('backup-postgresql');
        await store.close();
        expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
        await create('after', old);
        runBlock('user-postgresql');
        const output = runBlock('restore-postgresql');
        expect(output).toContain('"applied": []');
        expect(output).not.toContain('after@example.com');
        expect(await contentOf(restored, bin)).toEqual(before);
        expect(await contentOf(old, bin)).not.toEqual(before);
        await create('after', restored);
      } finally {
        await place.remove();
        await server.stop();
        await fresh.stop();
      }
    },
  );
});
