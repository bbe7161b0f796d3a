import type { BulkFormat } from '../engine/errors.ts';
import { type FieldPart, fieldPartsOf, fieldsOf } from '../engine/offers/field-parts.ts';
import type { FieldSpec } from '../engine/offers/field-spec.ts';
import { SUPPLY_TYPES, type SupplyType } from '../engine/offers/offer.ts';
import { OFFER_FIELD_WORDS } from '../engine/offers/offer-field-words.ts';
import { OFFER_FIELDS } from '../engine/offers/offer-fields.ts';
import { MAX_NAME_LENGTH } from '../engine/text.ts';

/**
 * Names of sheets and columns, as data. People see them in their spreadsheets, so they are in Spanish like the wire
 * names. Templates, reader, plan and messages take every name from here.
 *
 * @see docs/assumptions.md, A-41
 */

/** Every sheet that is read. */
export const SHEET_NAMES = ['ofertas', 'precios_indexados', 'tramos_consumo', 'tramos_potencia', 'borrar'] as const;
export type SheetName = (typeof SHEET_NAMES)[number];

/** Something for each sheet. */
export function eachSheet<T>(make: (sheet: SheetName) => T): Record<SheetName, T> {
  return Object.fromEntries(SHEET_NAMES.map((sheet) => [sheet, make(sheet)])) as Record<SheetName, T>;
}

/** Sheets with commission tiers. */
export const TIER_SHEETS = ['tramos_consumo', 'tramos_potencia'] as const;
export type TierSheet = (typeof TIER_SHEETS)[number];

/** Whether a sheet contains only commissions. */
export function isTierSheet(name: string): name is TierSheet {
  return TIER_SHEETS.some((sheet) => sheet === name);
}

/** Whether a place contains only commissions: a tier sheet, or a commission column. */
export function isAboutCommissions({
  sheet,
  column,
}: {
  readonly sheet: string;
  readonly column: string | null;
}): boolean {
  return isTierSheet(sheet) || (column !== null && COMMISSION_HEADERS.includes(column));
}

/** The sheet with explanations for people. Templates have it; reading ignores it. */
export const NOTES_SHEET = 'leeme';

/** The column with the id of an existing offer. */
export const ID_HEADERS: Readonly<Record<BulkFormat, string>> = { own: 'offer_id', catalog: 'catalog_offer_id' };
/** The advisory firm's name; own format only. */
export const FIRM_HEADER = 'cliente';
/** The retailer's name. */
export const COMPANY_HEADER = 'company_name';
/**
 * The offer's name: together with the retailer's name it identifies the new offer that a row of another sheet refers
 * to.
 */
export const NAME_HEADER = OFFER_FIELDS.offerName.wire;
/** `LUZ` or `GAS`. */
export const SUPPLY_HEADER = 'supply_type';
/** The month of a row of prices. */
export const MONTH_HEADER = 'reference_month';

/** The version of a row when its template was made. */
export const VERSION_HEADER = 'version';

/** The headers of the columns of a tier. */
export type TierHeaders = Readonly<Record<'from' | 'to' | 'value' | 'type', string>>;

/** The field of an offer that holds the tiers of a sheet. */
export const TIER_FIELDS: Readonly<Record<TierSheet, string>> = {
  tramos_consumo: OFFER_FIELDS.consumptionTiers.wire,
  tramos_potencia: OFFER_FIELDS.powerTiers.wire,
};

const PAID = { value: OFFER_FIELDS.commissionValue.wire, type: OFFER_FIELDS.commissionType.wire } as const;

/** The columns of each sheet of tiers. */
export const TIER_HEADERS: Readonly<Record<TierSheet, TierHeaders>> = {
  tramos_consumo: { from: 'consumption_from', to: 'consumption_to', ...PAID },
  tramos_potencia: { from: 'power_from', to: 'power_to', ...PAID },
};

/** How the cells of a column are read. */
export type ColumnKind = 'id' | 'text' | 'number' | 'boolean' | 'month' | 'day' | 'communities' | 'choice';

/** A column that a sheet may have. */
export interface SheetColumn {
  readonly header: string;
  readonly kind: ColumnKind;
  /** The core field, as issues name it: `energyEurPerKwh.0`, `accepts.dni`; on tier sheets the field of a tier. */
  readonly path: string;
  /** `null`: a number without unit, or no number. */
  readonly unit: string | null;
  /** Lowest and highest number, or longest text (`max`), both included; `null`: not bounded here. */
  readonly min: number | null;
  readonly max: number | null;
  /** The allowed values of a cell of kind `choice` or `communities`. */
  readonly choices: readonly string[];
  /** The only supply type that has the field; `null`: both. */
  readonly supplyType: SupplyType | null;
  /** Not given to a caller without `commissions:read`. */
  readonly isCommission: boolean;
  /** Required in every row. Fields that only new offers need are not marked here. */
  readonly isNeeded: boolean;
  /** One line for people, in Spanish. */
  readonly explanation: string;
}

