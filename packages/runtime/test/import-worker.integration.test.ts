import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import {
  type Caller,
  type IdempotencyRequest,
  type ImportJob,
  reportIn,
  type Store,
  type Upload,
} from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { migrate, openStore } from '@tarifario/store';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { further } from '@tarifario/testkit/share';
import { type TemporaryDatabase, temporaryDatabase, temporaryPlace } from '@tarifario/testkit/temporary-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorker, type ImportWorker } from '../src/import-worker.ts';
import { createSecrets, systemClock } from '../src/index.ts';

const OFFER = {
  cliente: 'Norte',
  company_name: 'Iber',
  offer_name: 'Estable',
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  e1: 0.15,
  acepta_dni: true,
  territory_peninsula: true,
};

const QUEUED = {
  firmId: null,
  kind: 'offers_bulk_update',
  fileName: 'x.xlsx',
  sizeBytes: 1,
  status: 'pending',
} as const;

type ImportWorkerLimits = Partial<Omit<Parameters<typeof createImportWorker>[0], 'reportBug'>>;

let database: TemporaryDatabase;
let store: Store;
/** The worker of all tests that need no other. */
let worker: ImportWorker;
let others: ImportWorker[];
let caller: Caller;
let bugs: unknown[];
/** Threads that a test has started, those that have ended included, and with what status each will have. */
let threads: { readonly thread: Worker; readonly ended: Promise<unknown> }[];
const remember = (thread: Worker) =>
  void threads.push({ thread, ended: new Promise((resolve) => thread.once('exit', resolve)) });

beforeAll(async () => {
  process.on('worker', remember);
  database = await temporaryDatabase();
  store = await openStore(database.url);
  others = [];
  worker = newWorker();
});
beforeEach(async () => {
  [bugs, threads] = [[], []];
  caller = await newCaller();
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});
afterAll(async () => {
  process.off('worker', remember);
  await worker.close();
  await store.close();
  database.remove();
});

function newWorker(limits: ImportWorkerLimits = {}): ImportWorker {
  const reportBug = (error: unknown) => void bugs.push(error);
  return createImportWorker({ databaseUrl: database.url, reportBug, ...limits });
}

/** A worker that is closed after the test. */
function otherWorker(limits: ImportWorkerLimits): ImportWorker {
  const other = newWorker(limits);
  others.push(other);
  return other;
}

/** A full key of an account with the firm Norte. */
async function newCaller(): Promise<Caller> {
  const at = systemClock.now();
  const { prefix, secretHash } = createSecrets().newKey();
  return store.write({ keyId: null, at }, async (writer) => {
    const terms = { name: 'A', email: `${prefix}@tarifario.example`, passwordHash: '-', isCatalogEditor: false };
    const { id: accountId } = await writer.accounts.insert(terms);
    const firm = { name: 'Norte', imageUrl: null, catalogDefault: 'none', isActive: true } as const;
    await writer.firms.insert(accountId, firm);
    const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
    const key = await writer.keys.insert({ accountId, prefix, secretHash, ...rights });
    return callerOf({ accountId, keyId: key.id });
  });
}

function jobOf(bytes: Uint8Array, terms: Partial<ImportJob> = {}): ImportJob {
  const direct = { firmId: null, fileName: 'ofertas.xlsx', dryRun: false, uploadId: null, idempotencyRequest: null };
  return { caller, format: 'own', bytes, ...direct, ...terms };
}

/** The processes that this one has started and that run, or have ended without being waited for. */
async function childProcesses(): Promise<ReadonlySet<string>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    }),
  );
  return new Set(pids.filter((_, index) => parents[index] === String(process.pid)));
}

async function offerNames(): Promise<readonly string[]> {
  const { offers } = await store.read((reader) => reader.changes.since(caller.accountId, 0));
  return offers.map(({ offer }) => offer.offerName);
}

