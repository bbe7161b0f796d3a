import { type Caller, seesCommissions } from '../access/caller.ts';
import { FILE_CAPS } from '../bulk/cells.ts';
import { diffOf } from '../bulk/diff.ts';
import type { BulkFormat } from '../bulk/format.ts';
import { absentColumns, type BulkPlan, planBulkUpdate } from '../bulk/plan.ts';
import { type BulkDrafts, createRowReader } from '../bulk/read-rows.ts';
import type { BulkRights, BulkState } from '../bulk/state.ts';
import { assert, DomainError, type RefusalCode } from '../errors.ts';
import type { ImportJob, ImportReport } from '../ports/imports.ts';
import type { Clock } from '../ports/machine.ts';
import type { Reader, ShelfOwner, Store, Writer } from '../ports/stores.ts';
import type { Workbooks } from '../ports/workbooks.ts';
import { failureOf } from '../uploads/failure.ts';
import type { Upload, UploadKind } from '../uploads/upload.ts';
import { keepReport, refuseIfAnswered } from './kept-reports.ts';
import { permitPlan } from './quotas.ts';
import { asRefusal, fileTooLarge } from './unreadable-files.ts';

/** What applying a file needs: plain parts, so that it can be done in a thread of its own. */
export interface ImportParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly workbooks: Pick<Workbooks, 'read'>;
  /** SHA-256, hexadecimal. */
  readonly sha256: (bytes: Uint8Array) => string;
}

/**
 * Applies a file that somebody sent, whole or not at all, and records it: as completed in the transaction of its
 * effect, or as failed in one of its own, with the file kept. A dry run leaves nothing behind. With a claim the report
 * of a file that was applied is kept in the transaction of its effect.
 *
 * @param job - With `uploadId` the record exists already, in `processing`, and whoever took it records a failure.
 * @throws DomainError `invalid_request` for an unreadable file, `business_rule` with `rowErrors`, `too_large`,
 *   `quota_reached`, `unavailable`, and `wrong_state` when the upload of the job is no longer in `processing`. With a claim as
 *   `answerInForce`, and `idempotency_in_flight` when the same was done meanwhile.
 * @see docs/assumptions.md, A-38, A-42, A-46 and A-53
 */
export async function runImport(parts: ImportParts, job: ImportJob): Promise<ImportReport> {
  try {
    return await importFile(parts, job, { callerNow: async () => job.caller });
  } catch (error) {
    const isRecorded = !job.dryRun && job.uploadId === null && isAboutTheFile(error);
    if (isRecorded) await recordRefusedFile(parts, job, error);
    throw error;
  }
}

const ABOUT_THE_FILE: readonly RefusalCode[] = ['invalid_request', 'business_rule', 'quota_reached'];

/** A file that is too large leaves no record, for it is not read. */
function isAboutTheFile(error: unknown): error is DomainError {
  return error instanceof DomainError && ABOUT_THE_FILE.includes(error.code);
}

const KINDS: Readonly<Record<BulkFormat, UploadKind>> = { own: 'offers_bulk_update', catalog: 'catalog_bulk_update' };

function newRecord({ format, firmId, fileName, bytes }: ImportJob) {
  return { firmId, kind: KINDS[format], fileName, sizeBytes: bytes.length, status: 'processing' } as const;
}

async function recordRefusedFile({ store, clock }: ImportParts, job: ImportJob, refusal: DomainError): Promise<void> {
  const { caller, bytes } = job;
  const at = clock.now();
  await store.write({ keyId: caller.keyId, at, concerns: [caller.accountId] }, async (writer) => {
    // It may be wrong because the same was done meanwhile, and then it is not refused.
    if (job.claim) await refuseIfAnswered(writer, job.claim, at);
    const { id } = await writer.insertUpload(caller.accountId, { ...newRecord(job), file: bytes });
    const error = { ...failureOf(refusal) };
    await writer.updateUpload(caller.accountId, id, { from: 'processing', to: 'failed', error, finishedAt: at });
  });
}

