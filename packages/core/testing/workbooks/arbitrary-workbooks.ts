import fc, { type Arbitrary } from 'fast-check';
import type { BulkRights, BulkState } from '../../src/bulk/state.ts';
import { TEMPLATE_KINDS, type TemplateKind, templateOf } from '../../src/bulk/template.ts';
import type { CellToWrite } from '../../src/engine/cells.ts';
import type { ConsumptionTier, PowerTier } from '../../src/engine/commission/tier.ts';
import type { BulkFormat } from '../../src/engine/errors.ts';
import { arbitraryConsumptionTiers, arbitraryMonth, arbitraryPowerTiers } from '../arbitrary-offers.ts';
import { arbitraryBulkState } from '../bulk.ts';
import type { Table } from './naive-bulk.ts';

/** The offers of an owner, and an edited workbook made from their template. */
export interface EditedWorkbook {
  readonly state: BulkState;
  readonly rights: BulkRights;
  readonly tables: readonly Table[];
}

interface MutableTable {
  readonly name: string;
  headers: string[];
  rows: CellToWrite[][];
}

type Edit = (workbook: Workbook) => void;

/** A workbook that is being edited, always right. */
interface Workbook {
  readonly state: BulkState;
  readonly format: BulkFormat;
  readonly isIndexed: boolean;
  readonly tables: MutableTable[];
}

function tableOf(workbook: Workbook, name: string): MutableTable | undefined {
  return workbook.tables.find((table) => table.name === name);
}

function cellAt(table: MutableTable, row: readonly CellToWrite[], header: string): CellToWrite {
  return row[table.headers.indexOf(header)] ?? null;
}

function put(table: MutableTable, row: CellToWrite[] | undefined, header: string, value: CellToWrite): void {
  const index = table.headers.indexOf(header);
  if (row && index >= 0) row[index] = value;
}

function addRow(table: MutableTable | undefined, cells: Readonly<Record<string, CellToWrite>>): void {
  table?.rows.push(table.headers.map((header) => cells[header] ?? null));
}

const INDEX = fc.nat({ max: 1000 });
const PRICE = fc.constantFrom(0, 0.1, 1 / 3, 0.123456789012345, 1);
const PERIOD = fc.constantFrom(...'123456');
/** Columns that may be empty in any row, and those that a sheet of right rows can do without. */
const ERASABLE = ['services_cost', 'commission', 'commission_type', 'communities', 'is_active'] as const;
const DROPPABLE = [...ERASABLE, 'e1', 'p1', 'e2', 'gas_energy', 'fee_power', 'ssaa_included'] as const;

function picked<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

const setPrice = fc.tuple(INDEX, PERIOD, fc.constantFrom('e', 'p'), fc.option(PRICE)).map(
  ([index, period, kind, price]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'ofertas');
      const row = table && picked(table.rows, index);
      if (!table || !row) return;
      const isGas = cellAt(table, row, 'supply_type') === 'GAS';
      put(table, row, isGas ? 'gas_energy' : `${kind}${period}`, price);
    },
);

const erase = fc.tuple(INDEX, fc.constantFrom(...ERASABLE)).map(
  ([index, header]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'ofertas');
      if (table) put(table, picked(table.rows, index), header, null);
    },
);

const rename = fc.tuple(INDEX, fc.constantFrom('Rebautizada', 'X')).map(
  ([index, name]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'ofertas');
      const row = table && picked(table.rows, index);
      if (table && row && cellAt(table, row, workbook.format === 'own' ? 'offer_id' : 'catalog_offer_id') !== null) {
        put(table, row, 'offer_name', name);
      }
    },
);

const dropColumn = fc.constantFrom(...DROPPABLE).map(
  (header): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'ofertas');
      const index = table?.headers.indexOf(header) ?? -1;
      if (!table || index < 0) return;
      table.headers.splice(index, 1);
      for (const row of table.rows) row.splice(index, 1);
    },
);

const dropSheet = fc.constantFrom('tramos_consumo', 'tramos_potencia', 'borrar').map(
  (name): Edit =>
    (workbook) => {
      const index = workbook.tables.findIndex((table) => table.name === name);
      if (index >= 0) workbook.tables.splice(index, 1);
    },
);

/** Takes an offer out of `ofertas`, and into `borrar` if asked. */
const takeOut = fc.tuple(INDEX, fc.boolean()).map(
  ([index, isDeactivated]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'ofertas');
      const idHeader = workbook.format === 'own' ? 'offer_id' : 'catalog_offer_id';
      const row = table && picked(table.rows, index);
      const id = table && row ? cellAt(table, row, idHeader) : null;
      if (!table || id === null) return;
      table.rows = table.rows.filter((other) => other !== row);
      if (isDeactivated) addRow(tableOf(workbook, 'borrar'), { [idHeader]: id });
    },
);

const setMonth = fc.tuple(INDEX, arbitraryMonth(), PRICE).map(
  ([index, month, price]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'precios_indexados');
      const entry = picked(
        workbook.state.offers.filter(({ offer }) => offer.isIndexed),
        index,
      );
      if (!table || !entry) return;
      const { id, supplyType } = entry.offer;
      const idHeader = workbook.format === 'own' ? 'offer_id' : 'catalog_offer_id';
      table.rows = table.rows.filter(
        (row) => cellAt(table, row, idHeader) !== id || cellAt(table, row, 'reference_month') !== month,
      );
      addRow(table, { [idHeader]: id, reference_month: month, [supplyType === 'LUZ' ? 'e1' : 'gas_energy']: price });
    },
);