async function uploads(): Promise<readonly Upload[]> {
  const query = { accountId: caller.accountId, firmId: null, status: null };
  return (await store.read((reader) => reader.uploads.list(query, { limit: 100, offset: 0 }))).results;
}

describe('the thread that applies files', () => {
  it('applies a file and records it', async () => {
    const { uploadId, counts, diff, warnings } = await worker.run(jobOf(await workbookBytes({ ofertas: [OFFER] })));
    expect(counts).toMatchObject({ created: 1, companiesCreated: 1 });
    expect([diff, warnings]).toEqual([null, []]);
    expect(await offerNames()).toEqual(['Estable']);
    expect(await uploads()).toMatchObject([{ id: uploadId, status: 'completed', hasFile: false }]);
  });

  it('A-120: compares prices of power with those of the operator in a dry run', async () => {
    const file = await workbookBytes({ ofertas: [{ ...OFFER, p1: 0.9, p2: 1 }] });
    const yearly = { concept: 'peajes_y_cargos', tariff: '2.0TD', prices: [365, 365, null, null, null, null] } as const;
    const open = { from: '2020-01-01', to: null, law: 'Resolución', url: null, isCertain: true };
    const settled = otherWorker({ regulatedPrices: [{ ...yearly, ...open }] });
    const codesOf = async (by: ImportWorker) =>
      (await by.run(jobOf(file.slice(), { dryRun: true }))).warnings.map(({ code }) => code);
    expect([(await codesOf(settled)).at(-1), (await codesOf(worker)).at(-1)]).toEqual([
      'potencia_bajo_regulado',
      'columna_ausente',
    ]);
  });

  it('A-53: stores its report under the idempotency request of a file, and refuses the same one again', async () => {
    const idempotencyRequest = { keyId: caller.keyId, idempotencyKey: 'hoja', fingerprint: 'f', rights: 'r' };
    const send = async (changes: Partial<IdempotencyRequest> = {}) =>
      worker.run(
        jobOf(await workbookBytes({ ofertas: [OFFER] }), { idempotencyRequest: { ...idempotencyRequest, ...changes } }),
      );
    const report = await send();
    const stored = await store.read((reader) => reader.answers.get(caller.keyId, 'hoja'));
    expect(reportIn(stored?.answer ?? '')).toEqual(report);
    await expect(send()).rejects.toMatchObject({ name: 'DomainError', code: 'idempotency_in_flight' });
    await expect(send({ rights: 's' })).rejects.toMatchObject({ code: 'idempotency_rights_changed' });
    expect([await offerNames(), (await uploads()).length]).toEqual([['Estable'], 1]);
  });

  it('passes refusals on with all details', async () => {
    const wrong = await workbookBytes({ ofertas: [OFFER, { ...OFFER, offer_name: 'Otra', e1: 99, p1: 7 }] });
    const refused = worker.run(jobOf(wrong));
    await expect(refused).rejects.toMatchObject({
      name: 'DomainError',
      code: 'business_rule',
      details: { rowErrors: { format: 'own', errorCount: 2, errors: [{ sheet: 'ofertas', row: 3 }, { row: 3 }] } },
    });
    await expect(worker.run(jobOf(Buffer.from('no workbook')))).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'the file cannot be read: it is not an XLSX workbook',
    });
    expect(await offerNames()).toEqual([]);
    expect(await uploads()).toMatchObject([
      { status: 'failed', hasFile: true },
      { status: 'failed', hasFile: true },
    ]);
  });

  it('gets the bytes without a copy, unless they share their memory with others', async () => {
    const large = await workbookBytes({ ofertas: [OFFER] });
    await worker.run(jobOf(large, { dryRun: true }));
    expect(large.byteLength).toBe(0);
    const [small, neighbour] = [Buffer.from('small'), Buffer.from('neighbour')];
    expect(small.buffer).toBe(neighbour.buffer);
    await worker.run(jobOf(small, { dryRun: true })).catch(() => {});
    expect([small.toString(), neighbour.toString()]).toEqual(['small', 'neighbour']);
  });

  it('applies queued uploads, and reports bugs that are not the answer to a call', async () => {
    const file = await workbookBytes({ ofertas: [OFFER] });
    await store.write({ keyId: caller.keyId, at: systemClock.now() }, async (writer) => {
      await writer.uploads.insert(caller.accountId, { ...QUEUED, file });
      // Nothing but a bug of ours could have queued it.
      await writer.uploads.insert(caller.accountId, { ...QUEUED, kind: 'file', file });
    });
    expect([await worker.next(), await worker.next(), await worker.next()]).toEqual([true, true, false]);
    expect(await uploads()).toMatchObject([
      { status: 'completed' },
      { status: 'failed', error: { code: 'internal_error' } },
    ]);
    expect(bugs).toMatchObject([{ name: 'RangeError', message: expect.stringContaining('not queued') }]);
    expect(await offerNames()).toEqual(['Estable']);
  });
});

