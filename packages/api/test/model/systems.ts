import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createShelves, type Reader, type Store, type Upload } from '@tarifario/core';
import { createMemoryStore } from '@tarifario/core/testing';
import { migrate, openStore } from '@tarifario/store';
import { type ApiAnswer, createDispatch } from '../../src/index.ts';
import { operationOf } from '../world.ts';
import { type Act, actOn, KEPT_FILE } from './acts.ts';
import { isRecord, placesOf, type Request, type Verdict } from './state.ts';

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

/** Files are not kept yet: an upload of one name is taken for one whose file is. */
function withKeptFiles(store: Store): Store {
  const kept = (upload: Upload | null) => upload && { ...upload, hasFile: upload.fileName === KEPT_FILE };
  const upload = (reader: Reader) => async (accountId: number, id: number) => kept(await reader.upload(accountId, id));
  return {
    ...store,
    read: (work) => store.read((reader) => work({ ...reader, upload: upload(reader) })),
    write: (context, work) => store.write(context, (writer) => work({ ...writer, upload: upload(writer) })),
  };
}

export function systemOver(bareStore: Store): System {
  const store = withKeptFiles(bareStore);
  const bugs: unknown[] = [];
  let now = '';
  const dispatch = createDispatch({
    store,
    clock: { now: () => now, monotonicMs: () => 0 },
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
      // As it would come over the wire: without what JSON cannot say.
      const readBody = async (): Promise<unknown> =>
        body === undefined ? undefined : JSON.parse(JSON.stringify(body));
      return dispatch({ operation: operationOf(operation), apiKey: key, address, params, query: search, readBody });
    },
    act: (act, at) => actOn(store, act, at),
  };
}

/** An answer in the form in which the model gives it. Words for people are left out, of refusals and of exclusions. */
export function verdictOf({ status, body }: ApiAnswer): Verdict {
  if (status < 400) {
    const text = JSON.stringify(body, (name, value: unknown) => (name === 'motivo' ? undefined : value));
    return text === undefined ? { status } : { status, body: JSON.parse(text) };
  }
  const { detail } = isRecord(body) ? body : {};
  if (!isRecord(detail) || typeof detail.message !== 'string' || detail.message === '') throw new Error('no refusal');
  const { code, missing_scope, errors } = detail;
  const wrong = Array.isArray(errors) ? { wrong: placesOf(errors.map(placeOf)) } : {};
  return { status, body: { code, ...(missing_scope === undefined ? {} : { scope: missing_scope }), ...wrong } };
}

function placeOf(finding: { readonly path: string; readonly offer_id?: number }): string {
  return finding.offer_id === undefined ? finding.path : `${finding.path} of ${finding.offer_id}`;
}

/** Both services, over SQLite on a file and in memory, and a look at all that the file holds. */
export interface Systems {
  readonly sqlite: System;
  readonly memory: System;
  /** Every row of every table, as text. */
  tables(): string;
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

function lookAt(file: DatabaseSync): () => string {
  const names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const all: readonly StatementSync[] = names.map(({ name }) => file.prepare(`SELECT * FROM "${name}"`));
  const versionOf = file.prepare('PRAGMA data_version');
  let version: unknown;
  let text = '';
  return () => {
    // Nobody has written as long as this number stays; looking again would show the same.
    const seen = versionOf.get()?.data_version;
    if (seen !== version) text = JSON.stringify(all.map((statement) => statement.all()));
    version = seen;
    return text;
  };
}
