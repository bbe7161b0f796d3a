import { expect, test } from 'vitest';
import { DEFAULT_FIRM_LIMIT } from '../access/plan.ts';

test('A-39: the plans allow 1, 3, 5, 25 and 200 active firms unless the subscription has another number', () => {
  expect(DEFAULT_FIRM_LIMIT).toEqual({ free: 1, trial: 3, starter: 5, pro: 25, business: 200 });
});
