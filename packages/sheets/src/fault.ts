import type { FileCaps, FileFault } from '@tarifario/core/service';

/** A file that cannot be read. On the other side of the pipe it becomes the `UnreadableFile` of core. */
export class Fault extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.name = 'Fault';
    this.fault = fault;
  }
}

/** Converts any error to a fault, so that no message of a parser leaves this package. */
export function faultOf(thrown: unknown): FileFault {
  return thrown instanceof Fault ? thrown.fault : 'damaged';
}

/** Measures what reading a file costs, and stops when it is too much. */
export interface Meter {
  /** Adds unpacked bytes. */
  unpacked(bytes: number): void;
  /** Adds characters of cells, because one stored text can be used by millions of cells. */
  shown(characters: number): void;
  /** Checks the CPU time, between two pieces of the file. */
  checkTime(): void;
}

/** @param mostMs - Of the time used. Who started the reader ends one that hangs within a piece of the file. */
export function createMeter(caps: FileCaps, mostMs: number, usedMs: () => number): Meter {
  let unpackedBytes = 0;
  let shownCharacters = 0;
  const checkTime = () => {
    if (usedMs() > mostMs) throw new Fault('too_costly');
  };
  return {
    checkTime,
    unpacked(bytes) {
      unpackedBytes += bytes;
      if (unpackedBytes > caps.unpackedBytes) throw new Fault('too_large_unpacked');
      checkTime();
    },
    shown(characters) {
      shownCharacters += characters;
      if (shownCharacters > caps.unpackedBytes) throw new Fault('too_large_unpacked');
    },
  };
}

/** Returns the text if it is not too long for a cell. */
export function withinCell(text: string, cellBytes: number): string {
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const isShort = text.length * 3 <= cellBytes;
  if (!isShort && (text.length > cellBytes || new TextEncoder().encode(text).length > cellBytes))
    throw new Fault('cell_too_long');
  return text;
}
