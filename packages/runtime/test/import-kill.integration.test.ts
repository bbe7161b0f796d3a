import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { migrate, openStore } from '@tarifario/store';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { isFullLength } from '@tarifario/testkit/share';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSecrets } from '../src/index.ts';
import { takeUpload } from './killed-import.ts';

// A process may be killed at any step of applying a file. Before its commit nothing has changed, after it everything;
// the upload tells which, and one that was killed is taken up again when its lease is over.

const PROGRAM = fileURLToPath(new URL('./killed-import.ts', import.meta.url));
const [NOON, SOON, LATER] = ['12:00', '12:01', '13:00'].map((time) => `2026-03-01T${time}:00.000Z`) as [
  string,
  string,
  string,
];
const SOLD = {
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  acepta_dni: true,
  territory_peninsula: true,
  is_indexed: true,
};
const MONTH = { reference_month: '2026-01', e1: 0.1 };

const KILLED = 5;
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A database with a queued file of the catalog that replaces 300 offers and creates as many. */
const queued = join(folder, 'queued.db');
const whole = join(folder, 'whole.db');
/** The names of the steps of an import that runs to its end. */
let steps: readonly string[];

beforeAll(async () => {
  await migrate(`sqlite:${queued}`);
  await fill(queued);
  cpSync(queued, whole);
  steps = await stepsOf(whole, NOON);
});

it('A-38: an import that is killed at a step has done all or nothing, and its upload says which', async () => {
  const phases = [
    'queue.claim',
    'a part of ofertas',
    'queue.extendLease',
    'offers.insert',
    'offers.update',
    'before the commit',
  ];
  expect(steps).toEqual(expect.arrayContaining(phases));
  expect(steps.filter((name) => name === 'committed')).toHaveLength(3);
  expect(steps.length).toBeGreaterThan(18);
  // The steps are of all its phases, so five that are spread over them are too.
  const count = isFullLength ? steps.length : KILLED;
  const remaining = Array.from({ length: count }, (_, index) => Math.round(((index + 1) * steps.length) / count));
  const killAll = async () => {
    for (let step = remaining.shift(); step !== undefined; step = remaining.shift()) await killAt(step);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, killAll));
});

/** Kills an import at a step, counted from 1, and sees that all or nothing happened, and the rest later. */
async function killAt(step: number): Promise<void> {
  const [before, after] = [contentOf(queued), contentOf(whole)];
  expect(after.rows === before.rows).toBe(false);
  expect(after).toMatchObject({ upload: { status: 'completed' }, fileCount: 0 });
  const file = join(folder, `killed-${step}.db`);
  cpSync(queued, file);
  expect(await killedAt(file, step)).toEqual([null, 'SIGKILL']);
  const content = contentOf(file);
  expect(content.integrity).toEqual({ integrity_check: 'ok' });
  if (step === steps.length) {
    expect(content).toEqual(after);
    return;
  }
  const status = steps.slice(0, step).includes('committed') ? 'processing' : 'pending';
  expect(content).toMatchObject({ upload: { status }, fileCount: 1 });
  expect(content.rows === before.rows).toBe(true);
  // No worker claims the file before its lease ends. After that a worker applies it.
  if (status === 'processing') {
    expect((await stepsOf(file, SOON)).at(-1)).toBe('committed');
    expect(contentOf(file).rows === before.rows).toBe(true);
  }
  await stepsOf(file, LATER);
  const done = contentOf(file);
  expect(done.rows === after.rows).toBe(true);
  expect(done).toMatchObject({ upload: after.upload ?? {}, fileCount: 0 });
  rmSync(file);
}

async function fill(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  const { prefix, secretHash } = createSecrets().newKey();
  const accountTerms = { name: 'A', email: 'a@tarifario.example', passwordHash: '-', isCatalogEditor: true };
  const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
  const { accountId, keyId } = await store.write({ keyId: null, at: NOON }, async (writer) => {
    const { id } = await writer.accounts.insert(accountTerms);
    const key = await writer.keys.insert({ accountId: id, prefix, secretHash, ...rights });
    return { accountId: id, keyId: key.id };
  });
  const row = (index: number) => ({ company_name: `Iber ${index % 3}`, offer_name: `Oferta ${index}`, ...SOLD });
  const rows = Array.from({ length: 600 }, (_, index) => row(index));
  const months = rows.map(({ company_name, offer_name }) => ({ company_name, offer_name, ...MONTH }));
  // What the first file creates, the second one replaces; then it creates as much again.
  await queue([rows.slice(0, 300), months.slice(0, 300)]);
  await stepsOf(file, NOON);
  const replaced = rows.slice(0, 300).map((each, index) => ({ catalog_offer_id: index + 1, ...each, commission: 5 }));
  await queue([[...replaced, ...rows.slice(300)], months.slice(300)]);
  await store.close();

  async function queue([ofertas, precios_indexados]: [object[], object[]]) {
    const bytes = await workbookBytes(JSON.parse(JSON.stringify({ ofertas, precios_indexados })));
    const kind = 'catalog_bulk_update';
    const terms = { firmId: null, kind, fileName: 'x.xlsx', sizeBytes: bytes.length, status: 'pending' } as const;
    await store.write({ keyId, at: NOON }, (writer) => writer.uploads.insert(accountId, { ...terms, file: bytes }));
  }
}

/** Takes up the upload of a database, to the end: what its steps are called. */
async function stepsOf(file: string, now: string): Promise<string[]> {
  const names: string[] = [];
  await takeUpload(`sqlite:${file}`, now, (name) => void names.push(name));
  return names;
}

/** Takes up the upload in a process that dies at a step: its status and signal. */
function killedAt(file: string, step: number): Promise<unknown[]> {
  const args = ['--conditions=tarifario-source', PROGRAM, `sqlite:${file}`, NOON, String(step)];
  return once(spawn(process.execPath, args, { timeout: 600_000, stdio: 'ignore' }), 'exit');
}

interface Content {
  readonly integrity: unknown;
  /** Every row of every table but those of uploads, with no matter when, and revisions without their random marks. */
  readonly rows: string;
  readonly upload: Readonly<Record<string, unknown>> | undefined;
  readonly fileCount: number;
}

function contentOf(file: string): Content {
  const database = new DatabaseSync(file);
  const integrity = database.prepare('PRAGMA integrity_check').get();
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = names
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite_|upload)/.test(name))
    .map((name) => {
      const columns = name === 'revision_marks' ? 'owner_id, revision' : '*';
      return [name, database.prepare(`SELECT ${columns} FROM ${name}`).all()];
    });
  const upload = database.prepare('SELECT status, result, error FROM uploads ORDER BY id DESC').get();
  const fileCount = database.prepare('SELECT * FROM upload_files').all().length;
  database.close();
  return {
    integrity,
    rows: JSON.stringify(rows).replaceAll(/"2026-03-01T1[23]:0[01]:00\.000Z"/g, '"then"'),
    upload,
    fileCount,
  };
}