/** A sheet that a file may have. */
export interface BulkSheet {
  readonly name: SheetName;
  readonly columns: readonly SheetColumn[];
  /** One line for people, in Spanish. */
  readonly explanation: string;
}

type Details = Partial<Omit<SheetColumn, 'header' | 'kind' | 'path' | 'explanation'>>;

function column(
  header: string,
  kind: ColumnKind,
  { path, explanation, ...details }: Details & Pick<SheetColumn, 'path' | 'explanation'>,
): SheetColumn {
  const plain = { unit: null, min: null, max: null, choices: [], supplyType: null } as const;
  return { header, kind, path, ...plain, isCommission: false, isNeeded: false, ...details, explanation };
}

const NAME = { max: MAX_NAME_LENGTH } as const;

const CELL_KINDS: Readonly<Partial<Record<FieldSpec['kind'], ColumnKind>>> = {
  text: 'text',
  note: 'text',
  day: 'day',
  flag: 'boolean',
  flags: 'boolean',
  amount: 'number',
  periods: 'number',
  choice: 'choice',
  list: 'communities',
};

/** The column of a value; `null` for a value with a sheet or columns of its own. */
function columnOf({ field, path, wire, es }: FieldPart, isOfMonth: boolean): readonly SheetColumn[] {
  const kind = CELL_KINDS[field.kind];
  if (kind === undefined || es === null) return [];
  const isPrice = field.kind === 'amount' || field.kind === 'periods';
  const bounds = isPrice ? ((isOfMonth ? field.monthlyBounds : undefined) ?? field.bounds) : null;
  return [
    column(wire, kind, {
      path,
      ...(bounds ? { unit: bounds.unidad, min: bounds.min, max: bounds.max } : {}),
      ...('maxLength' in field ? { max: field.maxLength } : {}),
      ...('names' in field ? { choices: field.names } : {}),
      supplyType: field.supply,
      isCommission: field.section === 'commissions',
      explanation: isOfMonth ? `${es} de ese mes` : es,
    }),
  ];
}

const [OFFER_NAME_COLUMN, ...OTHER_COLUMNS] = fieldsOf('identity', 'prices', 'costs', 'options', 'commissions', 'reach')
  .flatMap(fieldPartsOf)
  .flatMap((part) => columnOf(part, false));

/** The fields that an offer has before its contract. */
const PRICED_COLUMNS: readonly SheetColumn[] = [
  ...(OFFER_NAME_COLUMN ? [OFFER_NAME_COLUMN] : []),
  column(SUPPLY_HEADER, 'choice', {
    path: 'supplyType',
    choices: SUPPLY_TYPES,
    explanation: 'Suministro: electricidad (LUZ) o gas (GAS). No se puede cambiar en una oferta que ya existe',
  }),
  ...OTHER_COLUMNS,
];

/** The hours that an offer follows: a template has these columns where one of its offers has some of it. */
export const HOURS_COLUMNS: readonly SheetColumn[] = fieldsOf('hours')
  .flatMap(fieldPartsOf)
  .flatMap((part) => columnOf(part, false));

/** What offers say besides prices: after all other columns, and none of it need be in a file. */
export const LATER_COLUMNS: readonly SheetColumn[] = [
  ...fieldsOf('contract')
    .flatMap(fieldPartsOf)
    .flatMap((part) => columnOf(part, false)),
  ...HOURS_COLUMNS,
];

/** Every field of an offer but the company, which has columns of its own. */
export const OFFER_COLUMNS: readonly SheetColumn[] = [...PRICED_COLUMNS, ...LATER_COLUMNS];

/** The columns of `ofertas` with commissions. */
export const COMMISSION_HEADERS: readonly string[] = OFFER_COLUMNS.filter(({ isCommission }) => isCommission).map(
  ({ header }) => header,
);

const VERSION_COLUMN = column(VERSION_HEADER, 'text', {
  path: 'version',
  max: 60,
  explanation:
    'Versión de la fila cuando se hizo la plantilla. No se edita. Si la oferta ha cambiado desde entonces, la fila es un error. Vacía o sin columna: no se comprueba',
});

/** The prices of a month of an indexed offer. */
const MONTH_COLUMNS: readonly SheetColumn[] = [
  column(MONTH_HEADER, 'month', {
    path: 'month',
    isNeeded: true,
    explanation: 'Mes, como texto (2026-01 o 2026-01-01) o como fecha',
  }),
  ...fieldsOf('prices')
    .flatMap(fieldPartsOf)
    .flatMap((part) => columnOf(part, true)),
];

const TIER_TYPE_WORDS = {
  consumptionTiers: OFFER_FIELD_WORDS.commissionType.es,
  powerTiers: 'Tipo: fixed son EUR por año de contrato, per_kw EUR por kW contratado. Vacía: fixed',
};

