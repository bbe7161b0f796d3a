import { initial } from './0001-initial.ts';
import { uploadsAndUsage } from './0002-uploads-and-usage.ts';
import { catalogAudit } from './0003-catalog-audit.ts';
import { uploadFiles } from './0004-upload-files.ts';
import { keptAnswers } from './0005-kept-answers.ts';
import { sharedLimitsPostgres } from './0006-shared-limits-postgres.ts';
import { pastTerms } from './0007-past-terms.ts';
import { usageBatches } from './0008-usage-batches.ts';
import { oneSubscription } from './0009-one-subscription.ts';
import { soundChecks } from './0010-sound-checks.ts';
import { soundChecksPostgres } from './0010-sound-checks-postgres.ts';
import { usageSlices } from './0011-usage-slices.ts';
import { quotas } from './0012-quotas.ts';
import { maskedStamps } from './0013-masked-stamps.ts';
import { moments } from './0014-moments.ts';
import { proposals } from './0015-proposals.ts';
import { revisionMarks } from './0016-revision-marks.ts';
import { namesByOneSpace } from './0017-names-by-one-space.ts';
import type { Texts } from './engines.ts';

/** One step of the schema, as text for each engine. A migration that has been released is never edited. */
export interface Migration extends Texts {
  /** Unique and ascending: the order in which migrations are applied. */
  readonly name: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', ...initial },
  { name: '0002-uploads-and-usage', ...uploadsAndUsage },
  { name: '0003-catalog-audit', ...catalogAudit },
  { name: '0004-upload-files', ...uploadFiles },
  { name: '0005-kept-answers', ...keptAnswers },
  // On SQLite the process counts calls in memory.
  { name: '0006-shared-limits', sqlite: '', postgres: sharedLimitsPostgres },
  { name: '0007-past-terms', ...pastTerms },
  { name: '0008-usage-batches', ...usageBatches },
  // No PostgreSQL database is as old as this migration.
  { name: '0009-one-subscription', sqlite: oneSubscription, postgres: '' },
  { name: '0010-sound-checks', sqlite: soundChecks, postgres: soundChecksPostgres },
  { name: '0011-usage-slices', ...usageSlices },
  { name: '0012-quotas', ...quotas },
  { name: '0013-masked-stamps', ...maskedStamps },
  { name: '0014-moments', ...moments },
  { name: '0015-proposals', ...proposals },
  { name: '0016-revision-marks', ...revisionMarks },
  { name: '0017-names-by-one-space', ...namesByOneSpace },
];
