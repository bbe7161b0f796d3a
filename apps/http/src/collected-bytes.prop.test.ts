import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { collectBytes } from './collected-bytes.ts';

const PIECE = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.integer({ min: 1, max: 40_000 }).map((length) => new Uint8Array(length).fill(length)),
);

test('collected bytes are all pieces in their order, whatever their sizes, until they are cleared', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 30 }), (pieces) => {
      const collected = collectBytes();
      for (const piece of pieces) collected.add(Buffer.from(piece));
      expect(collected.all().equals(Buffer.concat(pieces))).toBe(true);
      expect(collected.length()).toBe(Buffer.concat(pieces).length);
      collected.clear();
      collected.add(Buffer.from('again'));
      expect(collected.all().toString()).toBe('again');
    }),
    { seed: 59, numRuns: 200 },
  );
});

test('a million pieces of one byte are kept as blocks, not as a million buffers', () => {
  const collected = collectBytes();
  for (let piece = 0; piece < 1_000_000; piece += 1) collected.add(Buffer.from([piece % 256]));
  const joined = vi.spyOn(Buffer, 'concat');
  const all = collected.all();
  expect(joined.mock.calls[0]?.[0].length).toBeLessThan(100);
  joined.mockRestore();
  expect([all.length, all[0], all[999_999]]).toEqual([1_000_000, 0, 999_999 % 256]);
});
