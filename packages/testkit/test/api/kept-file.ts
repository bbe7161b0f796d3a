import { createHash } from 'node:crypto';
import { runImport, type Store } from '@tarifario/core/service';
import { fakeFile, fakeWorkbooks, type MakeFile } from './workbooks.ts';

/** What a dry run is made in. */
export interface KeptFileWorld {
  readonly store: Store;
  readonly accountId: number;
  /** As the service reads it; left out: the workbook of fakes. */
  readonly makeFile?: MakeFile;
  /** The time of the service, if its clock is not that of fakes. */
  readonly now?: () => string;
}

/** A pending upload of a firm, whose dry run has kept a file that changes the first price of an offer, or nothing. */
export async function newKeptUpload(
  { store, accountId, makeFile = fakeFile, now = () => '2026-01-01T00:00:00.000Z' }: KeptFileWorld,
  firmId: number,
  offerId: number | null,
): Promise<number> {
  const rows = offerId === null ? [] : [[offerId, 0.171]];
  const sheets = { ofertas: [['offer_id', 'e1'], ...rows] };
  const [bytes, asFake] = [makeFile(sheets), fakeFile(sheets)];
  const workbooks = { read: (_bytes: unknown, form: 'xlsx' | 'curve') => fakeWorkbooks.read(asFake, form) };
  const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
  const quotas = { companies: 9, offers: 9, months: 9, historyBytes: 9e6, proposalsBytes: 0 };
  const limits = { firmLimit: 1, callsPerMinute: 1, firmCallsPerMinute: 1, plan: 'pro', quotas } as const;
  const rights = { fullAccess: true, scopes: new Set<never>(), isCatalogEditor: false, firmId: null };
  const call = { lastUsedAt: null, isByToken: false, traceparent: null };
  const job = { format: 'own', firmId, fileName: 'ofertas-marzo.xlsx', bytes, dryRun: true, keep: true } as const;
  const { uploadId } = await runImport(
    { store, clock: { now }, workbooks, sha256 },
    {
      ...job,
      caller: { accountId, keyId: 1, ...limits, ...rights, ...call },
      uploadId: null,
      idempotencyRequest: null,
    },
  );
  if (uploadId === null) throw new Error('the file was to be kept');
  return uploadId;
}
