import { diffOf } from '../../../bulk/diff.ts';
import { offersNamedIn } from '../../../bulk/named-offers.ts';
import { nameIndices, offerWarnings } from '../../../bulk/offer-warnings.ts';
import { absentColumns, type BulkPlan, planBulkUpdate } from '../../../bulk/plan.ts';
import { type BulkDrafts, createRowReader } from '../../../bulk/read-rows.ts';
import { COMMISSION_HEADERS, TIER_SHEETS } from '../../../bulk/sheets.ts';
import type { BulkRights, BulkState } from '../../../bulk/state.ts';
import { FILE_CAPS } from '../../../engine/cells.ts';
import type { BulkFormat } from '../../../engine/errors.ts';
import { assert, DomainError, type RefusalCode } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { leastPowerPrices, type RegulatedPrice } from '../../../engine/power/regulated-prices.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import { LEAST_VERSION_BYTES, type RecordTotals, type StoredBytes } from '../../access/limits.ts';
import type { ImportJob, ImportReport } from '../../ports/imports.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type { Clock } from '../../ports/machine.ts';
import type { Reader, Store, Writer } from '../../ports/stores.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import { failureOf } from '../../uploads/failure.ts';
import type { Upload, UploadKind } from '../../uploads/upload.ts';
import { writerOf } from '../requests/command.ts';
import { permitMore, permitStored, permitStoredNow } from '../requests/quotas.ts';
import { catalogCounts } from '../requests/stats.ts';
import { refuseIfAnswered, storeReport } from './stored-reports.ts';
import { fileTooLarge, readParts } from './unreadable-files.ts';
import { changeUpload } from './upload-changes.ts';

/** The dependencies of applying a file: few, so that a separate thread can have them. */
export interface ImportParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly workbooks: Pick<Workbooks, 'read'>;
  /** SHA-256, hexadecimal. */
  readonly sha256: (content: Uint8Array | string) => string;
  /** With those of the operator; left out: the table of core. */
  readonly regulatedPrices?: readonly RegulatedPrice[] | undefined;
}

/**
 * Applies a file, whole or not at all, and records an upload: as completed in the transaction that applies the file, or
 * as failed, with the file, in another one. A dry run stores nothing unless it keeps the file. With an idempotency
 * request, the report is stored in the transaction that applies or keeps the file.
 *
 * @param job - With `uploadId` the record exists already: in `processing`, and the worker that took it records a
 *   failure, or with `shownEffect` pending.
 * @throws DomainError `invalid_request` for an unreadable file, `business_rule` with `rowErrors`, `too_large`,
 *   `quota_reached`, `unavailable`, and `wrong_state` when the upload of the job is no longer in its status, or the file
 *   would have another effect than the one shown. With an idempotency request also the errors of `answerInForce`, and
 *   `idempotency_in_flight` when the same request has been performed meanwhile.
 * @see docs/assumptions.md, A-38, A-42, A-46, A-53 and A-129
 */
export async function runImport(parts: ImportParts, job: ImportJob): Promise<ImportReport> {
  try {
    return await importFile(parts, job, { callerNow: async () => job.caller });
  } catch (error) {
    const isRecordedHere = !job.dryRun && (job.uploadId === null || job.shownEffect !== undefined);
    if (isRecordedHere && isAboutTheFile(error)) await recordRefusedFile(parts, job, error);
    throw error;
  }
}

const ABOUT_THE_FILE: readonly RefusalCode[] = [
  'invalid_request',
  'business_rule',
  'quota_reached',
  'storage_full',
  'wrong_state',
];

/** A file that is too large is not read, so it is not recorded. */
function isAboutTheFile(error: unknown): error is DomainError {
  return error instanceof DomainError && ABOUT_THE_FILE.includes(error.code);
}

const KINDS: Readonly<Record<BulkFormat, UploadKind>> = { own: 'offers_bulk_update', catalog: 'catalog_bulk_update' };

function newRecord({ format, firmId, fileName, bytes }: ImportJob) {
  return { firmId, kind: KINDS[format], fileName, sizeBytes: bytes.length, status: 'processing' } as const;
}

/** The status of the upload of a job until it is applied. */
function statusBefore({ shownEffect }: ImportJob): 'pending' | 'processing' {
  return shownEffect === undefined ? 'processing' : 'pending';
}

