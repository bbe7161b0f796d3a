import type { SheetPart, UnreadableFile } from '../../src/engine/cells.ts';
import type { Workbooks } from '../../src/service/ports/workbooks.ts';
import { toSheetParts } from '../bulk.ts';
import { plainCurveParts } from '../curve-files.ts';

export interface MemoryWorkbooks extends Workbooks {
  /**
   * A file with these sheets.
   *
   * @param fault - What reading it ends with, after all of its parts.
   */
  fileOf(parts: readonly SheetPart[], fault?: UnreadableFile): Uint8Array;
}

/** Workbooks that are written and read without being made: the bytes of a file are its number. */
export function createMemoryWorkbooks(): MemoryWorkbooks {
  const files: { readonly parts: readonly SheetPart[]; readonly fault: UnreadableFile | undefined }[] = [];
  const fileOf: MemoryWorkbooks['fileOf'] = (parts, fault) => {
    files.push({ parts, fault });
    const number = files.length - 1;
    return Uint8Array.of(number >> 8, number & 255);
  };
  return {
    fileOf,
    async *read(bytes, form) {
      if (form === 'curve') return yield* plainCurveParts(bytes);
      const [high, low] = typeof bytes === 'string' ? [0, 0] : [bytes[0] ?? 0, bytes[1] ?? 0];
      const file = files[high * 256 + low];
      if (!file) throw new RangeError('no such file was written here');
      yield* file.parts;
      if (file.fault) throw file.fault;
    },
    write: async (sheets) => fileOf(toSheetParts(sheets)),
  };
}
