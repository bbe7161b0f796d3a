import { expect, test } from 'vitest';
import { createBestSavings } from './best-savings.ts';

/** A record of one byte for each saving. */
function recordsOf(savings: readonly (readonly [eur: number, byte: number])[]) {
  return savings.map(([eur, byte]) => ({ eur, bytes: Uint8Array.of(byte) }));
}

const firstBytes = (best: ReturnType<typeof createBestSavings>) => best.inOrder().map(([byte]) => byte);

test('A-75: keeps the greatest savings, in their order, whatever the order of the input', () => {
  const all = Array.from({ length: 250 }, (_, i) => [(i * 7919) % 251, i] as const);
  const best = createBestSavings(10);
  for (let start = 0; start < all.length; start += 17) best.add(recordsOf(all.slice(start, start + 17)));
  const expected = all.toSorted((a, b) => b[0] - a[0]).slice(0, 10);
  expect(firstBytes(best)).toEqual(expected.map(([, byte]) => byte));
});

test('of equal savings keeps the first in the file, and lists it first', () => {
  const best = createBestSavings(2);
  best.add(
    recordsOf([
      [5, 1],
      [5, 2],
      [5, 3],
      [5, 4],
      [5, 5],
    ]),
  );
  best.add(
    recordsOf([
      [9, 6],
      [5, 7],
    ]),
  );
  expect(firstBytes(best)).toEqual([6, 1]);
});

test('lists fewer customers than requested where there are fewer, and negative savings too', () => {
  const best = createBestSavings(5);
  best.add(
    recordsOf([
      [-3, 1],
      [-1, 2],
    ]),
  );
  expect(firstBytes(best)).toEqual([2, 1]);
});
