import type { UploadChange, UploadTerms } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import type { Upload } from '../../src/service/uploads/upload.ts';
import { type CaseOn, equal, fails, holds, present } from './assertions.ts';
import { at, EVERYTHING, moment, newAccount, newTenant } from './world.ts';

const TERMS: UploadTerms = {
  firmId: null,
  kind: 'offers_bulk_update',
  fileName: 'ofertas ñ (1).xlsx',
  sizeBytes: 10_485_760,
  status: 'pending',
};
const START: UploadChange = { from: 'pending', to: 'processing', finishedAt: null };

function newUpload(store: Store, accountId: number, changes: Partial<UploadTerms> = {}): Promise<Upload> {
  return store.write(at(2), (writer) => writer.uploads.insert(accountId, { ...TERMS, ...changes }));
}

function readUpload(store: Store, accountId: number, uploadId: number): Promise<Upload | null> {
  return store.read((reader) => reader.uploads.get(accountId, uploadId));
}

function change(store: Store, upload: { readonly accountId: number; readonly id: number }, step: UploadChange) {
  return store.write(at(3), (writer) => writer.uploads.update(upload.accountId, upload.id, step));
}

async function newFirmUploads(store: Store) {
  const { account, firm } = await newTenant(store);
  const uploads = [
    await newUpload(store, account.id),
    await newUpload(store, account.id, { firmId: firm.id, status: 'processing' }),
    await newUpload(store, account.id, { firmId: firm.id }),
  ];
  return { account, firm, uploads };
}

