import type { BulkRights } from '../../../bulk/state.ts';
import { type TemplateChoice, templateOf } from '../../../bulk/template.ts';
import { FILE_CAPS } from '../../../engine/cells.ts';
import type { BulkFormat } from '../../../engine/errors.ts';
import { DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import { SUPPLY_TYPES } from '../../../engine/offers/offer.ts';
import { anyOffer } from '../../../engine/offers/offer-filter.ts';
import { INDEXED } from '../../../engine/price/conditions.ts';
import { tierCountAt } from '../../../engine/price/rows.ts';
import { readAt, type Table } from '../../../engine/price/table.ts';
import { matchingRows } from '../../../engine/rank/select.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import { permitCatalogEditor } from '../../access/permit.ts';
import type { ImportJob, ImportReport } from '../../ports/imports.ts';
import { checkFileName, cleanFileName } from '../../uploads/upload.ts';
import type { OwnedOffers } from '../memory/offer-cache.ts';
import { firmIn, idAt } from '../offers/offers-in-memory.ts';
import { accountOffersFor } from '../offers/visible-offers.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, resolveFirmId } from '../requests/record-access.ts';

/** A spreadsheet to be applied at once, or with `dryRun` only checked. */
interface BulkFile
  extends FirmChoice,
    Pick<ImportJob, 'format' | 'bytes' | 'dryRun' | 'keep' | 'force' | 'idempotencyRequest'> {
  /** As sent. Folders in it are dropped. */
  readonly fileName: string;
}

/**
 * Applies a workbook to the own offers of the caller, or to the catalog, and waits for it.
 *
 * @throws DomainError `foreign_firm`, for the catalog `bound_key` and `not_catalog_editor`, `invalid_request` to keep a
 *   file without a dry run, `business_rule` for the name of the file or with `rowErrors`, and what `Imports.run` throws.
 * @see docs/assumptions.md, A-23, A-42 and A-46
 */
export async function bulkUpdate(
  deps: Pick<Deps, 'store' | 'imports'>,
  caller: Caller,
  input: BulkFile,
): Promise<ImportReport> {
  const { format, bytes, dryRun, keep = false, force = false, idempotencyRequest } = input;
  if (format === 'catalog') permitCatalogEditor(caller);
  const firmId = await deps.store.read((reader) => resolveFirmId(reader, caller, input.firmId));
  if (keep && !dryRun) {
    throw new DomainError('invalid_request', { issues: [{ path: 'keep', message: 'only a dry run keeps a file' }] });
  }
  const fileName = cleanFileName(input.fileName);
  refuseIfAny(checkFileName('fileName', fileName));
  const ownFirmId = format === 'catalog' ? null : firmId;
  const job = { caller, format, firmId: ownFirmId, fileName, bytes, dryRun, keep, force };
  return deps.imports.run({ ...job, uploadId: null, idempotencyRequest });
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
  deps: Pick<Deps, 'store' | 'offerCache' | 'workbooks' | 'yieldToEventLoop'>,
  caller: Caller,
  input: FirmChoice & TemplateChoice & { readonly format: BulkFormat },
): Promise<Uint8Array> {
  const { format } = input;
  const memory = await accountOffersFor(deps, caller);
  const firmId = firmIn(memory, caller, input.firmId);
  const owned = format === 'catalog' ? memory.catalog : memory.own;
  const rights = {
    format,
    seesCommissions: maySeeCommissions(caller),
    boundFirmId: format === 'catalog' ? null : firmId,
  };
  const { places, hasHours } = await chosenPlaces(owned, { ...input, ...rights }, async () =>
    deps.yieldToEventLoop?.(caller.accountId),
  );
  const offers = {
    *[Symbol.iterator]() {
      for (const { table, row } of places) yield readAt(table, row);
    },
  };
  const records = { firms: [...owned.firms.values()], companies: [...owned.companies.values()] };
  const bytes = await deps.workbooks.write(templateOf({ ...records, offers, hasHours }, rights, input));
  if (bytes.length > FILE_CAPS.sentBytes) throw templateTooLarge('the file would be too large');
  return bytes;
}

/**
 * The offers of a template, by id. They are counted before any is made an object, because those of a large account take
 * much time and memory.
 *
 * @throws DomainError `wrong_state` when a sheet would be too long.
 */
async function chosenPlaces(
  { companies, universes }: OwnedOffers,
  { kind, supplyType, includeInactive, boundFirmId, seesCommissions }: TemplateChoice & BulkRights,
  pause: () => Promise<void>,
) {
  const lengths = { ofertas: 0, precios_indexados: 0, tramos_consumo: 0, tramos_potencia: 0 };
  const places: { readonly table: Table; readonly row: number }[] = [];
  let hasHours = false;
  const admits = (id: number) => boundFirmId === null || companies.get(id)?.firmId === boundFirmId;
  for (const supply of supplyType === null ? SUPPLY_TYPES : [supplyType]) {
    for (const table of universes[supply].tables) {
      for (const row of matchingRows(table, { ...anyOffer(supply), includeInactive }, admits).rows) {
        const isIndexed = ((table.flags[row] ?? 0) & INDEXED) !== 0;
        if (isIndexed !== (kind === 'indexed')) continue;
        places.push({ table, row });
        hasHours ||= followsHours(table, row);
        lengths.ofertas += 1;
        if (isIndexed) lengths.precios_indexados += readAt(table, row).months.length;
        if (!seesCommissions) continue;
        lengths.tramos_consumo += tierCountAt(table.rates.consumption, row);
        lengths.tramos_potencia += tierCountAt(table.rates.power, row);
      }
      const tooLong = Object.entries(lengths).find(([, rows]) => rows >= FILE_CAPS.rows);
      if (tooLong) {
        const sheet = { sheet: tooLong[0], count: FILE_CAPS.rows };
        throw templateTooLarge(say('the sheet {sheet} would have more than {count} rows', sheet));
      }
      await pause();
    }
  }
  return { places: places.sort((a, b) => idAt(a) - idAt(b)), hasHours };
}

function followsHours({ kinds, kindSlots }: Table, row: number): boolean {
  const kind = kinds[kindSlots[row] ?? 0];
  return kind !== undefined && (kind.index ?? kind.surplusIndex) !== null;
}

function templateTooLarge(why: Message): DomainError {
  return new DomainError('wrong_state', {
    message: say('{=why}: ask for one supply type, or for one advisory firm', { why }),
  });
}
