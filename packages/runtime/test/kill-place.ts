import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { migrate, openStore } from '@tarifario/store';
import { expect } from 'vitest';
import { temporaryFolder } from '../../store/test/temporary-folder.ts';
import { createSecrets } from '../src/index.ts';
import { workbookBytes } from './workbook-bytes.ts';

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

/** Where a killed import can be looked at. */
export interface KillPlace {
  /** What each step of an import that nobody kills is called, and what it leaves. */
  readonly steps: readonly string[];
  /** Kills one at each of some steps, counted from 1, and sees that all or nothing happened, and the rest later. */
  expectAllOrNothing(steps: readonly number[]): Promise<void>;
  remove(): void;
}

/** Makes a database with a queued file of the catalog that replaces 300 offers and creates as many. */
export async function openKillPlace(): Promise<KillPlace> {
  const folder = temporaryFolder();
  const queued = join(folder, 'queued.db');
  await migrate(`sqlite:${queued}`);
  await fill(queued);
  const copyOf = (name: string) => {
    const copy = join(folder, `${name}.db`);
    cpSync(queued, copy);
    return copy;
  };
  const whole = copyOf('whole');
  const { steps } = await runTo(whole, 0, NOON);
  const [before, after] = [contentOf(queued), contentOf(whole)];
  expect(after.rows === before.rows).toBe(false);
  expect(after).toMatchObject({ upload: { status: 'completed' }, fileCount: 0 });
  const killAt = async (step: number) => {
    const file = copyOf(`killed-${step}`);
    expect(await runTo(file, step, NOON)).toMatchObject({ signal: 'SIGKILL' });
    const content = contentOf(file);
    expect(content.integrity).toEqual({ integrity_check: 'ok' });
    if (step === steps.length) {
      expect(content).toEqual(after);
      return;
    }
    const status = steps.slice(0, step).includes('committed') ? 'processing' : 'pending';
    expect(content).toMatchObject({ upload: { status }, fileCount: 1 });
    expect(content.rows === before.rows).toBe(true);
    // Nobody takes it before its lease is over, and then it is done.
    if (status === 'processing') {
      expect((await runTo(file, 0, SOON)).steps.at(-1)).toBe('committed');
      expect(contentOf(file).rows === before.rows).toBe(true);
    }
    await runTo(file, 0, LATER);
    const done = contentOf(file);
    expect(done.rows === after.rows).toBe(true);
    expect(done).toMatchObject({ upload: after.upload ?? {}, fileCount: 0 });
    rmSync(file);
  };
  return {
    steps,
    async expectAllOrNothing(chosen) {
      const remaining = [...chosen];
      const killAll = async () => {
        for (let step = remaining.shift(); step !== undefined; step = remaining.shift()) await killAt(step);
      };
      await Promise.all(Array.from({ length: availableParallelism() }, killAll));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

async function fill(file: string): Promise<void> {
  const store = await openStore(`sqlite:${file}`);
  const { prefix, secretHash } = createSecrets().newKey();
  const accountTerms = { name: 'A', email: 'a@tarifario.example', passwordHash: '-', isCatalogEditor: true };
  const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
  const { accountId, keyId } = await store.write({ keyId: null, at: NOON }, async (writer) => {
    const { id } = await writer.insertAccount(accountTerms);
    const key = await writer.insertKey({ accountId: id, prefix, secretHash, ...rights });
    return { accountId: id, keyId: key.id };
  });
  const row = (index: number) => ({ company_name: `Iber ${index % 3}`, offer_name: `Oferta ${index}`, ...SOLD });
  const rows = Array.from({ length: 600 }, (_, index) => row(index));
  const months = rows.map(({ company_name, offer_name }) => ({ company_name, offer_name, ...MONTH }));
  // What the first file creates, the second one replaces; then it creates as much again.
  await queue([rows.slice(0, 300), months.slice(0, 300)]);
  expect(await runTo(file, 0, NOON)).toMatchObject({ status: 0 });
  const replaced = rows.slice(0, 300).map((each, index) => ({ catalog_offer_id: index + 1, ...each, commission: 5 }));
  await queue([[...replaced, ...rows.slice(300)], months.slice(300)]);
  await store.close();

  async function queue([ofertas, precios_indexados]: [object[], object[]]) {
    const bytes = await workbookBytes(JSON.parse(JSON.stringify({ ofertas, precios_indexados })));
    const kind = 'catalog_bulk_update';
    const terms = { firmId: null, kind, fileName: 'x.xlsx', sizeBytes: bytes.length, status: 'pending' } as const;
    await store.write({ keyId, at: NOON }, (writer) => writer.insertUpload(accountId, { ...terms, file: bytes }));
  }
}

/** Takes up the upload until it dies at a step; 0: to its end. */
async function runTo(file: string, step: number, now: string) {
  const args = ['--conditions=tarifario-source', PROGRAM, `sqlite:${file}`, String(step), now];
  const child = spawn(process.execPath, args, { timeout: 600_000 });
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status, signal, stderr, steps: stdout.trimEnd().split('\n') };
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
      const columns = name === 'revision_marks' ? 'shelf_id, revision' : '*';
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
