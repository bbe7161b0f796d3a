import type { BulkState, MonthlyPrice } from '@tarifario/core';
import { describe, expect, test } from 'vitest';
import {
  CATALOG,
  CATALOG_STATE,
  errorsOf,
  FORMULA,
  OWN,
  outcomeOf,
  planOf,
  STATE,
  stored,
  type TestCell,
} from '../../test/simple-bulk.ts';

const NEW: readonly string[] = [
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
function newRow(cliente: TestCell, company: TestCell, name: TestCell, supply: TestCell = 'LUZ'): readonly TestCell[] {
  return [null, cliente, company, name, supply, supply === 'GAS' ? 'RL.1' : '2.0TD', 'si', 'x'];
}

const MASKED = { ...OWN, seesCommissions: false };
const TIERS = ['offer_id', 'cliente', 'company_name', 'offer_name', 'consumption_from', 'consumption_to', 'commission'];
const NO_NAMES = [null, null, null];

const WITH_TIERS: BulkState = {
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

const JANUARY: MonthlyPrice = {
  supplyType: 'LUZ',
  month: '2026-01-01',
  energyEurPerKwh: [0.05, 0.06, null, null, null, null],
  powerEurPerKwDay: [null, null, null, null, null, null],
};
const INDEXED: BulkState = {
  ...STATE,
  offers: [stored({ id: 10, isIndexed: true }, [JANUARY]), ...STATE.offers.slice(1)],
};

describe('A-42: rows of ofertas', () => {
  test('a row with an id replaces: what is empty is erased, what has no column stays', () => {
    const plan = planOf({
      ofertas: [
        ['offer_id', 'e1', 'e2'],
        [10, 0.15, ''],
      ],
    });
    expect(plan.changed).toHaveLength(1);
    expect(plan.changed[0]).toMatchObject({
      offerId: 10,
      countsAlways: false,
      terms: { offerName: 'Estable', energyEurPerKwh: [0.15, null, 0.3, null, null, null] },
    });
    expect(plan.counts).toMatchObject({ created: 0, replaced: 1 });
  });

  test('rows that change nothing count and are not written', () => {
    const plan = planOf({
      ofertas: [
        ['offer_id', 'e1'],
        [10, 0.1],
        [12, 0.2],
      ],
    });
    expect(plan.counts.replaced).toBe(2);
    expect(plan.changed.map(({ offerId }) => offerId)).toEqual([12]);
  });

  test('a row without an id creates, and its company if the firm has none of that name', () => {
    const plan = planOf({
      ofertas: [NEW, newRow('NORTE ', 'iber', 'Uno'), newRow('Sur', 'Gana', 'Dos'), newRow('sur', ' GANA', 'Tres')],
    });
    expect(plan.companies).toEqual([{ firmId: 2, name: 'Gana' }]);
    expect(plan.created.map(({ terms, newCompany }) => [terms.offerName, terms.companyId, newCompany])).toEqual([
      ['Uno', 1, null],
      ['Dos', 0, 0],
      ['Tres', 0, 0],
    ]);
    expect(plan.created[0]?.terms).toMatchObject({
      supplyType: 'LUZ',
      isActive: true,
      accepts: { dni: true, cif: false, cdad: false },
      commissionType: 'fixed',
    });
    expect(plan.counts).toMatchObject({ created: 3, companiesCreated: 1, replaced: 0 });
  });

  test('a catalog row needs no firm', () => {
    const header = NEW.filter((name) => name !== 'cliente').with(0, 'catalog_offer_id');
    const row = [null, 'Nueva', 'Uno', 'GAS', 'RL.1', 1, 1];
    const plan = planOf({ ofertas: [header, row] }, CATALOG);
    expect(plan.companies).toEqual([{ firmId: null, name: 'Nueva' }]);
    expect(plan.created[0]).toMatchObject({ newCompany: 0, terms: { supplyType: 'GAS' } });
  });

  test('a new offer says who sells it, what it is called and what it supplies', () => {
    expect(errorsOf({ ofertas: [['offer_name'], ['Uno']] })).toEqual([
      'ofertas 2 - cliente: must not be empty',
      'ofertas 2 - company_name: must not be empty',
      'ofertas 2 - supply_type: must not be empty',
    ]);
    expect(errorsOf({ ofertas: [NEW, [null, 'Norte', 'x'.repeat(201), null, 'LUZ', null, 1, 1]] })).toEqual([
      'ofertas 2 - company_name: must have 1 to 200 characters',
      'ofertas 2 - offer_name: must have 1 to 200 characters',
      'ofertas 2 - tariff_type: must have 1 to 32 characters',
    ]);
  });

  test('the same id twice is an error of the second row', () => {
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'e1'],
          [10, 1],
          [12, 1],
          [10, 2],
        ],
      }),
    ).toEqual(['ofertas 4 10 offer_id: the same offer is in row 2']);
  });

  test('the same new names twice are an error of the second row, in any case', () => {
    const rows = [newRow('Norte', 'Iber', 'Uno'), newRow('Sur', 'Iber', 'Uno'), newRow('norte', 'IBER', ' uno')];
    expect(errorsOf({ ofertas: [NEW, ...rows] })).toEqual(['ofertas 4 - offer_name: the same new offer is in row 2']);
  });

  test('an offer keeps its supply type', () => {
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'supply_type', 'gas_energy'],
          [10, 'GAS', 0.05],
          [11, 'gas', 0.05],
        ],
      }),
    ).toEqual(['ofertas 2 10 supply_type: must stay LUZ']);
  });

  test('an offer moves to a company of the caller, never to one that does not exist', () => {
    const header = ['offer_id', 'cliente', 'company_name'];
    const move = (...cells: readonly TestCell[]) => ({ ofertas: [header, [10, ...cells]] });
    expect(planOf(move('Norte', 'gana')).changed[0]?.terms.companyId).toBe(2);
    expect(planOf(move('Sur', 'Iber')).changed[0]?.terms.companyId).toBe(3);
    expect(
      planOf({
        ofertas: [
          ['offer_id', 'company_name'],
          [10, 'Gana'],
        ],
      }).changed[0]?.terms.companyId,
    ).toBe(2);
    expect(errorsOf(move('Sur', 'Gana'))).toEqual(['ofertas 2 10 company_name: no such company']);
    expect(errorsOf(move('Norte', 'Nueva'))).toEqual(['ofertas 2 10 company_name: no such company']);
    expect(errorsOf(move('Norte', ''))).toEqual(['ofertas 2 10 company_name: must not be empty']);
    expect(errorsOf(move('', 'Iber'))).toEqual(['ofertas 2 10 cliente: must not be empty']);
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'cliente'],
          [10, 'Norte'],
        ],
      }),
    ).toEqual([]);
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'cliente'],
          [10, 'Sur'],
        ],
      }),
    ).toEqual(["ofertas 2 10 cliente: is another firm's: company_name must say which company of it"]);
    const catalog = {
      ofertas: [
        ['catalog_offer_id', 'company_name'],
        [10, 'Nueva'],
      ],
    };
    expect(errorsOf(catalog, CATALOG)).toEqual(['ofertas 2 10 company_name: no such company']);
  });

  test('a company that another row creates is still unknown to a row with an id', () => {
    const rows = [newRow('Norte', 'Nueva', 'Uno'), [10, 'Norte', 'Nueva', 'Estable', 'LUZ', '2.0TD', 1, 1]];
    expect(errorsOf({ ofertas: [NEW, ...rows] })).toEqual(['ofertas 3 10 company_name: no such company']);
  });

  test('broken rules are named by their columns, all at once', () => {
    const header = ['offer_id', 'e1', 'p2', 'gas_energy', 'precio_excedentes', 'acepta_dni', 'territory_peninsula'];
    expect(
      errorsOf({ ofertas: [header, [10, 11, 36.5, 0.1, 0.05, 'no', 'no'], [11, 0.1, '', 0.1, '', 1, 1]] }),
    ).toEqual([
      'ofertas 2 10 gas_energy: is not a field of LUZ offers',
      'ofertas 2 10 e1: must be between 0 and 10 EUR/kWh',
      'ofertas 2 10 p2: must be between 0 and 1 EUR/kW·day',
      'ofertas 2 10 precio_excedentes: is allowed only on an offer for solar panels',
      'ofertas 2 10 territory_peninsula: at least one territory must be active',
      'ofertas 2 10 acepta_dni: at least one type of customer must be accepted',
      'ofertas 3 11 e1: is not a field of GAS offers',
    ]);
  });

  test('A-43: broken rules are told together with wrong cells of other rows', () => {
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'e1', 'p1'],
          [10, FORMULA, 7],
          [12, 11, 0.1],
        ],
      }),
    ).toEqual(['ofertas 2 10 e1: must not be a formula', 'ofertas 3 12 e1: must be between 0 and 10 EUR/kWh']);
  });

  test('A-43: of a row with a wrong cell only its cells are told, each once', () => {
    const row = [null, FORMULA, { kind: 'error', text: '#REF!' } as const, 'Uno', 'AGUA', null, 'no', 'no'];
    expect(errorsOf({ ofertas: [NEW, row] })).toEqual([
      'ofertas 2 - cliente: must not be a formula',
      'ofertas 2 - company_name: must not be an error',
      'ofertas 2 - supply_type: must be one of: LUZ, GAS',
    ]);
    const noFlags = [null, 'Norte', 'Iber', FORMULA, 'LUZ', '2.0TD', 'no', 'no'];
    expect(errorsOf({ ofertas: [NEW, noFlags] })).toEqual(['ofertas 2 - offer_name: must not be a formula']);
  });
});

