import {
  type CellValue,
  FILE_FAULTS,
  type FileFault,
  type SheetCell,
  type SheetPart,
  type SheetRow,
  UnreadableFile,
} from '@tarifario/core/service';
import { CELL_KINDS, type CellKind } from './frames.ts';

/**
 * Converts the lines of the reading process to the sheet parts of core.
 *
 * @throws UnreadableFile, and Error for a line that `encodeFrame` cannot have made: the sender parses hostile files, so
 *   it is not trusted.
 */
export async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<SheetPart> {
  let head: Omit<SheetPart, 'rows'> | null = null;
  for await (const line of lines) {
    const frame = membersOf(line);
    if (frame.kind === 'end') return;
    const { name, dates1904, rows } = frame;
    if (frame.kind === 'sheet' && typeof name === 'string' && typeof dates1904 === 'boolean') {
      head = {
        sheet: head ? head.sheet + 1 : 0,
        name,
        dates1904,
        ...(frame.hasCommas === true && { hasCommas: true }),
      };
      yield { ...head, rows: [] };
    } else if (frame.kind === 'rows' && head !== null && Array.isArray(rows)) {
      yield { ...head, rows: rows.map(unpackRow) };
    } else throw faultOf(frame);
  }
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(line: string): Members {
  try {
    return Object(JSON.parse(line));
  } catch {
    // The error of `JSON.parse` would repeat cells of the file.
    throw wrongFrame();
  }
}

function faultOf({ kind, fault, sheet, row }: Members): Error {
  const isListed = kind === 'fault' && typeof fault === 'string' && Object.hasOwn(FILE_FAULTS, fault);
  const hasSheet = sheet === null || typeof sheet === 'string';
  const hasRow = row === null || typeof row === 'number';
  return isListed && hasSheet && hasRow ? new UnreadableFile(fault as FileFault, sheet, row) : wrongFrame();
}

function wrongFrame(): Error {
  return new Error('the process that reads files sent something that is no frame');
}

function unpackRow(packed: unknown): SheetRow {
  if (!Array.isArray(packed)) throw wrongFrame();
  const values: readonly unknown[] = packed;
  const row = values[0];
  if (typeof row !== 'number') throw wrongFrame();
  const cells: SheetCell[] = [];
  for (let index = 1; index < values.length; index += 2) {
    const place = values[index];
    const text = values[index + 1];
    if (typeof place !== 'number' || place % 1 !== 0 || typeof text !== 'string') throw wrongFrame();
    const own = Math.floor(place / 2);
    const value = unpackValue(CELL_KINDS[own % CELL_KINDS.length], text);
    const column = Math.floor(own / CELL_KINDS.length);
    cells.push(place % 2 === 1 ? { column, value, isMerged: true } : { column, value });
  }
  return { row, cells };
}

function unpackValue(kind: CellKind | undefined, text: string): CellValue {
  switch (kind) {
    case 'text':
    case 'error':
      return { kind, text };
    case 'number':
      return { kind, text, number: numberFor(text) };
    case 'percent':
    case 'date':
      return { kind: 'number', text, number: numberFor(text), format: kind };
    case 'boolean':
      return { kind, value: text === '1' };
    case 'formula':
      return { kind };
    case undefined:
      throw wrongFrame();
  }
}

/** The value of a decimal number; `null` if it is not one, or not finite. */
function numberFor(text: string): number | null {
  const number = Number(text);
  // `Number` also accepts other bases, with `0x`, `0o` or `0b`.
  const isDecimal = Number.isFinite(number) && !/^0[xob]/i.test(text) && text !== '';
  return isDecimal ? number : null;
}