/** Uploads and their steps. */
export const uploadCases: readonly CaseOn<Store>[] = [
  {
    name: 'an upload is read as it was created',
    run: async (store) => {
      const { account, firm } = await newTenant(store);
      for (const terms of [
        TERMS,
        { ...TERMS, firmId: firm.id, kind: 'file', sizeBytes: null, status: 'processing' } as const,
        { ...TERMS, kind: 'catalog_bulk_update', fileName: "' OR 1=1 --", sizeBytes: 0 } as const,
      ]) {
        const upload = await newUpload(store, account.id, terms);
        const began = { keyId: null, result: null, error: null, hasFile: false, finishedAt: null };
        const stamps = { createdAt: moment(2), updatedAt: moment(2) };
        equal(upload, { ...terms, ...began, ...stamps, id: upload.id }, 'the answer');
        equal(await readUpload(store, account.id, upload.id), upload, 'the upload read');
      }
    },
  },
  {
    name: 'uploads are listed by id, for one firm or for none, and in one status',
    run: async (store) => {
      const { account, firm, uploads } = await newFirmUploads(store);
      const [first, second, third] = uploads;
      const list = (firmId: number | 'none' | null, status: Upload['status'] | null, page = EVERYTHING) =>
        store.read((reader) => reader.uploads.list({ accountId: account.id, firmId, status }, page));
      equal(await list(null, null), { total: 3, results: uploads }, 'all');
      equal(await list(firm.id, null), { total: 2, results: [second, third] }, 'of the firm');
      equal(await list('none', null), { total: 1, results: [first] }, 'of no firm');
      equal(await list('none', 'failed'), { total: 0, results: [] }, 'failed, of no firm');
      equal(await list(null, 'pending'), { total: 2, results: [first, third] }, 'pending');
      equal(await list(firm.id, 'pending'), { total: 1, results: [third] }, 'pending of the firm');
      equal(await list(firm.id, 'failed'), { total: 0, results: [] }, 'failed');
      equal(await list(null, null, { limit: 1, offset: 1 }), { total: 3, results: [second] }, 'a page');
      equal(await list(null, null, { limit: 5, offset: 3 }), { total: 3, results: [] }, 'a page past the end');
      equal(
        await list(null, null, { limit: 1, offset: 0, afterId: first?.id ?? 0 }),
        { total: 3, results: [second] },
        'after one',
      );
      equal(
        await list(null, null, { limit: 1, offset: 0, afterId: third?.id ?? 0 }),
        { total: 3, results: [] },
        'after all',
      );
    },
  },
  {
    name: 'an upload of another account is neither visible nor changed, and cannot be for a firm of another',
    run: async (store) => {
      const { account, firm, uploads } = await newFirmUploads(store);
      const upload = present(uploads[0], 'an upload');
      const stranger = await newAccount(store);
      equal(await readUpload(store, stranger.id, upload.id), null, 'read by a stranger');
      const query = { accountId: stranger.id, status: null };
      for (const firmId of [null, firm.id]) {
        const seen = await store.read((reader) => reader.uploads.list({ ...query, firmId }, EVERYTHING));
        equal(seen, { total: 0, results: [] }, 'listed by a stranger');
      }
      equal(await change(store, { accountId: stranger.id, id: upload.id }, START), null, 'started by a stranger');
      equal(await readUpload(store, account.id, upload.id), upload, 'afterwards');
      await fails(newUpload(store, stranger.id, { firmId: firm.id }), 'for a firm of another account');
      await fails(newUpload(store, account.id, { firmId: 999 }), 'for no firm');
      await fails(newUpload(store, 999), 'of no account');
    },
  },
  {
    name: 'a step changes the named fields and nothing else',
    run: async (store) => {
      const { account, uploads } = await newFirmUploads(store);
      const upload = present(uploads[2], 'an upload');
      const own = { accountId: account.id, id: upload.id };
      const started = await change(store, own, { ...START, result: { rows: 1 } });
      equal(started, { ...upload, status: 'processing', result: { rows: 1 }, updatedAt: moment(3) }, 'started');
      const error = { code: 'invalid_request', errors: [{ row: 3, text: 'não "é" número\n€' }], count: 1e21 };
      const failed = await change(store, own, { from: 'processing', to: 'failed', error, finishedAt: moment(9) });
      equal(failed, { ...started, status: 'failed', error, finishedAt: moment(9) }, 'failed');
      const retried = await change(store, own, { from: 'failed', to: 'pending', finishedAt: null });
      equal(retried, { ...failed, status: 'pending', finishedAt: null }, 'retried: what was said stays');
      await change(store, own, START);
      const result = { updated: 0, offer_ids: [] };
      const end = { from: 'processing', to: 'completed', result, error: null, finishedAt: moment(11) } as const;
      const completed = await change(store, own, end);
      equal(completed, { ...retried, status: 'completed', result, error: null, finishedAt: moment(11) }, 'completed');
      equal(await readUpload(store, account.id, upload.id), completed, 'the upload read');
    },
  },
  {
    name: 'a step from another status than the present one changes nothing',
    run: async (store) => {
      const { account, uploads } = await newFirmUploads(store);
      const upload = present(uploads[0], 'an upload');
      for (const from of ['processing', 'completed', 'failed', 'cancelled'] as const) {
        const step = { from, to: 'processing', result: { wrong: true }, finishedAt: null } as const;
        equal(await change(store, { accountId: account.id, id: upload.id }, step), null, `from ${from}`);
      }
      equal(await change(store, { accountId: account.id, id: upload.id + 99 }, START), null, 'an unknown upload');
      equal(await readUpload(store, account.id, upload.id), upload, 'afterwards');
    },
  },
  {
    name: 'an upload has an end time exactly when it has ended',
    run: async (store) => {
      const { account, uploads } = await newFirmUploads(store);
      const own = { accountId: account.id, id: present(uploads[0], 'an upload').id };
      const ended = { from: 'pending', to: 'cancelled', finishedAt: null } as const;
      await fails(change(store, own, ended), 'cancelled at no time');
      await fails(change(store, own, { ...START, finishedAt: moment(4) }), 'finished while it is processed');
      equal(await readUpload(store, account.id, own.id), uploads[0], 'afterwards');
    },
  },
  {
    name: 'of twenty workers that take a pending upload at once, one gets it',
    run: async (store) => {
      const { account, uploads } = await newFirmUploads(store);
      const own = { accountId: account.id, id: present(uploads[0], 'an upload').id };
      const attempts = Array.from({ length: 20 }, (_, i) =>
        change(store, own, { ...START, result: { worker: i } }).then((upload) => ({ i, upload })),
      );
      const winners = (await Promise.all(attempts)).filter(({ upload }) => upload !== null);
      equal(winners.length, 1, 'winners');
      const unchanged = present(await readUpload(store, account.id, own.id), 'the upload');
      equal([unchanged.status, unchanged.result], ['processing', { worker: winners[0]?.i }], 'what is kept');
    },
  },
  {
    name: 'uploads raise no revision, and those of a unit of work that fails are gone',
    run: async (store) => {
      const { account, uploads } = await newFirmUploads(store);
      const before = await store.read((reader) => reader.changes.revisions(account.id));
      const own = { accountId: account.id, id: present(uploads[0], 'an upload').id };
      await change(store, own, START);
      equal(await store.read((reader) => reader.changes.revisions(account.id)), before, 'revisions');
      const attempt = store.write(at(5), async (writer) => {
        await writer.uploads.insert(account.id, TERMS);
        const step = { from: 'processing', to: 'failed', finishedAt: moment(5) } as const;
        holds((await writer.uploads.update(account.id, own.id, step)) !== null, 'the step is done inside');
        throw new Error('given up');
      });
      await fails(attempt, 'a unit of work that fails');
      const query = { accountId: account.id, firmId: null, status: null };
      const { total } = await store.read((reader) => reader.uploads.list(query, EVERYTHING));
      equal([total, (await readUpload(store, account.id, own.id))?.status], [3, 'processing'], 'what is left');
    },
  },
];
