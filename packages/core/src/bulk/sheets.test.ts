import { describe, expect, test } from 'vitest';
import {
  REVIEWED_VALUES,
  type ReviewedValue,
  reviewedOf,
  reviewedTerms,
} from '../../../../test-fixtures/reviewed-fields.ts';
import { errorsOf, OWN, planOf, STATE, sheet, stored } from '../../test/simple-bulk.ts';
import type { CellToWrite } from '../engine/cells.ts';
import { BULK_FORMATS } from '../engine/errors.ts';
import type { Offer, OfferTerms, SupplyType } from '../engine/offers/offer.ts';
import { bulkSheetFor, bulkSheets, columnFor, OFFER_COLUMNS, SHEET_NAMES, type SheetColumn } from './sheets.ts';

/** A value that no new offer has. */
function otherThanInitial({ kind, initial, bounds, words, path, wire }: ReviewedValue): unknown {
  const [type = ''] = words;
  if (kind === 'flag' || kind === 'flags') return initial !== true;
  if (kind === 'choice') return words.find((word) => word !== initial);
  if (kind === 'list') return words.slice(0, 2);
  if (kind === 'tiers') return [{ from: 0, to: null, value: 9, type }];
  if (kind === 'text' || kind === 'note') return wire.startsWith('indice') ? 'OTRO' : 'Otra';
  if (kind === 'day') return '2026-01-31';
  // The bounds of the customer are in order with every other number.
  if (bounds && /_m(in|ax)_kw/.test(wire)) return bounds[wire.includes('_min_') ? 0 : 1];
  // No two periods alike.
  return bounds ? bounds[1] / (2 + Number(path.split('.')[1] ?? 0)) : 1;
}

/** An offer that has something in every field: nothing is what a new offer would have there. */
function fullOffer(supplyType: SupplyType, id: number): Offer {
  const full = reviewedOf(supplyType).reduce<unknown>(
    (terms, value) => withAt(terms, value.path, otherThanInitial(value)),
    reviewedTerms(supplyType),
  );
  const { createdAt, updatedAt } = stored({ id }).offer;
  return { ...(full as OfferTerms), id, createdAt, updatedAt };
}

const FULL: Readonly<Record<SupplyType, Offer>> = { LUZ: fullOffer('LUZ', 20), GAS: fullOffer('GAS', 21) };

/** What a field becomes when its cell is empty. */
const ERASED = new Map(REVIEWED_VALUES.map(({ path, initial }) => [path, initial]));
/** What an offer cannot be without. */
const INDISPENSABLE: Readonly<Record<string, string>> = {
  offer_name: 'must have 1 to 200 characters',
  supply_type: 'must stay LUZ',
  tariff_type: 'must have 1 to 32 characters',
};

/** What must be erased together. */
const NEEDING: Readonly<Record<string, readonly string[]>> = {
  placas_solares: ['precio_excedentes', 'indice_excedentes'],
  is_indexed: ['indice', 'indice_factor'],
  indice: ['indice_factor'],
  descuento_meses: ['descuento_energia_pct', 'descuento_potencia_pct'],
  descuento_energia_pct: ['descuento_meses', 'descuento_potencia_pct'],
};

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((inner, key) => Object.entries(Object(inner)).find(([name]) => name === key)?.[1], value);
}

/** The value with what stands at a path replaced. */
function withAt(value: unknown, path: string, put: unknown): unknown {
  const [key = '', ...rest] = path.split('.');
  if (key === '') return put;
  if (Array.isArray(value)) return value.with(Number(key), put);
  return { ...Object(value), [key]: withAt(at(value, key), rest.join('.'), put) };
}

function termsOf({ id, createdAt, updatedAt, ...terms }: Offer) {
  return terms;
}

const state = { ...STATE, offers: [FULL.LUZ, FULL.GAS].map((offer) => ({ offer, months: [] })) };
const erasable = OFFER_COLUMNS.filter(({ header }) => !Object.hasOwn(INDISPENSABLE, header));

describe('A-42: one column of ofertas alone', () => {
  const cases = erasable.flatMap((column) =>
    (['LUZ', 'GAS'] as const)
      .filter((supply) => column.supplyType === null || column.supplyType === supply)
      .map((supply) => [column.header, supply, column] as const),
  );

  test.each(cases)(
    'A-42: an empty cell of %s erases that field of a %s offer, and no other',
    (header, supply, column) => {
      const offer = FULL[supply];
      const erased = ERASED.get(column.path);
      expect(at(offer, column.path)).not.toEqual(erased);
      // A second column, so that the row is seen to have the first one; a price of surplus needs its panels, and a discount
      // its months.
      const alsoErased = NEEDING[header]?.filter((name) => supply === 'LUZ' || !/potencia|indice/.test(name)) ?? [];
      const workbook = { ofertas: [['offer_id', header, ...alsoErased], [offer.id]] };
      const [change] = planOf(workbook, OWN, state).changed;
      let expected = withAt(termsOf(offer), column.path, erased);
      for (const name of alsoErased)
        expected = withAt(expected, OFFER_COLUMNS.find((one) => one.header === name)?.path ?? '', null);
      expect(change?.terms).toEqual(expected);
    },
  );

  test.each(Object.entries(INDISPENSABLE))('an empty cell of %s is an error', (header, message) => {
    const workbook = { ofertas: sheet(['offer_id', header, 'e1'], [20, '', 0.2]) };
    expect(errorsOf(workbook, OWN, state)).toEqual([`ofertas 2 20 ${header}: ${message}`]);
  });

  test('A-41: exists for every field of an offer, except the company and the tiers, which have columns elsewhere', () => {
    const fields = new Set([FULL.LUZ, FULL.GAS].flatMap((offer) => Object.keys(termsOf(offer))));
    for (const elsewhere of ['companyId', 'consumptionTiers', 'powerTiers']) fields.delete(elsewhere);
    const columns = new Set(OFFER_COLUMNS.map(({ path }) => path.split('.')[0]));
    expect([...columns].sort()).toEqual([...fields].sort());
  });

  test('A-42: a row with nothing but an id changes no field', () => {
    expect(planOf({ ofertas: [['offer_id'], [20], [21]] }, OWN, state).changed).toEqual([]);
  });
});