describe('A-43: a wrong cell that says where an offer belongs', () => {
  const header = ['offer_id', 'cliente', 'company_name'];

  test('is told alone, whatever the cell beside it says', () => {
    expect(errorsOf({ ofertas: [header, [10, FORMULA, 'Gana'], [12, FORMULA, 'Gana'], [11, 'Sur', FORMULA]] })).toEqual(
      [
        'ofertas 2 10 cliente: must not be a formula',
        'ofertas 3 12 cliente: must not be a formula',
        'ofertas 4 11 company_name: must not be a formula',
      ],
    );
  });
});

describe('A-44: numbers of which a spreadsheet has kept 15 digits', () => {
  const third = 1 / 3;
  const cut = 0.333333333333333;
  const tier = { from: third, to: 2 / 3, value: third } as const;
  const month: MonthlyPrice = {
    supplyType: 'LUZ',
    month: '2026-01-01',
    energyEurPerKwh: [third, null, null, null, null, null],
    powerEurPerKwDay: [null, third, null, null, null, null],
  };
  const gasMonth = {
    supplyType: 'GAS',
    month: '2026-01-01',
    gasEnergyEurPerKwh: third,
    gasFixedEurPerMonth: third,
  } as const;
  const electricity = {
    energyEurPerKwh: [third, 0.2, 0.3],
    powerEurPerKwDay: [null, third],
    servicesEurPerMonth: third,
    feePowerEurPerMwh: third,
    hasSolarPanels: true,
    surplusEurPerKwh: third,
    commissionValue: third,
    consumptionTiers: [{ ...tier, type: 'fixed' }],
    powerTiers: [{ ...tier, type: 'per_kw' }],
    isIndexed: true,
  } as const;
  const gas = {
    companyId: 2,
    supplyType: 'GAS',
    tariffType: 'RL.1',
    energyEurPerKwh: undefined,
    isIndexed: true,
  } as const;
  const state = {
    ...STATE,
    offers: [
      stored({ id: 10, ...electricity }, [month]),
      stored({ id: 11, ...gas, gasEnergyEurPerKwh: third, gasFixedEurPerMonth: third }, [gasMonth]),
    ],
  };
  const columns = [
    'e1',
    'p2',
    'services_cost',
    'fee_power',
    'precio_excedentes',
    'commission',
    'gas_energy',
    'gas_fixed',
  ];
  const bookWith = (number: number, twice: number) => ({
    ofertas: [
      ['offer_id', ...columns],
      [10, number, number, number, number, number, number, '', ''],
      [11, '', '', '', '', '', 0, number, number],
    ],
    precios_indexados: [
      ['offer_id', 'reference_month', 'e1', 'p2', 'gas_energy', 'gas_fixed'],
      [10, '2026-01', number, number, '', ''],
      [11, '2026-01', '', '', number, number],
    ],
    tramos_consumo: [
      ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
      [10, number, twice, number],
    ],
    tramos_potencia: [
      ['offer_id', 'power_from', 'power_to', 'commission', 'commission_type'],
      [10, number, twice, number, 'per_kw'],
    ],
  });

  test('are those that are stored', () => {
    expect(cut).not.toBe(third);
    const { changed, months, counts } = planOf(bookWith(cut, 0.666666666666667), OWN, state);
    expect([changed, months]).toEqual([[], []]);
    expect(counts).toMatchObject({ replaced: 2, pricesUpserted: 2, tiersReplaced: 2 });
  });

  test('are those that are stored wherever the rows of the tiers stand by now', () => {
    const bounds = [0, third, 2 / 3, 1];
    const lower = bounds
      .slice(0, 3)
      .map((from, index) => ({ from, to: bounds[index + 1] ?? null, value: index + third }));
    const tiers = {
      ...STATE,
      offers: [
        stored({
          id: 10,
          consumptionTiers: lower.map((one) => ({ ...one, type: 'fixed' as const })),
          powerTiers: lower.map((one) => ({ ...one, type: 'fixed' as const })),
        }),
      ],
    };
    const [a, b, c] = [
      [10, 0, cut, cut],
      [10, cut, 0.666666666666667, 1.33333333333333],
      [10, 0.666666666666667, 1, 2.33333333333333],
    ];
    const headers = (what: string) => ['offer_id', `${what}_from`, `${what}_to`, 'commission'];
    for (const rows of [
      [a, c, b],
      [c, b, a],
      [c, a, b],
    ]) {
      const book = {
        tramos_consumo: [headers('consumption'), ...rows],
        tramos_potencia: [headers('power'), ...rows],
      };
      expect(errorsOf(book, OWN, tiers)).toEqual([]);
      expect(planOf(book, OWN, tiers).changed).toEqual([]);
    }
    // One is gone, and one is split: what is left keeps the bounds that it had.
    const split = [a, [10, cut, 0.5, 7], [10, 0.5, 0.666666666666667, 8]];
    expect(planOf({ tramos_consumo: [headers('consumption'), ...split] }, OWN, tiers).changed[0]?.terms).toMatchObject({
      consumptionTiers: [
        { from: 0, to: third, value: third },
        { from: third, to: 0.5, value: 7 },
        { from: 0.5, to: 2 / 3, value: 8 },
      ],
    });
  });

  test('are others when a digit that was kept is another', () => {
    const { changed, months } = planOf(bookWith(0.333333333333334, 0.666666666666668), OWN, state);
    expect(changed[0]?.terms).toMatchObject({
      energyEurPerKwh: [0.333333333333334, 0.2, 0.3, null, null, null],
      surplusEurPerKwh: 0.333333333333334,
      consumptionTiers: [{ from: 0.333333333333334, to: 0.666666666666668, value: 0.333333333333334 }],
      powerTiers: [{ from: 0.333333333333334, to: 0.666666666666668, value: 0.333333333333334 }],
    });
    expect(changed[1]?.terms).toMatchObject({ gasEnergyEurPerKwh: 0.333333333333334 });
    expect(months.map(({ price }) => price)).toMatchObject([
      { energyEurPerKwh: [0.333333333333334, null, null, null, null, null] },
      { gasEnergyEurPerKwh: 0.333333333333334 },
    ]);
  });
});

