import { expect, test } from 'vitest';
import { compareBilled, orderNotices } from './bill-order.ts';

test('A-107: of offers with equal bills the one of lower cost has the lowest bill, then that of lower id', () => {
  const offer = (id: number, costEur: number, billEur: number) => ({ id, costEur, billEur });
  const offers = [offer(4, 10, 13), offer(3, 9, 12), offer(2, 8, 12), offer(1, 7, 14), offer(5, 8, 12)];
  expect(offers.sort(compareBilled).map(({ id }) => id)).toEqual([2, 5, 3, 4, 1]);
});

test('A-107: an offer of a higher cost with the lowest bill is told, another one of the lowest cost is not', () => {
  const cheapest = { id: 2, costEur: 9, billEur: 12 };
  expect([orderNotices(cheapest, 8), orderNotices(cheapest, 9), orderNotices(null, 0)]).toEqual([
    ['orden_distinto_con_impuestos'],
    [],
    [],
  ]);
});
