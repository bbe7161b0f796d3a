import type { FileCaps, FileForm } from '@tarifario/core/service';
import { createMeter, faultOf, type Meter } from './fault.ts';
import { encodeFrame, type PackedRow, type PlacedCell, packCell } from './frames.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheetXml } from './sheet-xml.ts';
import { readWorkbookMap } from './workbook-xml.ts';
import { openZip } from './zip-parts.ts';

export interface ReadJob {
  readonly form: FileForm;
  readonly caps: FileCaps;
  /** That this process may have used of the processors, from its start. */
  readonly cpuMs: number;
}

/** Where the frames go. */
export interface Pipe {
  send(frame: string): void;
  /** Settles when what was sent is taken. */
  drained(): Promise<void>;
}

/**
 * Characters of a frame, as good as: about a millisecond for the side that takes it apart. A long row is sent in
 * several, because many small frames need much less memory there than some large ones.
 */
const FRAME_CHARACTERS = 32_768;
/** What a cell takes besides its text. */
const CELL_CHARACTERS = 8;

/** Reads a file, and sends what is in it, and at the end either that this was all or what is wrong. Never throws. */
export async function readFileTo(pipe: Pipe, bytes: Buffer, { form, caps, cpuMs }: ReadJob): Promise<void> {
  const meter = createMeter(caps, cpuMs);
  const output = createOutput(pipe);
  try {
    if (form === 'xlsx') await readXlsx(bytes, { caps, meter, output });
    else await readCsvFile(bytes, form, { caps, meter, output });
    output.end();
  } catch (thrown) {
    output.fault(thrown);
  }
}

interface Reading {
  readonly caps: FileCaps;
  readonly meter: Meter;
  readonly output: Output;
}

async function readXlsx(bytes: Buffer, { caps, meter, output }: Reading): Promise<void> {
  const zip = await openZip(bytes, caps, meter);
  const { dates1904, sharedStrings: part, sheets } = await readWorkbookMap(zip);
  const sharedStrings = part === null ? [] : await readSharedStrings(zip.read(part), caps.cellBytes);
  for (const sheet of sheets) {
    output.sheet(sheet.name, dates1904);
    if (sheet.part === null) continue;
    const { put, at, paced } = output;
    await readSheetXml(paced(zip.read(sheet.part)), { sharedStrings, caps, meter, put, at });
  }
  output.noSheet();
  await zip.readRest();
}

async function readCsvFile(bytes: Buffer, form: CsvForm, { caps, meter, output }: Reading): Promise<void> {
  const { readCsv } = await import('./csv-reading.ts');
  output.sheet('', false);
  readCsv(bytes, { form, caps, meter, put: output.put, at: output.at });
}

type CsvForm = Exclude<FileForm, 'xlsx'>;

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
    characters = 0;
  };
  return {
    sheet(name: string, dates1904: boolean) {
      flush();
      sheet = name;
      row = null;
      pipe.send(encodeFrame({ kind: 'sheet', name, dates1904 }));
    },
    /** What follows belongs to no sheet. */
    noSheet() {
      sheet = null;
      row = null;
    },
    at(number: number) {
      row = number;
    },
    put({ row: number, column, kind, text }: PlacedCell) {
      if (rows.length === 0 || last[0] !== number) {
        last = [number];
        rows.push(last);
      }
      packCell(last, column, { kind, text });
      characters += text.length + CELL_CHARACTERS;
      if (characters > FRAME_CHARACTERS) flush();
    },
    /** Waits after each piece until what came of it is taken: who is slow to take stops the parser. */
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
