import type { FILE_CAPS } from '@tarifario/core';
import { workbookLines } from '@tarifario/sheets/browser-reading';

export interface WorkbookQuestion {
  readonly bytes: Uint8Array;
  readonly caps: typeof FILE_CAPS;
}

/** Runs beside the page, which stays usable. */
addEventListener('message', async ({ data: { bytes, caps }, ports: [port] }: MessageEvent<WorkbookQuestion>) => {
  port?.postMessage(await workbookLines(bytes, caps));
});
