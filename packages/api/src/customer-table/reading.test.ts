import { expect, test } from 'vitest';
import { customersInTable } from './reading.ts';

async function consumptionOf(cells: readonly string[], separator = ';'): Promise<unknown> {
  async function* rows() {
    yield { line: 1, separator, cells: ['e1', 'p1'] };
    yield { line: 2, separator, cells };
  }
  for await (const { body } of customersInTable(rows())) return body.energia;
  return null;
}

test('a number with a point and a decimal comma stays text, which is refused, because the point may stand for thousands', async () => {
  expect(await consumptionOf(['1.200', '4,6'])).toEqual({ e1: '1.200' });
});

test('columns of bills give a body its impuestos, rates in tipos', async () => {
  const header = ['ref', 'impuestos_fecha', 'impuestos_vivienda', 'impuestos_vulnerable_severo', 'impuestos_iee'];
  async function* rows() {
    yield { line: 1, separator: ';', cells: [...header, 'impuestos_financiacion_bono', 'impuestos_alquiler'] };
    yield { line: 2, separator: ';', cells: ['1', '2026-11-15', 'sí', 'no', '0,5', 'x', 'monofasico'] };
    yield { line: 3, separator: ';', cells: ['2', '', '', '', '5,11', '', ''] };
    yield { line: 4, separator: ';', cells: ['3', '', '', '', '', '', ''] };
  }
  const bodies: unknown[] = [];
  for await (const { body } of customersInTable(rows())) bodies.push(body);
  const impuestos = {
    ...{ fecha: '2026-11-15', vivienda: true, vulnerable_severo: false, tipos: { iee: 0.5 } },
    // What is no yes or no stays, to be refused.
    ...{ financiacion_bono: 'x', alquiler: 'monofasico' },
  };
  expect(bodies).toEqual([{ ref: '1', impuestos }, { ref: '2', impuestos: { tipos: { iee: 5.11 } } }, { ref: '3' }]);
});

test.each([
  ['a decimal comma alone', ['1200,5', '4,6'], ';', 1200.5],
  ['points alone', ['1.25', '4.6'], ';', 1.25],
  ['commas as separators', ['1.25', '4,6'], ',', 1.25],
] as const)('%s: a number is read', async (_what, cells, separator, e1) => {
  expect(await consumptionOf(cells, separator)).toEqual({ e1 });
});
