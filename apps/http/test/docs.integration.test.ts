import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openApiDocument, operations } from '@tarifario/api';
import { readConfig } from '@tarifario/runtime';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { openConnection, parseAnswer, readBytesToEnd } from '@tarifario/testkit/http/raw-http';
import { type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../src/page.ts';
import { createStartPage } from '../src/start-page.ts';

const EXAMPLES = createRequire(import.meta.url).resolve('@tarifario/api/openapi-examples.json');
const run = promisify(execFile);
let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(server.url + path, { redirect: 'manual', ...init });
}

describe('the contract', () => {
  it('is served without a key, as the api generates it', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).not.toBeNull();
    const document = openApiDocument();
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
    // Programs put the first before each path as it stands, and send nothing to a relative one.
    const { host, port } = readConfig({});
    expect(document.servers).toMatchObject([{ url: `http://${host}:${port}` }, { url: '/' }]);
  });

  it('A-161: has its examples at an address of their own', async () => {
    const response = await get('/openapi-examples.json');
    expect(await response.text()).toBe(JSON.stringify(JSON.parse(readFileSync(EXAMPLES, 'utf8'))));
  });

  it('has no body for HEAD, and allows no other method', async () => {
    const head = await get('/openapi.json', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await get('/openapi.json', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await post.json()).toMatchObject({ detail: { code: 'method_not_allowed' } });
  });
});

describe('a page', () => {
  const PAGES = [
    '/',
    '/openapi.json',
    '/openapi-examples.json',
    '/docs/',
    '/docs/init.js',
    '/docs/swagger-ui.css',
    '/docs/swagger-ui-bundle.js',
  ];
  /** Without what `fetch` adds and unpacks by itself. */
  async function ask(path: string, headers: Record<string, string> = {}) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = await openConnection(server.url);
    const answer = readBytesToEnd(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`);
    const bytes = await answer;
    const end = bytes.indexOf('\r\n\r\n');
    return { ...parseAnswer(bytes.subarray(0, end + 4).toString()), bytes: bytes.subarray(end + 4) };
  }

  it.each(PAGES)('%s is compressed as the client accepts, and the same each time', async (path) => {
    const plain = await ask(path);
    expect(plain.headers.get('content-encoding')).toBeUndefined();
    const isShort = plain.bytes.length < 1024;
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['deflate', undefined],
    ] as const) {
      const answer = await ask(path, { 'Accept-Encoding': accepted });
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, isShort ? undefined : encoding]);
      const unpack =
        isShort || !encoding ? (sent: Buffer) => sent : encoding === 'br' ? brotliDecompressSync : gunzipSync;
      expect(unpack(answer.bytes).equals(plain.bytes)).toBe(true);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
      if (!isShort && encoding) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3);
    }
  });

  it.each(PAGES)('%s is not sent again to a client that has the same version', async (path) => {
    const tags = new Set<string>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': accepted };
      const etag = (await ask(path, headers)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      tags.add(etag);
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await ask(path, { ...headers, 'If-None-Match': known });
        expect([known, again.status, again.bytes.length, again.headers.get('etag')]).toEqual([known, 304, 0, etag]);
        expect(again.headers.get('vary')).toBe('Accept-Encoding');
      }
      expect((await ask(path, { ...headers, 'If-None-Match': '"x"' })).status).toBe(200);
    }
    // Each form of it is another: a strong tag says that the bytes are the same.
    expect([1, 3]).toContain(tags.size);
    expect((await ask(path)).headers.get('cache-control')).toMatch(/^(no-cache|public, max-age=3600)$/);
  });

  it('is compressed, and no answer of an operation is', async () => {
    const key = await server.addKey(await server.addAccount('long-answers'), {});
    for (let index = 0; index < 30; index += 1) {
      const sent = { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ name: `Asesoría ${index} ${'x'.repeat(50)}` });
      expect((await get('/v1/clients', { ...sent, body })).status).toBe(201);
    }
    const answer = await ask('/v1/clients', { 'X-API-Key': key, 'Accept-Encoding': 'gzip, br' });
    expect(answer.bytes.length).toBeGreaterThan(1024);
    expect(answer.headers.get('content-encoding')).toBeUndefined();
    expect(JSON.parse(answer.bytes.toString()).total).toBe(30);
  });
});

describe('the first page', () => {
  const linksIn = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1]);

  it('leads to the other pages, and no script or style is allowed on it', async () => {
    const response = await get('/');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const links = linksIn(await response.text());
    const isBuilt = (await get('/app/')).status === 200;
    expect(links).toEqual(isBuilt ? ['app/', 'docs/'] : ['docs/']);
    for (const link of links) expect((await get(`/${link}`)).status).toBe(200);
    const head = await get('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await get('/', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    [true, ['app/', 'docs/']],
    [false, ['docs/']],
  ])('leads to the page for advisors only where that is built: %s', async (withApp, expected) => {
    const request = { path: '/', acceptsEncodings: () => 'identity', get: () => undefined };
    const { bytes } = await createStartPage(withApp)(request as unknown as Parameters<Page>[0]);
    expect(linksIn(Buffer.from(bytes ?? []).toString())).toEqual(expected);
  });
});

describe('the page for people', () => {
  it('is at the address that browsers ask for', async () => {
    const response = await get('/docs');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/docs/']);
    expect((await get('/docs/package.json')).status).toBe(404);
    expect((await get('/docs/..%2fpackage.json')).status).toBe(404);
  });

  it('allows only its own files', async () => {
    const files = ['', 'init.js', 'swagger-ui.css', 'swagger-ui-bundle.js'];
    const types = ['text/html', 'text/javascript', 'text/css', 'text/javascript'];
    for (const [index, file] of files.entries()) {
      const response = await get(`/docs/${file}`);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get('content-type')).toBe(`${types[index]}; charset=utf-8`);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|http|\*/);
    }
    const html = await (await get('/docs/')).text();
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]).toSorted()).toEqual(
      [...files.slice(1), 'data:,'].toSorted(),
    );
    expect(html).not.toMatch(/<style|style=|<script>| on\w+=/);
  });
});

further('the page shows every operation and every event of webhooks, without errors in the browser', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'tarifario-browser-'));
  try {
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
    const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
    const { stdout, stderr } = await run(
      browserProgram ?? 'chromium',
      [
        ...options,
        ...quiet,
        `--user-data-dir=${profile}`,
        '--enable-logging=stderr',
        '--virtual-time-budget=20000',
        '--dump-dom',
        `${server.url}/docs/`,
      ],
      { timeout: 600_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
    );
    const shown = [...stdout.matchAll(/<div[^>]* id="operations-[^"]*-(\w+)"/g)].map((match) => match[1]);
    const events = Object.values(openApiDocument().webhooks ?? {}).map(({ post }) => post?.operationId);
    expect(shown.toSorted()).toEqual([...operations.map(({ id }) => id), ...events].toSorted());
    for (const { path } of operations) expect(stdout).toContain(`data-path="${path}"`);
    // It sends to the service that it comes from.
    expect([...stdout.matchAll(/<option value="([^"]*\/[^"]*)"/g)].map((match) => match[1])).toEqual(['/']);
    // Refused scripts, styles and requests, and errors of scripts.
    expect(stderr.split('\n').filter((line) => /CONSOLE|Content Security Policy|Uncaught/.test(line))).toEqual([]);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
