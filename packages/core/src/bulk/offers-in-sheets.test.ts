import { describe, expect, it } from 'vitest';
import { partsOf, type TestCell, type TestWorkbook } from '../../test/simple-bulk.ts';
import { inWords } from '../engine/messages/message.ts';
import { offersInSheets } from './offers-in-sheets.ts';
import { readRows } from './read-rows.ts';

const HEADER = ['offer_id', 'cliente', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'is_indexed', 'e1'];
const SOLD = ['acepta_dni', 'territory_peninsula'];
type Row = readonly TestCell[];
const sheet = (...rows: readonly Row[]): readonly Row[] => [
  [...HEADER, ...SOLD],
  ...rows.map((row) => [...row, true, true]),
];

function draftsIn(workbook: TestWorkbook) {
  const outcome = offersInSheets(readRows(partsOf(workbook), 'own'));
  if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
  return outcome;
}

function errorsIn(workbook: TestWorkbook): readonly string[] {
  const outcome = offersInSheets(readRows(partsOf(workbook), 'own'));
  if (outcome.kind === 'offers') return [];
  expect(outcome.errorCount).toBe(outcome.errors.length);
  return outcome.errors.map(
    ({ sheet, row, id, column, message }) => `${sheet} ${row} ${id} ${column}: ${inWords(message)}`,
  );
}

describe('offersInSheets', () => {
  it('returns the offers of a file with their companies, own ones and those of the catalog', () => {
    const { offers, companies } = draftsIn({
      ofertas: sheet(
        [12, 'Norte', 'Iber', 'Estable', 'LUZ', '2.0TD', null, 0.1],
        [7, 'Sur', 'Iber', 'Estable', 'LUZ', '2.0TD', null, 0.2],
        [9, null, 'Gana', 'Estable', 'LUZ', '2.0TD', null, 0.3],
        [10, 'norte ', 'IBER', 'Estable', 'LUZ', '2.0TD', null, 0.3],
      ),
    });
    expect(offers.map(({ offer }) => offer.id)).toEqual([7, 9, 10, 12]);
    const owners = offers.map(({ offer }) => companies.get(offer.companyId));
    expect(owners.map((company) => company?.name)).toEqual(['Iber', 'Gana', 'Iber', 'Iber']);
    expect(new Set(owners.map((company) => company?.firmId)).size).toBe(3);
    expect(owners[2]).toBe(owners[3]);
    expect(offers[0]?.offer).toMatchObject({ energyEurPerKwh: [0.2, null, null, null, null, null], isActive: true });
  });

  it('A-41: numbers offers without an id by their row, above the ids of the others', () => {
    const nova = (name: string): Row => [null, 'Norte', 'Iber', name, 'LUZ', '2.0TD', null, 0.1];
    expect(draftsIn({ ofertas: sheet(nova('Una'), nova('Otra')) }).offers.map(({ offer }) => offer.id)).toEqual([2, 3]);
    const mixed = draftsIn({ ofertas: sheet([30, 'Norte', 'Iber', 'Vieja', 'LUZ', '2.0TD', null, 0.1], nova('Una')) });
    expect(mixed.offers.map(({ offer }) => [offer.id, offer.offerName])).toEqual([
      [30, 'Vieja'],
      [33, 'Una'],
    ]);
  });

  it('links months and tiers to their offers, by id and by name', () => {
    const link = ['offer_id', 'company_name', 'offer_name'];
    const { offers } = draftsIn({
      ofertas: sheet(
        [5, null, 'Iber', 'Con id', 'LUZ', '2.0TD', true, null],
        [null, null, 'Iber', 'Sin id', 'LUZ', '2.0TD', true, null],
      ),
      precios_indexados: [
        [...link, 'reference_month', 'e1'],
        [5, null, null, '2026-02', 0.2],
        [5, null, null, '2026-01', 0.1],
        [null, 'iber', 'sin id', '2026-01', 0.3],
      ],
      tramos_consumo: [
        [...link, 'consumption_from', 'consumption_to', 'commission', 'commission_type'],
        [null, 'Iber', 'Sin id', 0, null, 20, 'fixed'],
      ],
    });
    expect(offers.map(({ months }) => months.map(({ month }) => month))).toEqual([
      ['2026-01-01', '2026-02-01'],
      ['2026-01-01'],
    ]);
    expect(offers.map(({ offer }) => offer.consumptionTiers.length)).toEqual([0, 1]);
  });

  it('reads the one sheet of a CSV', () => {
    const rows = sheet([null, null, 'Iber', 'Una', 'LUZ', '2.0TD', 'no', '0,15']);
    expect(draftsIn({ '': rows }).offers[0]?.offer).toMatchObject({ offerName: 'Una', companyId: 1 });
  });

  it('ignores removals of offers that are not in the file', () => {
    const one: Row = [5, 'Norte', 'Iber', 'Una', 'LUZ', '2.0TD', null, 0.1];
    expect(draftsIn({ ofertas: sheet(one), borrar: [['offer_id'], [6]] }).offers).toHaveLength(1);
    expect(errorsIn({ ofertas: sheet(one), borrar: [['offer_id'], [5]] })).toEqual([
      'borrar 2 5 offer_id: the same offer is in row 2 of ofertas',
    ]);
  });

  it('reports every wrong row with its sheet', () => {
    expect(
      errorsIn({
        ofertas: sheet(
          [5, 'Norte', 'Iber', 'Una', 'LUZ', '2.0TD', null, 20],
          [5, 'Norte', 'Iber', 'Otra', 'LUZ', '2.0TD', null, 0.1],
          [6, 'Norte', null, 'Sin empresa', 'LUZ', '2.0TD', null, 0.1],
          [null, 'Norte', 'I\u200bber', 'Rara', 'LUZ', '2.0TD', null, 0.1],
          [8, 'Norte', 'Iber', 'Sin suministro', null, '2.0TD', null, 0.1],
          [9, 'Norte', 'Iber', 'Ilegible', 'LUZ', '2.0TD', null, 'mucho'],
        ),
        precios_indexados: [
          ['offer_id', 'reference_month', 'e1'],
          [77, '2026-01', 0.1],
        ],
      }),
    ).toEqual([
      'ofertas 2 5 e1: must be between 0 and 10 EUR/kWh',
      'ofertas 3 5 offer_id: the same offer is in row 2',
      'ofertas 4 6 company_name: must not be empty',
      'ofertas 5 null company_name: must not contain invisible characters',
      'ofertas 6 8 supply_type: must not be empty',
      'ofertas 7 9 e1: must be a number, such as 1234,56, without unit or thousands separators',
      'precios_indexados 2 77 offer_id: no such offer',
    ]);
  });

  it('reports missing columns that every offer needs', () => {
    expect(errorsIn({ ofertas: [['offer_name'], ['Una']] })).toEqual([
      'ofertas 2 null supply_type: must not be empty',
      'ofertas 2 null company_name: must not be empty',
    ]);
    expect(errorsIn({ ofertas: [['offer_id'], [5]] })).toEqual([
      'ofertas 2 5 supply_type: must not be empty',
      'ofertas 2 5 company_name: must not be empty',
    ]);
  });

  it('returns nothing for a file without offers', () => {
    expect(draftsIn({ leeme: [['nada']] }).offers).toEqual([]);
  });
});