describe('an announced file', () => {
  it('finds the thread running when it arrives', async () => {
    const first = await workbookBytes({ ofertas: [OFFER] });
    const second = await workbookBytes({ ofertas: [{ ...OFFER, offer_name: 'Otra' }] });
    const fresh = otherWorker({});
    fresh.expectFile();
    fresh.expectFile();
    await fresh.run(jobOf(first));
    fresh.expectFile();
    await fresh.run(jobOf(second));
    expect([threads.length, await offerNames(), bugs]).toEqual([1, ['Estable', 'Otra'], []]);
  });

  further('that never arrives does not keep the thread longer than usual', async () => {
    otherWorker({ idleMs: 50 }).expectFile();
    await expect.poll(() => threads.length).toBe(1);
    expect(await threads.at(-1)?.ended).toBe(0);
    expect(bugs).toEqual([]);
  });
});

describe('A-56: a file beyond its limits', () => {
  const file = () => workbookBytes({ ofertas: [OFFER] });

  /** Runs while another connection writes without pause. */
  async function whileBlocked<T>(run: () => Promise<T>): Promise<T> {
    return (await store.write({ keyId: null, at: systemClock.now() }, async () => ({ outcome: await run() }))).outcome;
  }

  it('of time ends the thread, its caller gets Retry-After, and the next file is applied', async () => {
    const limited = otherWorker({ jobMs: 2_000 });
    const upload = await file();
    const late = await whileBlocked(() => limited.run(jobOf(upload)).catch((error) => error));
    expect(late).toMatchObject({ name: 'DomainError', code: 'unavailable', details: { retryAfterSeconds: 30 } });
    expect(late.details.isQueueFull).toBeUndefined();
    expect([await offerNames(), await uploads()]).toEqual([[], []]);
    await worker.run(jobOf(await file()));
    expect([await offerNames(), bugs]).toEqual([['Estable'], []]);
  });

  further('of the time that its caller can wait ends its thread as well', async () => {
    const upload = await file();
    await expect(whileBlocked(() => worker.run(jobOf(upload), 50))).rejects.toMatchObject({ code: 'unavailable' });
    await worker.run(jobOf(await file()));
    expect(await offerNames()).toEqual(['Estable']);
  });

  it('A-160: ends its thread once the connection of its caller closes, and the next file is applied', async () => {
    const closing = new AbortController();
    const upload = await file();
    const refused = await whileBlocked(async () => {
      const outcome = worker.run(jobOf(upload), undefined, closing.signal).catch((error) => error);
      closing.abort();
      return outcome;
    });
    expect(refused).toMatchObject({ code: 'invalid_request', details: { message: 'the connection was closed' } });
    expect([await offerNames(), await uploads()]).toEqual([[], []]);
    await worker.run(jobOf(await file()));
    expect([await offerNames(), bugs]).toEqual([['Estable'], []]);
  });

  // Where processes can be looked at from outside.
  it.runIf(process.platform === 'linux')(
    'A-160: whose caller has gone leaves no process that reads files, neither running nor ended and not waited for',
    async () => {
      // Those of other tests may end meanwhile.
      const before = await childProcesses();
      const begun = async () => [...(await childProcesses())].filter((pid) => !before.has(pid)).length;
      const other = otherWorker({});
      for (let round = 1; round <= 3; round += 1) {
        other.expectFile();
        await expect.poll(begun).toBe(1);
        const closing = new AbortController();
        const outcome = other.run(jobOf(await file()), undefined, closing.signal);
        closing.abort();
        await expect(outcome).rejects.toMatchObject({ code: 'invalid_request' });
        await expect.poll(begun).toBe(0);
      }
      expect([await offerNames(), await uploads(), bugs]).toEqual([[], [], []]);
    },
  );

  further('of time that was queued ends its thread as well, and changes nothing', async () => {
    const bytes = await file();
    await store.write({ keyId: caller.keyId, at: systemClock.now() }, (writer) =>
      writer.uploads.insert(caller.accountId, { ...QUEUED, file: bytes }),
    );
    const limited = otherWorker({ jobMs: 2_000 });
    await expect(whileBlocked(() => limited.next())).rejects.toMatchObject({ code: 'unavailable' });
    expect(await offerNames()).toEqual([]);
    expect(await worker.next()).toBe(true);
    expect(await offerNames()).toEqual(['Estable']);
  });

  it('of memory is refused as too large, and the next one is applied', async () => {
    const limited = otherWorker({ heapMb: 34 });
    const rows = Array.from({ length: 14_000 }, (_, index) => ({ ...OFFER, offer_name: `Oferta ${index}` }));
    const large = await workbookBytes({ ofertas: rows });
    await expect(limited.run(jobOf(large))).rejects.toMatchObject({ name: 'DomainError', code: 'too_large' });
    await limited.run(jobOf(await file()));
    expect([await offerNames(), (await uploads()).length, bugs]).toEqual([['Estable'], 1, []]);
  });
});

