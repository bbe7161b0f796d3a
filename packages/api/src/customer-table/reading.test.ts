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

test.each([
  ['a decimal comma alone', ['1200,5', '4,6'], ';', 1200.5],
  ['points alone', ['1.25', '4.6'], ';', 1.25],
  ['commas as separators', ['1.25', '4,6'], ',', 1.25],
] as const)('%s: a number is read', async (_what, cells, separator, e1) => {
  expect(await consumptionOf(cells, separator)).toEqual({ e1 });
});
