import type { FileCaps, FileFault } from '@tarifario/core/service';

/** A file given up while reading. It becomes the `UnreadableFile` of core on the other side of the pipe. */
export class Fault extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.name = 'Fault';
    this.fault = fault;
  }
}

/** What is wrong, for whatever was thrown: no message of a parser leaves this package. */
export function faultOf(thrown: unknown): FileFault {
  return thrown instanceof Fault ? thrown.fault : 'damaged';
}

/** Counts what a file has cost, and gives it up when that is too much. */
export interface Meter {
  /** Adds bytes taken out of the package. */
  unpacked(bytes: number): void;
  /** Adds characters of cells handed on: one packed text can be shown by millions of cells. */
  shown(characters: number): void;
}

/**
 * @param cpuMs - Of this whole process, all threads, since its start. A parser is only looked at between two pieces of
 * the file: a piece that never ends is for the one outside who watches the clock.
 */
export function createMeter(caps: FileCaps, cpuMs: number): Meter {
  let unpackedBytes = 0;
  let shownCharacters = 0;
  return {
    unpacked(bytes) {
      unpackedBytes += bytes;
      if (unpackedBytes > caps.unpackedBytes) throw new Fault('too_large_unpacked');
      const { user, system } = process.cpuUsage();
      if ((user + system) / 1000 > cpuMs) throw new Fault('too_costly');
    },
    shown(characters) {
      shownCharacters += characters;
      if (shownCharacters > caps.unpackedBytes) throw new Fault('too_large_unpacked');
    },
  };
}

/** The text, when a cell may hold that much. */
export function withinCell(text: string, cellBytes: number): string {
  // No character takes more than three bytes of UTF-8 per unit of UTF-16.
  const isShort = text.length * 3 <= cellBytes;
  if (!isShort && (text.length > cellBytes || Buffer.byteLength(text) > cellBytes)) throw new Fault('cell_too_long');
  return text;
}