describe('A-24: whose offers', () => {
  const bound = { ...OWN, boundFirmId: 1 };

  test('a foreign and a missing id are told in one text, in every sheet', () => {
    const header = ['offer_id', 'reference_month'];
    const book = (id: number) => ({
      ofertas: [
        ['offer_id', 'e1'],
        [id, 1],
      ],
      precios_indexados: [header, [id, '2026-01']],
      tramos_consumo: [TIERS, [id, ...NO_NAMES, 0, 5, 1]],
      borrar: [['offer_id'], [id]],
    });
    const words = (id: number) => errorsOf(book(id), bound).map((line) => line.replace(String(id), 'ID'));
    expect(words(12)).toEqual(words(99));
    expect(words(12)).toEqual([
      'ofertas 2 ID offer_id: no such offer',
      'precios_indexados 2 ID offer_id: no such offer',
      'tramos_consumo 2 ID offer_id: no such offer',
      'borrar 2 ID offer_id: no such offer',
    ]);
  });

  test('a foreign and a missing firm are told in one text, also beside an id', () => {
    const book = (firm: string) => ({
      ofertas: [NEW, newRow(firm, 'Iber', 'Uno')],
      tramos_consumo: [TIERS, [10, firm, null, null, 0, 5, 1]],
    });
    expect(errorsOf(book('Sur'), bound)).toEqual(errorsOf(book('Nadie'), bound));
    expect(errorsOf(book('Sur'), bound)).toEqual([
      'ofertas 2 - cliente: no such firm',
      'tramos_consumo 2 10 cliente: no such firm',
    ]);
  });

  test('a bound key need not name its firm', () => {
    const plan = planOf({ ofertas: [NEW, newRow('', 'Nueva', 'Uno')] }, bound);
    expect(plan.companies).toEqual([{ firmId: 1, name: 'Nueva' }]);
  });

  test('the catalog has no own offers, and the account none of the catalog', () => {
    const mixed = {
      ...STATE,
      companies: [...STATE.companies, ...CATALOG_STATE.companies.map((c) => ({ ...c, id: c.id + 50 }))],
    };
    const offers = [...STATE.offers, stored({ id: 60, companyId: 51 })];
    const state = { ...mixed, offers };
    expect(errorsOf({ borrar: [['offer_id'], [60]] }, OWN, state)).toEqual(['borrar 2 60 offer_id: no such offer']);
    expect(errorsOf({ borrar: [['catalog_offer_id'], [10]] }, CATALOG, state)).toHaveLength(1);
    expect(planOf({ borrar: [['catalog_offer_id'], [60]] }, CATALOG, state).counts.deactivated).toBe(1);
  });
});

