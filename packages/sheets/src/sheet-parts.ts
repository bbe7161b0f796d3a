import { FILE_FAULTS, type FileFault, type SheetPart, type SheetRow, UnreadableFile } from '@tarifario/core/service';
import type { Frame } from './frames.ts';

/**
 * Converts frames to the sheet parts of core.
 *
 * @throws UnreadableFile
 */
export async function* partsOf(frames: AsyncIterable<Frame>): AsyncGenerator<SheetPart> {
  let head: Omit<SheetPart, 'rows'> | null = null;
  /** The last row so far, which may continue. */
  let last: SheetRow[] = [];
  for await (const frame of frames) {
    if (frame.kind === 'fault') throw new UnreadableFile(knownFault(frame.fault), frame.sheet, frame.row);
    if (frame.kind === 'rows') {
      const rows = joined(last, frame.rows);
      last = rows.splice(-1);
      if (head && rows.length > 0) yield { ...head, rows };
      continue;
    }
    if (head && last.length > 0) yield { ...head, rows: last };
    last = [];
    if (frame.kind === 'end') return;
    head = { sheet: head ? head.sheet + 1 : 0, name: frame.name, dates1904: frame.dates1904 };
    yield { ...head, rows: [] };
  }
}

/** Concatenates rows; the last and the first are merged if they are the same row. */
function joined(before: readonly SheetRow[], rows: readonly SheetRow[]): SheetRow[] {
  const [begun] = before;
  const [first, ...more] = rows;
  if (!begun || begun.row !== first?.row) return [...before, ...rows];
  return [{ row: begun.row, cells: [...begun.cells, ...first.cells] }, ...more];
}

function knownFault(fault: string): FileFault {
  if (!Object.hasOwn(FILE_FAULTS, fault)) throw new Error('the process that reads files sent an unknown fault');
  return fault as FileFault;
}
