import { assert } from '../src/engine/errors.ts';
import type { Reader, Writes } from '../src/service/ports/stores.ts';
import type { Upload } from '../src/service/uploads/upload.ts';
import {
  type MemoryState,
  type MemoryUnit,
  nextId,
  ownedRecord,
  pageOf,
  required,
  type StoredUpload,
} from './memory-state.ts';

export function uploadReads(state: MemoryState): Reader['uploads'] {
  return {
    list: async ({ accountId, firmId, status, isSent, keyId }, page) => {
      const wanted = firmId === 'none' ? null : firmId;
      const own = [...state.uploads.values()].filter((stored) => stored.accountId === accountId);
      const matching = own
        .map(({ upload }) => upload)
        .filter((upload) => (firmId === null || upload.firmId === wanted) && (!status || upload.status === status))
        .filter(({ sizeBytes }) => isSent === undefined || isSent === (sizeBytes !== null))
        .filter((upload) => keyId === undefined || upload.keyId === keyId);
      return pageOf(matching, page);
    },
    get: async (accountId, uploadId) => storedUpload(state, accountId, uploadId)?.upload ?? null,
    kept: async (accountId, uploadId) => storedUpload(state, accountId, uploadId)?.kept ?? null,
    keptBefore: async (before, perAccount) => {
      const newestFirst = [...state.uploads.values()].filter(({ kept }) => kept !== null).reverse();
      return [...Map.groupBy(newestFirst, ({ accountId }) => accountId).values()]
        .flatMap((all) => all.filter(({ upload }, index) => index >= perAccount || upload.createdAt < before))
        .map(({ accountId, upload }) => ({ accountId, uploadId: upload.id }))
        .sort((a, b) => a.uploadId - b.uploadId);
    },
  };
}

export function queueReads(state: MemoryState): Reader['queue'] {
  return {
    instant: async (own) => own,
    isWaiting: async (instant, latest) => [...state.uploads.values()].some((stored) => isFree(stored, instant, latest)),
  };
}

function storedUpload(
  { uploads }: Pick<MemoryState, 'uploads'>,
  accountId: number,
  uploadId: number,
): StoredUpload | null {
  const stored = uploads.get(uploadId);
  return stored?.accountId === accountId ? stored : null;
}

function dropFile({ uploads }: MemoryState, accountId: number, uploadId: number): void {
  const stored = storedUpload({ uploads }, accountId, uploadId);
  if (!stored) return;
  uploads.set(uploadId, { ...stored, file: null, kept: null, upload: { ...stored.upload, hasFile: false } });
}

export function uploadWrites({ state, context }: MemoryUnit): Writes['uploads'] {
  return {
    insert: async (accountId, { file: bytes, kept = null, ...terms }) => {
      const { keyId, traceparent = null } = context;
      required(state.accounts.get(accountId), 'an upload belongs to an account');
      if (terms.firmId !== null) required(ownedRecord(state.firms, accountId, terms.firmId), 'a firm of the account');
      const upload: Upload = {
        ...terms,
        id: nextId(state, 'upload'),
        keyId,
        result: null,
        error: null,
        hasFile: bytes !== undefined,
        createdAt: context.at,
        updatedAt: context.at,
        finishedAt: null,
      };
      const file = bytes ? { bytes: bytes.slice(), keyId, traceparent, storedAt: context.at } : null;
      state.uploads.set(upload.id, { accountId, upload, file, kept, leaseUntil: null, attempts: 0 });
      return upload;
    },
    update: async (accountId, uploadId, { from, to, finishedAt, heldUntil, ...outcome }) => {
      const before = storedUpload(state, accountId, uploadId);
      if (before?.upload.status !== from) return null;
      if (heldUntil !== undefined && before.leaseUntil !== heldUntil) return null;
      const isOver = to !== 'pending' && to !== 'processing';
      assert(isOver === (finishedAt !== null), 'an upload that is over says since when, and no other does');
      const upload: Upload = { ...before.upload, ...outcome, status: to, finishedAt, updatedAt: context.at };
      state.uploads.set(upload.id, { ...before, upload, leaseUntil: null, attempts: 0 });
      return upload;
    },
    dropFile: async (accountId, uploadId) => dropFile(state, accountId, uploadId),
  };
}

export function queueWrites({ state, context }: MemoryUnit): Writes['queue'] {
  return {
    claim: async (leaseUntil, latest) => {
      const [first] = [...state.uploads.values()]
        .filter((stored) => isFree(stored, context.at, latest))
        .sort((a, b) => compare(a.upload.updatedAt, b.upload.updatedAt) || a.upload.id - b.upload.id);
      if (!first?.file) return null;
      const { accountId, file } = first;
      const upload: Upload = { ...first.upload, status: 'processing', updatedAt: context.at };
      const attempt = first.attempts + 1;
      state.uploads.set(upload.id, { ...first, upload, leaseUntil, attempts: attempt });
      return { accountId, upload, file: file.bytes.slice(), keyId: file.keyId, traceparent: file.traceparent, attempt };
    },
    extendLease: async (accountId, uploadId, { heldUntil, until }) => {
      const stored = storedUpload(state, accountId, uploadId);
      if (stored?.leaseUntil !== heldUntil) return false;
      state.uploads.set(uploadId, { ...stored, leaseUntil: until });
      return true;
    },
    sweepFiles: async (before, perAccount) => {
      const newestFirst = [...state.uploads.values()]
        .flatMap(({ accountId, upload, file }) =>
          file && upload.finishedAt ? { accountId, id: upload.id, ...file } : [],
        )
        .sort((a, b) => compare(b.storedAt, a.storedAt) || b.id - a.id);
      const swept = [...Map.groupBy(newestFirst, ({ accountId }) => accountId).values()].flatMap((files) =>
        files.filter(({ storedAt }, index) => index >= perAccount || storedAt < before),
      );
      for (const { accountId, id } of swept) dropFile(state, accountId, id);
      return swept.length;
    },
  };
}

/** Whether a worker may take an upload at an instant. */
function isFree({ upload, file, leaseUntil }: StoredUpload, instant: string, latest?: string): boolean {
  const isOver = leaseUntil !== null && (leaseUntil <= instant || (latest !== undefined && leaseUntil > latest));
  return file !== null && (upload.status === 'pending' || (upload.status === 'processing' && isOver));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
