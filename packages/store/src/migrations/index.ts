import { DatabaseProblem } from '../database.ts';
import { schema } from './0001-schema.ts';
import { webhooks } from './0002-webhooks.ts';
import { tiersOfVersions } from './0003-tiers-of-versions.ts';
import { contracts } from './0004-contracts.ts';
import { keysThatEnd } from './0005-keys-that-end.ts';
import { traces } from './0006-traces.ts';
import { keptFiles } from './0007-kept-files.ts';
import { notesOfProposals } from './0008-notes-of-proposals.ts';
import { logosOfFirms } from './0009-logos-of-firms.ts';
import { keysOfUploads } from './0010-keys-of-uploads.ts';
import { blindWrites } from './0011-blind-writes.ts';
import { storedBytes } from './0012-stored-bytes.ts';
import { indexDays } from './0013-index-days.ts';
import { hoursOfOffers } from './0014-hours-of-offers.ts';
import { followedProposals } from './0015-followed-proposals.ts';
import { testedWebhooks } from './0016-tested-webhooks.ts';
import { keptAttempts } from './0017-kept-attempts.ts';
import { writeLocks } from './0018-write-locks.ts';
import { countedByStatements } from './0019-counted-by-statements.ts';
import { keysByOwner, rowsWithoutOffers } from './0020-keys-by-owner.ts';
import type { Texts } from './engines.ts';

/** One step of the schema, as text for each engine. */
export interface Migration extends Texts {
  /** Unique and ascending: the order in which migrations are applied. */
  readonly name: string;
  /** A query: each row says in its column `refusal` what has to be mended in the records before. */
  readonly refusals?: Texts;
}

const FIRST: Migration = { name: '0001-schema', ...schema };

export const MIGRATIONS: readonly Migration[] = [
  // A migration that has been released is never edited.
  FIRST,
  { name: '0002-webhooks', ...webhooks },
  { name: '0003-tiers-of-versions', ...tiersOfVersions },
  { name: '0004-contracts', ...contracts },
  { name: '0005-keys-that-end', ...keysThatEnd },
  { name: '0006-traces', ...traces },
  { name: '0007-kept-files', ...keptFiles },
  { name: '0008-notes-of-proposals', ...notesOfProposals },
  { name: '0009-logos-of-firms', ...logosOfFirms },
  { name: '0010-keys-of-uploads', ...keysOfUploads },
  { name: '0011-blind-writes', ...blindWrites },
  { name: '0012-stored-bytes', ...storedBytes },
  { name: '0013-index-days', ...indexDays },
  { name: '0014-hours-of-offers', ...hoursOfOffers },
  { name: '0015-followed-proposals', ...followedProposals },
  { name: '0016-tested-webhooks', ...testedWebhooks },
  { name: '0017-kept-attempts', ...keptAttempts },
  { name: '0018-write-locks', ...writeLocks },
  { name: '0019-counted-by-statements', ...countedByStatements },
  { name: '0020-keys-by-owner', ...keysByOwner, refusals: rowsWithoutOffers },
];

/**
 * In the record of a database that a copy has begun to fill, until it is whole. The first migration is not in the record
 * then, so that earlier releases refuse the database too.
 */
export const UNFINISHED_COPY = 'unfinished-copy';

/**
 * The migrations that a database lacks.
 *
 * @param applied - The names in its record; `null`: it has no tables yet.
 * @throws DatabaseProblem when a copy has not filled it, or the first migration has not made its tables: nothing leads
 *   from them to these.
 */
export function pendingAmong(migrations: readonly Migration[], applied: readonly string[] | null) {
  if (applied?.includes(UNFINISHED_COPY) === true) {
    throw new DatabaseProblem('a copy into it has not ended: run tarifario copy again');
  }
  if (applied !== null && !applied.includes(FIRST.name)) throw new DatabaseProblem(OTHER_TABLES);
  return migrations.filter(({ name }) => applied?.includes(name) !== true);
}

/** @throws DatabaseProblem where there are records that a migration cannot take along. */
export function refuse(name: string, rows: readonly { readonly refusal: string }[]): void {
  if (rows.length > 0) throw new DatabaseProblem(`${name}: ${rows.map(({ refusal }) => refusal).join(' ')}`);
}

const OTHER_TABLES =
  'its tables are those of an earlier build or of another program: with what made them download the templates of the ' +
  'offers, and send them to a new database, with their ids left empty';
