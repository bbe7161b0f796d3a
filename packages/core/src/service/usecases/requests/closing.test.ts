import { describe, expect, it } from 'vitest';
import type { SheetPart, SheetToWrite } from '../../../engine/cells.ts';
import { UnreadableFile } from '../../../engine/cells.ts';
import type { Imports } from '../../ports/imports.ts';
import type { Closing } from '../../ports/machine.ts';
import { onceClosed, whileOpen } from './closing.ts';

/** A connection that closes when the test says so. */
function connection() {
  const listeners = new Set<() => void>();
  const state = { aborted: false };
  const closing: Closing = {
    get aborted() {
      return state.aborted;
    },
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
  };
  const close = () => {
    state.aborted = true;
    for (const listener of listeners) listener();
  };
  return { closing, close, listeners };
}

const CLOSED = { code: 'invalid_request', details: { message: 'the connection was closed' } };
const PART: SheetPart = { sheet: 0, name: '', dates1904: false, rows: [] };
const imports: Imports = { run: () => Promise.reject(new Error('none')), wake: () => {}, expectFile: () => {} };

describe('A-160: while a connection is open', () => {
  it('A-160: pauses go through, and each refuses from the moment when it closes', async () => {
    const { closing, close } = connection();
    const paused: number[] = [];
    const yieldToEventLoop = async (accountId: number) => {
      paused.push(accountId);
      if (paused.length === 2) close();
    };
    const workbooks = { read: async function* () {}, write: async () => new Uint8Array() };
    const deps = whileOpen({ workbooks, imports, yieldToEventLoop }, closing);
    await deps.yieldToEventLoop(1);
    await expect(deps.yieldToEventLoop(1)).rejects.toMatchObject(CLOSED);
    await expect(deps.yieldToEventLoop(1)).rejects.toMatchObject(CLOSED);
    expect(paused).toEqual([1, 1]);
  });

  it('A-160: a file is read on to no further part, and is not called faulty', async () => {
    const { closing, close, listeners } = connection();
    let sent = 0;
    const workbooks = {
      async *read(_bytes: unknown, _form: unknown, ended?: Closing) {
        const forget = onceClosed(ended, () => {});
        try {
          for (; !ended?.aborted; sent += 1) yield PART;
          throw new UnreadableFile('too_costly');
        } finally {
          forget();
        }
      },
      write: async () => new Uint8Array(),
    };
    const deps = whileOpen({ workbooks, imports }, closing);
    const read = async () => {
      for await (const _part of deps.workbooks.read('', 'csv')) {
        expect(listeners.size).toBe(1);
        if (sent === 3) close();
      }
    };
    await expect(read()).rejects.toMatchObject(CLOSED);
    expect([sent, listeners.size]).toEqual([4, 0]);
  });

  it('A-160: a workbook is written on with no further row', async () => {
    const { closing, close } = connection();
    let written = 0;
    const workbooks = {
      read: async function* () {},
      write: async (sheets: readonly SheetToWrite[]) => {
        for (const sheet of sheets)
          if (sheet.kind === 'table') for (const _row of sheet.rows) if (++written === 2) close();
        return new Uint8Array();
      },
    };
    const sheet: SheetToWrite = { kind: 'table', name: 'a', columns: [], rows: Array.from({ length: 9 }, () => []) };
    await expect(whileOpen({ workbooks, imports }, closing).workbooks.write([sheet])).rejects.toMatchObject(CLOSED);
    expect(written).toBe(2);
  });
});
