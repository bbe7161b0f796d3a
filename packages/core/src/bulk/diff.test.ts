import { describe, expect, test } from 'vitest';
import { MASKED, NEW, newRow, OWN, planOf, STATE, sheet, stored, type TestWorkbook } from '../../test/simple-bulk.ts';
import { luzMonth } from '../../testing/contract/world.ts';
import { diffOf } from './diff.ts';
import { MAX_ROWS_SHOWN } from './row-errors.ts';

const state = {
  ...STATE,
  offers: [
    stored({ id: 10, commissionValue: 7919, consumptionTiers: [{ from: 0, to: 5, value: 7919, type: 'fixed' }] }),
    ...STATE.offers.slice(1),
    stored({ id: 13, isIndexed: true }, [luzMonth('2026-01-01', 0.05)]),
  ],
};

/** The entries as `sheet row id field: before -> after`. */
function linesOf(workbook: TestWorkbook, rights = OWN, from = state): readonly string[] {
  const { entries, count } = diffOf(planOf(workbook, rights, from), from, rights);
  expect(count).toBe(entries.length);
  return entries.map(({ sheet, row, offerId, field, before, after }) => {
    return `${sheet} ${row} ${offerId ?? '-'} ${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
  });
}

const TIERS = ['offer_id', 'consumption_from', 'commission'];

describe('A-46: the diff of a dry run', () => {
  test('A-46: names each changed field with its old and new value', () => {
    const header = ['offer_id', 'cliente', 'company_name', 'e1', 'e2', 'communities', 'commission'];
    const workbook = {
      ofertas: [header, [10, 'Sur', 'Iber', 0.15, 0.2, 'murcia, madrid', 3]],
      borrar: [['offer_id'], [12]],
    };
    expect(linesOf(workbook)).toEqual([
      'ofertas 2 10 cliente: "Norte" -> "Sur"',
      'ofertas 2 10 e1: 0.1 -> 0.15',
      'ofertas 2 10 commission: 7919 -> 3',
      'ofertas 2 10 communities: null -> "madrid,murcia"',
      'borrar 2 12 is_active: true -> false',
    ]);
  });

  test('shows lists of tiers at their first row, or at the row of the offer that lost them', () => {
    const before = '[{"from":0,"to":5,"value":7919,"type":"fixed"}]';
    expect(linesOf({ tramos_consumo: [TIERS, [10, 2, 1]] })).toEqual([
      `tramos_consumo 2 10 commission_tiers: ${before} -> [{"from":2,"to":null,"value":1,"type":"fixed"}]`,
    ]);
    expect(linesOf({ ofertas: [['offer_id'], [10]], tramos_consumo: [TIERS] })).toEqual([
      `ofertas 2 10 commission_tiers: ${before} -> []`,
    ]);
  });

  test('shows new offers, new companies and months', () => {
    const lines = linesOf({
      ofertas: [NEW, newRow('norte', 'Nueva', 'Uno', 'GAS')],
      precios_indexados: sheet(['offer_id', 'reference_month', 'e1'], [13, '2026-01', 0.06], [13, '2026-02', 0.07]),
    });
    expect(lines).toContain('ofertas 2 - cliente: null -> "Norte"');
    expect(lines).toContain('ofertas 2 - company_name: null -> "Nueva"');
    expect(lines).toContain('ofertas 2 - supply_type: null -> "GAS"');
    expect(lines.filter((line) => line.startsWith('precios'))).toEqual([
      'precios_indexados 2 13 e1: 0.05 -> 0.06',
      'precios_indexados 3 13 reference_month: null -> "2026-02-01"',
      'precios_indexados 3 13 e1: null -> 0.07',
    ]);
  });

  test('A-46: names the stored offer and company, or those that the file creates', () => {
    const workbook = {
      ofertas: [
        [...NEW, 'is_indexed', 'e1'],
        [10, ...newRow('Sur', 'Iber', 'Otra').slice(1), 0, 0.1],
        [...newRow('Norte', 'Nueva', 'Uno'), 1, 0.2],
      ],
      precios_indexados: sheet(
        ['offer_id', 'cliente', 'company_name', 'offer_name', 'reference_month', 'e1'],
        [13, null, null, null, '2026-01', 0.06],
        [null, 'Norte', 'Nueva', 'Uno', '2026-01', 0.06],
      ),
      tramos_consumo: [TIERS, [12, 2, 1]],
      borrar: [['offer_id'], [12]],
    };
    const { entries } = diffOf(planOf(workbook, OWN, state), state, OWN);
    const names = entries.map(
      ({ sheet, row, offerName, companyName }) => `${sheet} ${row} ${offerName} / ${companyName}`,
    );
    expect([...new Set(names)]).toEqual([
      'ofertas 2 Estable / Iber',
      'ofertas 3 Uno / Nueva',
      'precios_indexados 2 Estable / Iber',
      'precios_indexados 3 Uno / Nueva',
      'tramos_consumo 2 Sureña / Iber',
      'borrar 2 Sureña / Iber',
    ]);
  });

  test('A-46: lists a thousand entries and counts all', () => {
    const offers = Array.from({ length: 1200 }, (_, index) => stored({ id: index + 1 }));
    const ofertas = [['offer_id', 'e1'], ...offers.map(({ offer }) => [offer.id, 0.5])];
    const many = { ...STATE, offers };
    const diff = diffOf(planOf({ ofertas }, OWN, many), many, OWN);
    expect(diff.count).toBe(1200);
    expect(diff.entries).toHaveLength(MAX_ROWS_SHOWN);
    expect(diff.entries.at(-1)?.row).toBe(1001);
  });
});

describe('A-26: the diff for a caller who may not see commissions', () => {
  const header = ['offer_id', 'e1', 'commission', 'commission_type'];
  const write = (commission: number) => ({
    ofertas: [header, [10, 0.1, commission, 'fixed'], [12, 0.15, commission, 'fixed']],
    tramos_consumo: [TIERS, [10, 0, commission]],
  });

  test('has an entry without values for each commission that is written', () => {
    expect(linesOf(write(1), MASKED)).toEqual([
      'ofertas 2 10 commission: null -> null',
      'ofertas 2 10 commission_type: null -> null',
      'ofertas 3 12 e1: 0.1 -> 0.15',
      'ofertas 3 12 commission: null -> null',
      'ofertas 3 12 commission_type: null -> null',
      'ofertas 3 12 commission_tiers: null -> null',
      'tramos_consumo 2 10 commission_tiers: null -> null',
    ]);
  });

  test('A-46: is the same for all stored and all written commissions', () => {
    const [first, ...rest] = state.offers;
    const other = { ...state, offers: [stored({ id: 10 }), ...rest] };
    expect(first?.offer.commissionValue).toBe(7919);
    expect(linesOf(write(1), MASKED, other)).toEqual(linesOf(write(7919), MASKED));
  });

  test('has no entries for columns that the file does not have', () => {
    expect(linesOf({ ofertas: sheet(['offer_id', 'e1'], [10, 0.15]) }, MASKED)).toEqual([
      'ofertas 2 10 e1: 0.1 -> 0.15',
    ]);
  });
});
