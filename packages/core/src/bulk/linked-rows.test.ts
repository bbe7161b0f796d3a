import { describe, expect, test } from 'vitest';
import {
  errorsOf,
  FORMULA,
  MASKED,
  NEW,
  NO_NAMES,
  newRow,
  OWN,
  planOf,
  STATE,
  sheet,
  stored,
  type TestCell,
  TIERS,
  WITH_TIERS,
} from '../../test/simple-bulk.ts';
import { luzMonth } from '../../testing/contract/world.ts';
import type { MonthlyPrice } from '../engine/offers/offer.ts';
import { absentColumns } from './plan.ts';
import type { BulkState } from './state.ts';

const JANUARY: MonthlyPrice = {
  ...luzMonth('2026-01-01', 0.05),
  energyEurPerKwh: [0.05, 0.06, null, null, null, null],
};

const INDEXED: BulkState = {
  ...STATE,
  offers: [stored({ id: 10, isIndexed: true }, [JANUARY]), ...STATE.offers.slice(1)],
};

describe('A-42: tiers', () => {
  const rows = (...lists: readonly (readonly TestCell[])[]) => [
    TIERS,
    ...lists.map((cells) => [10, ...NO_NAMES, ...cells]),
  ];

  test('a sheet empties the tiers of offers that only ofertas has, with a warning', () => {
    const plan = planOf({ ofertas: [['offer_id'], [10], [12]], tramos_consumo: [TIERS] }, OWN, WITH_TIERS);
    expect(plan.changed).toMatchObject([
      { before: { id: 10 }, terms: { consumptionTiers: [], powerTiers: [{ value: 2 }] } },
    ]);
    expect(plan.warnings).toEqual([{ code: 'tiers_emptied', sheet: 'tramos_consumo', count: 1, rows: [2] }]);
  });

  test('columns that a sheet lacks are named, but those of commissions only for callers who may see them', () => {
    const tiers = [['offer_id', 'consumption_from', 'commission']];
    const plan = planOf(
      { ofertas: [['offer_id', 'e1']], tramos_consumo: tiers, borrar: [['offer_id']] },
      OWN,
      WITH_TIERS,
    );
    const [offers, ...others] = absentColumns(plan, OWN);
    expect(offers).toMatchObject({ code: 'columna_ausente', sheet: 'ofertas', rows: [] });
    expect(offers?.columns).toEqual(expect.arrayContaining(['offer_name', 'e2', 'commission', 'commission_type']));
    expect(offers?.columns).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(offer_id|cliente|version|e1)$/)]),
    );
    const columns = ['consumption_to', 'commission_type'];
    expect(others).toEqual([{ code: 'columna_ausente', sheet: 'tramos_consumo', count: 2, rows: [], columns }]);
    const [maskedOffers, ...more] = absentColumns(plan, MASKED);
    expect(maskedOffers?.columns).toEqual(offers?.columns?.filter((header) => !header.startsWith('commission')));
    expect(more).toEqual([]);
  });

  test('A-26: without commissions:read the warning does not reveal which offers have tiers', () => {
    const plan = planOf({ ofertas: [['offer_id'], [10], [12]], tramos_consumo: [TIERS] }, MASKED, WITH_TIERS);
    expect(plan.warnings).toEqual([{ code: 'tiers_emptied', sheet: 'tramos_consumo', count: 2, rows: [2, 3] }]);
  });

  test('rules of tiers are named at the rows that break them', () => {
    const errors = errorsOf({ tramos_consumo: rows([0, 5, 1], [4, 3, -1], [6, null, 2], [10, 20, 1]) });
    expect(errors).toEqual([
      'tramos_consumo 3 10 consumption_to: must be greater than the lower bound',
      'tramos_consumo 3 10 consumption_from: overlaps another tier',
      'tramos_consumo 3 10 commission: must be between 0 and 1000000 EUR/year or EUR/MWh',
      'tramos_consumo 5 10 consumption_from: overlaps another tier',
    ]);
    const many = Array.from({ length: 52 }, (_, n) => [n, n + 1, 1]);
    expect(errorsOf({ tramos_consumo: rows(...many) })).toEqual(['tramos_consumo 52 10 -: at most 50 tiers']);
  });

  test('tiers of an offer whose row in ofertas has an error are still checked', () => {
    const workbook = {
      ofertas: sheet(['offer_id', 'e1'], [10, 'x']),
      tramos_consumo: rows([5, 4, 1]),
    };
    expect(errorsOf(workbook)).toEqual([
      'ofertas 2 10 e1: must be a number, such as 1234,56, without unit or thousands separators',
      'tramos_consumo 2 10 consumption_to: must be greater than the lower bound',
    ]);
  });

  test('gas offers have no power tiers, and lose none when the sheet is present', () => {
    const header = ['offer_id', 'power_from', 'commission', 'commission_type'];
    expect(errorsOf({ tramos_potencia: [header, [10, 0, 1, 'per_kw'], [11, 0, 1, 'fixed']] })).toEqual([
      'tramos_potencia 3 11 -: only LUZ offers have tiers of power',
    ]);
    expect(planOf({ ofertas: [['offer_id'], [11]], tramos_potencia: [header] }).changed).toEqual([]);
  });
});