async function recordRefusedFile({ store, clock }: ImportParts, job: ImportJob, refusal: DomainError): Promise<void> {
  const { caller, bytes } = job;
  const at = clock.now();
  await store.write({ ...writerOf(caller), at, concerns: [caller.accountId] }, async (writer) => {
    // The file may be wrong only because the same request has been performed meanwhile. Then that is the error.
    if (job.idempotencyRequest) await refuseIfAnswered(writer, job.idempotencyRequest, at);
    const { accountId } = caller;
    const id = job.uploadId ?? (await writer.uploads.insert(accountId, { ...newRecord(job), file: bytes })).id;
    const error = { ...failureOf(refusal) };
    const change = { id, from: statusBefore(job), to: 'failed', error, finishedAt: at } as const;
    const failed = await changeUpload(writer, accountId, change);
    // The file of a dry run is applied once: looking at it again costs a point, and so does sending it.
    if (failed && job.uploadId !== null) await writer.uploads.dropFile(accountId, id);
  });
}

/** How many plans are made outside the write transaction before one is made inside it. */
const MAX_PLANS_WITHOUT_LOCK = 3;

/** The conditions under which a file is applied. */
interface ImportTerms {
  /** The caller with its rights at the moment of the reader: they may have been withdrawn since the file was sent. */
  readonly callerNow: (reader: Reader) => Promise<Caller>;
  /** Called after the file was read and before the plan is made. */
  readonly onRead?: () => Promise<void>;
  /** The lease on the upload. If it is no longer valid, nothing is applied. */
  readonly lease?: Lease;
}

/** The instant until which no other worker takes the upload. Changes when the lease is extended. */
export interface Lease {
  until: string;
}

/**
 * As `runImport`, for callers that record failures themselves.
 *
 * The plan is made from a snapshot, outside any transaction: other writers wait only while it is applied, and no
 * transaction stays idle, which the database would end. If others have written in between, the plan is made again, the
 * last time inside the write transaction.
 *
 * @param terms - `callerNow` is called for the plan, and again before anything is written.
 */
export async function importFile(parts: ImportParts, job: ImportJob, terms: ImportTerms): Promise<ImportReport> {
  const { store, clock, sha256, regulatedPrices } = parts;
  const drafts = await readDrafts(parts, job);
  await terms.onRead?.();
  const of = { job, terms, drafts };
  const planAs = (input: PlanInput) => asShown(parts, job, planOf(input, drafts));
  const plan = async () => planAs(await store.read((reader) => planInputOf(reader, of)));
  if (job.dryRun) {
    const planned = await plan();
    const least = leastPowerPrices(clock.now().slice(0, 10), regulatedPrices);
    const report = reportOf(planned, null);
    const indices = nameIndices(planned) ? await store.read((reader) => reader.indices.list()) : [];
    const known = { least, loaded: new Set(indices.map(({ index }) => index)) };
    const shown = { ...report, warnings: [...report.warnings, ...offerWarnings(drafts, planned, known)] };
    return job.keep ? keepFile(parts, job, { shown, effect: effectOf(parts, planned) }) : shown;
  }
  const fileHash = sha256(job.bytes);
  const { accountId } = job.caller;
  // The upload belongs to the account, even if the offers belong to the catalog.
  const concerns = job.format === 'catalog' ? (['catalog', accountId] as const) : [accountId];
  const apply = (early: PlannedImport, { at, isLast }: { readonly at: string; readonly isLast: boolean }) =>
    store.write({ ...writerOf(job.caller), at, concerns }, async (writer) => {
      if (job.idempotencyRequest) await refuseIfAnswered(writer, job.idempotencyRequest, at);
      const isAsPlanned = isSame(await basisOf(writer, job, terms), early.basis);
      if (!isAsPlanned && !isLast) return null;
      const planned = isAsPlanned ? early : planAs(await planInputOf(writer, of));
      await applyRecorded(writer, job, { planned, fileHash });
      const upload = await complete(writer, job, { planned, at, lease: terms.lease });
      const report = reportOf(planned, upload.id);
      if (job.idempotencyRequest) await storeReport(writer, job.idempotencyRequest, { report, at });
      return report;
    });
  for (let plansLeft = MAX_PLANS_WITHOUT_LOCK; ; plansLeft -= 1) {
    const report = await apply(await plan(), { at: clock.now(), isLast: plansLeft === 1 });
    if (report !== null) return report;
  }
}

/**
 * @throws DomainError `wrong_state` when the file would have another effect than its dry run has shown: to another state,
 *   or to a caller with other rights.
 */
function asShown(parts: ImportParts, { shownEffect }: ImportJob, planned: PlannedImport): PlannedImport {
  if (shownEffect === undefined || effectOf(parts, planned) === shownEffect) return planned;
  throw new DomainError('wrong_state', {
    message: 'nothing was changed: the file would no longer do what its dry run has shown, so check it again',
  });
}

