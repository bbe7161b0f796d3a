import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ratesWith } from '../src/compose.ts';
import { ConfigError } from '../src/config.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tarifario-taxes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOVEMBER = {
  ...{ concepto: 'impuesto_electrico', supply_type: 'LUZ', territorio: 'peninsula', aplica: 'general', valor: 0.5 },
  ...{ desde: '2026-11-01', hasta: '2026-11-30', norma: 'Acuerdo', url: null, seguro: true },
};

function fileWith(content: unknown): string {
  const file = join(folder, 'rows.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('A-108: TAX_ROWS', () => {
  test('adds rows as the list of rates has them', () => {
    const copied = { ...NOVEMBER, unidad: '%', condicion: null };
    expect(ratesWith(fileWith([copied]))).toContainEqual(
      expect.objectContaining({ concept: 'impuesto_electrico', from: '2026-11-01', value: 0.5, law: 'Acuerdo' }),
    );
  });

  test.each<[string, unknown, string]>([
    ['of a settled day', [{ ...NOVEMBER, desde: '2026-10-31' }], 'is settled already: RDL 18/2026'],
    ['without a law', [{ ...NOVEMBER, norma: undefined }], 'row 0.norma: '],
    ['of an unknown concept', [NOVEMBER, { ...NOVEMBER, concepto: 'otro' }], 'row 1.concepto: '],
    ['with an unknown member', [{ ...NOVEMBER, otro: 1 }], 'row 0.otro: '],
    ['that are no JSON', '[', 'TAX_ROWS: '],
  ])('with rows %s stops the start with a sentence', (_, content, text) => {
    const file = fileWith(content);
    expect(() => ratesWith(file)).toThrow(ConfigError);
    expect(() => ratesWith(file)).toThrow(text);
  });

  test('with a file that is not there stops the start', () => {
    expect(() => ratesWith(join(folder, 'none.json'))).toThrow(/^TAX_ROWS: ENOENT/);
  });
});