describe('A-42: monthly prices', () => {
  const HEADER = ['offer_id', 'reference_month', 'e1', 'e2', 'p1'];

  test('create or replace a month: an empty cell erases, an absent column keeps, other months stay', () => {
    const plan = planOf(
      {
        precios_indexados: [
          ['offer_id', 'reference_month', 'e1', 'p1'],
          [10, '2026-01', '', 0.02],
          [10, '2026-02-15', -0.01],
        ],
      },
      OWN,
      INDEXED,
    );
    expect(plan.months).toEqual([
      {
        row: 2,
        offerId: 10,
        created: null,
        before: JANUARY,
        price: {
          ...JANUARY,
          energyEurPerKwh: [null, 0.06, null, null, null, null],
          powerEurPerKwDay: [0.02, null, null, null, null, null],
        },
      },
      {
        row: 3,
        offerId: 10,
        created: null,
        before: null,
        price: { ...JANUARY, month: '2026-02-01', energyEurPerKwh: [-0.01, null, null, null, null, null] },
      },
    ]);
    expect(plan.counts.pricesUpserted).toBe(2);
    expect(plan.changed).toEqual([]);
  });

  test('an equal month is counted and not written', () => {
    const plan = planOf({ precios_indexados: [HEADER, [10, '2026-01-01', 0.05, 0.06]] }, OWN, INDEXED);
    expect(plan).toMatchObject({ months: [], counts: { pricesUpserted: 1 } });
  });

  test('are only for offers that are indexed after the file is applied', () => {
    const prices = { precios_indexados: [HEADER, [10, '2026-01', 0.1]] };
    expect(errorsOf(prices)).toEqual(['precios_indexados 2 10 -: only indexed offers have monthly prices']);
    expect(
      errorsOf({
        ofertas: sheet(['offer_id', 'is_indexed'], [10, 'si']),
        ...prices,
      }),
    ).toEqual([]);
    expect(
      errorsOf(
        {
          ofertas: sheet(['offer_id', 'is_indexed'], [10, '']),
          ...prices,
        },
        OWN,
        INDEXED,
      ),
    ).toHaveLength(1);
    // Whether it would be indexed is unknown, so there is no error about it.
    expect(
      errorsOf({
        ofertas: sheet(['offer_id', 'is_indexed'], [10, '?']),
        ...prices,
      }),
    ).toHaveLength(1);
  });

  test('values out of bounds and fields of the other supply type are reported by column', () => {
    const gas = ['offer_id', 'reference_month', 'e1', 'p1', 'gas_energy'];
    expect(errorsOf({ precios_indexados: [gas, [10, '2026-01', -11, 2, 0.1]] }, OWN, INDEXED)).toEqual([
      'precios_indexados 2 10 gas_energy: is not a field of LUZ offers',
      'precios_indexados 2 10 e1: must be between -10 and 10 EUR/kWh',
      'precios_indexados 2 10 p1: must be between 0 and 1 EUR/kW·day',
    ]);
  });

  test('the same month of the same offer twice is an error of the second row', () => {
    expect(errorsOf({ precios_indexados: [HEADER, [10, '2026-03', 1], [10, '2026-03-31', 2]] }, OWN, INDEXED)).toEqual([
      'precios_indexados 3 10 reference_month: the same month of the same offer is in row 2',
    ]);
  });
});

describe('A-42: rows linked by names', () => {
  test('an existing offer is found by its names too', () => {
    const plan = planOf({ tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'ESTABLE', 0, null, 7]] });
    expect(plan.changed).toMatchObject([{ before: { id: 10 }, terms: { consumptionTiers: [{ value: 7 }] } }]);
  });

  test('an offer is found by the names that it has once the file is applied', () => {
    const renamed = sheet(['offer_id', 'offer_name'], [10, 'Otra']);
    const tiers = (name: string) => ({
      ofertas: renamed,
      tramos_consumo: [TIERS, [null, 'Norte', 'Iber', name, 0, null, 7]],
    });
    expect(planOf(tiers('otra')).changed).toHaveLength(1);
    expect(errorsOf(tiers('Estable'))).toEqual(['tramos_consumo 2 - offer_name: no such offer']);
  });

  test('a name of several offers is an error, and a new offer with an existing name is a warning', () => {
    const workbook = { ofertas: [NEW, newRow('Norte', 'Iber', 'estable')] };
    expect(planOf(workbook).warnings).toEqual([{ code: 'name_repeated', sheet: 'ofertas', count: 1, rows: [2] }]);
    const tiers = { tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'Estable', 0, null, 7]] };
    expect(errorsOf({ ...workbook, ...tiers })).toEqual([
      'tramos_consumo 2 - offer_name: several offers have this name: offer_id must say which',
    ]);
  });

  test('a deactivated offer does not prevent a new one with the same name', () => {
    const workbook = {
      ofertas: [NEW, newRow('Norte', 'Iber', 'Estable')],
      borrar: [['offer_id'], [10]],
      tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'Estable', 0, null, 7]],
    };
    expect(planOf(workbook)).toMatchObject({
      created: [{ terms: { consumptionTiers: [{ value: 7 }] } }],
      warnings: [],
    });
  });

  test('a row without an id needs all the names', () => {
    expect(errorsOf({ tramos_consumo: [TIERS, [null, null, null, null, 0, null, 7]] })).toEqual([
      'tramos_consumo 2 - cliente: must not be empty',
      'tramos_consumo 2 - company_name: must not be empty',
      'tramos_consumo 2 - offer_name: must not be empty',
    ]);
    expect(errorsOf({ tramos_consumo: [TIERS, [null, 'Norte', 'Nadie', 'Estable', 0, null, 7]] })).toEqual([
      'tramos_consumo 2 - offer_name: no such offer',
    ]);
  });

  test('rows of a new offer whose own row cannot be read are not reported', () => {
    const unreadable = [...newRow('Sur', 'Gana', FORMULA), 1];
    const tramos_consumo = [TIERS, [null, 'Sur', 'Gana', 'Nueva', 0, null, 7]];
    expect(errorsOf({ ofertas: [[...NEW, 'is_indexed'], unreadable], tramos_consumo })).toEqual([
      'ofertas 2 - offer_name: must not be a formula',
    ]);
  });
});
