import type { Page, Reader, Upload, UploadChange, UploadQuery, UploadTerms, Writer } from '@tarifario/core';
import type { Session } from './dialects.ts';
import { fromUploadRow, toOutcomeText } from './rows.ts';
import { changing, type UnitOfWork } from './unit-of-work.ts';

export function uploadReads(session: Session): Pick<Reader, 'uploads' | 'upload'> {
  return {
    uploads: (query, page) => listUploads(session, query, page),
    upload: async (accountId, uploadId) => {
      const own = session.db.selectFrom('uploads').selectAll().where('account_id', '=', accountId);
      const row = await own.where('id', '=', uploadId).executeTakeFirst();
      return row ? fromUploadRow(row) : null;
    },
  };
}

async function listUploads({ db }: Session, { accountId, firmId, status }: UploadQuery, page: Page) {
  const matching = db
    .selectFrom('uploads')
    .where('account_id', '=', accountId)
    .$if(firmId === 'none', (query) => query.where('firm_id', 'is', null))
    .$if(typeof firmId === 'number', (query) => query.where('firm_id', '=', Number(firmId)))
    .$if(status !== null, (query) => query.where('status', '=', status ?? 'pending'));
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total, results: rows.map(fromUploadRow) };
}

export function uploadWrites(unit: UnitOfWork): Pick<Writer, 'insertUpload' | 'updateUpload'> {
  return {
    insertUpload: changing(unit, (accountId, terms) => insertUpload(unit, accountId, terms)),
    updateUpload: changing(unit, (accountId, uploadId, change) => updateUpload(unit, { accountId, uploadId }, change)),
  };
}

async function insertUpload({ db, context }: UnitOfWork, accountId: number, terms: UploadTerms): Promise<Upload> {
  const row = await db
    .insertInto('uploads')
    .values({
      account_id: accountId,
      firm_id: terms.firmId,
      kind: terms.kind,
      file_name: terms.fileName,
      size_bytes: terms.sizeBytes,
      status: terms.status,
      created_at: context.at,
      updated_at: context.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromUploadRow(row);
}

async function updateUpload(
  { db, context }: UnitOfWork,
  { accountId, uploadId }: { readonly accountId: number; readonly uploadId: number },
  { from, to, result, error, finishedAt }: UploadChange,
): Promise<Upload | null> {
  const row = await db
    .updateTable('uploads')
    .set({
      status: to,
      finished_at: finishedAt,
      updated_at: context.at,
      ...(result === undefined ? {} : { result: toOutcomeText(result) }),
      ...(error === undefined ? {} : { error: toOutcomeText(error) }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', uploadId)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
  return row ? fromUploadRow(row) : null;
}