/** How many entries of a diff are digested at a time. */
const ENTRIES_DIGESTED = 1000;

/**
 * For a file with commissions the last blind writes of those that are stored. What is applied must not tell who has
 * written them whether they are those of the file.
 */
function blindWrites(plan: BulkPlan, { offers }: BulkState, { seesCommissions }: BulkRights): readonly unknown[] {
  const { ofertas } = plan.columns;
  const hasCommissions =
    COMMISSION_HEADERS.some((header) => ofertas?.includes(header)) || TIER_SHEETS.some((sheet) => plan.columns[sheet]);
  if (!seesCommissions || !hasCommissions) return [];
  return offers.flatMap(({ offer: { id, blindRevision } }) =>
    blindRevision === undefined ? [] : [[id, blindRevision]],
  );
}

/** A digest of what the report of a dry run says, with the entries that it does not show, and of the rights. */
function effectOf({ sha256 }: ImportParts, { plan, state, basis: { rights } }: PlannedImport): string {
  const { seesCommissions, boundFirmId } = rights;
  let digest = JSON.stringify([
    seesCommissions,
    boundFirmId,
    plan.counts,
    plan.warnings,
    ...blindWrites(plan, state, rights),
  ]);
  let entries: unknown[] = [];
  const digestEntries = () => {
    digest = sha256(digest + JSON.stringify(entries));
    entries = [];
  };
  const add = (entry: unknown) => {
    if (entries.push(entry) === ENTRIES_DIGESTED) digestEntries();
  };
  diffOf(plan, state, rights, { add, first: () => [], count: 0 });
  digestEntries();
  return digest;
}

/** Stores the file of a dry run with a pending upload. */
async function keepFile(
  { store, clock }: ImportParts,
  job: ImportJob,
  { shown, effect }: { readonly shown: ImportReport; readonly effect: string },
): Promise<ImportReport> {
  const { caller, bytes, force: isForced = false, idempotencyRequest } = job;
  const at = clock.now();
  return store.write({ ...writerOf(caller), at, concerns: [caller.accountId] }, async (writer) => {
    if (idempotencyRequest) await refuseIfAnswered(writer, idempotencyRequest, at);
    const terms = { ...newRecord(job), status: 'pending', kept: { bytes, effect, isForced } } as const;
    const report = { ...shown, uploadId: (await writer.uploads.insert(caller.accountId, terms)).id };
    if (idempotencyRequest) await storeReport(writer, idempotencyRequest, { report, at });
    return report;
  });
}

async function readDrafts({ workbooks }: ImportParts, { format, bytes }: ImportJob): Promise<BulkDrafts> {
  if (bytes.length > FILE_CAPS.sentBytes) throw fileTooLarge();
  return readParts(workbooks, createRowReader(format), { bytes, form: 'xlsx' });
}

/** Everything besides the file on which a plan depends. While it is the same, the plan is the same. */
interface PlanBasis {
  readonly owner: RecordOwner;
  readonly revision: number;
  readonly rights: BulkRights;
  readonly caller: Caller;
}

async function basisOf(reader: Reader, job: ImportJob, { callerNow }: ImportTerms): Promise<PlanBasis> {
  const { format, firmId, force = false } = job;
  const caller = await callerNow(reader);
  const revisions = await reader.changes.revisions(caller.accountId);
  const isCatalog = format === 'catalog';
  return {
    owner: isCatalog ? 'catalog' : caller.accountId,
    revision: isCatalog ? revisions.catalog : revisions.own,
    rights: { format, seesCommissions: maySeeCommissions(caller), boundFirmId: isCatalog ? null : firmId, force },
    caller,
  };
}

/**
 * The owner, the format and the firm come from the job, so they are equal. Quotas are those at the time of the plan.
 */
function isSame(basis: PlanBasis, other: PlanBasis): boolean {
  return basis.revision === other.revision && basis.rights.seesCommissions === other.rights.seesCommissions;
}

interface PlanInput {
  readonly basis: PlanBasis;
  readonly state: BulkState;
  readonly totals: RecordTotals;
  readonly stored: StoredBytes;
}

interface PlannedImport extends PlanInput {
  readonly plan: BulkPlan;
}

