import { expect, test } from 'vitest';
import { cheapestByBill, orderNotices } from './bill-order.ts';

test('A-107: of offers with equal bills the one of lower cost has the lowest bill, then that of lower id', () => {
  const offer = (id: number, costEur: number, billEur: number) => ({ id, costEur, billEur });
  const offers = [offer(4, 10, 13), offer(3, 9, 12), offer(2, 8, 12), offer(1, 7, 14), offer(5, 8, 12)];
  expect(cheapestByBill(offers)?.id).toBe(2);
  expect(cheapestByBill([])).toBeNull();
});

test('A-107: another cheapest offer after taxes is told, the same one is not', () => {
  expect([orderNotices(1, 2), orderNotices(1, 1), orderNotices(null, null)]).toEqual([
    ['orden_distinto_con_impuestos'],
    [],
    [],
  ]);
});
