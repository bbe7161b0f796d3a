import { describe, expect, test } from 'vitest';
import { toBinaryArray } from './postgres-arrays.ts';

/** The elements of a binary array, as text of their bytes; null where there is none. */
function elementsOf(bytes: Buffer): (string | null)[] {
  const elements: (string | null)[] = [];
  for (let at = 20; at < bytes.length; ) {
    const size = bytes.readInt32BE(at);
    at += 4;
    elements.push(size < 0 ? null : bytes.toString('hex', at, at + size));
    at += Math.max(0, size);
  }
  return elements;
}

describe('an array in the binary form of PostgreSQL', () => {
  test('begins with its dimensions, whether it has nulls, its type, its length and its first index', () => {
    const bytes = toBinaryArray('integer', [7, null, -1]);
    expect([0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at))).toEqual([1, 1, 23, 3, 1]);
    expect(elementsOf(bytes)).toEqual(['00000007', null, 'ffffffff']);
    expect(toBinaryArray('integer', [7]).readInt32BE(4)).toBe(0);
  });

  test('has ids of 64 bits', () => {
    const ids = [0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const expected = ids.map((id) => {
      const eight = Buffer.alloc(8);
      eight.writeBigInt64BE(BigInt(id));
      return eight.toString('hex');
    });
    expect(elementsOf(toBinaryArray('bigint', ids))).toEqual(expected);
  });

  test('has text in UTF-8 and numbers to the last bit', () => {
    expect(elementsOf(toBinaryArray('text', ['ñ', '', '€']))).toEqual(['c3b1', '', 'e282ac']);
    const [third] = elementsOf(toBinaryArray('double precision', [1 / 3]));
    expect(Buffer.from(third ?? '', 'hex').readDoubleBE()).toBe(1 / 3);
    expect(elementsOf(toBinaryArray('smallint', [1]))).toEqual(['0001']);
  });

  test('refuses what does not fit', () => {
    expect(() => toBinaryArray('smallint', [40_000])).toThrow(RangeError);
    expect(() => toBinaryArray('bigint', [0.5])).toThrow(RangeError);
    expect(() => toBinaryArray('text', [1])).toThrow(TypeError);
    expect(() => toBinaryArray('integer', ['1'])).toThrow(TypeError);
  });
});