/** How often a plan is made while others may write, before it is made where they wait. */
const FREE_PLANS = 3;

/** What belongs to the file besides the file. */
interface ImportTerms {
  /** For whom it is applied, as of what a reader sees: rights may have been withdrawn since the file was sent. */
  readonly callerNow: (reader: Reader) => Promise<Caller>;
  /** Called when the file was read and before it is planned. */
  readonly onRead?: () => Promise<void>;
  /** Under which the upload is worked on: when it is not in force any more, nothing is applied. */
  readonly lease?: Lease;
}

/** Until when nobody else takes an upload. It is changed when it is extended. */
export interface Lease {
  until: string;
}

/**
 * As `runImport`, for whoever records failures by itself.
 *
 * The plan is made of a snapshot and in no transaction: other writers wait only while it is applied, and no transaction
 * does nothing meanwhile, which the database would end. When somebody has written in between, it is made again; at last
 * where nobody can.
 *
 * @param terms - The caller is asked for to plan, and again before anything is written.
 */
export async function importFile(parts: ImportParts, job: ImportJob, terms: ImportTerms): Promise<ImportReport> {
  const { store, clock, sha256 } = parts;
  const drafts = await readDrafts(parts, job);
  await terms.onRead?.();
  const plan = async () => planOf(await store.read((reader) => sightOf(reader, job, terms)), drafts);
  if (job.dryRun) return reportOf(await plan(), null);
  const fileHash = sha256(job.bytes);
  const { accountId, keyId } = job.caller;
  // The upload is the account's, also where the offers are the catalog's.
  const concerns = job.format === 'catalog' ? (['catalog', accountId] as const) : [accountId];
  const apply = (early: Planned, { at, isLast }: { readonly at: string; readonly isLast: boolean }) =>
    store.write({ keyId, at, concerns }, async (writer) => {
      if (job.claim) await refuseIfAnswered(writer, job.claim, at);
      const isAsPlanned = isSame(await groundOf(writer, job, terms), early.ground);
      if (!isAsPlanned && !isLast) return null;
      const planned = isAsPlanned ? early : planOf(await sightOf(writer, job, terms), drafts);
      await applyRecorded(writer, job, { planned, fileHash });
      const upload = await complete(writer, job, { planned, at, lease: terms.lease });
      const report = reportOf(planned, upload.id);
      if (job.claim) await keepReport(writer, job.claim, { report, at });
      return report;
    });
  for (let plansLeft = FREE_PLANS; ; plansLeft -= 1) {
    const report = await apply(await plan(), { at: clock.now(), isLast: plansLeft === 1 });
    if (report !== null) return report;
  }
}

async function readDrafts({ workbooks }: ImportParts, { format, bytes }: ImportJob): Promise<BulkDrafts> {
  if (bytes.length > FILE_CAPS.sentBytes) throw fileTooLarge();
  const reader = createRowReader(format);
  try {
    for await (const part of workbooks.read(bytes, 'xlsx')) reader.take(part);
  } catch (error) {
    throw asRefusal(error);
  }
  return reader.finish();
}

/** All that a plan rests upon besides the file. While it is the same, the plan is the same. */
interface Ground {
  readonly owner: ShelfOwner;
  readonly revision: number;
  readonly rights: BulkRights;
  readonly caller: Caller;
}

async function groundOf(reader: Reader, job: ImportJob, { callerNow }: ImportTerms): Promise<Ground> {
  const { format, firmId, force = false } = job;
  const caller = await callerNow(reader);
  const revisions = await reader.revisions(caller.accountId);
  const isCatalog = format === 'catalog';
  return {
    owner: isCatalog ? 'catalog' : caller.accountId,
    revision: isCatalog ? revisions.catalog : revisions.own,
    rights: { format, seesCommissions: seesCommissions(caller), boundFirmId: isCatalog ? null : firmId, force },
    caller,
  };
}

/** The owner, the format and the firm come from the job; a quota is that of the moment when the file was planned. */
function isSame(ground: Ground, other: Ground): boolean {
  return ground.revision === other.revision && ground.rights.seesCommissions === other.rights.seesCommissions;
}

