import { type Caller, seesCommissions } from '../access/caller.ts';
import { permitCatalogEditor } from '../access/permit.ts';
import { FILE_CAPS } from '../bulk/cells.ts';
import type { BulkFormat } from '../bulk/sheets.ts';
import { longestTableOf, type TemplateChoice, templateOf } from '../bulk/template.ts';
import { DomainError, refuseIfAny } from '../errors.ts';
import type { ImportReport } from '../ports/imports.ts';
import { checkFileName, cleanFileName } from '../uploads/upload.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice } from './firms.ts';
import { reachFirm } from './reach.ts';

/** A spreadsheet to be applied at once; `dryRun`: to be looked at only. */
export interface BulkFile extends FirmChoice {
  readonly format: BulkFormat;
  /** As sent: only its last part, after any folder, is kept. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly dryRun: boolean;
}

/**
 * Applies a workbook to the own offers of the caller, or to the catalog, and waits for it.
 *
 * @throws DomainError `foreign_firm`, for the catalog `bound_key` and `not_catalog_editor`, `business_rule` for the name
 *   of the file or with `rowErrors`, and what `Imports.run` throws.
 * @see docs/assumptions.md, A-23, A-42 and A-46
 */
export async function bulkUpdate(
  deps: Pick<Deps, 'store' | 'imports'>,
  caller: Caller,
  input: BulkFile,
): Promise<ImportReport> {
  const { format, bytes, dryRun } = input;
  if (format === 'catalog') permitCatalogEditor(caller);
  const firmId = await deps.store.read((reader) => reachFirm(reader, caller, input.firmId));
  const fileName = cleanFileName(input.fileName);
  refuseIfAny(checkFileName('fileName', fileName));
  const ownFirmId = format === 'catalog' ? null : firmId;
  return deps.imports.run({ caller, format, firmId: ownFirmId, fileName, bytes, dryRun, uploadId: null, claim: null });
}

/**
 * A workbook with the own offers of the caller, or with the catalog, to be edited and sent back. Without
 * `commissions:read` it has no commissions.
 *
 * @throws DomainError `foreign_firm`, `wrong_state` when it would be too large to be sent back, and what
 *   `Workbooks.write` throws.
 * @see docs/assumptions.md, A-41, A-44 and A-45
 */
export async function bulkTemplate(
  deps: Pick<Deps, 'store' | 'workbooks'>,
  caller: Caller,
  input: FirmChoice & TemplateChoice & { readonly format: BulkFormat },
): Promise<Uint8Array> {
  const { format, kind, supplyType, includeInactive } = input;
  const sheets = await deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const state = await reader.changesSince(format === 'catalog' ? 'catalog' : caller.accountId, 0);
    const boundFirmId = format === 'catalog' ? null : firmId;
    const rights = { format, seesCommissions: seesCommissions(caller), boundFirmId };
    const choice = { kind, supplyType, includeInactive };
    const { name, rows } = longestTableOf(state, rights, choice);
    if (rows >= FILE_CAPS.rows) throw templateTooLarge(`the sheet ${name} would have more than ${FILE_CAPS.rows} rows`);
    return templateOf(state, rights, choice);
  });
  const bytes = await deps.workbooks.write(sheets);
  if (bytes.length > FILE_CAPS.sentBytes) throw templateTooLarge('the file would be too large');
  return bytes;
}

function templateTooLarge(why: string): DomainError {
  return new DomainError('wrong_state', { message: `${why}: ask for one supply type, or for one advisory firm` });
}
