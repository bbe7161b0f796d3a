import { describe, expect, test } from 'vitest';
import {
  CATALOG,
  CATALOG_STATE,
  errorsOf,
  MASKED,
  OWN,
  planOf,
  STATE,
  stored,
  type TestWorkbook,
  WITH_TIERS,
} from '../../test/simple-bulk.ts';
import { luzMonth } from '../../testing/contract/world.ts';
import { defineOffer } from '../engine/offers/define-offer.ts';
import type { MonthlyPrice, Offer } from '../engine/offers/offer.ts';
import { offerCells } from './offer-cells.ts';
import { digest, versionOfMonth, versionOfOffer } from './row-version.ts';
import { LATER_COLUMNS, OFFER_COLUMNS } from './sheets.ts';
import type { BulkRights, BulkState } from './state.ts';
import { templateOf } from './template.ts';

/** A template as a book that a test may edit. */
function templateWorkbook(state: BulkState, rights: BulkRights, kind: 'fixed' | 'indexed' = 'fixed') {
  const sheets = templateOf(state, rights, { kind, supplyType: null, includeInactive: true });
  return Object.fromEntries(
    sheets.flatMap((sheet) =>
      sheet.kind === 'table' ? [[sheet.name, [sheet.columns.map(({ header }) => header), ...sheet.rows]] as const] : [],
    ),
  );
}

/** The book with one cell of a row, 2 is the first, put to a value. */
function edited(
  workbook: TestWorkbook,
  sheet: string,
  { row, ...cells }: { readonly row: number } & Record<string, unknown>,
): TestWorkbook {
  const [header = [], ...rows] = workbook[sheet] ?? [];
  const change = (line: readonly unknown[]) =>
    line.map((cell, index) => (Object.hasOwn(cells, String(header[index])) ? cells[String(header[index])] : cell));
  return {
    ...workbook,
    [sheet]: [header, ...rows.map((line, index) => (index === row - 2 ? change(line) : line))],
  } as TestWorkbook;
}

function withOffer(state: BulkState, id: number, changes: Partial<Offer>): BulkState {
  const offers = state.offers.map((entry) =>
    entry.offer.id === id ? { ...entry, offer: { ...entry.offer, ...changes } as Offer } : entry,
  );
  return { ...state, offers };
}

test('A-67: the version of a row is its last column, but for an offer, where the fields of its contract follow', () => {
  const last = Object.entries({ ...templateWorkbook(WITH_TIERS, OWN), ...templateWorkbook(WITH_TIERS, OWN, 'indexed') })
    .filter(([, [header = []]]) => header.includes('version'))
    .map(([name, [header = []]]) => [name, header.at(-1)]);
  expect(Object.fromEntries(last)).toEqual(
    Object.fromEntries(last.map(([name]) => [name, name === 'ofertas' ? 'requisitos' : 'version'])),
  );
  expect(last.length).toBeGreaterThan(2);
});

const SINCE = 'was changed since the template was made';