/** @param unit - Of the bounds. */
function tierColumns(field: 'consumptionTiers' | 'powerTiers', headers: TierHeaders, unit: string) {
  const { types, bounds } = OFFER_FIELDS[field];
  const bound = { unit, min: 0, isCommission: true } as const;
  return [
    column(headers.from, 'number', { path: 'from', ...bound, isNeeded: true, explanation: 'Desde, incluido' }),
    column(headers.to, 'number', { path: 'to', ...bound, explanation: 'Hasta, incluido. Vacía: sin límite' }),
    column(headers.value, 'number', {
      path: 'value',
      unit: bounds.unidad,
      min: bounds.min,
      max: bounds.max,
      isCommission: true,
      isNeeded: true,
      explanation: 'Comisión del tramo',
    }),
    column(headers.type, 'choice', {
      path: 'type',
      choices: types,
      explanation: TIER_TYPE_WORDS[field],
    }),
  ];
}

const TIER_COLUMNS: Readonly<Record<TierSheet, readonly SheetColumn[]>> = {
  tramos_consumo: tierColumns('consumptionTiers', TIER_HEADERS.tramos_consumo, 'MWh/año'),
  tramos_potencia: tierColumns('powerTiers', TIER_HEADERS.tramos_potencia, 'kW'),
};

function idColumn(format: BulkFormat, isNeeded: boolean, explanation: string): SheetColumn {
  return column(ID_HEADERS[format], 'id', { path: 'id', isNeeded, explanation });
}

/** The columns with the seller of an offer. */
function ownerColumns(format: BulkFormat): readonly SheetColumn[] {
  const firm = column(FIRM_HEADER, 'text', {
    path: 'firm',
    ...NAME,
    explanation: 'Nombre de la asesoría a la que pertenece la comercializadora. Tiene que existir',
  });
  const company = column(COMPANY_HEADER, 'text', {
    path: 'company',
    ...NAME,
    explanation: 'Nombre de la comercializadora. En una oferta nueva se crea si no existe',
  });
  return format === 'own' ? [firm, company] : [company];
}

/** The columns by which rows of other sheets refer to an offer. */
function linkColumns(format: BulkFormat): readonly SheetColumn[] {
  const offerName = column(NAME_HEADER, 'text', {
    path: 'offerName',
    ...NAME,
    explanation: 'Nombre de la oferta. Solo cuenta si la fila no lleva identificador',
  });
  const id = idColumn(format, false, 'Identificador de la oferta. Vacía: la oferta se busca por sus nombres');
  return [id, ...ownerColumns(format), offerName];
}

function sheets(format: BulkFormat): readonly BulkSheet[] {
  const offerId = idColumn(format, false, 'Identificador. Vacía: la fila crea una oferta');
  return [
    {
      name: 'ofertas',
      columns: [offerId, ...ownerColumns(format), ...PRICED_COLUMNS, VERSION_COLUMN, ...LATER_COLUMNS],
      explanation:
        'Una fila por oferta. Con identificador la sustituye entera: una celda vacía borra el dato, una columna que no está lo deja como estaba',
    },
    {
      name: 'precios_indexados',
      columns: [...linkColumns(format), ...MONTH_COLUMNS, VERSION_COLUMN],
      explanation: 'Una fila por oferta indexada y mes. Crea o sustituye el mes; no borra los que no aparecen',
    },
    {
      name: 'tramos_consumo',
      columns: [...linkColumns(format), ...TIER_COLUMNS.tramos_consumo, VERSION_COLUMN],
      explanation:
        'Una fila por tramo de consumo. Si la hoja está, sustituye los tramos de las ofertas que aparecen en ella o en ofertas',
    },
    {
      name: 'tramos_potencia',
      columns: [...linkColumns(format), ...TIER_COLUMNS.tramos_potencia, VERSION_COLUMN],
      explanation: 'Lo mismo con los tramos de potencia. Solo LUZ',
    },
    {
      name: 'borrar',
      columns: [idColumn(format, true, 'Identificador de una oferta que se desactiva')],
      explanation: 'Una fila por oferta que se desactiva. Nada se borra físicamente',
    },
  ];
}

const SHEETS: Readonly<Record<BulkFormat, readonly BulkSheet[]>> = { own: sheets('own'), catalog: sheets('catalog') };

/** The sheets of a format, in the order of its templates. */
export function bulkSheets(format: BulkFormat): readonly BulkSheet[] {
  return SHEETS[format];
}

/** The sheet of a format with that very name, or `null`. */
export function bulkSheetFor(format: BulkFormat, name: string): BulkSheet | null {
  return SHEETS[format].find((sheet) => sheet.name === name) ?? null;
}

/**
 * The column that an issue of core is about; a rule about all flags of a kind (`territories`) is shown at the first of
 * them. `null`: no column of the sheet.
 */
export function columnFor(sheet: BulkSheet, path: string): SheetColumn | null {
  const exact = sheet.columns.find((candidate) => candidate.path === path);
  return exact ?? sheet.columns.find((candidate) => candidate.path.startsWith(`${path}.`)) ?? null;
}
