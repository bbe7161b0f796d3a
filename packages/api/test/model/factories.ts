import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, openStore } from '@tarifario/store';
import { onPostgresServer } from './on-postgres.ts';
import { type ServiceFactory, type System, systemOver } from './systems.ts';

type SetUp = (system: System) => Promise<void>;

/** The kinds of stores, in the order of their calls. */
export async function factoriesOf(
  setUp: SetUp,
  { onPostgres }: { readonly onPostgres: boolean },
): Promise<readonly ServiceFactory[]> {
  const sqlite = await onSqlite(setUp);
  return onPostgres ? [sqlite, await onPostgresServer(setUp)] : [sqlite];
}

async function onSqlite(setUp: SetUp): Promise<ServiceFactory> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tarifario-model-'));
  const template = join(folder, 'template.db');
  await migrate(`sqlite:${template}`);
  const first = await openStore(`sqlite:${template}`);
  await setUp(systemOver(first));
  await first.close();
  let count = 0;
  const make = async () => {
    count += 1;
    const path = join(folder, `${count}.db`);
    copyFileSync(template, path);
    const store = await openStore(`sqlite:${path}`);
    const file = new DatabaseSync(path);
    const look = lookAt(file);
    const close = async () => {
      file.close();
      await store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    };
    return {
      ...systemOver(store),
      name: 'SQLite',
      readsCannotWrite: false,
      tables: async (but?: 'uploads') => look(but),
      closeGaps: async () => {},
      close,
    };
  };
  return { make, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

function lookAt(file: DatabaseSync): (but?: 'uploads') => string {
  const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const all = names.map(({ name }) => ({
    // The sequence counts the ids of uploads, too.
    isOfUploads: /^(upload|sqlite_sequence)/.test(String(name)),
    rows: file.prepare(`SELECT * FROM "${name}"`),
  }));
  const versionOf = file.prepare('PRAGMA data_version');
  let version: unknown;
  let texts = { all: '', rest: '' };
  return (but) => {
    // Nobody has written as long as this number stays; looking again would show the same.
    const seen = versionOf.get()?.data_version;
    if (seen !== version) {
      const looked = all.map(({ isOfUploads, rows }) => ({ isOfUploads, text: JSON.stringify(rows.all()) }));
      const textOf = (some: typeof looked) => some.map(({ text }) => text).join();
      texts = { all: textOf(looked), rest: textOf(looked.filter(({ isOfUploads }) => !isOfUploads)) };
    }
    version = seen;
    return but === 'uploads' ? texts.rest : texts.all;
  };
}
