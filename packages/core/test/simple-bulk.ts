import { toCellValue } from '@tarifario/core/testing';
import { type BulkCounts, type BulkOutcome, type BulkPlan, planBulkUpdate } from '../src/bulk/plan.ts';
import { readRows } from '../src/bulk/read-rows.ts';
import type { BulkRights, BulkState } from '../src/bulk/state.ts';
import type { CellToWrite, CellValue, SheetPart } from '../src/engine/cells.ts';
import { inWords } from '../src/engine/messages/message.ts';
import { defineOffer, type OfferDefinition } from '../src/engine/offers/define-offer.ts';
import type { MonthlyPrice } from '../src/engine/offers/offer.ts';

/** A cell as a test writes it: a plain value, or one that only a reader can come by. */
export type TestCell = CellToWrite | CellValue;
/** The rows of a sheet, the header first. */
export const sheet = (...rows: readonly (readonly TestCell[])[]) => rows;

/** Sheets by name; the first list is row 1, the header. */
export type TestWorkbook = Readonly<Record<string, readonly (readonly TestCell[])[]>>;

export const FORMULA: CellValue = { kind: 'formula' };

function cellValue(cell: TestCell): CellValue | null {
  if (typeof cell === 'object') return cell;
  return cell === '' ? null : toCellValue(cell);
}

/** A workbook as a reader would find it, with rows that hold nothing left out. */
export function partsOf(workbook: TestWorkbook, dates1904 = false): readonly SheetPart[] {
  return Object.entries(workbook).map(([name, rows], sheet) => ({
    sheet,
    name,
    dates1904,
    rows: rows.flatMap((values, index) => {
      const cells = values.flatMap((cell, column) => {
        const value = cellValue(cell);
        return value === null ? [] : [{ column, value }];
      });
      return cells.length === 0 ? [] : [{ row: index + 1, cells }];
    }),
  }));
}

export const OWN: BulkRights = { format: 'own', seesCommissions: true, boundFirmId: null };
export const CATALOG: BulkRights = { format: 'catalog', seesCommissions: true, boundFirmId: null };

const OFFER = {
  offerName: 'Estable',
  supplyType: 'LUZ',
  tariffType: '2.0TD',
  energyEurPerKwh: [0.1, 0.2, 0.3],
  accepts: { dni: true },
  territories: { peninsula: true },
} as const;

/** An offer with months, sound by default. */
export function stored(definition: Partial<OfferDefinition> & { readonly id: number }, months: MonthlyPrice[] = []) {
  return { offer: defineOffer({ ...OFFER, companyId: 1, ...definition }), months };
}

/**
 * Two firms: Norte (1) with the companies Iber (1) and Gana (2), Sur (2) with Iber (3). Offer 10 of Norte's Iber is
 * `Estable`, 11 of Gana is gas, 12 of Sur's Iber.
 */
export const STATE: BulkState = {
  firms: [
    { id: 1, name: 'Norte' },
    { id: 2, name: 'Sur' },
  ],
  companies: [
    { id: 1, firmId: 1, name: 'Iber' },
    { id: 2, firmId: 1, name: 'Gana' },
    { id: 3, firmId: 2, name: 'Iber' },
  ],
  offers: [
    stored({ id: 10 }),
    stored({
      id: 11,
      companyId: 2,
      offerName: 'Llama',
      supplyType: 'GAS',
      tariffType: 'RL.1',
      energyEurPerKwh: undefined,
      gasEnergyEurPerKwh: 0.05,
    }),
    stored({ id: 12, companyId: 3, offerName: 'Sureña' }),
  ],
};

/** The catalog: companies 1 and 2, offer 10. */
export const CATALOG_STATE: BulkState = {
  firms: [],
  companies: [
    { id: 1, firmId: null, name: 'Iber' },
    { id: 2, firmId: null, name: 'Gana' },
  ],
  offers: [stored({ id: 10 })],
};

export function outcomeOf(workbook: TestWorkbook, rights: BulkRights = OWN, state: BulkState = defaultState(rights)) {
  return planBulkUpdate(state, readRows(partsOf(workbook), rights.format), rights);
}

function defaultState({ format }: BulkRights): BulkState {
  return format === 'own' ? STATE : CATALOG_STATE;
}

/** The plan of a book that is right. */
export function planOf(
  workbook: TestWorkbook,
  rights: BulkRights = OWN,
  state: BulkState = defaultState(rights),
): BulkPlan {
  const outcome = outcomeOf(workbook, rights, state);
  if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
  return outcome.plan;
}

/** The errors of a book as `sheet row id column: message`. */
export function errorsOf(workbook: TestWorkbook, rights: BulkRights = OWN, state: BulkState = defaultState(rights)) {
  return wordsOf(outcomeOf(workbook, rights, state));
}

function wordsOf(outcome: BulkOutcome): readonly string[] {
  if (outcome.kind === 'plan') return [];
  return outcome.errors.map(
    ({ sheet, row, id, column, message }) => `${sheet} ${row} ${id ?? '-'} ${column ?? '-'}: ${inWords(message)}`,
  );
}

/** The counts of a file without rows. */
export const NO_COUNTS: BulkCounts = {
  created: 0,
  replaced: 0,
  deactivated: 0,
  companiesCreated: 0,
  pricesUpserted: 0,
  tiersReplaced: 0,
};

/** A header below which rows create offers. */
export const NEW: readonly string[] = [
  'offer_id',
  'cliente',
  'company_name',
  'offer_name',
  'supply_type',
  'tariff_type',
  'acepta_dni',
  'territory_peninsula',
];

/** A row that creates an offer, below the header `NEW`. */
export function newRow(
  cliente: TestCell,
  company: TestCell,
  name: TestCell,
  supply: TestCell = 'LUZ',
): readonly TestCell[] {
  return [null, cliente, company, name, supply, supply === 'GAS' ? 'RL.1' : '2.0TD', 'si', 'x'];
}

/** Own offers, without `commissions:read`. */
export const MASKED = { ...OWN, seesCommissions: false };

/** A header of the sheet of consumption tiers. */
export const TIERS = [
  'offer_id',
  'cliente',
  'company_name',
  'offer_name',
  'consumption_from',
  'consumption_to',
  'commission',
];

/** Cells of a row that names its offer by id alone. */
export const NO_NAMES = [null, null, null];

/** `STATE`, with an offer that has a tier of each kind. */
export const WITH_TIERS: BulkState = {
  ...STATE,
  offers: [
    stored({
      id: 10,
      consumptionTiers: [{ from: 0, to: 5, value: 1, type: 'fixed' }],
      powerTiers: [{ from: 0, to: null, value: 2, type: 'per_kw' }],
    }),
    ...STATE.offers.slice(1),
  ],
};
