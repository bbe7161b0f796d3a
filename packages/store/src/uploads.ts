import type {
  ClaimedUpload,
  LeaseChange,
  Page,
  Reader,
  Upload,
  UploadChange,
  UploadPlace,
  UploadQuery,
  UploadTerms,
  Writes,
} from '@tarifario/core/service';
import { assert } from '@tarifario/core/service';
import { pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { totalOf } from './pages.ts';
import { UPLOAD } from './rows.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export function uploadReads(session: Session): Reader['uploads'] {
  return {
    list: (query, page) => listUploads(session, query, page),
    get: (accountId, uploadId) => uploadOf(session, { accountId, uploadId }),
    kept: async (accountId, uploadId) => {
      const file = session.db.selectFrom('upload_kept_files').selectAll().where('account_id', '=', accountId);
      const row = await file.where('upload_id', '=', uploadId).executeTakeFirst();
      return row ? { bytes: row.bytes, effect: row.effect, isForced: row.is_forced === 1 } : null;
    },
    keptBefore: (before, perAccount) => keptBefore(session, before, perAccount),
  };
}

export function queueReads(session: Session): Reader['queue'] {
  return {
    instant: (own) => session.dialect.instant(session.db, own),
    isWaiting: async (instant, latest) =>
      (await freeUploads(session, instant, latest).limit(1).executeTakeFirst()) !== undefined,
  };
}

async function keptBefore({ db }: Session, before: string, perAccount: number): Promise<readonly UploadPlace[]> {
  const newestFirst = db
    .selectFrom('upload_kept_files')
    .innerJoin('uploads', 'uploads.id', 'upload_kept_files.upload_id')
    .select(['uploads.account_id', 'upload_id', 'created_at'])
    .select(({ fn }) => {
      const number = fn.agg<number>('row_number');
      return number.over((over) => over.partitionBy('uploads.account_id').orderBy('upload_id', 'desc')).as('number');
    });
  const rows = await db
    .selectFrom(newestFirst.as('kept'))
    .select(['account_id', 'upload_id'])
    .where(({ eb, or }) => or([eb('created_at', '<', before), eb('number', '>', perAccount)]))
    .orderBy('upload_id')
    .execute();
  return rows.map(({ account_id, upload_id }) => ({ accountId: account_id, uploadId: upload_id }));
}

/** Uploads, each with whether it has a file, without reading the file. */
function withFiles({ db }: Session) {
  return db
    .selectFrom('uploads')
    .selectAll('uploads')
    .select(({ exists, selectFrom }) => {
      const file = selectFrom('upload_files').select('upload_id').whereRef('upload_id', '=', 'uploads.id');
      return exists(file).$castTo<number>().as('has_file');
    });
}

async function uploadOf(session: Session, { accountId, uploadId }: UploadPlace): Promise<Upload | null> {
  const own = withFiles(session).where('uploads.account_id', '=', accountId);
  const row = await own.where('uploads.id', '=', uploadId).executeTakeFirst();
  return row ? UPLOAD.read(row) : null;
}

/** The upload as this unit of work has written it. */
async function written(session: Session, place: UploadPlace): Promise<Upload> {
  const upload = await uploadOf(session, place);
  assert(upload !== null, 'an upload that was written is there');
  return upload;
}

async function listUploads(session: Session, query: UploadQuery, page: Page) {
  const { db } = session;
  const { accountId, firmId, status, isSent, keyId } = query;
  const ids = db
    .selectFrom('uploads')
    .where('account_id', '=', accountId)
    .$if(firmId === 'none', (own) => own.where('firm_id', 'is', null))
    .$if(typeof firmId === 'number', (own) => own.where('firm_id', '=', Number(firmId)))
    .$if(status !== null, (own) => own.where('status', '=', status ?? 'pending'))
    .$if(isSent !== undefined, (own) => own.where('size_bytes', isSent ? 'is not' : 'is', null))
    .$if(keyId !== undefined, (own) => own.where('key_id', '=', keyId ?? 0));
  const counted = ids.select(({ fn }) => fn.countAll<number>().as('count'));
  const rest = ids.$if(page.afterId != null, (own) => own.where('id', '>', page.afterId ?? 0));
  const ofPage = rest.select('id').orderBy('id').limit(page.limit).offset(page.offset);
  const uploads = withFiles(session).select(counted.as('total')).where('uploads.id', 'in', ofPage);
  const rows = await uploads.orderBy('uploads.id').execute();
  return { total: await totalOf(rows, page, counted), results: rows.map(UPLOAD.read) };
}

export function uploadWrites(unit: UnitOfWork): Writes['uploads'] {
  return {
    insert: (accountId, terms) => insertUpload(unit, accountId, terms),
    update: (accountId, uploadId, change) => updateUpload(unit, { accountId, uploadId }, change),
    dropFile: async (accountId, uploadId) => {
      for (const table of ['upload_files', 'upload_kept_files'] as const) {
        const file = unit.db.deleteFrom(table).where('account_id', '=', accountId);
        await file.where('upload_id', '=', uploadId).execute();
      }
    },
  };
}

export function queueWrites(unit: UnitOfWork): Writes['queue'] {
  return {
    claim: (leaseUntil, latest) => claimUpload(unit, leaseUntil, latest),
    extendLease: (accountId, uploadId, lease) => extendLease(unit, { accountId, uploadId }, lease),
    sweepFiles: (before, perAccount) => sweepUploadFiles(unit, before, perAccount),
  };
}

