import { expect, test } from 'vitest';
import { bucketsOf, networkOf, QUOTAS, RECORD_KINDS, unknownKeysFrom, wrongPasswordsOf } from './limits.ts';
import { PLANS } from './plan.ts';

const holder = { accountId: 1, keyId: 2, firmId: null, callsPerMinute: 150, firmCallsPerMinute: 40 };

test('a key that is not bound to a firm only takes points from the limit of its account', () => {
  expect(bucketsOf(holder, [])).toEqual([{ name: 'account', key: 'account:1', points: 150, windowSeconds: 60 }]);
});

test('A-40: a key bound to a firm takes points from its account and from its firm, whichever key of the firm it is', () => {
  const bound = { ...holder, firmId: 7 };
  expect(bucketsOf(bound, []).map(({ key, points }) => [key, points])).toEqual([
    ['account:1', 150],
    ['client:7', 40],
  ]);
  expect(bucketsOf({ ...bound, keyId: 99 }, [])).toEqual(bucketsOf(bound, []));
});

test('A-40: extra limits count per account, catalog writes per key', () => {
  const keys = bucketsOf(holder, ['bulk_patch', 'catalog_write']).map(({ key }) => key);
  expect(keys).toEqual(['account:1', 'bulk_patch:1', 'catalog_write:2']);
});

test('A-63, A-162: each plan may store more than the one before it', () => {
  for (const kind of [...RECORD_KINDS, 'historyBytes', 'proposalsBytes'] as const) {
    const quotas = PLANS.map((plan) => QUOTAS[plan][kind]);
    expect(quotas).toEqual(quotas.toSorted((a, b) => a - b));
    expect(new Set(quotas).size).toBe(PLANS.length);
  }
});

test('A-40: the limits are those of the specification', () => {
  const described = bucketsOf(holder, [
    'bulk_patch',
    'bulk_update',
    'catalog_bulk_update',
    'account_edit',
    'password',
    'catalog_write',
  ])
    .slice(1)
    .map(({ name, points, windowSeconds }) => `${name} ${points} per ${windowSeconds} s`);
  expect(described).toEqual([
    'bulk_patch 30 per 60 s',
    'bulk_update 10 per 3600 s',
    'catalog_bulk_update 10 per 3600 s',
    'account_edit 30 per 3600 s',
    'password 5 per 300 s',
    'catalog_write 120 per 60 s',
  ]);
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001::1:2:3:4:5:6', '2001:0:1:2::/64'],
  ['2001::1:2:3:4:203.0.113.7', '2001:0:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b:1:2:3::203.0.113.7', '64:ff9b:1:2::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7.9', '0:0:0:0::/64'],
  ['x::ffff:203.0.113.7', 'x::ffff:203.0.113.7'],
  ['unknown', 'unknown'],
  ['unknown:1', 'unknown:1'],
  ['1:2 unknown', '1:2 unknown'],
])('A-57: unknown keys from %s are counted for %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
  expect(unknownKeysFrom(address)).toEqual({
    name: 'unknown_key',
    key: `unknown_key:${network}`,
    points: 60,
    windowSeconds: 60,
  });
});

test('wrong passwords of an account are counted for all its keys', () => {
  const bucket = { name: 'wrong_password', key: 'wrong_password:7', points: 5, windowSeconds: 300 };
  expect(wrongPasswordsOf(7)).toEqual(bucket);
});
