import {
  createRowReader,
  DomainError,
  type FileForm,
  type FileOffers,
  inWords,
  offersInSheets,
  type RowErrors,
  readParts,
} from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/runtime';
import { CommandError } from './command.ts';

/** Columns that only `GET /v1/offers/export` has. It is for people: its tiers are text, and it has no months. */
const ONLY_IN_AN_EXPORT = ['commission_tiers', 'is_catalog', 'client_name'];
const EXPORT_HINT =
  '  These are columns of an export. What can be ranked is a workbook of GET /v1/offers/bulk-template, or the JSON of ' +
  'GET /v1/offers.';

/** How many errors are printed; a file may have thousands. */
const MAX_SHOWN = 50;

/**
 * The offers of a spreadsheet in the format of a bulk update; a CSV only has the sheet `ofertas`.
 *
 * @throws CommandError with the sheet and row of every error, or with the reason why the file cannot be read.
 */
export async function readOfferSheets(file: string, bytes: Uint8Array, form: FileForm): Promise<FileOffers> {
  const workbooks = createWorkbookReader();
  const drafts = await readParts(workbooks, createRowReader('own'), { bytes, form })
    .catch((error: unknown) => {
      throw error instanceof DomainError ? new CommandError(`${file}: ${error.message}`) : error;
    })
    .finally(() => workbooks.close());
  const outcome = offersInSheets(drafts);
  if (outcome.kind === 'errors') throw new CommandError(`${file}: ${errorsInWords(outcome)}`);
  return { ...outcome, seesCommissions: true };
}

function errorsInWords({ errors, errorCount }: RowErrors): string {
  const lines = errors
    .slice(0, MAX_SHOWN)
    .map(
      ({ sheet, row, column, message }) =>
        `  ${sheet} row ${row}${column === null ? '' : `, ${column}`}: ${inWords(message)}`,
    );
  const more = errorCount > lines.length ? [`  ... and ${errorCount - lines.length} more`] : [];
  const hint = errors.some(({ column }) => column !== null && ONLY_IN_AN_EXPORT.includes(column)) ? [EXPORT_HINT] : [];
  return [errorCount === 1 ? '1 error' : `${errorCount} errors`, ...lines, ...more, ...hint].join('\n');
}