async function insertUpload(unit: UnitOfWork, accountId: number, terms: UploadTerms): Promise<Upload> {
  const { db, context } = unit;
  const { id } = await db
    .insertInto('uploads')
    .values({
      account_id: accountId,
      ...UPLOAD.write({ ...terms, keyId: context.keyId, createdAt: context.at, updatedAt: context.at }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (terms.file) {
    const { keyId: key_id, traceparent = null, at: kept_at } = context;
    const file = { upload_id: id, account_id: accountId, key_id, traceparent, kept_at };
    await db
      .insertInto('upload_files')
      .values({ ...file, bytes: terms.file })
      .execute();
  }
  if (terms.kept) {
    const { bytes, effect, isForced } = terms.kept;
    const file = { upload_id: id, account_id: accountId, effect, is_forced: Number(isForced), bytes };
    await db.insertInto('upload_kept_files').values(file).execute();
  }
  return written(unit, { accountId, uploadId: id });
}

async function updateUpload(
  unit: UnitOfWork,
  { accountId, uploadId }: UploadPlace,
  { from, to, result, error, finishedAt, heldUntil }: UploadChange,
): Promise<Upload | null> {
  const row = await unit.db
    .updateTable('uploads')
    .set({
      ...UPLOAD.write({ status: to, finishedAt, updatedAt: unit.context.at }),
      ...UPLOAD.write(result === undefined ? {} : { result }),
      ...UPLOAD.write(error === undefined ? {} : { error }),
      lease_until: null,
      attempts: 0,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', uploadId)
    .where('status', '=', from)
    .$if(heldUntil !== undefined, (query) => query.where('lease_until', '=', heldUntil ?? ''))
    .returning('id')
    .executeTakeFirst();
  return row ? written(unit, { accountId, uploadId }) : null;
}

/** Uploads that a worker may take at an instant. The query starts from the few stored files instead of all uploads. */
function freeUploads({ db }: Session, instant: string, latest: string | undefined) {
  return db
    .selectFrom('upload_files')
    .innerJoin('uploads', 'uploads.id', 'upload_files.upload_id')
    .select(['uploads.id', 'uploads.account_id', 'uploads.attempts'])
    .where(({ and, or, eb }) => {
      const isOver = [
        eb('lease_until', '<=', instant),
        ...(latest === undefined ? [] : [eb('lease_until', '>', latest)]),
      ];
      const isExpired = and([eb('status', '=', 'processing'), or(isOver)]);
      return or([eb('status', '=', 'pending'), isExpired]);
    });
}

/**
 * On PostgreSQL the row is locked, so that it stays free, and rows locked by others are skipped.
 */
async function claimUpload(unit: UnitOfWork, leaseUntil: string, latest?: string): Promise<ClaimedUpload | null> {
  const { db, context } = unit;
  const free = await freeUploads(unit, context.at, latest)
    .orderBy('uploads.updated_at')
    .orderBy('uploads.id')
    .limit(1)
    .$if(unit.dialect.locksRows, (query) => query.forUpdate('uploads').skipLocked())
    .executeTakeFirst();
  if (!free) return null;
  const attempts = free.attempts + 1;
  await db
    .updateTable('uploads')
    .set({ status: 'processing', updated_at: context.at, lease_until: leaseUntil, attempts })
    .where('id', '=', free.id)
    .execute();
  const file = db
    .selectFrom('upload_files')
    .select(['bytes', 'key_id', 'traceparent'])
    .where('upload_id', '=', free.id);
  const { bytes, key_id: keyId, traceparent } = await file.executeTakeFirstOrThrow();
  const upload = await written(unit, { accountId: free.account_id, uploadId: free.id });
  return { accountId: free.account_id, upload, file: bytes, keyId, traceparent, attempt: attempts };
}

async function extendLease(
  { db }: UnitOfWork,
  place: UploadPlace,
  { heldUntil, until }: LeaseChange,
): Promise<boolean> {
  const leased = db.updateTable('uploads').set({ lease_until: until }).where('lease_until', '=', heldUntil);
  const { numUpdatedRows } = await leased
    .where('account_id', '=', place.accountId)
    .where('id', '=', place.uploadId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function sweepUploadFiles(unit: UnitOfWork, before: string, perAccount: number): Promise<number> {
  const { db } = unit;
  const newestFirst = await db
    .selectFrom('upload_files')
    .innerJoin('uploads', 'uploads.id', 'upload_files.upload_id')
    .select(['upload_id', 'upload_files.account_id', 'kept_at'])
    .where('finished_at', 'is not', null)
    .orderBy('kept_at', 'desc')
    .orderBy('upload_id', 'desc')
    .execute();
  const byAccount = Map.groupBy(newestFirst, ({ account_id }) => account_id);
  const swept = [...byAccount.values()].flatMap((files) =>
    files.filter(({ kept_at }, index) => index >= perAccount || kept_at < before),
  );
  const ids = await stillOver(
    unit,
    swept.map(({ upload_id }) => upload_id),
  );
  for (const id of ids) {
    // A file has thousands of pages, so files are deleted one at a time, and other work runs in between.
    await db.deleteFrom('upload_files').where('upload_id', '=', id).execute();
    await pause();
  }
  return ids.length;
}

/** On PostgreSQL another transaction may be setting the upload back to pending; its row is skipped. */
async function stillOver({ db, dialect }: UnitOfWork, uploadIds: readonly number[]): Promise<readonly number[]> {
  const over = await db
    .selectFrom('uploads')
    .select('id')
    .where((eb) => dialect.isAnyOf(eb.ref('id'), uploadIds))
    .where('finished_at', 'is not', null)
    .orderBy('id')
    .$if(dialect.locksRows, (query) => query.forUpdate().skipLocked())
    .execute();
  return over.map(({ id }) => id);
}
