import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createShelves, runImport, type Store } from '@tarifario/core';
import { createMemoryStore } from '@tarifario/core/testing';
import { migrate, openStore } from '@tarifario/store';
import { type ApiAnswer, createDispatch } from '../../src/index.ts';
import { fakeFile, fakeWorkbooks } from '../workbooks.ts';
import { operationOf } from '../world.ts';
import { type Act, actOn } from './acts.ts';
import { sheetsIn } from './files.ts';
import { isFields, isRecord, type Json, placesOf, type Request, type Verdict } from './state.ts';

/** One service over one store, at a time that the caller decides. */
export interface System {
  readonly store: Store;
  /** Errors that were no refusal. */
  readonly bugs: readonly unknown[];
  send(request: Request, at: string): Promise<ApiAnswer>;
  act(act: Act, at: string): Promise<void>;
}

/** Keys are their own hashes, passwords too. */
const SECRETS = {
  newKey: () => {
    throw new Error('keys are given');
  },
  hashFor: (key: string) => (key.startsWith('key-') ? key : null),
  hashPassword: async (password: string) => password,
  verifyPassword: async (hash: string, password: string) => hash === password,
};

const UNLIMITED = {
  take: async () => ({ accepted: true, states: [] }),
  look: async () => ({ accepted: true, states: [] }),
  giveBack: async () => {},
};

const NO_USAGE = { record: () => {}, flush: async () => true, waiting: () => 0, dropped: () => 0 };

/** JSON as it would come over the wire, without what it cannot say; or the form of a file. */
function sentBody(body: Json | undefined): unknown {
  const sheets = sheetsIn(body);
  if (body === undefined || sheets === null || !isFields(body)) {
    return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  }
  const texts = Object.entries(body).filter(([name]) => name !== 'sheets');
  const fields = new URLSearchParams(texts.map(([name, value]): [string, string] => [name, String(value)]));
  return { fields, file: { name: 'hoja.xlsx', bytes: fakeFile(sheets) } };
}

export function systemOver(store: Store): System {
  const bugs: unknown[] = [];
  let now = '';
  const clock = { now: () => now, monotonicMs: () => 0 };
  const parts = { store, clock, workbooks: fakeWorkbooks, sha256: () => '0'.repeat(64) };
  const dispatch = createDispatch({
    ...parts,
    imports: { run: (job) => runImport(parts, job), wake: () => {} },
    secrets: SECRETS,
    tables: { csv: () => [] },
    shelves: createShelves(),
    limiter: UNLIMITED,
    usageLog: NO_USAGE,
    reportBug: (error) => bugs.push(error),
  });
  return {
    store,
    bugs,
    send: ({ operation, key, params, query, body }, at) => {
      now = at;
      const search = new URLSearchParams();
      for (const [name, sent] of Object.entries(query)) for (const text of [sent].flat()) search.append(name, text);
      const address = '203.0.113.7';
      const readBody = async (): Promise<unknown> => sentBody(body);
      return dispatch({ operation: operationOf(operation), apiKey: key, address, params, query: search, readBody });
    },
    act: (act, at) => actOn(store, act, at),
  };
}

/** What the model does not say: words for people, and what a file would change, which other tests look at. */
const UNSAID = ['motivo', 'diff', 'diff_count', 'warnings'];

/** An answer in the form in which the model gives it; of a failed upload no more than the code. */
export function verdictOf({ status, body }: ApiAnswer): Verdict {
  if (status < 400) {
    const text = JSON.stringify(body, (name, value: unknown) => {
      if (UNSAID.includes(name)) return undefined;
      return name === 'error' && isRecord(value) ? { code: value.code } : value;
    });
    return text === undefined ? { status } : { status, body: JSON.parse(text) };
  }
  const { detail } = isRecord(body) ? body : {};
  if (!isRecord(detail) || typeof detail.message !== 'string' || detail.message === '') throw new Error('no refusal');
  const { code, missing_scope, errors } = detail;
  const wrong = Array.isArray(errors) ? { wrong: placesOf(errors.map(placeOf)) } : {};
  return { status, body: { code, ...(missing_scope === undefined ? {} : { scope: missing_scope }), ...wrong } };
}

interface Finding {
  readonly path: string;
  readonly offer_id?: number;
  /** Of a file. */
  readonly sheet?: string;
  readonly row?: number;
}

function placeOf(finding: Finding): string {
  if (finding.sheet !== undefined) return `${finding.sheet} ${finding.row}`;
  return finding.offer_id === undefined ? finding.path : `${finding.path} of ${finding.offer_id}`;
}

/** Both services, over SQLite on a file and in memory, and a look at all that the file holds. */
export interface Systems {
  readonly sqlite: System;
  readonly memory: System;
  /** Every row of every table, as text; without uploads and their files only where a refusal leaves a record. */
  tables(but?: 'uploads'): string;
  close(): Promise<void>;
}

/** Makes pairs of services in the same state, again and again. */
export async function prepareSystems(setUp: (system: System) => Promise<void>) {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tarifario-model-'));
  const template = join(folder, 'template.db');
  await migrate(`sqlite:${template}`);
  const first = await openStore(`sqlite:${template}`);
  await setUp(systemOver(first));
  await first.close();
  let count = 0;
  const open = async (): Promise<Systems> => {
    count += 1;
    const path = join(folder, `${count}.db`);
    copyFileSync(template, path);
    const store = await openStore(`sqlite:${path}`);
    const memory = systemOver(createMemoryStore());
    await setUp(memory);
    const file = new DatabaseSync(path);
    const look = lookAt(file);
    const close = async () => {
      file.close();
      await store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    };
    return { sqlite: systemOver(store), memory, tables: look, close };
  };
  return { open, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function lookAt(file: DatabaseSync): Systems['tables'] {
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
