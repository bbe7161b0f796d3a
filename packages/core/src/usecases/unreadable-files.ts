import { FILE_CAPS, type FileFault, UnreadableFile } from '../bulk/cells.ts';
import { shown } from '../bulk/read-rows.ts';
import { DomainError } from '../errors.ts';

const MIB = 1024 * 1024;
const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ' ');

/** The message for each reason why a file cannot be read. */
const WORDS: Readonly<Record<FileFault, string>> = {
  too_large: `it is larger than ${FILE_CAPS.sentBytes / MIB} MiB`,
  not_a_workbook: 'it is not an XLSX workbook',
  xlsb: 'it is an XLSB workbook: save it as XLSX',
  xls: 'it is an XLS workbook, or has a password: save it as XLSX, without a password',
  ods: 'it is an ODS spreadsheet: save it as XLSX',
  damaged: 'it is damaged',
  duplicate_entry: 'two of its parts have the same name',
  too_many_entries: `it has more than ${FILE_CAPS.entries} parts`,
  too_large_unpacked: `unpacked it is larger than ${FILE_CAPS.unpackedBytes / MIB} MiB`,
  doctype: 'it has a document type declaration',
  too_deep: 'its XML is nested too deeply',
  not_utf8: 'its text is not UTF-8',
  not_a_text: 'it is no CSV in UTF-8 or Latin-1',
  too_many_rows: `a sheet has more than ${grouped(FILE_CAPS.rows)} rows`,
  too_many_columns: `a sheet has more than ${FILE_CAPS.columns} columns`,
  cell_too_long: `a cell has more than ${grouped(FILE_CAPS.cellBytes)} bytes`,
  bad_position: 'a row or a cell is out of place',
  too_much_memory: 'it is too large: reading it takes too much memory',
  too_costly: 'reading it takes too much time or memory',
};

/** The refusal of a file of more than 10 MB. */
export function fileTooLarge(): DomainError {
  return new DomainError('too_large', { message: `the file cannot be read: ${WORDS.too_large}` });
}

/** Turns the error of an unreadable file into a refusal; returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof UnreadableFile)) return error;
  const { fault, sheet, row } = error;
  if (fault === 'too_large') return fileTooLarge();
  const place = [sheet === null || sheet === '' ? '' : `sheet ${shown(sheet)}`, row === null ? '' : `row ${row}`];
  const places = place.filter((part) => part !== '').join(', ');
  return new DomainError('invalid_request', {
    message: `the file cannot be read: ${WORDS[fault]}${places === '' ? '' : ` (${places})`}`,
  });
}