describe('bounds', () => {
  /** What a row of the sheet needs besides the cell in question. */
  const NEEDED: Readonly<Record<string, Readonly<Record<string, CellToWrite>>>> = {
    precios_indexados: { reference_month: '2026-01' },
    tramos_consumo: { consumption_from: 0, commission: 1 },
    tramos_potencia: { power_from: 0, commission: 1 },
  };
  const errorsAt = (sheet: string, column: SheetColumn, value: number) => {
    const row = { offer_id: column.supplyType === 'GAS' ? 21 : 20, ...NEEDED[sheet], [column.header]: value };
    return errorsOf({ [sheet]: [Object.keys(row), Object.values(row)] }, OWN, state);
  };
  const cases = bulkSheets('own').flatMap((sheet) =>
    sheet.columns
      .filter(({ kind, min }) => kind === 'number' && min !== null)
      .map((column) => [sheet.name, column.header, column] as const),
  );

  test.each(cases)(
    '%s, %s: the lowest and the highest number are accepted, and none beyond',
    (sheet, header, column) => {
      // Beyond its bounds a limit of the customer is also on the wrong side of the other one.
      const isOwn = (error: string) => !error.endsWith('must not be above the maximum');
      const errors = (value: number) => errorsAt(sheet, column, value).filter(isOwn);
      const { min, max } = column;
      if (min === null) throw new Error('the filter keeps bounded columns');
      const isUpperBound = column.path === 'to';
      if (!isUpperBound) expect(errors(min)).toEqual([]);
      expect(errors(min - 0.001)).toHaveLength(1);
      expect(errors(min - 0.001)[0]).toContain(` ${header}: `);
      if (max === null) return;
      expect(errors(max)).toEqual([]);
      expect(errors(max * 1.001)).toHaveLength(1);
      expect(errors(max * 1.001)[0]).toContain(` ${header}: `);
    },
  );

  test.each([
    ['offer_name', 200],
    ['tariff_type', 32],
  ])('the longest %s has %i characters', (header, max) => {
    const errors = (length: number) =>
      errorsOf({ ofertas: sheet(['offer_id', header], [20, 'ñ'.repeat(length)]) }, OWN, state);
    expect(OFFER_COLUMNS.find((column) => column.header === header)?.max).toBe(max);
    expect(errors(max)).toEqual([]);
    expect(errors(max + 1)).toHaveLength(1);
  });
});

describe.each(BULK_FORMATS)('the sheets of the format %s', (format) => {
  test('are in the order of their names, and have each header once', () => {
    expect(bulkSheets(format).map(({ name }) => name)).toEqual(SHEET_NAMES);
    for (const { columns } of bulkSheets(format)) {
      expect(new Set(columns.map(({ header }) => header)).size).toBe(columns.length);
    }
  });

  test('identify offers by their id, and have firms only where firms exist', () => {
    const headers = bulkSheets(format).map(({ columns }) => columns.map(({ header }) => header));
    const id = format === 'own' ? 'offer_id' : 'catalog_offer_id';
    expect(headers.every((sheet) => sheet[0] === id)).toBe(true);
    expect(headers.flat().filter((header) => header === 'cliente')).toHaveLength(format === 'own' ? 4 : 0);
  });

  test('explain every column', () => {
    for (const { columns, explanation } of bulkSheets(format)) {
      for (const words of [explanation, ...columns.map((column) => column.explanation)]) {
        expect(words).toMatch(/^[A-ZÁÉÍÓÚ][^\n]{5,}[^.]$/u);
      }
    }
  });
});

test('choices are short enough for the validation of a spreadsheet', () => {
  for (const { kind, choices } of bulkSheets('own').flatMap(({ columns }) => columns)) {
    if (kind !== 'choice') continue;
    expect(choices.length).toBeGreaterThan(1);
    expect(choices.some((choice) => choice.includes(','))).toBe(false);
    expect(choices.join(',').length).toBeLessThanOrEqual(255);
  }
});

test('an issue of core is shown at its column, and one about all flags at the first', () => {
  const sheet = bulkSheetFor('own', 'ofertas');
  if (!sheet) throw new Error('no sheet');
  expect(columnFor(sheet, 'energyEurPerKwh.5')?.header).toBe('e6');
  expect(columnFor(sheet, 'territories')?.header).toBe('territory_peninsula');
  expect(columnFor(sheet, 'accepts')?.header).toBe('acepta_dni');
  expect(columnFor(sheet, 'consumptionTiers.0.to')).toBeNull();
  expect(bulkSheetFor('own', 'leeme')).toBeNull();
});
