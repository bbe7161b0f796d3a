import { type BulkReport, TarifarioError, type Upload } from '@tarifario/client';
import { useState } from 'preact/hooks';
import type { Session } from '../shell/session.ts';

/** The owner of the offers of a workbook. */
export type Owner = 'own' | 'catalog';
export interface RowFault {
  readonly sheet: string;
  readonly row: number;
  readonly error: string;
}

/** The largest file that the service reads. */
export const MOST_BYTES = 10 * 1024 * 1024;
/** The time between two requests for an upload: at first, and at most. */
const POLL_MS = { first: 250, most: 4000 };
const KINDS = { own: 'offers_bulk_update', catalog: 'catalog_bulk_update' } as const;

interface Chosen {
  readonly file: File;
  readonly owner: Owner;
  /** The same key in each try, so that a file is applied once. */
  readonly requestName: string;
}

/** A workbook from its choice to its end. A failure leaves everything else as it was. */
interface Work {
  readonly chosen: Chosen | null;
  readonly report: BulkReport | null;
  readonly upload: Upload | null;
  readonly sent: { readonly sent: number; readonly total: number } | null;
  readonly rows: { readonly faults: readonly RowFault[]; readonly count: number } | null;
  readonly error: unknown;
  readonly isBusy: boolean;
}

const NOTHING: Work = { chosen: null, report: null, upload: null, sent: null, rows: null, error: null, isBusy: false };
export const isEnded = ({ status }: Upload) => status !== 'pending' && status !== 'processing';

export function useWorkbook(session: Session | null) {
  const [work, setWork] = useState<Work>(NOTHING);
  const change = (changes: Partial<Work>) => setWork((now) => ({ ...now, ...changes }));
  const onProgress = (sent: NonNullable<Work['sent']>) => change({ sent });
  const attempt = async (start: Partial<Work>, act: () => Promise<Partial<Work>>) => {
    change({ ...start, isBusy: true, error: null, rows: null });
    const ended = await act().catch(failureOf);
    change({ ...ended, isBusy: false, sent: null });
  };

  const check = (file: File, owner: Owner) =>
    attempt(NOTHING, async () => {
      if (!session) return {};
      if (file.size > MOST_BYTES) throw tooLarge();
      // A copy, so that the applied bytes are those of the preview, whatever happens to the file meanwhile.
      const copy = new File([await file.arrayBuffer()], file.name);
      change({ chosen: { file: copy, owner, requestName: newName() } });
      const { api } = session;
      const ask = owner === 'own' ? api.bulkUpdateOffers : api.bulkUpdateCatalogOffers;
      return { report: await ask({ dry_run: true, body: { file: copy } }, { onProgress }) };
    });

  const follow = async (upload: Upload): Promise<Partial<Work>> => {
    for (let ms = POLL_MS.first; session && !isEnded(upload); ms = Math.min(2 * ms, POLL_MS.most)) {
      change({ upload, sent: null });
      await new Promise((resolve) => setTimeout(resolve, ms));
      upload = await session.api.getUpload({ id: upload.id });
    }
    return { upload, ...(upload.error?.errors && { rows: rowsOf(upload.error) }) };
  };

  /** Sends the file, or continues with a file that was sent before, until it is applied or refused. */
  const apply = () =>
    attempt({}, async () => {
      const { chosen, upload } = work;
      if (upload) return follow(upload);
      if (!chosen || !session) return {};
      const { file, owner, requestName } = chosen;
      const form = { body: { file, kind: KINDS[owner] } };
      return follow(await session.api.createUpload(form, { idempotencyKey: requestName, onProgress }));
    });

  /** Shows an earlier upload. */
  const open = (upload: Upload) => attempt({ ...NOTHING, upload }, () => follow(upload));

  const cancel = async () => {
    if (!session || !work.upload) return;
    await session.api.cancelUpload({ id: work.upload.id }).catch(() => null);
    // The code that follows the upload sees that it has ended.
    if (!work.isBusy) await apply();
  };
  return { work, check, apply, open, cancel };
}

function newName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

export function tooLarge(): TarifarioError {
  return new TarifarioError('too_large', { message: '', response: new Response(null, { status: 413 }) });
}

function failureOf(error: unknown): Partial<Work> {
  const isOfRows = error instanceof TarifarioError && error.errors.some((one) => 'row' in one);
  return isOfRows && error.detail ? { rows: rowsOf(error.detail) } : { error };
}

function rowsOf({ errors = [], error_count }: { readonly errors?: readonly object[]; readonly error_count?: number }) {
  const faults = errors.filter((one): one is RowFault => 'row' in one);
  return { faults, count: error_count ?? faults.length };
}
