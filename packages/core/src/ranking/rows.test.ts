import { blockAt, startsOf } from '@tarifario/core';
import { expect, test } from 'vitest';

test('rows are counted through the blocks, and every row is found in its own', () => {
  for (const lengths of [[1], [3, 1, 5], [16, 16, 1], [1024, 1024, 7, 1024, 1]]) {
    const starts = startsOf(lengths, (length) => length);
    const owners = lengths.flatMap((length, index) => Array.from({ length }, () => index));
    expect([...starts]).toEqual(lengths.map((_, index) => owners.indexOf(index)));
    expect(owners.map((_, row) => blockAt(starts, row))).toEqual(owners);
  }
  expect(startsOf([], () => 1)).toHaveLength(0);
});
