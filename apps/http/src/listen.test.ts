import { expect, it } from 'vitest';
import { isLoopback } from './listen.ts';

it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s is within this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  '0.0.0.0',
  '::',
  '[::]',
  '192.168.1.7',
  'example.org',
  '127.0.0.1.example.org',
  'localhost.example.org',
  '::11',
])('%s is beyond this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});
