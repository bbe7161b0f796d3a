import { afterEach, expect, test, vi } from 'vitest';
import { exposureOf } from './exposure.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['sqlite:./data/tarifario.db', null],
  ['postgres://u@localhost/db', null],
  ['postgres://u@127.0.0.1/db', null],
  ['postgres://u@127.1.2.3:6000/db', null],
  ['postgres://u@[::1]/db', null],
  ['postgres://u@/db?host=/run/postgresql', null],
  ['postgres://u@db.internal/db', 'plain'],
  ['postgres://u@10.0.0.7/db', 'plain'],
  ['postgres://u@127.example.org/db', 'plain'],
  ['postgres://u@localhost.example.org/db', 'plain'],
  ['postgres://u@localhost/db?host=db.internal', 'plain'],
  ['postgresql://u@db.internal/db?sslmode=disable', 'plain'],
  ['postgres://u@db.internal/db?sslmode=no-verify', 'unverified'],
  ['postgres://u@db.internal/db?ssl=no-verify', 'unverified'],
  ['postgres://u@db.internal/db?uselibpqcompat=true&sslmode=require', 'unverified'],
  ['postgres://u@db.internal/db?uselibpqcompat=true&sslmode=prefer', 'unverified'],
  ['postgres://u@db.internal/db?sslmode=verify-full', null],
  ['postgres://u@db.internal/db?sslmode=require', null],
  ['postgres://u@db.internal/db?ssl=true', null],
] as const)('%s is %s to others', (url, expected) => {
  for (const name of ['PGHOST', 'PGSSLMODE']) vi.stubEnv(name, undefined);
  expect(exposureOf(url)).toBe(expected);
});

test('the environment decides about TLS where the address does not', () => {
  vi.stubEnv('PGSSLMODE', 'verify-full');
  expect(exposureOf('postgres://u@db.internal/db')).toBe(null);
  vi.stubEnv('PGSSLMODE', 'no-verify');
  expect(exposureOf('postgres://u@db.internal/db')).toBe('unverified');
  vi.stubEnv('PGHOST', 'db.internal');
  vi.stubEnv('PGSSLMODE', 'disable');
  expect(exposureOf('postgres:///db')).toBe('plain');
});
