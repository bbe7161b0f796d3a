import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import type { CellToWrite, ColumnToWrite, SheetToWrite } from './cells.ts';
import { monthCells, offerCells, type RowCells, tierCells } from './offer-cells.ts';
import {
  type BulkSheet,
  bulkSheetFor,
  bulkSheets,
  COMPANY_HEADER,
  FIRM_HEADER,
  ID_HEADERS,
  NAME_HEADER,
  NOTES_SHEET,
  type SheetColumn,
  type SheetName,
  TIER_HEADERS,
  type TierSheet,
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

/**
 * A workbook with the offers that somebody has, to be edited and sent back: sent back untouched it changes nothing.
 * Callers who may not see commissions get neither the commission columns nor the tier sheets. The last sheet explains
 * the others, in Spanish.
 *
 * @param state - What is out of reach of the rights in it is left out.
 * @returns sheets whose rows are made as they are taken, from the state as it was given.
 * @see docs/assumptions.md, A-41 and A-44
 */
export function templateOf(state: BulkState, rights: BulkRights, choice: TemplateChoice): readonly SheetToWrite[] {
  const content = contentOf(state, rights, choice);
  const shown = bulkSheets(rights.format).flatMap((sheet) => {
    if (sheet.isCommission && !rights.seesCommissions) return [];
    if (sheet.name === 'precios_indexados' && choice.kind === 'fixed') return [];
    const columns = sheet.columns.filter(({ isCommission }) => rights.seesCommissions || !isCommission);
    return [{ ...sheet, columns }];
  });
  const tables = shown.map((sheet): SheetToWrite => {
    const rows = { [Symbol.iterator]: () => tableRows(sheet, rowsOf(content, sheet.name)) };
    return { kind: 'table', name: sheet.name, columns: sheet.columns.map(columnToWrite), rows };
  });
  return [...tables, notesOn(shown)];
}

/**
 * Rows of the longest table of a template, its header not counted: known without making any of them, which takes long.
 */
export function longestTableOf(
  state: BulkState,
  rights: BulkRights,
  choice: TemplateChoice,
): { readonly name: SheetName; readonly rows: number } {
  const { entries } = contentOf(state, rights, choice);
  const sum = (count: (entry: Content['entries'][number]) => number) =>
    entries.reduce((total, entry) => total + count(entry), 0);
  const tables = [
    { name: 'ofertas', rows: entries.length },
    { name: 'precios_indexados', rows: choice.kind === 'indexed' ? sum(({ months }) => months.length) : 0 },
    { name: 'tramos_consumo', rows: sum(({ offer }) => offer.consumptionTiers.length) },
    { name: 'tramos_potencia', rows: sum(({ offer }) => (offer.supplyType === 'LUZ' ? offer.powerTiers.length : 0)) },
  ] as const;
  const shown = tables.filter(({ name }) => rights.seesCommissions || !bulkSheetFor(rights.format, name)?.isCommission);
  return shown.reduce((longest, table) => (table.rows > longest.rows ? table : longest));
}

function* tableRows(
  { columns }: BulkSheet,
  rows: Iterable<RowCells>,
): Generator<readonly CellToWrite[], undefined, undefined> {
  for (const cells of rows) yield columns.map(({ header }) => cells[header] ?? null);
}

/** The offers of a template, each with the cells that say which it is. */
interface Content {
  readonly entries: readonly (OfferWithHistory & { readonly names: RowCells })[];
}

function contentOf(state: BulkState, rights: BulkRights, choice: TemplateChoice): Content {
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
  const entries = state.offers.flatMap(({ offer, months }) => {
    const owner = owners.get(offer.companyId);
    const isChosen =
      offer.isIndexed === (choice.kind === 'indexed') &&
      (choice.includeInactive || offer.isActive) &&
      (choice.supplyType === null || choice.supplyType === offer.supplyType);
    if (!owner || !isChosen) return [];
    return [{ offer, months, names: { [ID_HEADERS[format]]: offer.id, ...owner, [NAME_HEADER]: offer.offerName } }];
  });
  return { entries: entries.sort((a, b) => a.offer.id - b.offer.id) };
}

function* rowsOf({ entries }: Content, sheet: SheetName): Generator<RowCells, undefined, undefined> {
  for (const { offer, months, names } of entries) {
    if (sheet === 'ofertas') yield { ...names, ...offerCells(offer) };
    if (sheet === 'precios_indexados') for (const price of months) yield { ...names, ...monthCells(price) };
    if (sheet === 'tramos_consumo' || sheet === 'tramos_potencia') yield* tierRows({ offer, names }, sheet);
  }
}

function* tierRows(
  { offer, names }: Pick<Content['entries'][number], 'offer' | 'names'>,
  sheet: TierSheet,
): Generator<RowCells, undefined, undefined> {
  const power = offer.supplyType === 'LUZ' ? offer.powerTiers : [];
  const tiers = sheet === 'tramos_consumo' ? offer.consumptionTiers : power;
  for (const tier of tiers) yield { ...names, ...tierCells(tier, TIER_HEADERS[sheet]) };
}

/** In characters. A header is never cut. */
const WIDTHS: Readonly<Record<SheetColumn['kind'], number>> = {
  id: 10,
  text: 24,
  number: 11,
  boolean: 9,
  month: 12,
  communities: 30,
  choice: 10,
};

/** Text in the notation of spreadsheets: what is typed stays as it is typed, `1-2` does not become a day. */
const AS_TEXT = '@';
/** At least two decimals, and as many as there are up to eight. */
const PRICE_FORMAT = '0.00######';

const NUMBER_FORMATS: Readonly<Partial<Record<SheetColumn['kind'], string>>> = {
  id: '0',
  text: AS_TEXT,
  number: PRICE_FORMAT,
  month: AS_TEXT,
  communities: AS_TEXT,
  choice: AS_TEXT,
};

function columnToWrite({ header, kind, choices }: SheetColumn): ColumnToWrite {
  const numberFormat = NUMBER_FORMATS[kind];
  return {
    header,
    width: Math.max(WIDTHS[kind], header.length + 2),
    ...(numberFormat === undefined ? {} : { numberFormat }),
    ...(kind === 'choice' ? { choices } : {}),
  };
}

/** What a cell of each kind may hold, for people. */
const KINDS_IN_WORDS: Readonly<Record<SheetColumn['kind'], string>> = {
  id: 'número entero',
  text: 'texto',
  number: 'número',
  boolean: 'sí o no: TRUE, FALSE, si, no, 1, 0, x',
  month: 'mes',
  communities: 'lista',
  choice: 'uno de la lista',
};

function boundsInWords({ min, max, kind, choices }: SheetColumn): string {
  if (choices.length > 0) return choices.join(', ');
  if (kind === 'text') return max === null ? '' : `hasta ${max} caracteres`;
  if (min === null) return '';
  return max === null ? `desde ${min}` : `de ${min} a ${max}`;
}

const ADVICE: readonly string[] = [
  'Este libro se puede editar y volver a subir. O se aplica entero o no se aplica nada; si algo está mal, la respuesta dice qué fila y por qué.',
  'Subirlo sin cambios no cambia nada.',
  'Una fila con identificador sustituye la oferta entera: una celda vacía borra el dato. Una columna que se quita deja el dato como estaba.',
  'Una fila sin identificador crea una oferta. Sus precios y tramos se enlazan por los nombres, con el identificador vacío.',
  'Los números llevan coma o punto decimal y ningún separador de miles. No se admiten fórmulas.',
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
        KINDS_IN_WORDS[column.kind],
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
