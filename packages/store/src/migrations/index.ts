import { initial } from './0001-initial.ts';
import { uploadsAndUsage } from './0002-uploads-and-usage.ts';
import { catalogAudit } from './0003-catalog-audit.ts';
import { uploadFiles } from './0004-upload-files.ts';

export interface Migration {
  /** Unique and ascending: the order in which migrations are applied. */
  readonly name: string;
  /** SQL of SQLite. A migration that has been released is never edited. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', sql: initial },
  { name: '0002-uploads-and-usage', sql: uploadsAndUsage },
  { name: '0003-catalog-audit', sql: catalogAudit },
  { name: '0004-upload-files', sql: uploadFiles },
];
