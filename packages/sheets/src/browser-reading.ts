import type { FileCaps } from '@tarifario/core/service';
import { BROWSER } from './browser-machine.ts';
import { readFileTo } from './file-reading.ts';

/** Limit on the time for a file, of which most take less than a second. */
const MAX_MS = 20_000;

/** Reads a workbook in a browser, beside its page. @returns The lines that `partsOf` takes. Never throws. */
export async function workbookLines(bytes: Uint8Array, caps: FileCaps): Promise<readonly string[]> {
  const lines: string[] = [];
  const pipe = { send: (line: string) => void lines.push(line), drained: async () => {} };
  await readFileTo({ machine: BROWSER, pipe }, bytes, { form: 'xlsx', caps, cpuMs: MAX_MS });
  return lines;
}
