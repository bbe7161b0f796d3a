import {
  assert,
  type ClaimedUpload,
  type LeaseChange,
  type Reader,
  type Upload,
  type UploadChange,
  type UploadTerms,
  type WriteContext,
} from '../src/service.ts';
import { byId, type MemoryState, nextId, ownedRecord, pageOf, required, type StoredUpload } from './memory-state.ts';

export function uploadReads(state: MemoryState): Pick<Reader, 'uploads' | 'upload' | 'instant' | 'isUploadWaiting'> {
  return {
    instant: async (own) => own,
    uploads: async ({ accountId, firmId, status }, page) => {
      const wanted = firmId === 'none' ? null : firmId;
      const own = [...state.uploads.values()].filter((stored) => stored.accountId === accountId);
      const matching = own
        .map(({ upload }) => upload)
        .filter((upload) => (firmId === null || upload.firmId === wanted) && (!status || upload.status === status));
      return pageOf(byId(matching), page);
    },
    upload: async (accountId, uploadId) => storedUpload(state, { accountId, uploadId })?.upload ?? null,
    isUploadWaiting: async (instant) => [...state.uploads.values()].some((stored) => isFree(stored, instant)),
  };
}

interface Place {
  readonly accountId: number;
  readonly uploadId: number;
}

function storedUpload(state: MemoryState, { accountId, uploadId }: Place): StoredUpload | null {
  const stored = state.uploads.get(uploadId);
  return stored?.accountId === accountId ? stored : null;
}

interface Unit {
  readonly state: MemoryState;
  readonly context: WriteContext;
}

export function insertUpload({ state, context }: Unit, accountId: number, draft: UploadTerms): Upload {
  const { file: bytes, ...terms } = draft;
  required(state.accounts.get(accountId), 'an upload belongs to an account');
  if (terms.firmId !== null) required(ownedRecord(state.firms, accountId, terms.firmId), 'a firm of the account');
  const upload: Upload = {
    ...terms,
    id: nextId(state, 'upload'),
    result: null,
    error: null,
    hasFile: bytes !== undefined,
    createdAt: context.at,
    updatedAt: context.at,
    finishedAt: null,
  };
  const file = bytes ? { bytes: bytes.slice(), keyId: context.keyId, storedAt: context.at } : null;
  state.uploads.set(upload.id, { accountId, upload, file, leaseUntil: null, attempts: 0 });
  return upload;
}

export function updateUpload(
  { state, context }: Unit,
  place: Place,
  { from, to, finishedAt, heldUntil, ...outcome }: UploadChange,
): Upload | null {
  const before = storedUpload(state, place);
  if (before?.upload.status !== from) return null;
  if (heldUntil !== undefined && before.leaseUntil !== heldUntil) return null;
  const isOver = to !== 'pending' && to !== 'processing';
  assert(isOver === (finishedAt !== null), 'an upload that is over says since when, and no other does');
  const upload: Upload = { ...before.upload, ...outcome, status: to, finishedAt, updatedAt: context.at };
  state.uploads.set(upload.id, { ...before, upload, leaseUntil: null, attempts: 0 });
  return upload;
}

/** Whether a worker may take an upload at an instant. */
function isFree({ upload, file, leaseUntil }: StoredUpload, instant: string): boolean {
  const isExpired = upload.status === 'processing' && leaseUntil !== null && leaseUntil <= instant;
  return file !== null && (upload.status === 'pending' || isExpired);
}

export function claimUpload({ state, context }: Unit, leaseUntil: string): ClaimedUpload | null {
  const [first] = [...state.uploads.values()]
    .filter((stored) => isFree(stored, context.at))
    .sort((a, b) => compare(a.upload.updatedAt, b.upload.updatedAt) || a.upload.id - b.upload.id);
  if (!first?.file) return null;
  const { accountId, file } = first;
  const upload: Upload = { ...first.upload, status: 'processing', updatedAt: context.at };
  const attempts = first.attempts + 1;
  state.uploads.set(upload.id, { ...first, upload, leaseUntil, attempts });
  return { accountId, upload, file: file.bytes.slice(), keyId: file.keyId, attempt: attempts };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function extendLease(state: MemoryState, place: Place, { held, until }: LeaseChange): boolean {
  const stored = storedUpload(state, place);
  if (stored?.leaseUntil !== held) return false;
  state.uploads.set(place.uploadId, { ...stored, leaseUntil: until });
  return true;
}

export function dropUploadFile(state: MemoryState, place: Place): void {
  const stored = storedUpload(state, place);
  if (!stored?.file) return;
  state.uploads.set(place.uploadId, { ...stored, file: null, upload: { ...stored.upload, hasFile: false } });
}

export function sweepUploadFiles(state: MemoryState, before: string, perAccount: number): number {
  const stored = [...state.uploads.values()].filter(({ file, upload }) => file !== null && upload.finishedAt !== null);
  const newestFirst = stored.toSorted(
    (a, b) => compare(b.file?.storedAt ?? '', a.file?.storedAt ?? '') || b.upload.id - a.upload.id,
  );
  const counts = new Map<number, number>();
  const swept = newestFirst.filter(({ accountId, file }) => {
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    return count > perAccount || (file?.storedAt ?? '') < before;
  });
  for (const { accountId, upload } of swept) dropUploadFile(state, { accountId, uploadId: upload.id });
  return swept.length;
}
