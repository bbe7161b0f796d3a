import { createHash } from 'node:crypto';
import { createOfferCache, runImport, type Store } from '@tarifario/core/service';
import { UNLIMITED } from '@tarifario/testkit/api/fakes';
import { fakeWorkbooks } from '@tarifario/testkit/api/workbooks';
import { operationOf } from '@tarifario/testkit/api/world';
import { type ApiAnswer, createDispatch } from '../../src/index.ts';
import { type Act, actOn } from './acts.ts';
import { sentBody } from './reading.ts';
import { type ExpectedAnswer, isRecord, placesOf, type Request } from './state.ts';

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
  sha256: (text: string) => text,
  hashFor: (key: string) => (key.startsWith('key-') ? key : null),
  hashPassword: async (password: string) => password,
  verifyPassword: async (hash: string, password: string) => hash === password,
  newWebhookSecret: () => '',
  newSalt: () => '0'.repeat(32),
  fingerprint: (key: string, pieces: Iterable<string | Uint8Array>) => [key, ...pieces].join(),
  cipherFor: () => ({ seal: (text: string) => text, open: (token: string) => token }),
};

const NO_USAGE = { record: () => {}, flush: async () => true, waiting: () => 0, dropped: () => 0 };

export function systemOver(store: Store): System {
  const bugs: unknown[] = [];
  let now = '';
  const clock = { now: () => now, monotonicMs: () => 0 };
  const parts = {
    store,
    clock,
    workbooks: fakeWorkbooks,
    sha256: (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex'),
  };
  const dispatch = createDispatch({
    ...parts,
    imports: { run: (job) => runImport(parts, job), wake: () => {}, expectFile: () => {} },
    secrets: SECRETS,
    tables: { csv: () => [] },
    offerCache: createOfferCache(),
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
      const sent = { operation: operationOf(operation), apiKey: key, address, params, query: search, readBody };
      return dispatch({ kind: 'operation', ...sent });
    },
    act: (act, at) => actOn(store, act, at),
  };
}

/** What the model does not say: words for people, and what a file would change, which other tests look at. */
const UNSAID = ['motivo', 'mensaje', 'diff', 'diff_count', 'warnings', 'storage'];

/** An answer in the form in which the model gives it; of a failed upload no more than the code. */
export function verdictOf({ status, body }: ApiAnswer): ExpectedAnswer {
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

/** A service over one kind of store, and a look at all that is stored. */
export interface Service extends System {
  readonly name: string;
  /**
   * Every row of every table, as text; without uploads and their files where a refusal leaves a record. Of a store that
   * has no tables always the same.
   */
  tables(but?: 'uploads'): Promise<string>;
  /** The database itself lets no read write: reads are not watched. */
  readonly readsCannotWrite: boolean;
  /** Called after refusals: the next record gets the id that it would have got without them. */
  closeGaps(): Promise<void>;
  close(): Promise<void>;
}

/** Makes services in the same state, again and again. */
export interface ServiceFactory {
  make(): Promise<Service>;
  remove(): Promise<void>;
}
