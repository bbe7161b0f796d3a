import { expect, test } from 'vitest';
import { meantAs } from './plausible.ts';

test.each([
  ['EUR/kWh', 19, { mistake: 'cents', right: 0.19 }],
  ['EUR/kWh', 8.5, { mistake: 'cents', right: 0.085 }],
  ['EUR/kWh', -6.1, { mistake: 'cents', right: -0.061 }],
  ['EUR/kWh', 2, null],
  ['EUR/kW·day', 36.5, { mistake: 'perYear', right: 0.1 }],
  ['EUR/kW·day', 1, null],
  ['EUR/month', 120, { mistake: 'perYear', right: 10 }],
  ['EUR/month', 100, null],
  ['kW', 4600, { mistake: 'watts', right: 4.6 }],
  ['kW', 15_000, { mistake: 'watts', right: 15 }],
  ['kW', 15_001, null],
  ['kW', 999, null],
  ['EUR', 1e9, null],
] as const)('A-121: in %s %d is probably meant as %j', (unit, value, meant) => {
  expect(meantAs(unit, value)).toEqual(meant);
});
