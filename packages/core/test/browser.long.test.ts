import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { expect, test } from 'vitest';
import { libraryProgram } from './library-program.ts';

const dist = join(import.meta.dirname, '../dist/src');

const TELL = "(answer) => { document.querySelector('pre').textContent = answer; }";
const PAGE = `<pre>wait</pre><script type="module">${libraryProgram('/index.js', TELL)}</script>`;

// A server in a thread, because the browser is waited for.
const SERVER = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { existsSync, readFileSync } = require('node:fs');
  require('node:http').createServer(({ url }, answer) => {
    const file = workerData.dist + url;
    if (!url.startsWith('/page')) return answer.writeHead(existsSync(file) ? 200 : 404, { 'content-type': 'text/javascript' }).end(existsSync(file) ? readFileSync(file) : '');
    const policy = "script-src 'self' 'unsafe-inline'";
    answer.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(workerData.page);
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

test('a browser ranks offers on a page that allows no code from texts', async () => {
  expect(browserProgram).toBeDefined();
  const server = new Worker(SERVER, { eval: true, workerData: { dist, page: PAGE } });
  const profile = mkdtempSync(join(tmpdir(), 'tarifario-chromium-'));
  try {
    const port = await new Promise((resolve) => server.once('message', resolve));
    const answerOf = (path: string) => {
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=8000', '--dump-dom'];
      const url = `http://127.0.0.1:${port}${path}`;
      const dom = execFileSync(browserProgram ?? '', [...flags, `--user-data-dir=${profile}`, url], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
      return /<pre>([^<]*)/.exec(dom)?.[1];
    };
    expect(answerOf('/page')).toBe('true');
  } finally {
    await server.terminate();
    rmSync(profile, { recursive: true, force: true });
  }
}, 120_000);
