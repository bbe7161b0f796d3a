import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { further } from '@tarifario/testkit/share';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { openSite } from './browser.ts';

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

/** The client as a script that sets `client`. */
async function clientScript(): Promise<string> {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, '../../../packages/client/src/index.ts')],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'client' },
  });
  return bundled.outputFiles[0]?.text ?? '';
}

further('the client sends a file in a browser with its bytes counted', async () => {
  const site = await openSite();
  const script = await clientScript();
  const { page, close } = await site.open();
  const text = `${script}; ${PROGRAM.replace('KEY', JSON.stringify(site.keys.full_access))}`;
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
  await site.close();
});

async function listen(handle: RequestListener) {
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const REDIRECTED = `(async () => {
  const tarifario = client.createTarifario({ url: location.origin, key: 'tfk_secret' });
  const file = new File(['x'], 'ofertas.xlsx');
  return tarifario.createUpload({ body: { file } }, { onProgress: () => {} }).then(String, (error) => error.code);
})()`;

it.skipIf(browserProgram === undefined)(
  'a redirect of an upload to another host fails, and takes no key there from the page for advisors, whose policy forbids it',
  async () => {
    const keys: unknown[] = [];
    const thief = await listen((request, response) => {
      if (request.method !== 'OPTIONS') keys.push(request.headers['x-api-key']);
      const allowed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      response.writeHead(202, { ...allowed, 'Content-Type': 'application/json' }).end('{"id":1}');
    });
    const site = await openSite();
    // A service behind a proxy that redirects, and a page of the same host without a policy.
    const proxy = await listen(async (request, response) => {
      if (request.method === 'POST') return response.writeHead(307, { Location: `${thief.url}/v1/uploads` }).end();
      if (request.url === '/bare') return response.writeHead(200, { 'Content-Type': 'text/html' }).end();
      const answer = await fetch(site.server.url + request.url);
      const { status, headers } = answer;
      const policy = headers.get('Content-Security-Policy') ?? '';
      response.writeHead(status, {
        'Content-Type': headers.get('Content-Type') ?? '',
        'Content-Security-Policy': policy,
      });
      return response.end(await answer.bytes());
    });
    const { page } = await site.open();
    const script = await clientScript();
    const upload = async (path: string) => {
      await page.goto(proxy.url + path);
      return page.evaluate<string>(`${script}; ${REDIRECTED}`);
    };
    expect([await upload('/app/'), keys]).toEqual(['unreachable', []]);
    // XMLHttpRequest has no way to forbid redirects, so elsewhere it is the policy of the page that has to.
    expect([await upload('/bare'), keys]).toEqual(['unreachable', ['tfk_secret']]);
    await site.close();
    proxy.close();
    thief.close();
  },
);
