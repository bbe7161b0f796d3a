import type { SheetPart, SheetToWrite } from '../../engine/cells.ts';
import type { Closing } from './machine.ts';

/** Spreadsheets as files, read and written outside of the calling thread. */
export interface Workbooks {
  /**
   * The sheets of a file in its order, hidden ones too, some rows at a time. A caller that stops early leaves nothing
   * behind.
   *
   * @param bytes - Of a CSV also as a text.
   * @param closing - Ends the reading; left out: nothing does.
   * @throws UnreadableFile, also in the middle: rows that were read before must then be discarded.
   * @throws DomainError `unavailable` with `retryAfterSeconds` when no more files are read.
   */
  read(bytes: Uint8Array | string, form: FileForm, closing?: Closing): AsyncIterable<SheetPart>;
  /**
   * A workbook with these sheets in this order.
   *
   * @throws RangeError for a number that is not finite, a text beyond 32 767 characters, a row that is not as long as
   * its header, or choices that do not fit: bugs of the caller.
   * @throws DomainError `unavailable` with `retryAfterSeconds` when too many wait already.
   */
  write(sheets: readonly SheetToWrite[]): Promise<Uint8Array>;
}

/** In CSV every value is a text. A curve of a meter is CSV, and takes less time at most. */
export type FileForm = 'xlsx' | 'csv' | 'curve';