describe('A-42: borrar', () => {
  test('deactivates, and counts an offer that is inactive already', () => {
    const state = { ...STATE, offers: [...STATE.offers, stored({ id: 13, isActive: false })] };
    const plan = planOf({ borrar: [['offer_id'], [13], [10]] }, OWN, state);
    expect(plan.counts.deactivated).toBe(2);
    expect(plan.changed).toMatchObject([{ offerId: 10, terms: { isActive: false, offerName: 'Estable' } }]);
  });

  test('an id twice, or in ofertas too, is an error', () => {
    const book = {
      ofertas: [
        ['offer_id', 'e1'],
        [12, 0.1],
      ],
      borrar: [['offer_id'], [10], [12], [10]],
    };
    expect(errorsOf(book)).toEqual([
      'borrar 3 12 offer_id: the same offer is in row 2 of ofertas',
      'borrar 4 10 offer_id: the same offer is in row 2',
    ]);
  });

  test('an offer that would not be accepted today can be deactivated', () => {
    const [entry] = STATE.offers;
    if (!entry) throw new Error('no offer');
    const old = {
      ...entry.offer,
      territories: { peninsula: false, canarias: false, baleares: false, ceuta_melilla: false },
    };
    const state = { ...STATE, offers: [{ offer: old, months: [] }] };
    expect(planOf({ borrar: [['offer_id'], [10]] }, OWN, state).changed[0]?.terms.isActive).toBe(false);
    expect(errorsOf({ tramos_consumo: [TIERS, [10, ...NO_NAMES, 0, 5, 1]] }, OWN, state)).toEqual([
      'tramos_consumo 2 10 -: the offer at least one territory must be active',
    ]);
  });
});

