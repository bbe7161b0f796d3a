import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { hasBrowser, openDesk } from './browser.ts';

/** Sends a file of three parts of a megabyte, and aborts another one. */
const PROGRAM = `(async () => {
  const tarifario = client.createTarifario({ url: location.origin, key: KEY });
  const file = new File([new Uint8Array(3e6)], 'ofertas.xlsx');
  const seen = [];
  const code = await tarifario.bulkUpdateOffers({ body: { file } }, { onProgress: (at) => seen.push(at) })
    .catch((error) => [error.code, error.status, error.message, error.requestId !== null].join());
  const signal = AbortSignal.abort(new Error('not needed'));
  const aborted = await tarifario.createUpload({ body: { file } }, { onProgress: () => {}, signal }).catch(String);
  const upload = await tarifario.createUpload({ body: { file } }, { onProgress: (at) => seen.push(at) });
  return { code, aborted, size: upload.size_bytes, last: seen.at(-1), total: seen[0].total };
})()`;

it.runIf(hasBrowser)('the client sends a file in a browser with its bytes counted', { timeout: 300_000 }, async () => {
  const desk = await openDesk();
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, '../../../packages/client/src/index.ts')],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'client' },
  });
  const script = bundled.outputFiles[0]?.text ?? '';
  const { page, close } = await desk.open();
  const text = `${script}; ${PROGRAM.replace('KEY', JSON.stringify(desk.keys.full_access))}`;
  const { code, aborted, size, last, total } = await page.evaluate<{
    readonly code: string;
    readonly aborted: string;
    readonly size: number;
    readonly last: { readonly sent: number; readonly total: number };
    readonly total: number;
  }>(text);
  expect(code).toBe('invalid_request,400,no se puede leer el archivo: no es un libro XLSX,true');
  expect(aborted).toBe('Error: not needed');
  expect(size).toBe(3e6);
  expect(last.sent).toBe(last.total);
  expect(total).toBeGreaterThan(3e6);
  await close(/400/);
  await desk.close();
});
