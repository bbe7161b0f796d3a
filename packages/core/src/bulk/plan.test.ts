import { describe, expect, test } from 'vitest';
import {
  CATALOG,
  CATALOG_STATE,
  errorsOf,
  FORMULA,
  MASKED,
  NEW,
  NO_COUNTS,
  NO_NAMES,
  newRow,
  OWN,
  outcomeOf,
  planOf,
  STATE,
  sheet,
  stored,
  type TestCell,
  TIERS,
  WITH_TIERS,
} from '../../test/simple-bulk.ts';

describe('A-42: rows of ofertas', () => {
  test('a row without an id creates an offer, and its company if the firm has none of that name', () => {
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

  test('a new offer needs a company, a name and a supply type', () => {
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
    expect(errorsOf({ ofertas: sheet(['offer_id', 'e1'], [10, 1], [12, 1], [10, 2]) })).toEqual([
      'ofertas 4 10 offer_id: the same offer is in row 2',
    ]);
  });

  test('the same new names twice are an error of the second row, ignoring case', () => {
    const rows = [newRow('Norte', 'Iber', 'Uno'), newRow('Sur', 'Iber', 'Uno'), newRow('norte', 'IBER', ' uno')];
    expect(errorsOf({ ofertas: [NEW, ...rows] })).toEqual(['ofertas 4 - offer_name: the same new offer is in row 2']);
  });

  test('an offer keeps its supply type', () => {
    expect(
      errorsOf({ ofertas: sheet(['offer_id', 'supply_type', 'gas_energy'], [10, 'GAS', 0.05], [11, 'gas', 0.05]) }),
    ).toEqual(['ofertas 2 10 supply_type: must stay LUZ']);
  });

  test('an offer moves to a company of the caller, never to one that does not exist', () => {
    const header = ['offer_id', 'cliente', 'company_name'];
    const move = (...cells: readonly TestCell[]) => ({ ofertas: [header, [10, ...cells]] });
    expect(planOf(move('Norte', 'gana')).changed[0]?.terms.companyId).toBe(2);
    expect(planOf(move('Sur', 'Iber')).changed[0]?.terms.companyId).toBe(3);
    expect(planOf({ ofertas: sheet(['offer_id', 'company_name'], [10, 'Gana']) }).changed[0]?.terms.companyId).toBe(2);
    expect(errorsOf(move('Sur', 'Gana'))).toEqual(['ofertas 2 10 company_name: no such company']);
    expect(errorsOf(move('Norte', 'Nueva'))).toEqual(['ofertas 2 10 company_name: no such company']);
    expect(errorsOf(move('Norte', ''))).toEqual(['ofertas 2 10 company_name: must not be empty']);
    expect(errorsOf(move('', 'Iber'))).toEqual(['ofertas 2 10 cliente: must not be empty']);
    expect(errorsOf({ ofertas: sheet(['offer_id', 'cliente'], [10, 'Norte']) })).toEqual([]);
    expect(errorsOf({ ofertas: sheet(['offer_id', 'cliente'], [10, 'Sur']) })).toEqual([
      "ofertas 2 10 cliente: is another firm's: company_name must say which company of it",
    ]);
    const catalog = { ofertas: sheet(['catalog_offer_id', 'company_name'], [10, 'Nueva']) };
    expect(errorsOf(catalog, CATALOG)).toEqual(['ofertas 2 10 company_name: no such company']);
  });

  test('a company that another row creates is still unknown to a row with an id', () => {
    const rows = [newRow('Norte', 'Nueva', 'Uno'), [10, 'Norte', 'Nueva', 'Estable', 'LUZ', '2.0TD', 1, 1]];
    expect(errorsOf({ ofertas: [NEW, ...rows] })).toEqual(['ofertas 3 10 company_name: no such company']);
  });

  test('all broken rules are reported at once, by column', () => {
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

  test('A-43: broken rules are reported together with wrong cells of other rows', () => {
    expect(errorsOf({ ofertas: sheet(['offer_id', 'e1', 'p1'], [10, FORMULA, 7], [12, 11, 0.1]) })).toEqual([
      'ofertas 2 10 e1: must not be a formula',
      'ofertas 3 12 e1: must be between 0 and 10 EUR/kWh',
    ]);
  });

  test('A-43: of a row with a wrong cell only its cells are reported, each once', () => {
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

describe('A-43: a wrong cell with the company or firm of an offer', () => {
  const header = ['offer_id', 'cliente', 'company_name'];

  test('is the only reported error, whatever the other cell contains', () => {
    expect(errorsOf({ ofertas: [header, [10, FORMULA, 'Gana'], [12, FORMULA, 'Gana'], [11, 'Sur', FORMULA]] })).toEqual(
      [
        'ofertas 2 10 cliente: must not be a formula',
        'ofertas 3 12 cliente: must not be a formula',
        'ofertas 4 11 company_name: must not be a formula',
      ],
    );
  });
});

describe('A-24: offers and firms of others', () => {
  const bound = { ...OWN, boundFirmId: 1 };

  test('a foreign and an unknown id get the same message, in every sheet', () => {
    const header = ['offer_id', 'reference_month'];
    const workbook = (id: number) => ({
      ofertas: sheet(['offer_id', 'e1'], [id, 1]),
      precios_indexados: [header, [id, '2026-01']],
      tramos_consumo: [TIERS, [id, ...NO_NAMES, 0, 5, 1]],
      borrar: [['offer_id'], [id]],
    });
    const words = (id: number) => errorsOf(workbook(id), bound).map((line) => line.replace(String(id), 'ID'));
    expect(words(12)).toEqual(words(99));
    expect(words(12)).toEqual([
      'ofertas 2 ID offer_id: no such offer',
      'precios_indexados 2 ID offer_id: no such offer',
      'tramos_consumo 2 ID offer_id: no such offer',
      'borrar 2 ID offer_id: no such offer',
    ]);
  });

  test('a foreign and an unknown firm get the same message, also next to an id', () => {
    const workbook = (firm: string) => ({
      ofertas: [NEW, newRow(firm, 'Iber', 'Uno')],
      tramos_consumo: [TIERS, [10, firm, null, null, 0, 5, 1]],
    });
    expect(errorsOf(workbook('Sur'), bound)).toEqual(errorsOf(workbook('Nadie'), bound));
    expect(errorsOf(workbook('Sur'), bound)).toEqual([
      'ofertas 2 - cliente: no such firm',
      'tramos_consumo 2 10 cliente: no such firm',
    ]);
  });

  test('a bound key need not name its firm', () => {
    const plan = planOf({ ofertas: [NEW, newRow('', 'Nueva', 'Uno')] }, bound);
    expect(plan.companies).toEqual([{ firmId: 1, name: 'Nueva' }]);
  });

  test('the catalog does not reach own offers, and an account does not reach those of the catalog', () => {
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
  test('an id twice, or in ofertas too, is an error', () => {
    const workbook = {
      ofertas: sheet(['offer_id', 'e1'], [12, 0.1]),
      borrar: [['offer_id'], [10], [12], [10]],
    };
    expect(errorsOf(workbook)).toEqual([
      'borrar 3 12 offer_id: the same offer is in row 2 of ofertas',
      'borrar 4 10 offer_id: the same offer is in row 2',
    ]);
  });

  test('an offer that breaks a current rule can be deactivated', () => {
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

describe('A-26: writing commissions without seeing them', () => {
  test('counts as a change, equal or not; without a commission column it does not', () => {
    const equal = { ofertas: sheet(['offer_id', 'commission'], [10, 0]) };
    expect(planOf(equal, MASKED).changed).toMatchObject([{ before: { id: 10 }, sections: ['commissions'] }]);
    expect(planOf(equal).changed).toEqual([]);
    expect(planOf({ ofertas: sheet(['offer_id', 'e1'], [10, 0.1]) }, MASKED).changed).toEqual([]);
    const tiers = { tramos_consumo: [TIERS, [10, ...NO_NAMES, 0, 5, 1]] };
    expect(planOf(tiers, MASKED, WITH_TIERS).changed).toMatchObject([
      { before: { id: 10 }, sections: ['commissions'] },
    ]);
  });

  test('uses every digit as it is sent, so that nothing reveals a similar stored value', () => {
    const tiers = { tramos_consumo: [TIERS, [10, ...NO_NAMES, 0, 0.3, 1], [10, ...NO_NAMES, 0.3, null, 1]] };
    const near = [
      { from: 0, to: 0.1 + 0.2, value: 1, type: 'fixed' },
      { from: 5, to: null, value: 1, type: 'fixed' },
    ] as const;
    const state = { ...STATE, offers: [stored({ id: 10, consumptionTiers: near })] };
    expect(planOf(tiers, MASKED, state).changed).toMatchObject([{ terms: { consumptionTiers: [{ to: 0.3 }, {}] } }]);
  });
});

test('changes are in order of id and creations in order of rows, so that locks have one order', () => {
  const plan = planOf({ ofertas: sheet(['offer_id', 'services_cost'], [12, 1], [10, 1], [11, 1]) });
  expect(plan.changed.map(({ before }) => before.id)).toEqual([10, 11, 12]);
});

test('an empty file does nothing', () => {
  const outcome = outcomeOf({});
  expect(outcome).toMatchObject({ kind: 'plan', plan: { changed: [], created: [], months: [], counts: NO_COUNTS } });
});
