import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { collectBytes } from './collected-bytes.ts';

const PIECE = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc.integer({ min: 1, max: 40_000 }).map((length) => new Uint8Array(length).fill(length)),
);

test('collected bytes are all pieces in their order, whose memory is freed, until they are cleared', () => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 30 }), (pieces) => {
      const collected = collectBytes();
      // Each in memory of its own, as they arrive.
      const arrived = pieces.map((piece) => Buffer.from(Uint8Array.from(piece).buffer));
      for (const piece of arrived) collected.add(piece);
      expect(collected.all().equals(Buffer.concat(pieces))).toBe(true);
      expect(collected.length()).toBe(Buffer.concat(pieces).length);
      const isNeeded = arrived.filter(({ length }) => length > 0).length === 1;
      expect(arrived.some(({ length }) => length > 0)).toBe(isNeeded);
      collected.clear();
      collected.add(Buffer.from('again'));
      expect(collected.all().toString()).toBe('again');
    }),
    { seed: 59, numRuns: 200 },
  );
});

test('a million pieces of one byte are held in blocks, not in a million buffers', () => {
  const collected = collectBytes();
  for (let piece = 0; piece < 1_000_000; piece += 1) collected.add(Buffer.from([piece % 256]));
  const joined = vi.spyOn(Buffer, 'concat');
  const all = collected.all();
  expect(joined.mock.calls[0]?.[0].length).toBeLessThan(100);
  joined.mockRestore();
  expect([all.length, all[0], all[999_999]]).toEqual([1_000_000, 0, 999_999 % 256]);
});
