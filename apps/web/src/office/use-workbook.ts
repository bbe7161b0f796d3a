import { type BulkReport, TarifarioError, type Upload } from '@tarifario/client';
import { FILE_CAPS } from '@tarifario/core';
import { useState } from 'preact/hooks';
import { useTask } from '../shell/query.ts';
import type { Session } from '../shell/session.ts';

/** The owner of the offers of a workbook. */
export type Owner = 'own' | 'catalog';
export interface RowFault {
  readonly sheet: string;
  readonly row: number;
  readonly error: string;
}

/** A workbook from its choice to its end. A failure leaves everything else as it was. */
interface Work {
  readonly chosen: File | null;
  readonly report: BulkReport | null;
  /** The record of a file that was applied or refused. */
  readonly upload: Upload | null;
  readonly sent: { readonly sent: number; readonly total: number } | null;
  readonly rows: { readonly faults: readonly RowFault[]; readonly count: number } | null;
}

const NOTHING: Work = { chosen: null, report: null, upload: null, sent: null, rows: null };

export function useWorkbook(session: Session | null, onApplied: () => void) {
  const [work, setWork] = useState<Work>(NOTHING);
  const { isBusy, error, run } = useTask();
  const change = (changes: Partial<Work>) => setWork((now) => ({ ...now, ...changes }));
  const onProgress = (sent: NonNullable<Work['sent']>) => change({ sent });
  const attempt = (start: Partial<Work>, act: () => Promise<Partial<Work>>) =>
    run(async () => {
      change({ ...start, rows: null });
      const ended = act().catch(rowsOrFailure);
      change(await ended.finally(() => change({ sent: null })));
    });

  const check = (file: File, owner: Owner) =>
    attempt(NOTHING, async () => {
      if (!session) return {};
      if (file.size > FILE_CAPS.sentBytes) throw tooLarge();
      // A copy, so that the bytes of another check are the same, whatever happens to the file meanwhile.
      const copy = new File([await file.arrayBuffer()], file.name);
      change({ chosen: copy });
      const { api } = session;
      const ask = owner === 'own' ? api.bulkUpdateOffers : api.bulkUpdateCatalogOffers;
      return { report: await ask({ dry_run: true, keep: true, body: { file: copy } }, { onProgress }) };
    });

  /** Applies the file that the service has kept. The name is the same in each try, so that it is applied once. */
  const apply = () =>
    attempt({}, async () => {
      const id = work.report?.upload_id;
      if (!session || !id) return {};
      await session.api.applyUpload({ id }, { idempotencyKey: `apply-${id}` });
      onApplied();
      return { upload: await session.api.getUpload({ id }) };
    });

  /** Shows an earlier upload. */
  const open = (upload: Upload) =>
    attempt(NOTHING, async () => ({ upload, ...(upload.error?.errors && { rows: rowsOf(upload.error) }) }));
  return { work: { ...work, isBusy, error }, check, apply, open };
}

export function tooLarge(): TarifarioError {
  return new TarifarioError('too_large', { message: '', response: new Response(null, { status: 413 }) });
}

/** The rows that a refusal is about. Any other failure is thrown again. */
function rowsOrFailure(error: unknown): Partial<Work> {
  const isOfRows = error instanceof TarifarioError && error.errors.some((one) => 'row' in one);
  if (!isOfRows || !error.detail) throw error;
  return { rows: rowsOf(error.detail) };
}

function rowsOf({ errors = [], error_count }: { readonly errors?: readonly object[]; readonly error_count?: number }) {
  const faults = errors.filter((one): one is RowFault => 'row' in one);
  return { faults, count: error_count ?? faults.length };
}