describe('A-67: a row of a template whose offer was changed since', () => {
  const template = templateWorkbook(WITH_TIERS, OWN);
  const now = withOffer(WITH_TIERS, 10, { energyEurPerKwh: [0.11, 0.2, 0.3, null, null, null] });

  test('is an error for every value that it would revert, with both values', () => {
    expect(errorsOf(template, OWN, now)).toEqual([`ofertas 2 10 e1: ${SINCE}: the file has 0.1, stored is 0.11`]);
    const edit = edited(template, 'ofertas', { row: 2, e2: 0.25, p1: 0.01 });
    expect(errorsOf(edit, OWN, now)).toEqual([
      `ofertas 2 10 e1: ${SINCE}: the file has 0.1, stored is 0.11`,
      `ofertas 2 10 e2: ${SINCE}: the file has 0.25, stored is 0.2`,
      `ofertas 2 10 p1: ${SINCE}: the file has 0.01, stored is nothing`,
    ]);
  });

  test('is no error where the file has the current value', () => {
    const same = edited(template, 'ofertas', { row: 2, e1: 0.11 });
    expect(planOf(same, OWN, now)).toMatchObject({ changed: [], months: [] });
  });

  test('is applied with force, or without a version', () => {
    const forced = planOf(template, { ...OWN, force: true }, now);
    expect(forced.changed).toMatchObject([
      { before: { id: 10 }, terms: { energyEurPerKwh: [0.1, 0.2, 0.3, null, null, null] } },
    ]);
    for (const version of [null, '', 'v11-abc', 'algo', 'v10']) {
      expect(planOf(edited(template, 'ofertas', { row: 2, version }), OWN, now).changed).toHaveLength(1);
    }
  });

  test('prevents the whole file, and other rows are not reported', () => {
    const edit = edited(template, 'ofertas', { row: 3, gas_energy: 0.06 });
    expect(errorsOf(edit, OWN, now)).toHaveLength(1);
    expect(planOf(edit, OWN, WITH_TIERS).changed).toMatchObject([{ before: { id: 11 } }]);
  });

  test('a copied row that creates an offer is not compared', () => {
    const copy = edited(template, 'ofertas', { row: 2, offer_id: null, offer_name: 'Copia' });
    expect(planOf({ ofertas: copy.ofertas ?? [] }, OWN, now).created).toHaveLength(1);
  });

  test('shows companies by name, and a renamed company makes no row outdated', () => {
    const moved = withOffer(WITH_TIERS, 10, { companyId: 2 });
    expect(errorsOf(template, OWN, moved)).toEqual([
      `ofertas 2 10 company_name: ${SINCE}: the file has Iber, stored is Gana`,
    ]);
    const companies = STATE.companies.map((company) => (company.id === 1 ? { ...company, logoUrl: 'x' } : company));
    expect(errorsOf(template, OWN, { ...WITH_TIERS, companies })).toEqual([]);
  });

  test('reports tiers at their rows, also if the file has only their sheet', () => {
    const tiers = [{ from: 0, to: 9, value: 4, type: 'fixed' }] as const;
    const other = withOffer(WITH_TIERS, 10, { consumptionTiers: tiers });
    const words = 'the file has 0 to 5 1 fixed, stored is 0 to 9 4 fixed';
    const error = `tramos_consumo 2 10 -: the list of tiers ${SINCE}: ${words}`;
    expect(errorsOf(template, OWN, other)).toEqual([error]);
    expect(errorsOf({ tramos_consumo: template.tramos_consumo ?? [] }, OWN, other)).toEqual([error]);
    expect(errorsOf(template, OWN, withOffer(WITH_TIERS, 10, { commissionValue: 7 }))).toEqual([
      `ofertas 2 10 commission: ${SINCE}: the file has 0, stored is 7`,
    ]);
    const [header = []] = template.tramos_consumo ?? [];
    expect(errorsOf({ ...template, tramos_consumo: [header] }, OWN, other)).toEqual([
      `ofertas 2 10 commission: the list of tiers in tramos_consumo ${SINCE}: the file has nothing, stored is 0 to 9 4 fixed`,
    ]);
    const { tramos_consumo: _tiers, ...rest } = template;
    expect(errorsOf(rest, OWN, other)).toEqual([]);
  });

  test('of the catalog is an error too', () => {
    const changed = withOffer(CATALOG_STATE, 10, { servicesEurPerMonth: 3 });
    expect(errorsOf(templateWorkbook(CATALOG_STATE, CATALOG), CATALOG, changed)).toEqual([
      `ofertas 2 10 services_cost: ${SINCE}: the file has nothing, stored is 3`,
    ]);
  });
});