describe('A-42: tiers', () => {
  const rows = (...lists: readonly (readonly TestCell[])[]) => [
    TIERS,
    ...lists.map((cells) => [10, ...NO_NAMES, ...cells]),
  ];

  test('a sheet replaces the tiers of the offers in it, in order, and leaves the others alone', () => {
    const plan = planOf({ tramos_consumo: rows([5, null, 3], [0, 5, 2]) }, OWN, WITH_TIERS);
    expect(plan.changed).toMatchObject([
      {
        offerId: 10,
        terms: {
          consumptionTiers: [
            { from: 0, to: 5, value: 2, type: 'fixed' },
            { from: 5, to: null, value: 3, type: 'fixed' },
          ],
          powerTiers: [{ value: 2 }],
        },
      },
    ]);
    expect(plan.counts).toMatchObject({ tiersReplaced: 2, replaced: 0 });
  });

  test('a sheet empties the tiers of offers that only ofertas names, with a warning', () => {
    const plan = planOf({ ofertas: [['offer_id'], [10], [12]], tramos_consumo: [TIERS] }, OWN, WITH_TIERS);
    expect(plan.changed).toMatchObject([{ offerId: 10, terms: { consumptionTiers: [], powerTiers: [{ value: 2 }] } }]);
    expect(plan.warnings).toEqual([{ code: 'tiers_emptied', sheet: 'tramos_consumo', count: 1, rows: [2] }]);
  });

  test('A-26: without commissions:read the warning does not tell who has tiers', () => {
    const plan = planOf({ ofertas: [['offer_id'], [10], [12]], tramos_consumo: [TIERS] }, MASKED, WITH_TIERS);
    expect(plan.warnings).toEqual([{ code: 'tiers_emptied', sheet: 'tramos_consumo', count: 2, rows: [2, 3] }]);
  });

  test('without the sheet tiers stay', () => {
    expect(
      planOf(
        {
          ofertas: [
            ['offer_id', 'e1'],
            [10, 0.1],
          ],
        },
        OWN,
        WITH_TIERS,
      ).changed,
    ).toEqual([]);
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

  test('tiers of a row of ofertas that is wrong are judged all the same', () => {
    const book = {
      ofertas: [
        ['offer_id', 'e1'],
        [10, 'x'],
      ],
      tramos_consumo: rows([5, 4, 1]),
    };
    expect(errorsOf(book)).toEqual([
      'ofertas 2 10 e1: must be a number, such as 1234,56, without unit or thousands separators',
      'tramos_consumo 2 10 consumption_to: must be greater than the lower bound',
    ]);
  });

  test('gas has no tiers of power, and loses none where the sheet is there', () => {
    const header = ['offer_id', 'power_from', 'commission', 'commission_type'];
    expect(errorsOf({ tramos_potencia: [header, [10, 0, 1, 'per_kw'], [11, 0, 1, 'fixed']] })).toEqual([
      'tramos_potencia 3 11 -: only LUZ offers have tiers of power',
    ]);
    expect(planOf({ ofertas: [['offer_id'], [11]], tramos_potencia: [header] }).changed).toEqual([]);
  });
});

describe('A-42: monthly prices', () => {
  const HEADER = ['offer_id', 'reference_month', 'e1', 'e2', 'p1'];

  test('upsert a month: empty erases, no column keeps, other months stay', () => {
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
        price: { ...JANUARY, month: '2026-02-01', energyEurPerKwh: [-0.01, null, null, null, null, null] },
      },
    ]);
    expect(plan.counts.pricesUpserted).toBe(2);
    expect(plan.changed).toEqual([]);
  });

  test('an equal month counts and is not written', () => {
    const plan = planOf({ precios_indexados: [HEADER, [10, '2026-01-01', 0.05, 0.06]] }, OWN, INDEXED);
    expect(plan).toMatchObject({ months: [], counts: { pricesUpserted: 1 } });
  });

  test('only indexed offers have them, as the file leaves the offer', () => {
    const prices = { precios_indexados: [HEADER, [10, '2026-01', 0.1]] };
    expect(errorsOf(prices)).toEqual(['precios_indexados 2 10 -: only indexed offers have monthly prices']);
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'is_indexed'],
          [10, 'si'],
        ],
        ...prices,
      }),
    ).toEqual([]);
    expect(
      errorsOf(
        {
          ofertas: [
            ['offer_id', 'is_indexed'],
            [10, ''],
          ],
          ...prices,
        },
        OWN,
        INDEXED,
      ),
    ).toHaveLength(1);
    // Whether it would be indexed is not known: nothing is said about it.
    expect(
      errorsOf({
        ofertas: [
          ['offer_id', 'is_indexed'],
          [10, '?'],
        ],
        ...prices,
      }),
    ).toHaveLength(1);
  });

  test('bounds and fields of the other supply type are told by column', () => {
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
  const LINKED = ['offer_id', 'cliente', 'company_name', 'offer_name', 'reference_month', 'e1'];
  const ofertas = [
    [...NEW, 'is_indexed'],
    [...newRow('Sur', 'Gana', 'Nueva'), 1],
  ];

  test('prices and tiers of a new offer find it, also in a new company', () => {
    const plan = planOf({
      ofertas,
      precios_indexados: [LINKED, [null, 'sur', 'GANA', 'nueva ', '2026-01', 0.1]],
      tramos_consumo: [TIERS, [null, 'Sur', 'Gana', 'Nueva', 0, null, 7]],
    });
    expect(plan.created).toMatchObject([{ newCompany: 0, terms: { consumptionTiers: [{ value: 7 }] } }]);
    expect(plan.months).toMatchObject([{ row: 2, offerId: null, created: 0, price: { month: '2026-01-01' } }]);
  });

  test('an existing offer is found by its names too', () => {
    const plan = planOf({ tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'ESTABLE', 0, null, 7]] });
    expect(plan.changed).toMatchObject([{ offerId: 10, terms: { consumptionTiers: [{ value: 7 }] } }]);
  });

  test('by the names that it has once the file is applied', () => {
    const renamed = [
      ['offer_id', 'offer_name'],
      [10, 'Otra'],
    ];
    const tiers = (name: string) => ({
      ofertas: renamed,
      tramos_consumo: [TIERS, [null, 'Norte', 'Iber', name, 0, null, 7]],
    });
    expect(planOf(tiers('otra')).changed).toHaveLength(1);
    expect(errorsOf(tiers('Estable'))).toEqual(['tramos_consumo 2 - offer_name: no such offer']);
  });

  test('names that several offers have are an error, and a new one that repeats a name is a warning', () => {
    const book = { ofertas: [NEW, newRow('Norte', 'Iber', 'estable')] };
    expect(planOf(book).warnings).toEqual([{ code: 'name_repeated', sheet: 'ofertas', count: 1, rows: [2] }]);
    const tiers = { tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'Estable', 0, null, 7]] };
    expect(errorsOf({ ...book, ...tiers })).toEqual([
      'tramos_consumo 2 - offer_name: several offers have this name: offer_id must say which',
    ]);
  });

  test('a deactivated offer does not stand in the way of a new one of its name', () => {
    const book = {
      ofertas: [NEW, newRow('Norte', 'Iber', 'Estable')],
      borrar: [['offer_id'], [10]],
      tramos_consumo: [TIERS, [null, 'Norte', 'Iber', 'Estable', 0, null, 7]],
    };
    expect(planOf(book)).toMatchObject({ created: [{ terms: { consumptionTiers: [{ value: 7 }] } }], warnings: [] });
  });

  test('a row without an id says all the names', () => {
    expect(errorsOf({ tramos_consumo: [TIERS, [null, null, null, null, 0, null, 7]] })).toEqual([
      'tramos_consumo 2 - cliente: must not be empty',
      'tramos_consumo 2 - company_name: must not be empty',
      'tramos_consumo 2 - offer_name: must not be empty',
    ]);
    expect(errorsOf({ tramos_consumo: [TIERS, [null, 'Norte', 'Nadie', 'Estable', 0, null, 7]] })).toEqual([
      'tramos_consumo 2 - offer_name: no such offer',
    ]);
  });

  test('rows of a new offer whose own row cannot be read are not blamed for it', () => {
    const unreadable = [...newRow('Sur', 'Gana', FORMULA), 1];
    const tramos_consumo = [TIERS, [null, 'Sur', 'Gana', 'Nueva', 0, null, 7]];
    expect(errorsOf({ ofertas: [[...NEW, 'is_indexed'], unreadable], tramos_consumo })).toEqual([
      'ofertas 2 - offer_name: must not be a formula',
    ]);
  });
});

