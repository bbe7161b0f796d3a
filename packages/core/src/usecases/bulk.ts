import { type Caller, seesCommissions } from '../access/caller.ts';
import { permitCatalogEditor } from '../access/permit.ts';
import { FILE_CAPS } from '../bulk/cells.ts';
import type { BulkFormat } from '../bulk/format.ts';
import type { SheetName } from '../bulk/sheets.ts';
import { type TemplateChoice, templateOf } from '../bulk/template.ts';
import { DomainError, refuseIfAny } from '../errors.ts';
import type { ImportReport } from '../ports/imports.ts';
import type { TemplateCounts } from '../ports/lists.ts';
import { checkFileName, cleanFileName } from '../uploads/upload.ts';
import type { Deps } from './deps.ts';
import { type FirmChoice, readFor, resolveFirmId } from './record-access.ts';

/** A spreadsheet to be applied at once, or with `dryRun` only checked. */
interface BulkFile extends FirmChoice {
  readonly format: BulkFormat;
  /** As sent. Folders in it are dropped. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly dryRun: boolean;
  /** `true`: rows made from an older state than the stored one are applied all the same. */
  readonly force?: boolean;
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
  const { format, bytes, dryRun, force = false } = input;
  if (format === 'catalog') permitCatalogEditor(caller);
  const firmId = await deps.store.read((reader) => resolveFirmId(reader, caller, input.firmId));
  const fileName = cleanFileName(input.fileName);
  refuseIfAny(checkFileName('fileName', fileName));
  const ownFirmId = format === 'catalog' ? null : firmId;
  const job = { caller, format, firmId: ownFirmId, fileName, bytes, dryRun, force };
  return deps.imports.run({ ...job, uploadId: null, idempotencyRequest: null });
}

/**
 * A workbook with the caller's own offers, or with the catalog, to be edited and sent back. Without `commissions:read`
 * it contains no commissions.
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
  const sheets = await readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    const owner = format === 'catalog' ? 'catalog' : caller.accountId;
    const boundFirmId = format === 'catalog' ? null : firmId;
    const withCommissions = seesCommissions(caller);
    const chosen = { supplyType, includeInactive, isIndexed: kind === 'indexed' };
    const query = { ...chosen, firmId: boundFirmId, withCommissions };
    refuseTooLong(await reader.templateCounts(owner, query, FILE_CAPS.rows));
    const state = await reader.templateState(owner, query);
    const rights = { format, seesCommissions: withCommissions, boundFirmId };
    return templateOf(state, rights, { kind, supplyType, includeInactive });
  });
  const bytes = await deps.workbooks.write(sheets);
  if (bytes.length > FILE_CAPS.sentBytes) throw templateTooLarge('the file would be too large');
  return bytes;
}

/** Checked before any row is read, because the rows of a large account take much time and memory. */
function refuseTooLong({ offers, months, consumptionTiers, powerTiers }: TemplateCounts): void {
  const sheets: readonly (readonly [SheetName, number])[] = [
    ['ofertas', offers],
    ['precios_indexados', months],
    ['tramos_consumo', consumptionTiers],
    ['tramos_potencia', powerTiers],
  ];
  const tooLong = sheets.find(([, rows]) => rows >= FILE_CAPS.rows);
  if (tooLong) throw templateTooLarge(`the sheet ${tooLong[0]} would have more than ${FILE_CAPS.rows} rows`);
}

function templateTooLarge(why: string): DomainError {
  return new DomainError('wrong_state', { message: `${why}: ask for one supply type, or for one advisory firm` });
}
