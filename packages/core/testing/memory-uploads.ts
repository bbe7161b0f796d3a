import {
  assert,
  type Reader,
  type Upload,
  type UploadChange,
  type UploadTerms,
  type WriteContext,
} from '../src/index.ts';
import { byId, type MemoryState, nextId, onShelf, pageOf, required } from './memory-state.ts';

export function uploadReads(state: MemoryState): Pick<Reader, 'uploads' | 'upload'> {
  return {
    uploads: async ({ accountId, firmId, status }, page) => {
      const wanted = firmId === 'none' ? null : firmId;
      const own = [...state.uploads.values()].filter((stored) => stored.accountId === accountId);
      const matching = own
        .map(({ upload }) => upload)
        .filter((upload) => (firmId === null || upload.firmId === wanted) && (!status || upload.status === status));
      return pageOf(byId(matching), page);
    },
    upload: async (accountId, uploadId) => uploadOf(state, accountId, uploadId),
  };
}

function uploadOf(state: MemoryState, accountId: number, uploadId: number): Upload | null {
  const stored = state.uploads.get(uploadId);
  return stored?.accountId === accountId ? stored.upload : null;
}

interface Unit {
  readonly state: MemoryState;
  readonly context: WriteContext;
}

export function insertUpload({ state, context }: Unit, accountId: number, terms: UploadTerms): Upload {
  required(state.accounts.get(accountId), 'an upload belongs to an account');
  if (terms.firmId !== null) required(onShelf(state.firms, accountId, terms.firmId), 'a firm of the account');
  const upload: Upload = {
    ...terms,
    id: nextId(state, 'upload'),
    result: null,
    error: null,
    hasFile: false,
    createdAt: context.at,
    updatedAt: context.at,
    finishedAt: null,
  };
  state.uploads.set(upload.id, { accountId, upload });
  return upload;
}

export function updateUpload(
  { state, context }: Unit,
  { accountId, uploadId }: { readonly accountId: number; readonly uploadId: number },
  { from, to, finishedAt, ...outcome }: UploadChange,
): Upload | null {
  const before = uploadOf(state, accountId, uploadId);
  if (before?.status !== from) return null;
  const isOver = to !== 'pending' && to !== 'processing';
  assert(isOver === (finishedAt !== null), 'an upload that is over says since when, and no other does');
  const upload: Upload = { ...before, ...outcome, status: to, finishedAt, updatedAt: context.at };
  state.uploads.set(uploadId, { accountId, upload });
  return upload;
}
