import { afterEach, expect, test, vi } from 'vitest';
import { readCustomers } from './customer-files.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Stands for a reader that never answers, and counts those at work. */
function countReaders() {
  const readers = { asked: 0, open: 0 };
  class Reader {
    constructor() {
      readers.asked += 1;
      readers.open += 1;
    }
    postMessage(): void {}
    terminate(): void {
      readers.open -= 1;
    }
  }
  vi.stubGlobal('Worker', Reader);
  return readers;
}

test('a CSV whose header begins with PK is read as a CSV', async () => {
  const readers = countReaders();
  const bytes = new TextEncoder().encode('PK_CLIENTE;supply_type;tariff_type\n1;LUZ;2.0TD\n');
  const read = await readCustomers(bytes, {}, new AbortController().signal);
  expect(read).toMatchObject({ header: { unknown: [{ name: 'PK_CLIENTE' }] } });
  expect(readers.asked).toBe(0);
});

test.each([
  ['a zip', [0x50, 0x4b, 3, 4]],
  ['an empty zip', [0x50, 0x4b, 5, 6]],
  ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0]],
])('the reader of %s ends once it is stopped', async (_, beginning) => {
  const readers = countReaders();
  const control = new AbortController();
  const reading = readCustomers(Uint8Array.from(beginning), {}, control.signal);
  await vi.waitFor(() => expect(readers).toEqual({ asked: 1, open: 1 }));
  control.abort();
  await expect(reading).rejects.toBe(control.signal.reason);
  expect(readers.open).toBe(0);
});

test('a workbook that was dropped before it was begun starts no reader', async () => {
  const readers = countReaders();
  const bytes = Uint8Array.of(0x50, 0x4b, 3, 4);
  await expect(readCustomers(bytes, {}, AbortSignal.abort())).rejects.toThrow('aborted');
  expect(readers.asked).toBe(0);
});
