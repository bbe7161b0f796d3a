import { FILE_CAPS, type FileCaps, type FileForm, type SheetPart, UnreadableFile } from '@tarifario/core/service';
import { workbookLines } from '../src/browser-reading.ts';
import { readFileTo } from '../src/file-reading.ts';
import { PROCESS } from '../src/process-machine.ts';
import { partsOf } from '../src/sheet-parts.ts';

export interface WholeSheet {
  readonly name: string;
  readonly rows: SheetPart['rows'];
}

/** All parts of a file, sheet by sheet. */
export async function wholeOf(parts: AsyncIterable<SheetPart>): Promise<WholeSheet[]> {
  const sheets: { name: string; rows: SheetPart['rows'][number][] }[] = [];
  for await (const { sheet, name, rows } of parts) {
    sheets[sheet] ??= { name, rows: [] };
    sheets[sheet].rows.push(...rows);
  }
  return sheets;
}

/** Reads a file as the reader does, in this process: for what has nothing to do with processes. */
export async function* readHere(
  bytes: Uint8Array,
  { form = 'xlsx', caps = {} }: { readonly form?: FileForm; readonly caps?: Partial<FileCaps> } = {},
): AsyncGenerator<SheetPart> {
  const lines: string[] = [];
  const pipe = { send: (frame: string) => void lines.push(frame), drained: async () => {} };
  await readFileTo({ machine: PROCESS, pipe }, bytes, {
    form,
    caps: { ...FILE_CAPS, ...caps },
    cpuMs: Number.MAX_VALUE,
  });
  yield* partsOf(ReadableStream.from(lines));
}

/** Reads a workbook as a browser does. */
export async function* readAsBrowser(bytes: Uint8Array, caps: Partial<FileCaps> = {}): AsyncGenerator<SheetPart> {
  yield* partsOf(ReadableStream.from(await workbookLines(bytes, { ...FILE_CAPS, ...caps })));
}

/** How reading ends: the fault with its sheet and row, or `read` when there is none. */
export async function outcomeOf(parts: AsyncIterable<SheetPart>): Promise<string> {
  try {
    for await (const _ of parts);
    return 'read';
  } catch (thrown) {
    if (thrown instanceof UnreadableFile)
      return [thrown.fault, thrown.sheet, thrown.row].filter((part) => part !== null).join(' ');
    throw thrown;
  }
}
