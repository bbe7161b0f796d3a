import type { UploadQuery } from '../../src/service/ports/lists.ts';
import type { ClaimedUpload, UploadTerms } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import type { Upload } from '../../src/service/uploads/upload.ts';
import { type CaseOn, equal, fails, present } from './assertions.ts';
import { at, moment, newAccount, newTenant } from './world.ts';

/** Every byte there is, and more than one page of any database. */
const FILE = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7) % 256);

interface NewUpload extends Partial<UploadTerms> {
  /** When it is written, and by which key. */
  readonly n?: number;
  readonly keyId?: number | null;
  readonly traceparent?: string;
}

function newUpload(store: Store, accountId: number, { n = 2, keyId = null, traceparent, ...changes }: NewUpload = {}) {
  const sizeBytes = changes.file?.length ?? null;
  const terms = {
    firmId: null,
    kind: 'offers_bulk_update',
    fileName: 'ofertas.xlsx',
    sizeBytes,
    status: 'pending',
  } as const;
  const context = { ...at(n, keyId), ...(traceparent && { traceparent }) };
  return store.write(context, (writer) => writer.uploads.insert(accountId, { ...terms, ...changes }));
}

function take(store: Store, n: number, until: number): Promise<ClaimedUpload | null> {
  return store.write(at(n), (writer) => writer.queue.claim(moment(until)));
}

/** Takes an upload at the n-th moment, until the `until`-th; it waits exactly when there is one. */
async function claim(store: Store, n: number, until: number): Promise<ClaimedUpload | null> {
  const isWaiting = await store.read((reader) => reader.queue.isWaiting(moment(n)));
  const claimed = await take(store, n, until);
  equal(isWaiting, claimed !== null, 'whether something waits');
  return claimed;
}

async function claimedId(store: Store, n: number, until: number): Promise<number | null> {
  return (await claim(store, n, until))?.upload.id ?? null;
}

async function listed(store: Store, query: UploadQuery): Promise<readonly Upload[]> {
  return (await store.read((reader) => reader.uploads.list(query, { limit: 5, offset: 0 }))).results;
}

function read(store: Store, accountId: number, { id }: Pick<Upload, 'id'>): Promise<Upload | null> {
  return store.read((reader) => reader.uploads.get(accountId, id));
}

function fail(store: Store, accountId: number, { id }: Pick<Upload, 'id'>, n: number, heldUntil?: number) {
  const held = heldUntil === undefined ? {} : { heldUntil: moment(heldUntil) };
  const step = {
    ...held,
    from: 'processing',
    to: 'failed',
    error: { code: 'internal_error' },
    finishedAt: moment(n),
  } as const;
  return store.write(at(n), (writer) => writer.uploads.update(accountId, id, step));
}

function retry(store: Store, accountId: number, { id }: Pick<Upload, 'id'>, n: number) {
  const step = { from: 'failed', to: 'pending', error: null, finishedAt: null } as const;
  return store.write(at(n), (writer) => writer.uploads.update(accountId, id, step));
}

