import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowError } from '../engine/errors.ts';
import { createRowLog, MAX_ROWS_SHOWN } from './row-errors.ts';

function errorAt(sheet: string, row: number): RowError {
  return { sheet, row, id: null, column: null, message: 'is missing' };
}

test('keeps the first entries by sheet and row, in whatever order they are added', () => {
  const log = createRowLog<RowError>(['borrar', 'ofertas']);
  // 7919 and 9000 have no common factor: every row comes once, out of order.
  for (let n = 0; n < 9000; n += 1) log.add(errorAt('ofertas', ((n * 7919) % 9000) + 2));
  log.add(errorAt('otra', 1));
  log.add(errorAt('borrar', 5));
  const first = log.first();
  expect(log.count).toBe(9002);
  expect(first).toHaveLength(MAX_ROWS_SHOWN);
  expect(first[0]).toEqual(errorAt('borrar', 5));
  expect(first.slice(1).map(({ row }) => row)).toEqual(Array.from({ length: MAX_ROWS_SHOWN - 1 }, (_, n) => n + 2));
});

test('keeps all of a few entries, and those of one row in the order in which they were added', () => {
  const places = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 5 })), { maxLength: 40 });
  holds(
    fc.property(places, (all) => {
      const log = createRowLog<RowError & { readonly order: number }>(['b', 'a', 'c']);
      for (const [order, [sheet, row]] of all.entries()) log.add({ ...errorAt(sheet, row), order });
      const sheetOrder = 'bac';
      const expected = all
        .map(([sheet, row], order) => ({ sheet, row, order }))
        .toSorted(
          (x, y) => sheetOrder.indexOf(x.sheet) - sheetOrder.indexOf(y.sheet) || x.row - y.row || x.order - y.order,
        );
      expect(log.first().map(({ sheet, row, order }) => ({ sheet, row, order }))).toEqual(expected);
    }),
  );
});