describe('A-26: writing commissions without seeing them', () => {
  test('counts as a change, equal or not; without a commission column it does not', () => {
    const equal = {
      ofertas: [
        ['offer_id', 'commission'],
        [10, 0],
      ],
    };
    expect(planOf(equal, MASKED).changed).toMatchObject([{ offerId: 10, countsAlways: true }]);
    expect(planOf(equal).changed).toEqual([]);
    expect(
      planOf(
        {
          ofertas: [
            ['offer_id', 'e1'],
            [10, 0.1],
          ],
        },
        MASKED,
      ).changed,
    ).toEqual([]);
    const tiers = { tramos_consumo: [TIERS, [10, ...NO_NAMES, 0, 5, 1]] };
    expect(planOf(tiers, MASKED, WITH_TIERS).changed).toMatchObject([{ offerId: 10, countsAlways: true }]);
  });

  test('takes every digit as it is sent: that those stored are near is told to nobody', () => {
    const tiers = { tramos_consumo: [TIERS, [10, ...NO_NAMES, 0, 0.3, 1], [10, ...NO_NAMES, 0.3, null, 1]] };
    const near = [
      { from: 0, to: 0.1 + 0.2, value: 1, type: 'fixed' },
      { from: 5, to: null, value: 1, type: 'fixed' },
    ] as const;
    const state = { ...STATE, offers: [stored({ id: 10, consumptionTiers: near })] };
    expect(planOf(tiers, MASKED, state).changed).toMatchObject([{ terms: { consumptionTiers: [{ to: 0.3 }, {}] } }]);
  });
});

test('changes come by ascending id and creations by row, ready to be locked in order', () => {
  const plan = planOf({
    ofertas: [
      ['offer_id', 'services_cost'],
      [12, 1],
      [10, 1],
      [11, 1],
    ],
  });
  expect(plan.changed.map(({ offerId }) => offerId)).toEqual([10, 11, 12]);
});

test('an empty file does nothing', () => {
  const outcome = outcomeOf({});
  const counts = { created: 0, replaced: 0, deactivated: 0, companiesCreated: 0, pricesUpserted: 0, tiersReplaced: 0 };
  expect(outcome).toMatchObject({ kind: 'plan', plan: { changed: [], created: [], months: [], counts } });
});
