// Spreadsheets, bulk updates and uploads.

export type { BulkDiff, DiffEntry } from '../../bulk/diff.ts';
export { offersInSheets } from '../../bulk/offers-in-sheets.ts';
export { BULK_WARNINGS, type BulkCounts, type BulkWarning } from '../../bulk/plan.ts';
export { isPercentage, readCell, settleNumber } from '../../bulk/read-cell.ts';
export { createRowReader } from '../../bulk/read-rows.ts';
export {
  bulkSheetFor,
  bulkSheets,
  isAboutCommissions,
  isTierSheet,
  OFFER_COLUMNS,
  SHEET_NAMES,
  type SheetColumn,
  type SheetName,
  TIER_FIELDS,
  TIER_HEADERS,
  TIER_SHEETS,
  type TierHeaders,
  type TierSheet,
} from '../../bulk/sheets.ts';
export type { TemplateKind } from '../../bulk/template.ts';
export {
  type CellToWrite,
  type CellValue,
  type ColumnToWrite,
  CsvError,
  FILE_CAPS,
  FILE_FAULTS,
  type FileCaps,
  type FileFault,
  type NumberFormat,
  type SheetCell,
  type SheetPart,
  type SheetRow,
  type SheetToWrite,
  UnreadableFile,
} from '../../engine/cells.ts';
export {
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
  type Upload,
  type UploadOutcome,
  type UploadStatus,
} from '../uploads/upload.ts';
export { bulkTemplate, bulkUpdate } from '../usecases/uploads/bulk.ts';
export {
  isUploadQueued,
  maySeeReport,
  type QueueParts,
  runNextUpload,
} from '../usecases/uploads/queued-uploads.ts';
export { runImport } from '../usecases/uploads/run-import.ts';
export { reportIn } from '../usecases/uploads/stored-reports.ts';
export { sweepAnswers, sweepUploadFiles, sweepUsage } from '../usecases/uploads/sweeps.ts';
export { asRefusal, readParts, withoutSheet } from '../usecases/uploads/unreadable-files.ts';
export {
  applyUpload,
  cancelUpload,
  createUpload,
  getUpload,
  listUploads,
  retryUpload,
  returnFilePoint,
  takeFilePoint,
} from '../usecases/uploads/uploads.ts';
