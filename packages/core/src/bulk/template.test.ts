import { expect, test } from 'vitest';
import { CATALOG, CATALOG_STATE, OWN, STATE, stored } from '../../test/simple-bulk.ts';
import type { SheetToWrite } from '../engine/cells.ts';
import type { BulkState } from './state.ts';
import { templateOf } from './template.ts';

const FIXED = { kind: 'fixed', supplyType: null, includeInactive: false } as const;
const INDEXED = { ...FIXED, kind: 'indexed' } as const;

type TableToWrite = Extract<SheetToWrite, { readonly kind: 'table' }>;

function tablesOf(sheets: readonly SheetToWrite[]): ReadonlyMap<string, TableToWrite> {
  return new Map(sheets.flatMap((sheet) => (sheet.kind === 'table' ? [[sheet.name, sheet] as const] : [])));
}

function rowsOf(table: TableToWrite | undefined) {
  const headers = table?.columns.map(({ header }) => header) ?? [];
  return [...(table?.rows ?? [])].map((cells) =>
    Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? null])),
  );
}

test('A-41: the fixed template has the offers with prices of their own, the indexed one the others and their months', () => {
  const month = {
    supplyType: 'GAS',
    month: '2026-01-01',
    gasEnergyEurPerKwh: -0.01,
    gasFixedEurPerMonth: null,
  } as const;
  const gas = { supplyType: 'GAS', tariffType: 'RL.1', energyEurPerKwh: undefined, gasFixedEurPerMonth: 5 } as const;
  const state: BulkState = {
    ...STATE,
    offers: [
      stored({ id: 21, companyId: 2, offerName: 'Variable', isIndexed: true, ...gas }, [month]),
      stored({ id: 20, powerTiers: [{ from: 0, to: null, value: 2, type: 'per_kw' }] }),
    ],
  };
  const fixed = templateOf(state, OWN, FIXED);
  expect(fixed.map(({ name }) => name)).toEqual(['ofertas', 'tramos_consumo', 'tramos_potencia', 'borrar', 'leeme']);
  expect(rowsOf(tablesOf(fixed).get('ofertas')).map((row) => row.offer_id)).toEqual([20]);
  expect(rowsOf(tablesOf(fixed).get('tramos_potencia'))).toEqual([
    {
      offer_id: 20,
      cliente: 'Norte',
      company_name: 'Iber',
      offer_name: 'Estable',
      power_from: 0,
      power_to: null,
      commission: 2,
      commission_type: 'per_kw',
      version: expect.stringMatching(/^v20-[0-9a-z]+-[0-9a-z]+$/),
    },
  ]);
  const indexed = templateOf(state, OWN, INDEXED);
  expect(indexed.map(({ name }) => name)).toContain('precios_indexados');
  expect(rowsOf(tablesOf(indexed).get('ofertas'))).toMatchObject([
    {
      offer_id: 21,
      cliente: 'Norte',
      company_name: 'Gana',
      supply_type: 'GAS',
      gas_fixed: 5,
      e1: null,
      is_indexed: true,
    },
  ]);
  expect(rowsOf(tablesOf(indexed).get('precios_indexados'))).toMatchObject([
    {
      offer_id: 21,
      offer_name: 'Variable',
      reference_month: '2026-01-01',
      gas_energy: -0.01,
      gas_fixed: null,
      e1: null,
    },
  ]);
  expect(rowsOf(tablesOf(indexed).get('borrar'))).toEqual([]);
});

test('A-41: a template of the catalog has no firms, and its own column for ids', () => {
  const ofertas = tablesOf(templateOf(CATALOG_STATE, CATALOG, FIXED)).get('ofertas');
  expect(ofertas?.columns.slice(0, 3).map(({ header }) => header)).toEqual([
    'catalog_offer_id',
    'company_name',
    'offer_name',
  ]);
  expect(rowsOf(ofertas)).toMatchObject([{ catalog_offer_id: 10, company_name: 'Iber' }]);
});

test('rows can be read more than once', () => {
  const ofertas = tablesOf(templateOf(STATE, OWN, FIXED)).get('ofertas');
  expect(rowsOf(ofertas)).toHaveLength(3);
  expect(rowsOf(ofertas)).toHaveLength(3);
});

test('texts stay as they were typed, numbers show their decimals, and enumerations can be chosen', () => {
  const columns = new Map(
    tablesOf(templateOf(STATE, OWN, INDEXED))
      .get('ofertas')
      ?.columns.map((column) => [column.header, column]),
  );
  expect(columns.get('offer_name')?.numberFormat).toBe('@');
  expect(columns.get('e1')?.numberFormat).toBe('0.00######');
  expect(columns.get('offer_id')?.numberFormat).toBe('0');
  expect(columns.get('supply_type')?.choices).toEqual(['LUZ', 'GAS']);
  expect(columns.get('commission_type')?.choices).toEqual(['fixed', 'per_mwh']);
  for (const { header, width, choices } of columns.values()) {
    expect(width).toBeGreaterThan(header.length);
    expect(choices !== undefined).toBe(header.endsWith('_type') && header !== 'tariff_type');
  }
});

test('leeme explains every column of the sheets in the file, with its unit', () => {
  const sheets = templateOf(STATE, OWN, INDEXED);
  const notes = sheets.at(-1);
  if (notes?.kind !== 'notes') throw new Error('the last sheet is leeme');
  expect(notes.name).toBe('leeme');
  const explained = notes.lines.filter(({ heading }) => !heading).map(({ cells }) => cells[0]);
  for (const { columns } of tablesOf(sheets).values()) {
    for (const { header } of columns) expect(explained).toContain(header);
  }
  const advice = notes.lines.map(({ cells }) => cells.join(' ')).join(' ');
  for (const conversion of [
    'EUR/kW al año se divide entre 365',
    'por 365 y se divide entre 12',
    'EUR/MWh se divide entre 1000',
  ]) {
    expect(advice).toContain(conversion);
  }
  const line = notes.lines.find(({ cells }) => cells[0] === 'p1');
  expect(line?.cells).toEqual(['p1', 'Precio de la potencia en P1', 'EUR/kW·día', 'número', 'de 0 a 1', 'LUZ']);
  expect(notes.lines.every(({ cells }) => cells.length <= notes.widths.length)).toBe(true);
});

test('A-165: a template has the columns of hours where one of its offers has some, and otherwise no trace of them', () => {
  const columnsOf = (changes: object) => {
    const sheets = templateOf({ ...STATE, offers: [stored({ id: 20, ...changes }), stored({ id: 21 })] }, OWN, FIXED);
    return tablesOf(sheets)
      .get('ofertas')
      ?.columns.map(({ header }) => header);
  };
  const none = columnsOf({});
  expect(none?.at(-1)).toBe('requisitos');
  const hours = ['indice', 'indice_factor', 'indice_excedentes'];
  expect(columnsOf({ hasSolarPanels: true, surplusIndex: 'PVPC' })).toEqual([...(none ?? []), ...hours]);
});