/** Files of uploads, and who may work on them. */
export const uploadFileCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-129: the file of a dry run is read as it was stored, no worker takes it, and it goes with its upload',
    run: async (store) => {
      const [mine, theirs] = [await newAccount(store), await newAccount(store)];
      const kept = { bytes: FILE, effect: 'a digest', isForced: true };
      const read = (accountId: number, id: number) => store.read((reader) => reader.uploads.kept(accountId, id));
      const upload = await newUpload(store, mine.id, { kept });
      equal([upload.hasFile, await claim(store, 3, 9)], [false, null], 'what a worker sees');
      const found = present(await read(mine.id, upload.id), 'the file');
      equal({ ...found, bytes: [...found.bytes] }, { ...kept, bytes: [...FILE] }, 'the file');
      equal([await read(theirs.id, upload.id), await read(mine.id, upload.id + 1)], [null, null], 'of nobody');
      await store.write(at(4), (writer) => writer.uploads.dropFile(mine.id, upload.id));
      equal(await read(mine.id, upload.id), null, 'a file that was dropped');
    },
  },
  {
    name: 'A-129: files of dry runs are old before an instant, and beyond the newest ones of each account',
    run: async (store) => {
      const [mine, theirs] = [await newAccount(store), await newAccount(store)];
      const kept = { bytes: FILE, effect: 'a digest', isForced: false };
      await newUpload(store, mine.id, { n: 1, file: FILE });
      const ids = [];
      for (const n of [2, 3, 4]) ids.push((await newUpload(store, mine.id, { n, kept })).id);
      const other = (await newUpload(store, theirs.id, { n: 3, kept })).id;
      const old = async (before: number, perAccount: number) =>
        (await store.read((reader) => reader.uploads.keptBefore(moment(before), perAccount))).map((place) =>
          [mine.id, theirs.id].includes(place.accountId) ? place.uploadId : null,
        );
      equal(await old(2, 3), [], 'none');
      equal(await old(3, 3), ids.slice(0, 1), 'before an instant');
      equal(await old(2, 1), ids.slice(0, 2), 'beyond the newest');
      equal(await old(9, 9), [...ids, other], 'all');
    },
  },
  {
    name: 'an upload shows that it has a file and which key sent it, and its worker gets the exact bytes and that key',
    run: async (store) => {
      const { account, firm } = await newTenant(store);
      const upload = await newUpload(store, account.id, {
        file: FILE,
        firmId: firm.id,
        keyId: 7,
        traceparent: 'trace',
      });
      equal([upload.hasFile, upload.sizeBytes, upload.status], [true, FILE.length, 'pending'], 'the answer');
      const announced = await newUpload(store, account.id, { keyId: 8 });
      equal([upload.keyId, announced.keyId], [7, 8], 'the keys');
      equal(await read(store, account.id, upload), upload, 'the upload read');
      const query = { accountId: account.id, firmId: null, status: null };
      const list = await store.read((reader) => reader.uploads.list(query, { limit: 5, offset: 0 }));
      equal(list, { total: 2, results: [upload, announced] }, 'the list');
      for (const only of [{ isSent: true }, { keyId: 7 }, { isSent: true, keyId: 7 }])
        equal(await listed(store, { ...query, ...only }), [upload], 'the files, of the key');
      for (const only of [{ isSent: false }, { keyId: 8 }])
        equal(await listed(store, { ...query, ...only }), [announced], 'the announcements, of the other key');
      equal(await listed(store, { ...query, isSent: false, keyId: 7 }), [], 'announcements of the key');
      const taken = present(await claim(store, 3, 9), 'the upload');
      const processing = { ...upload, status: 'processing', updatedAt: moment(3) };
      equal([...taken.file], [...FILE], 'the file');
      equal(
        { ...taken, file: null },
        { accountId: account.id, upload: processing, file: null, keyId: 7, traceparent: 'trace', attempt: 1 },
        'all else',
      );
      equal(await read(store, account.id, upload), processing, 'the upload while it is worked on');
      const empty = await newUpload(store, account.id, { file: new Uint8Array() });
      equal([empty.hasFile, (await claim(store, 4, 9))?.file.length], [true, 0], 'an empty file');
    },
  },
  {
    name: 'the upload that waited longest is taken first, of any account, and none without a file',
    run: async (store) => {
      const [mine, theirs] = [await newAccount(store), await newAccount(store)];
      await newUpload(store, mine.id, { n: 1 });
      await newUpload(store, mine.id, { n: 1, kind: 'file' });
      const third = await newUpload(store, mine.id, { n: 4, file: FILE });
      const first = await newUpload(store, theirs.id, { n: 2, file: FILE, kind: 'catalog_bulk_update' });
      const second = await newUpload(store, mine.id, { n: 2, file: FILE });
      const order = [];
      for (let n = 10; n < 14; n++) order.push(await claimedId(store, n, 99));
      equal(order, [first.id, second.id, third.id, null], 'the order');
    },
  },
  {
    name: 'A-38: an upload is taken again when its lease has run out, and each time is counted',
    run: async (store) => {
      const account = await newAccount(store);
      const upload = await newUpload(store, account.id, { file: FILE, keyId: 3 });
      equal((await claim(store, 10, 20))?.attempt, 1, 'the first time');
      equal(await claim(store, 19, 40), null, 'before the lease has run out');
      const again = present(await claim(store, 20, 30), 'when it has');
      equal([again.upload.id, again.attempt, again.keyId], [upload.id, 2, 3], 'the second time');
      equal([again.upload.status, again.upload.updatedAt], ['processing', moment(20)], 'the upload');
      equal(await claim(store, 29, 40), null, 'before the second lease has run out');
      equal((await claim(store, 35, 40))?.attempt, 3, 'the third time');
    },
  },
  {
    name: 'a lease can be extended while it is valid, only by its holder',
    run: async (store) => {
      const [account, stranger] = [await newAccount(store), await newAccount(store)];
      const upload = await newUpload(store, account.id, { file: FILE });
      const extend = (accountId: number, held: number, until: number) => {
        const lease = { heldUntil: moment(held), until: moment(until) };
        return store.write(at(11), (writer) => writer.queue.extendLease(accountId, upload.id, lease));
      };
      equal(await extend(account.id, 20, 99), false, 'what nobody has taken');
      await claim(store, 10, 20);
      equal(await extend(stranger.id, 20, 99), false, 'by a stranger');
      equal(await extend(account.id, 20, 30), true, 'by who holds it');
      equal(await extend(account.id, 20, 99), false, 'by who held it until then');
      equal(await claim(store, 29, 40), null, 'before it has run out');
      equal(await claimedId(store, 30, 40), upload.id, 'when it has');
      equal(await extend(account.id, 30, 99), false, 'by who held it before');
      equal(await claimedId(store, 40, 50), upload.id, 'when the second one has run out');
      await fail(store, account.id, upload, 41);
      equal(await extend(account.id, 50, 99), false, 'what is over');
      equal((await read(store, account.id, upload))?.status, 'failed', 'the upload');
    },
  },
  {
    name: 'A-38: a worker that has lost the lease on an upload can no longer change its status',
    run: async (store) => {
      const account = await newAccount(store);
      const upload = await newUpload(store, account.id, { file: FILE });
      await claim(store, 10, 20);
      await claim(store, 20, 30);
      equal(await fail(store, account.id, upload, 21, 20), null, 'the step of the first');
      equal((await read(store, account.id, upload))?.status, 'processing', 'the upload');
      equal(await claim(store, 29, 40), null, 'the lease of the second is as it was');
      equal((await fail(store, account.id, upload, 22, 30))?.status, 'failed', 'the step of the second');
      equal(await fail(store, account.id, upload, 23, 30), null, 'a second step');
    },
  },
  {
    name: 'the store returns the time of its own clock, or that of the process',
    run: async (store) => {
      const own = moment(5);
      const instant = await store.read((reader) => reader.queue.instant(own));
      const isNow = Math.abs(Date.parse(instant) - Date.now()) < 3_600_000;
      equal([instant.length, instant === own || isNow], [own.length, true], 'the instant');
    },
  },
  {
    name: 'finished uploads, and those in progress without a lease, are never taken',
    run: async (store) => {
      const account = await newAccount(store);
      await newUpload(store, account.id, { file: FILE, status: 'processing' });
      const failed = await newUpload(store, account.id, { file: FILE, status: 'processing' });
      await fail(store, account.id, failed, 3);
      const cancelled = await newUpload(store, account.id, { file: FILE });
      await store.write(at(4), (writer) =>
        writer.uploads.update(account.id, cancelled.id, { from: 'pending', to: 'cancelled', finishedAt: moment(4) }),
      );
      equal(await claim(store, 90, 99), null, 'what is free');
    },
  },
  {
    name: 'an upload that is retried goes to the end of the queue, with its file, and its attempts are counted anew',
    run: async (store) => {
      const account = await newAccount(store);
      const upload = await newUpload(store, account.id, { file: FILE, n: 1 });
      await claim(store, 5, 6);
      await claim(store, 7, 8);
      const failed = await fail(store, account.id, upload, 9);
      equal([failed?.hasFile, failed?.finishedAt], [true, moment(9)], 'after it failed');
      const other = await newUpload(store, account.id, { file: FILE, n: 10 });
      const retried = await retry(store, account.id, upload, 11);
      equal([retried?.status, retried?.hasFile, retried?.finishedAt], ['pending', true, null], 'put back');
      equal(await claimedId(store, 12, 99), other.id, 'first');
      const taken = present(await claim(store, 13, 99), 'the retried one');
      equal([taken.upload.id, taken.attempt, taken.file.length], [upload.id, 1, FILE.length], 'second');
    },
  },
  {
    name: 'A-38: a lease that is further ahead than it can be is none',
    run: async (store) => {
      const account = await newAccount(store);
      const { id } = await newUpload(store, account.id, { file: FILE });
      await take(store, 90, 95);
      const found = async (latest: number) => {
        const isWaiting = await store.read((reader) => reader.queue.isWaiting(moment(20), moment(latest)));
        const taken = await store.write(at(20), (writer) => writer.queue.claim(moment(30), moment(latest)));
        equal(taken !== null, isWaiting, 'what waits is taken');
        return taken?.upload.id ?? null;
      };
      equal(await found(95), null, 'as far as it can be');
      equal(await found(94), id, 'further');
      equal(await found(94), null, 'with a lease of now');
    },
  },
  {
    name: 'of twenty workers that take at once, each gets another upload or none',
    run: async (store) => {
      const account = await newAccount(store);
      const ids = [];
      for (let n = 0; n < 5; n++) ids.push((await newUpload(store, account.id, { file: FILE, n })).id);
      const taken = await Promise.all(Array.from({ length: 20 }, () => take(store, 10, 20)));
      equal(
        taken.flatMap((claimed) => claimed?.upload.id ?? []).sort((a, b) => a - b),
        ids,
        'who got one',
      );
    },
  },
  {
    name: 'a deleted file is gone, and only its account can delete it',
    run: async (store) => {
      const [account, stranger] = [await newAccount(store), await newAccount(store)];
      const upload = await newUpload(store, account.id, { file: FILE });
      const drop = (accountId: number) => store.write(at(3), (writer) => writer.uploads.dropFile(accountId, upload.id));
      await drop(stranger.id);
      equal(await read(store, account.id, upload), upload, 'dropped by a stranger');
      await drop(account.id);
      await drop(account.id);
      equal(await read(store, account.id, upload), { ...upload, hasFile: false }, 'dropped');
      equal(await claim(store, 5, 9), null, 'nothing to take');
    },
  },
  {
    name: 'only old files of finished uploads are deleted',
    run: async (store) => {
      const [account, other] = [await newAccount(store), await newAccount(store)];
      const over = async (accountId: number, n: number) => {
        const upload = await newUpload(store, accountId, { file: FILE, n, status: 'processing' });
        return present(await fail(store, accountId, upload, 50), 'a failed upload');
      };
      const old = [await over(account.id, 1), await over(other.id, 9)];
      const stored = [
        await over(account.id, 10),
        await newUpload(store, account.id, { file: FILE, n: 1 }),
        await newUpload(store, account.id, { file: FILE, n: 1, status: 'processing' }),
      ];
      const sweep = () => store.write(at(60), (writer) => writer.queue.sweepFiles(moment(10), 5));
      equal([await sweep(), await sweep()], [2, 0], 'how many were swept');
      equal(await read(store, account.id, present(old[0], 'one')), { ...old[0], hasFile: false }, 'an old one');
      equal(await read(store, other.id, present(old[1], 'one')), { ...old[1], hasFile: false }, 'of another account');
      for (const upload of stored) equal(await read(store, account.id, upload), upload, 'one that is kept');
    },
  },
  {
    name: 'A-38: of the files of finished uploads each account keeps the newest, up to the given number',
    run: async (store) => {
      const [account, other] = [await newAccount(store), await newAccount(store)];
      const over = async (accountId: number, n: number) => {
        const upload = await newUpload(store, accountId, { file: FILE, n, status: 'processing' });
        await fail(store, accountId, upload, 50);
        return upload;
      };
      const uploads = [await over(account.id, 9), await over(account.id, 8), await over(account.id, 9)];
      const stored = [await over(other.id, 1), await newUpload(store, account.id, { file: FILE, n: 1 })];
      equal(await store.write(at(60), (writer) => writer.queue.sweepFiles(moment(0), 1)), 2, 'how many were swept');
      const remaining = [];
      for (const upload of uploads) remaining.push((await read(store, account.id, upload))?.hasFile);
      equal(remaining, [false, false, true], 'which have their file');
      for (const [index, id] of [other.id, account.id].entries()) {
        const upload = present(stored[index], 'an upload');
        equal((await read(store, id, upload))?.hasFile, true, 'what is kept');
      }
    },
  },
  {
    name: 'uploads taken, deleted or sent in a failed unit of work are unchanged',
    run: async (store) => {
      const account = await newAccount(store);
      const upload = await newUpload(store, account.id, { file: FILE });
      const attempt = store.write(at(5), async (writer) => {
        await writer.queue.claim(moment(20));
        await writer.uploads.dropFile(account.id, upload.id);
        const terms = { firmId: null, kind: 'file', fileName: 'x', sizeBytes: 1, status: 'pending' } as const;
        await writer.uploads.insert(account.id, { ...terms, file: FILE });
        throw new Error('given up');
      });
      await fails(attempt, 'a unit of work that fails');
      equal(await read(store, account.id, upload), upload, 'the upload');
      const taken = [await claimedId(store, 6, 9), await claimedId(store, 6, 9)];
      equal(taken, [upload.id, null], 'what can be taken');
    },
  },
];