/** Where a plan begins. */
interface Sight {
  readonly ground: Ground;
  readonly state: BulkState;
}

interface Planned extends Sight {
  readonly plan: BulkPlan;
}

async function sightOf(reader: Reader, job: ImportJob, terms: ImportTerms): Promise<Sight> {
  const ground = await groundOf(reader, job, terms);
  return { ground, state: await reader.changesSince(ground.owner, 0) };
}

function planOf({ ground, state }: Sight, drafts: BulkDrafts): Planned {
  const outcome = planBulkUpdate(state, drafts, ground.rights);
  if (outcome.kind === 'plan') {
    permitPlan(ground, state, outcome.plan);
    return { ground, state, plan: outcome.plan };
  }
  const { errors, errorCount } = outcome;
  throw new DomainError('business_rule', {
    message: `nothing was changed: the file has ${errorCount} ${errorCount === 1 ? 'error' : 'errors'}`,
    rowErrors: { format: ground.rights.format, errors, errorCount },
  });
}

/** @param uploadId - `null`: a dry run, which says what would change. */
function reportOf({ ground, state, plan }: Planned, uploadId: number | null): ImportReport {
  const { counts, warnings } = plan;
  if (uploadId !== null) return { uploadId, counts, diff: null, warnings };
  const { rights } = ground;
  return {
    uploadId,
    counts,
    diff: diffOf(plan, state, rights),
    warnings: [...warnings, ...absentColumns(plan, rights)],
  };
}

/** Applies a plan. A write to the catalog leaves a record of who did what. */
async function applyRecorded(
  writer: Writer,
  { caller }: ImportJob,
  { planned, fileHash }: { readonly planned: Planned; readonly fileHash: string },
): Promise<void> {
  const { plan, ground } = planned;
  if (ground.owner !== 'catalog') return applyPlan(writer, ground.owner, plan);
  const before = await writer.catalogCounts();
  await applyPlan(writer, ground.owner, plan);
  const after = await writer.catalogCounts();
  const { accountId } = caller;
  await writer.recordCatalogWrite({ accountId, operation: 'bulk_update', recordId: null, before, after, fileHash });
}

async function applyPlan(writer: Writer, owner: ShelfOwner, plan: BulkPlan): Promise<void> {
  const companyIds: number[] = [];
  for (const { firmId, name } of plan.companies) {
    const company = await writer.insertCompany(owner, { firmId, name, logoUrl: null, isActive: true });
    companyIds.push(company.id);
  }
  const terms = plan.created.map(({ terms: each, newCompany }) => {
    return newCompany === null ? each : { ...each, companyId: required(companyIds[newCompany]) };
  });
  const created = await writer.insertOffers(owner, terms);
  await writer.updateOffers(owner, plan.changed);
  const months = plan.months.map(({ offerId, created: index, price }) => {
    return { offerId: offerId ?? required(created[index ?? -1]).id, price };
  });
  await writer.putMonths(owner, months);
}

/** What a plan refers to within itself. */
function required<T>(value: T | undefined): T {
  assert(value !== undefined, 'a plan refers to what it creates');
  return value;
}

async function complete(
  writer: Writer,
  job: ImportJob,
  { planned, at, lease }: { readonly planned: Planned; readonly at: string; readonly lease: Lease | undefined },
): Promise<Upload> {
  const { accountId } = job.caller;
  const uploadId = job.uploadId ?? (await writer.insertUpload(accountId, newRecord(job))).id;
  await writer.dropUploadFile(accountId, uploadId);
  const { counts, warnings } = planned.plan;
  const result = { ...counts, warnings };
  const held = lease ? { heldUntil: lease.until } : {};
  const change = { from: 'processing', to: 'completed', result, error: null, finishedAt: at, ...held } as const;
  const upload = await writer.updateUpload(accountId, uploadId, change);
  if (!upload) throw new DomainError('wrong_state', { message: 'the upload is no longer in processing' });
  return upload;
}