describe('a thread that ends', () => {
  further('because it was idle is started again for the next file', async () => {
    const restless = otherWorker({ idleMs: 50 });
    expect(await restless.next()).toBe(false);
    expect(await threads.at(-1)?.ended).toBe(0);
    expect(await restless.next()).toBe(false);
    expect(threads).toHaveLength(2);
  });

  it('because it was killed fails its file, which changes nothing, and another thread takes over', async () => {
    const bytes = await workbookBytes({ ofertas: [OFFER] });
    const fresh = otherWorker({});
    // It cannot end while another connection writes, however long the pause becomes.
    const running = await store.write({ keyId: null, at: systemClock.now() }, async () => {
      const ended = fresh.run(jobOf(bytes.slice())).catch((error) => error);
      const [thread]: Worker[] = await once(process, 'worker');
      // It is ready, and takes the file.
      if (thread) await once(thread, 'message');
      await thread?.terminate();
      return { ended };
    });
    expect(await running.ended).toMatchObject({ message: 'the thread that applies files has ended' });
    expect([await offerNames(), await uploads()]).toEqual([[], []]);
    await fresh.run(jobOf(bytes));
    expect(await offerNames()).toEqual(['Estable']);
  });

  it('because it cannot start fails its file with the reason, and the next file gets a new thread', async () => {
    const later = temporaryPlace();
    const early = otherWorker({ databaseUrl: later.url });
    await expect(early.next()).rejects.toMatchObject({
      message: 'the thread that applies files failed',
      cause: { message: expect.stringContaining('there is no database file') },
    });
    await migrate(later.url);
    expect(await early.next()).toBe(false);
    await early.close();
    later.remove();
  });

  it('because the worker was closed abandons its file', async () => {
    const closing = otherWorker({});
    const running = closing.run(jobOf(await workbookBytes({ ofertas: [OFFER] }))).catch((error) => error);
    await closing.close();
    expect(await running).toMatchObject({ message: 'the thread that applies files has ended' });
    expect(await uploads()).toEqual([]);
  });
});
