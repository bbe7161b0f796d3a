import { initial } from './0001-initial.ts';
import { initialPostgres } from './0001-initial-postgres.ts';
import { uploadsAndUsage } from './0002-uploads-and-usage.ts';
import { uploadsAndUsagePostgres } from './0002-uploads-and-usage-postgres.ts';
import { catalogAudit } from './0003-catalog-audit.ts';
import { catalogAuditPostgres } from './0003-catalog-audit-postgres.ts';
import { uploadFiles } from './0004-upload-files.ts';
import { uploadFilesPostgres } from './0004-upload-files-postgres.ts';
import { keptAnswers } from './0005-kept-answers.ts';
import { keptAnswersPostgres } from './0005-kept-answers-postgres.ts';
import { sharedLimitsPostgres } from './0006-shared-limits-postgres.ts';
import { pastTerms } from './0007-past-terms.ts';
import { pastTermsPostgres } from './0007-past-terms-postgres.ts';
import { usageBatches } from './0008-usage-batches.ts';
import { usageBatchesPostgres } from './0008-usage-batches-postgres.ts';
import { oneSubscription } from './0009-one-subscription.ts';
import { soundChecks } from './0010-sound-checks.ts';
import { soundChecksPostgres } from './0010-sound-checks-postgres.ts';
import { usageSlices } from './0011-usage-slices.ts';
import { usageSlicesPostgres } from './0011-usage-slices-postgres.ts';
import { quotas } from './0012-quotas.ts';
import { quotasPostgres } from './0012-quotas-postgres.ts';
import { maskedStamps } from './0013-masked-stamps.ts';
import { maskedStampsPostgres } from './0013-masked-stamps-postgres.ts';

/** One step of the tables, said to each engine. A migration that has been released is never edited. */
export interface Migration {
  /** Unique and ascending: the order in which migrations are applied. */
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', sqlite: initial, postgres: initialPostgres },
  { name: '0002-uploads-and-usage', sqlite: uploadsAndUsage, postgres: uploadsAndUsagePostgres },
  { name: '0003-catalog-audit', sqlite: catalogAudit, postgres: catalogAuditPostgres },
  { name: '0004-upload-files', sqlite: uploadFiles, postgres: uploadFilesPostgres },
  { name: '0005-kept-answers', sqlite: keptAnswers, postgres: keptAnswersPostgres },
  // One process counts calls in its memory: SQLite has nothing to do here.
  { name: '0006-shared-limits', sqlite: '', postgres: sharedLimitsPostgres },
  { name: '0007-past-terms', sqlite: pastTerms, postgres: pastTermsPostgres },
  { name: '0008-usage-batches', sqlite: usageBatches, postgres: usageBatchesPostgres },
  // No database on PostgreSQL is as old as that.
  { name: '0009-one-subscription', sqlite: oneSubscription, postgres: '' },
  { name: '0010-sound-checks', sqlite: soundChecks, postgres: soundChecksPostgres },
  { name: '0011-usage-slices', sqlite: usageSlices, postgres: usageSlicesPostgres },
  { name: '0012-quotas', sqlite: quotas, postgres: quotasPostgres },
  { name: '0013-masked-stamps', sqlite: maskedStamps, postgres: maskedStampsPostgres },
];
