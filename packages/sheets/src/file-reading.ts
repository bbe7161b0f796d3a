import type { FileCaps, FileForm } from '@tarifario/core/service';
import { createMeter, faultOf, type Meter } from './fault.ts';
import { encodeFrame, type PackedRow, type PlacedCell, packCell } from './frames.ts';
import { holdSheet } from './merges.ts';
import { readNumberFormats } from './number-formats.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheetXml } from './sheet-xml.ts';
import { readWorkbookMap } from './workbook-xml.ts';
import { type Machine, openZip } from './zip-parts.ts';

export interface ReadJob {
  readonly form: FileForm;
  readonly caps: FileCaps;
  /** Limit on the time that the machine uses for it. */
  readonly cpuMs: number;
}

/** The output for frames. */
export interface Pipe {
  send(frame: string): void;
  /** Resolves when everything sent has been read. */
  drained(): Promise<void>;
}

/** Limit on the CPU time for a curve, which takes less than a second. */
const CURVE_CPU_MS = 3_000;
/** A frame ends with the row that exceeds this size: about a millisecond to decode. */
const FRAME_CHARACTERS = 32_768;
/** Characters of a cell besides its text. */
const CELL_CHARACTERS = 8;

/**
 * Reads a file and sends its content, followed by a frame that says whether it was complete or what is wrong. Never
 * throws.
 */
export async function readFileTo(
  { machine, pipe }: { readonly machine: Machine; readonly pipe: Pipe },
  bytes: Uint8Array,
  { form, caps, cpuMs }: ReadJob,
): Promise<void> {
  const meter = createMeter(caps, form === 'curve' ? Math.min(cpuMs, CURVE_CPU_MS) : cpuMs, machine.startMs());
  const output = createOutput(pipe);
  try {
    if (form === 'xlsx') await readXlsx(bytes, { caps, meter, output, machine });
    else await readCsvFile(bytes, { caps, meter, output });
    output.end();
  } catch (thrown) {
    output.fault(thrown);
  }
}

interface ReadContext {
  readonly caps: FileCaps;
  readonly meter: Meter;
  readonly output: Output;
}

async function readXlsx(
  bytes: Uint8Array,
  { caps, meter, output, machine }: ReadContext & { readonly machine: Machine },
): Promise<void> {
  const zip = await openZip(bytes, { caps, meter, machine });
  const { dates1904, sharedStrings: part, styles, sheets } = await readWorkbookMap(zip);
  const sharedStrings = part === null ? [] : await readSharedStrings(zip.read(part), caps.cellBytes);
  const formats = styles === null ? [] : await readNumberFormats(zip.read(styles));
  for (const sheet of sheets) {
    output.sheet(sheet.name, dates1904);
    if (sheet.part === null) continue;
    const { put, at, paced } = output;
    const { pieces, ranges } = await holdSheet(zip.read(sheet.part));
    await readSheetXml(paced(pieces), { sharedStrings, formats, ranges, caps, meter, put, at });
  }
  output.noSheet();
  await zip.readRest();
}

async function readCsvFile(bytes: Uint8Array, { caps, meter, output }: ReadContext): Promise<void> {
  const { readCsv } = await import('./csv-reading.ts');
  output.begin('');
  const begin = (separator: string) => output.sheet('', false, separator === ',');
  await readCsv(bytes, { caps, meter, begin, put: output.put, at: output.at });
}

type Output = ReturnType<typeof createOutput>;

function createOutput(pipe: Pipe) {
  let rows: PackedRow[] = [];
  let last: PackedRow = [];
  let characters = 0;
  let sheet: string | null = null;
  let row: number | null = null;
  const flush = () => {
    if (rows.length > 0) pipe.send(encodeFrame({ kind: 'rows', rows }));
    rows = [];
    last = [];
    characters = 0;
  };
  return {
    /** What follows is about this sheet. */
    begin(name: string) {
      flush();
      sheet = name;
      row = null;
    },
    sheet(name: string, dates1904: boolean, hasCommas = false) {
      this.begin(name);
      pipe.send(encodeFrame({ kind: 'sheet', name, dates1904, ...(hasCommas && { hasCommas: true }) }));
    },
    /** The following frames belong to no sheet. */
    noSheet() {
      sheet = null;
      row = null;
    },
    at(number: number) {
      row = number;
    },
    put(cell: PlacedCell) {
      if (last[0] !== cell.row) {
        if (characters > FRAME_CHARACTERS) flush();
        last = [cell.row];
        rows.push(last);
      }
      packCell(last, cell);
      characters += cell.text.length + CELL_CHARACTERS;
    },
    /** Waits after each piece until its frames have been read, so that a slow reader pauses the parser. */
    async *paced(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        yield piece;
        await pipe.drained();
      }
    },
    fault(thrown: unknown) {
      pipe.send(encodeFrame({ kind: 'fault', fault: faultOf(thrown), sheet, row }));
    },
    end() {
      flush();
      pipe.send(encodeFrame({ kind: 'end' }));
    },
  };
}