function tierRow(sheet: string, tier: ConsumptionTier | PowerTier): Record<string, CellToWrite> {
  const unit = sheet === 'tramos_consumo' ? 'consumption' : 'power';
  return {
    [`${unit}_from`]: tier.from,
    [`${unit}_to`]: tier.to,
    commission: tier.value,
    commission_type: tier.type,
  };
}

const setTiers = fc.tuple(INDEX, arbitraryConsumptionTiers(3)).map(
  ([index, tiers]): Edit =>
    (workbook) => {
      const table = tableOf(workbook, 'tramos_consumo');
      const entry = picked(workbook.state.offers, index);
      if (!table || !entry) return;
      const idHeader = workbook.format === 'own' ? 'offer_id' : 'catalog_offer_id';
      const names = { [idHeader]: entry.offer.id };
      table.rows = table.rows.filter((row) => cellAt(table, row, idHeader) !== entry.offer.id);
      for (const tier of tiers) addRow(table, { ...names, ...tierRow('tramos_consumo', tier) });
    },
);

/** A new offer, in an existing company or a new one, with tiers and months that are linked by its names. */
const create = fc
  .record({
    index: INDEX,
    isNewCompany: fc.boolean(),
    isGas: fc.boolean(),
    price: PRICE,
    consumption: arbitraryConsumptionTiers(2),
    power: arbitraryPowerTiers(2),
    months: fc.uniqueArray(arbitraryMonth(), { maxLength: 2 }),
  })
  .map(
    ({ index, isNewCompany, isGas, price, ...linked }): Edit =>
      (workbook) => {
        const ofertas = tableOf(workbook, 'ofertas');
        const company = picked(workbook.state.companies, index);
        const firm = workbook.state.firms.find(({ id }) => id === company?.firmId);
        if (!ofertas || !company) return;
        const names = {
          ...(firm ? { cliente: index % 2 === 0 ? firm.name : ` ${firm.name.toLowerCase()}` } : {}),
          company_name: isNewCompany ? `Recién creada ${index % 3}` : company.name,
          // No arbitrary offer has such a name, and no two rows have the same.
          offer_name: `Nueva número ${ofertas.rows.length}-${workbook.tables.length}-${index}`,
        };
        if (ofertas.rows.some((row) => cellAt(ofertas, row, 'offer_name') === names.offer_name)) return;
        const terms = {
          supply_type: isGas ? 'GAS' : 'LUZ',
          tariff_type: isGas ? 'RL.1' : '2.0TD',
          is_indexed: workbook.isIndexed,
        };
        addRow(ofertas, { ...names, ...terms, acepta_cif: true, territory_canarias: true });
        for (const tier of linked.consumption) {
          addRow(tableOf(workbook, 'tramos_consumo'), { ...names, ...tierRow('tramos_consumo', tier) });
        }
        for (const tier of isGas ? [] : linked.power) {
          addRow(tableOf(workbook, 'tramos_potencia'), { ...names, ...tierRow('tramos_potencia', tier) });
        }
        for (const month of linked.months) {
          addRow(tableOf(workbook, 'precios_indexados'), {
            ...names,
            reference_month: month,
            [isGas ? 'gas_energy' : 'e1']: price,
          });
        }
      },
  );

const EDIT: Arbitrary<Edit> = fc.oneof(
  setPrice,
  erase,
  rename,
  dropColumn,
  dropSheet,
  takeOut,
  setMonth,
  setTiers,
  create,
);

/** Edits of a template, for any offers. */
export interface Editing {
  readonly kind: TemplateKind;
  readonly seesCommissions: boolean;
  readonly edits: readonly Edit[];
}

export function arbitraryEditing(): Arbitrary<Editing> {
  return fc.record({
    kind: fc.constantFrom(...TEMPLATE_KINDS),
    seesCommissions: fc.boolean(),
    edits: fc.array(EDIT, { maxLength: 12 }),
  });
}

/** A workbook without any error: a template of the owner's offers after some edits. */
export function editedWorkbook(state: BulkState, format: BulkFormat, editing: Editing): EditedWorkbook {
  const { kind, seesCommissions, edits } = editing;
  const rights: BulkRights = { format, seesCommissions, boundFirmId: null };
  const sheets = templateOf(state, rights, { kind, supplyType: null, includeInactive: true });
  const tables = sheets.flatMap((sheet): MutableTable[] => {
    if (sheet.kind !== 'table') return [];
    const headers = sheet.columns.map(({ header }) => header);
    return [{ name: sheet.name, headers, rows: [...sheet.rows].map((row) => [...row]) }];
  });
  const workbook: Workbook = { state, format, isIndexed: kind === 'indexed', tables };
  for (const edit of edits) edit(workbook);
  return { state, rights, tables: workbook.tables };
}

/** Such a workbook, and the offers of whom it is. */
export function arbitraryWorkbook(format: BulkFormat): Arbitrary<EditedWorkbook> {
  return fc
    .tuple(arbitraryBulkState(format), arbitraryEditing())
    .map(([state, editing]) => editedWorkbook(state, format, editing));
}
