import { shown } from '../../../bulk/read-rows.ts';
import { FILE_FAULTS, type FileFault, type SheetPart, UnreadableFile } from '../../../engine/cells.ts';
import { DomainError } from '../../../engine/errors.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import type { FileForm, Workbooks } from '../../ports/workbooks.ts';

/** The refusal of a file of more than 10 MB. */
export function fileTooLarge(): DomainError {
  return new DomainError('too_large', { message: unreadable('too_large') });
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
  return new DomainError('invalid_request', { message: unreadable(fault, sheet === '' ? null : sheet, row) });
}

/** The message of an unreadable file without the place in it, which may be in a sheet of tiers; others as they are. */
export function withoutSheet(message: Message): Message {
  if (typeof message === 'string' || !('why' in message.values) || !('sheet' in message.values)) return message;
  return say('the file cannot be read: {=why}', { why: message.values.why as Message });
}

function unreadable(fault: FileFault, sheet: string | null = null, row: number | null = null): Message {
  const why = FILE_FAULTS[fault];
  if (sheet === null) {
    const inRow = 'the file cannot be read: {=why} (row {row})';
    return row === null ? say('the file cannot be read: {=why}', { why }) : say(inRow, { why, row });
  }
  const inSheet = { why, sheet: shown(sheet) };
  if (row === null) return say('the file cannot be read: {=why} (sheet {sheet})', inSheet);
  return say('the file cannot be read: {=why} (sheet {sheet}, row {row})', { ...inSheet, row });
}