describe('A-67: a row of a month that was changed since', () => {
  const month = (energy: number, name = '2026-01-01') => luzMonth(name, energy);
  const withMonths = (...months: MonthlyPrice[]): BulkState => ({
    ...STATE,
    offers: [stored({ id: 10, isIndexed: true }, months)],
  });
  const state = withMonths(month(0.1));
  const template = templateWorkbook(state, OWN, 'indexed');

  test('is an error with both values, and a month of another row is not', () => {
    const edit = edited(template, 'precios_indexados', { row: 2, e2: 0.5 });
    expect(errorsOf(edit, OWN, withMonths(month(0.2), month(0.3, '2026-02-01')))).toEqual([
      `precios_indexados 2 10 e1: ${SINCE}: the file has 0.1, stored is 0.2`,
      `precios_indexados 2 10 e2: ${SINCE}: the file has 0.5, stored is nothing`,
    ]);
    expect(planOf(edit, OWN, withMonths(month(0.1), month(0.3, '2026-02-01'))).months).toHaveLength(1);
  });

  test('is an error where the month was deleted, and applied with force', () => {
    const message = 'the month was deleted since the template was made';
    expect(errorsOf(template, OWN, withMonths())).toEqual([`precios_indexados 2 10 reference_month: ${message}`]);
    expect(planOf(template, { ...OWN, force: true }, withMonths()).months).toHaveLength(1);
  });

  test('copied for another month or offer is not compared', () => {
    expect(
      planOf(edited(template, 'precios_indexados', { row: 2, reference_month: '2026-03' }), OWN, state).months,
    ).toHaveLength(1);
    const other = { ...state, offers: [...state.offers, stored({ id: 20, isIndexed: true })] };
    expect(planOf(edited(template, 'precios_indexados', { row: 2, offer_id: 20 }), OWN, other).months).toHaveLength(1);
  });
});

describe('A-67: a caller who may not see commissions', () => {
  const higherCommission = withOffer(WITH_TIERS, 10, { commissionValue: 99, consumptionTiers: [] });

  test('gets the same versions, and the same result of any file, whatever the commissions are', () => {
    const [lowCommission, highCommission] = [WITH_TIERS, higherCommission].map((state) =>
      templateWorkbook(state, MASKED),
    );
    expect(highCommission).toEqual(lowCommission);
    // Also with a file of a caller who sees them.
    const full = edited(templateWorkbook(WITH_TIERS, OWN), 'ofertas', { row: 2, e1: 0.15, commission: 3 });
    for (const changes of [{}, { energyEurPerKwh: [0.3, null, null, null, null, null] as const }]) {
      const [one, other] = [WITH_TIERS, higherCommission].map((state) =>
        errorsOf(full, MASKED, withOffer(state, 10, changes)),
      );
      expect(other).toEqual(one);
      expect(one?.length === 0).toBe(Object.keys(changes).length === 0);
      expect(one?.join()).not.toMatch(/commission|tiers/);
    }
  });

  test('gets a template that a caller who may see commissions can send, whatever the present commissions are', () => {
    const masked = edited(templateWorkbook(WITH_TIERS, MASKED), 'ofertas', { row: 2, e1: 0.15 });
    expect(planOf(masked, OWN, higherCommission).changed).toMatchObject([
      { before: { id: 10 }, terms: { commissionValue: 99 } },
    ]);
  });
});

test('A-118: an offer without a contract has the version that it had before there were contracts, any other not', () => {
  const offer = defineOffer({
    ...{ id: 1, offerName: 'Luz Clara', supplyType: 'LUZ', tariffType: '2.0TD', energyEurPerKwh: [0.1] },
    ...{ accepts: { dni: true }, territories: { peninsula: true } },
  });
  const versionOf = (changes: Partial<Offer>) => versionOfOffer({ ...offer, ...changes } as Offer, MASKED);
  const cells = offerCells(offer);
  const before = OFFER_COLUMNS.filter((column) => !column.isCommission && !LATER_COLUMNS.includes(column));
  expect(versionOf({})).toBe(`v1-${digest([offer.companyId, before.map(({ header }) => cells[header])])}`);
  const changed = [{}, { validFrom: '2026-01-01' }, { validTo: '2026-01-01' }, { index: 'A' }, { surplusIndex: 'A' }];
  expect(new Set(changed.map(versionOf)).size).toBe(changed.length);
});

test('A-67: the version of a month is the one that it has in files of long ago', () => {
  expect(versionOfMonth(1, luzMonth('2026-01-01', 0.1))).toBe('v1-2026-01-2d2olbe2vmt');
});
