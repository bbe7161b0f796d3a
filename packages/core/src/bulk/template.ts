import type { CellToWrite, ColumnToWrite, SheetToWrite } from '../engine/cells.ts';
import { indicesOf, type OfferWithHistory, type SupplyType } from '../engine/offers/offer.ts';
import { monthCells, offerCells, type RowCells, tierCells, tiersIn } from './offer-cells.ts';
import { versionOfMonth, versionOfOffer } from './row-version.ts';
import {
  type BulkSheet,
  bulkSheets,
  COMPANY_HEADER,
  FIRM_HEADER,
  HOURS_COLUMNS,
  ID_HEADERS,
  isTierSheet,
  NAME_HEADER,
  NOTES_SHEET,
  type SheetColumn,
  type SheetName,
  TIER_HEADERS,
  type TierSheet,
  VERSION_HEADER,
} from './sheets.ts';
import type { BulkRights, BulkState } from './state.ts';

/** `fixed`: offers that are not indexed. `indexed`: the others, with their monthly prices. */
export const TEMPLATE_KINDS = ['fixed', 'indexed'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/** Which offers a template is filled with. */
export interface TemplateChoice {
  readonly kind: TemplateKind;
  /** `null`: both. */
  readonly supplyType: SupplyType | null;
  /** Inactive offers too; `isActive` of the offer alone decides. */
  readonly includeInactive: boolean;
}

/** What templates are made of. The offers are taken once for each sheet. */
interface TemplateState extends Omit<BulkState, 'offers'> {
  readonly offers: Iterable<OfferWithHistory>;
  /** Whether some offer follows hours; left out: the offers are looked through. */
  readonly hasHours?: boolean;
}

/**
 * A workbook with existing offers, to be edited and sent back. Sent back unchanged, it changes nothing. Callers who may
 * not see commissions get neither the commission columns nor the tier sheets. The last sheet explains the others, in
 * Spanish.
 *
 * @param state - Its offers by ascending id. Records that the rights do not cover are left out.
 * @returns sheets whose rows are generated lazily from the given state.
 * @see docs/assumptions.md, A-41 and A-44
 */
export function templateOf(state: TemplateState, rights: BulkRights, choice: TemplateChoice): readonly SheetToWrite[] {
  const entries = entriesOf(state, rights, choice);
  const { hasHours = [...entries].some(({ offer }) => indicesOf(offer).length > 0) } = state;
  const shown = bulkSheets(rights.format).flatMap((sheet) => {
    if (isTierSheet(sheet.name) && !rights.seesCommissions) return [];
    if (sheet.name === 'precios_indexados' && choice.kind === 'fixed') return [];
    const columns = sheet.columns.filter(
      (column) => (rights.seesCommissions || !column.isCommission) && (hasHours || !HOURS_COLUMNS.includes(column)),
    );
    return [{ ...sheet, columns }];
  });
  const tables = shown.map((sheet): SheetToWrite => {
    const rows = { [Symbol.iterator]: () => tableRows(sheet, rowsOf(entries, { sheet: sheet.name, rights })) };
    return { kind: 'table', name: sheet.name, columns: sheet.columns.map(columnToWrite), rows };
  });
  return [...tables, notesOn(shown)];
}

function* tableRows(
  { columns }: BulkSheet,
  rows: Iterable<RowCells>,
): Generator<readonly CellToWrite[], undefined, undefined> {
  for (const cells of rows) yield columns.map(({ header }) => cells[header] ?? null);
}

/** An offer of a template, with the cells that identify it. */
interface Entry extends OfferWithHistory {
  readonly names: RowCells;
}

/** The offers of a template, generated one by one, because all at once would block other work. */
function entriesOf(state: TemplateState, rights: BulkRights, choice: TemplateChoice): Iterable<Entry> {
  const { format, boundFirmId } = rights;
  const firms = new Map(
    state.firms.filter(({ id }) => boundFirmId === null || id === boundFirmId).map(({ id, name }) => [id, name]),
  );
  const owners = new Map<number, RowCells>();
  for (const { id, firmId, name } of state.companies) {
    const firmName = firmId === null ? undefined : firms.get(firmId);
    if (format === 'own' && firmName !== undefined) owners.set(id, { [FIRM_HEADER]: firmName, [COMPANY_HEADER]: name });
    if (format === 'catalog' && firmId === null) owners.set(id, { [COMPANY_HEADER]: name });
  }
  const entries = function* (): Generator<Entry, undefined, undefined> {
    for (const { offer, months } of state.offers) {
      const owner = owners.get(offer.companyId);
      const isChosen =
        offer.isIndexed === (choice.kind === 'indexed') &&
        (choice.includeInactive || offer.isActive) &&
        (choice.supplyType === null || choice.supplyType === offer.supplyType);
      if (!owner || !isChosen) continue;
      yield {
        offer,
        months,
        names: { [ID_HEADERS[format]]: offer.id, ...owner, [NAME_HEADER]: offer.offerName },
      };
    }
  };
  return { [Symbol.iterator]: entries };
}

function* rowsOf(
  entries: Iterable<Entry>,
  { sheet, rights }: { readonly sheet: SheetName; readonly rights: BulkRights },
): Generator<RowCells, undefined, undefined> {
  for (const { offer, months, names } of entries) {
    if (sheet === 'precios_indexados') {
      for (const price of months) {
        yield { ...names, ...monthCells(price), [VERSION_HEADER]: versionOfMonth(offer.id, price) };
      }
    } else if (sheet === 'ofertas') {
      yield { ...names, ...offerCells(offer), [VERSION_HEADER]: versionOfOffer(offer, rights) };
    } else if (sheet !== 'borrar') {
      yield* tierRows({ offer, names }, sheet, rights);
    }
  }
}

function* tierRows(
  { offer, names }: Pick<Entry, 'offer' | 'names'>,
  sheet: TierSheet,
  rights: BulkRights,
): Generator<RowCells, undefined, undefined> {
  const tiers = tiersIn(offer, sheet);
  if (tiers.length === 0) return;
  const cells = { ...names, [VERSION_HEADER]: versionOfOffer(offer, rights) };
  for (const tier of tiers) yield { ...cells, ...tierCells(tier, TIER_HEADERS[sheet]) };
}

/** The text format of spreadsheets: typed text stays as it is, `1-2` does not become a date. */
const AS_TEXT = '@';
/** At least two decimals, and up to eight where the number has them. */
const PRICE_FORMAT = '0.00######';

/** The least width of a column in characters, the format of its cells, and what people may type there. */
const COLUMN_KINDS: Readonly<
  Record<SheetColumn['kind'], { readonly width: number; readonly numberFormat?: string; readonly words: string }>
> = {
  id: { width: 10, numberFormat: '0', words: 'número entero' },
  text: { width: 24, numberFormat: AS_TEXT, words: 'texto' },
  number: { width: 11, numberFormat: PRICE_FORMAT, words: 'número' },
  boolean: { width: 9, words: 'sí o no: TRUE, FALSE, si, no, 1, 0, x' },
  month: { width: 12, numberFormat: AS_TEXT, words: 'mes' },
  day: { width: 12, numberFormat: AS_TEXT, words: 'día' },
  communities: { width: 30, numberFormat: AS_TEXT, words: 'lista' },
  choice: { width: 10, numberFormat: AS_TEXT, words: 'uno de la lista' },
};

function columnToWrite({ header, kind, choices }: SheetColumn): ColumnToWrite {
  const { width, words: _, ...format } = COLUMN_KINDS[kind];
  return {
    header,
    // A header is never cut.
    width: Math.max(width, header.length + 2),
    ...format,
    ...(kind === 'choice' ? { choices } : {}),
  };
}

function boundsInWords({ min, max, kind, choices }: SheetColumn): string {
  if (choices.length > 0) return choices.join(', ');
  if (kind === 'text') return max === null ? '' : `hasta ${max} caracteres`;
  if (min === null) return '';
  return max === null ? `desde ${min}` : `de ${min} a ${max}`;
}

const ADVICE: readonly string[] = [
  'Este libro se puede editar y volver a subir. O se aplica entero o no se aplica nada; si algo está mal, la respuesta dice qué fila y por qué.',
  'Subirlo sin cambios no cambia nada.',
  'La columna version dice cómo estaba cada fila al hacer esta plantilla. Si alguien ha cambiado la oferta desde entonces, la fila es un error que nombra los dos valores, y no se aplica nada: así no vuelve un precio antiguo.',
  'Una fila con identificador sustituye la oferta entera: una celda vacía borra el dato. Una columna que se quita deja el dato como estaba.',
  'Una fila sin identificador crea una oferta. Sus precios y tramos se enlazan por los nombres, con el identificador vacío.',
  'Los números llevan coma o punto decimal y ningún separador de miles. No se admiten fórmulas.',
  'Si una factura o tarifa da otra unidad: EUR/kW al año se divide entre 365 (EUR/kW·día); EUR al día se multiplica por 365 y se divide entre 12 (EUR/mes); EUR/MWh se divide entre 1000 (EUR/kWh).',
  'La primera fila de cada hoja son los nombres de las columnas. Esta hoja no se lee.',
];

function notesOn(sheets: readonly BulkSheet[]): SheetToWrite {
  const line = (...cells: string[]) => ({ heading: false, cells });
  const heading = (...cells: string[]) => ({ heading: true, cells });
  const explained = sheets.flatMap((sheet) => [
    line(),
    heading(sheet.name, sheet.explanation),
    heading('Columna', 'Qué es', 'Unidad', 'Qué admite', 'Valores', 'Solo'),
    ...sheet.columns.map((column) =>
      line(
        column.header,
        column.explanation,
        column.unit ?? '',
        COLUMN_KINDS[column.kind].words,
        boundsInWords(column),
        column.supplyType ?? '',
      ),
    ),
  ]);
  return {
    kind: 'notes',
    name: NOTES_SHEET,
    widths: [26, 70, 20, 36, 40, 8],
    lines: [...ADVICE.map((text) => line('', text)), ...explained],
  };
}
