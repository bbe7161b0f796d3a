import { FILE_FAULTS, type SheetPart, UnreadableFile } from '../bulk/cells.ts';
import { shown } from '../bulk/read-rows.ts';
import { DomainError } from '../errors.ts';
import type { FileForm, Workbooks } from '../ports/workbooks.ts';

/** The refusal of a file of more than 10 MB. */
export function fileTooLarge(): DomainError {
  return new DomainError('too_large', { message: `the file cannot be read: ${FILE_FAULTS.too_large}` });
}

/** Takes a file part by part. */
interface FileReader<T> {
  take(part: SheetPart): void;
  finish(): T;
}

/**
 * What a reader makes of a file.
 *
 * @throws DomainError `invalid_request` for a file that cannot be read, `too_large`, and what the reader throws.
 */
export async function readParts<T>(
  workbooks: Pick<Workbooks, 'read'>,
  reader: FileReader<T>,
  { bytes, form }: { readonly bytes: Uint8Array | string; readonly form: FileForm },
): Promise<T> {
  try {
    for await (const part of workbooks.read(bytes, form)) reader.take(part);
  } catch (error) {
    throw asRefusal(error);
  }
  return reader.finish();
}

/** Turns the error of an unreadable file into a refusal; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof UnreadableFile)) return error;
  const { fault, sheet, row } = error;
  if (fault === 'too_large') return fileTooLarge();
  const place = [sheet === null || sheet === '' ? '' : `sheet ${shown(sheet)}`, row === null ? '' : `row ${row}`];
  const places = place.filter((part) => part !== '').join(', ');
  return new DomainError('invalid_request', {
    message: `the file cannot be read: ${FILE_FAULTS[fault]}${places === '' ? '' : ` (${places})`}`,
  });
}