async function planInputOf(
  reader: Reader,
  { job, terms, drafts }: { readonly job: ImportJob; readonly terms: ImportTerms; readonly drafts: BulkDrafts },
): Promise<PlanInput> {
  const basis = await basisOf(reader, job, terms);
  const state = await reader.changes.since(basis.owner, 0, offersNamedIn(drafts));
  const { totals, stored } = reader.counts;
  return { basis, state, totals: await totals(basis.owner), stored: await stored(basis.owner) };
}

function planOf({ basis, state, totals, stored }: PlanInput, drafts: BulkDrafts): PlannedImport {
  const outcome = planBulkUpdate(state, drafts, basis.rights);
  if (outcome.kind === 'plan') {
    const { plan } = outcome;
    const months = plan.months.filter(({ before: stored }) => stored === null).length;
    permitMore(basis, totals, { companies: plan.companies.length, offers: plan.created.length, months });
    const versions = plan.created.length + plan.changed.length + plan.months.length;
    const least = stored.historyBytes + versions * LEAST_VERSION_BYTES;
    if (versions > 0) permitStored(basis, 'historyBytes', least);
    return { basis, state, totals, stored, plan };
  }
  const { errors, errorCount } = outcome;
  throw new DomainError('business_rule', {
    message:
      errorCount === 1
        ? say('nothing was changed: the file has {count} error', { count: errorCount })
        : say('nothing was changed: the file has {count} errors', { count: errorCount }),
    rowErrors: { format: basis.rights.format, errors, errorCount },
  });
}

/** @param uploadId - `null`: a dry run, whose report shows what would change. */
function reportOf({ basis, state, plan }: PlannedImport, uploadId: number | null): ImportReport {
  const { counts, warnings } = plan;
  if (uploadId !== null) return { uploadId, counts, diff: null, warnings };
  const { rights } = basis;
  return {
    uploadId,
    counts,
    diff: diffOf(plan, state, rights),
    warnings: [...warnings, ...absentColumns(plan, rights)],
  };
}

/** Applies a plan. For the catalog it also records who did what. */
async function applyRecorded(
  writer: Writer,
  { caller }: ImportJob,
  { planned, fileHash }: { readonly planned: PlannedImport; readonly fileHash: string },
): Promise<void> {
  const { plan, basis } = planned;
  const isChange = plan.created.length + plan.changed.length + plan.months.length > 0;
  const apply = async () => {
    await applyPlan(writer, basis.owner, plan);
    if (isChange) await permitStoredNow(writer, basis, 'historyBytes');
  };
  if (basis.owner !== 'catalog') return apply();
  const before = await catalogCounts(writer);
  await apply();
  const after = await catalogCounts(writer);
  const { accountId } = caller;
  await writer.catalog.recordWrite({ accountId, operation: 'bulk_update', recordId: null, before, after, fileHash });
}

async function applyPlan(writer: Writer, owner: RecordOwner, plan: BulkPlan): Promise<void> {
  const companyIds: number[] = [];
  for (const { firmId, name } of plan.companies) {
    const company = await writer.companies.insert(owner, { firmId, name, logoUrl: null, isActive: true });
    companyIds.push(company.id);
  }
  const terms = plan.created.map(({ terms: each, newCompany }) => {
    return newCompany === null ? each : { ...each, companyId: required(companyIds[newCompany]) };
  });
  const created = await writer.offers.insert(owner, terms);
  await writer.offers.update(owner, plan.changed);
  const months = plan.months.map(({ offerId, created: index, ...month }) => {
    return { ...month, offerId: offerId ?? required(created[index ?? -1]).id };
  });
  await writer.months.put(owner, months);
}

/** A reference of a plan to something that it creates. */
function required<T>(value: T | undefined): T {
  assert(value !== undefined, 'a plan refers to what it creates');
  return value;
}

async function complete(
  writer: Writer,
  job: ImportJob,
  { planned, at, lease }: { readonly planned: PlannedImport; readonly at: string; readonly lease: Lease | undefined },
): Promise<Upload> {
  const { accountId } = job.caller;
  const uploadId = job.uploadId ?? (await writer.uploads.insert(accountId, newRecord(job))).id;
  await writer.uploads.dropFile(accountId, uploadId);
  const { counts, warnings } = planned.plan;
  const result = { ...counts, warnings };
  const lock = lease ? { heldUntil: lease.until } : {};
  const from = statusBefore(job);
  const change = { from, to: 'completed', result, error: null, finishedAt: at, ...lock } as const;
  const upload = await changeUpload(writer, accountId, { id: uploadId, ...change });
  if (!upload)
    throw new DomainError('wrong_state', { message: say('the upload is {status} no longer', { status: from }) });
  return upload;
}
