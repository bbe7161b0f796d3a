import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tablesWith } from '../src/compose.ts';
import { ConfigError } from '../src/config.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tarifario-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOVEMBER = {
  ...{ concepto: 'impuesto_electrico', supply_type: 'LUZ', territorio: 'peninsula', aplica: 'general', valor: 0.5 },
  ...{ desde: '2026-11-01', hasta: '2026-11-30', norma: 'Acuerdo', url: null, seguro: true },
};

const TOLLS = {
  ...{ concepto: 'peajes', tariff_type: '3.0TD', precios: { p1: 1, p2: 2, p3: 3, p4: 4, p5: 5, p6: 6 } },
  ...{ desde: '2027-01-01', hasta: null, norma: 'Resolución de 2027', url: null, seguro: true },
};

function fileWith(content: unknown): string {
  const file = join(folder, 'rows.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('A-108 and A-111: TAX_ROWS', () => {
  test('adds rows as the list of rates has them', () => {
    const copied = { ...NOVEMBER, unidad: '%', condicion: null };
    expect(tablesWith(fileWith([copied])).rates).toContainEqual(
      expect.objectContaining({ concept: 'impuesto_electrico', from: '2026-11-01', value: 0.5, law: 'Acuerdo' }),
    );
  });

  test('adds rows as the list of regulated prices has them, beside those of taxes', () => {
    const { rates, regulatedPrices } = tablesWith(fileWith([{ ...TOLLS, unidad: 'EUR/kW·año' }, NOVEMBER]));
    expect(regulatedPrices.at(-1)).toEqual({
      ...{ concept: 'peajes', tariff: '3.0TD', prices: [1, 2, 3, 4, 5, 6] },
      ...{ from: '2027-01-01', to: null, law: 'Resolución de 2027', url: null, isCertain: true },
    });
    expect(rates).toContainEqual(expect.objectContaining({ law: 'Acuerdo' }));
  });

  test('adds the rows of a whole answer, as tarifario taxes prints it', () => {
    expect(tablesWith(fileWith({ fecha: '2026-11-01', filas: [NOVEMBER] }))).toEqual(tablesWith(fileWith([NOVEMBER])));
  });

  test.each<[string, unknown, string]>([
    ['of a whole answer that are wrong', { filas: [{ ...NOVEMBER, otro: 1 }] }, 'TAX_ROWS: row 0.otro: '],
    ['in no list', { rows: [NOVEMBER] }, 'TAX_ROWS: the file, or its filas, must be a list'],
    ['of prices of a settled day', [{ ...TOLLS, desde: '2026-12-31' }], 'is settled already: Resolución'],
    ['of prices without a period', [{ ...TOLLS, precios: { p1: 1 } }], 'has a price from 0 to 1000 in each period'],
    ['of an unknown tariff', [NOVEMBER, { ...TOLLS, tariff_type: '6.2TD' }], 'row 1.tariff_type: '],
    ['of prices with a tax', [{ ...TOLLS, aplica: 'general' }], 'row 0.aplica: '],
    ['of a settled day', [{ ...NOVEMBER, desde: '2026-10-31' }], 'is settled already: RDL 18/2026'],
    ['without a law', [{ ...NOVEMBER, norma: undefined }], 'row 0.norma: '],
    ['of an unknown concept', [NOVEMBER, { ...NOVEMBER, concepto: 'otro' }], 'row 1.concepto: '],
    ['with an unknown member', [{ ...NOVEMBER, otro: 1 }], 'row 0.otro: '],
    ['that are no JSON', '[', 'TAX_ROWS: '],
  ])('with rows %s stops the start with a sentence', (_, content, text) => {
    const file = fileWith(content);
    expect(() => tablesWith(file)).toThrow(ConfigError);
    expect(() => tablesWith(file)).toThrow(text);
  });

  test('with a file that is not there stops the start', () => {
    expect(() => tablesWith(join(folder, 'none.json'))).toThrow(/^TAX_ROWS: ENOENT/);
  });
});
