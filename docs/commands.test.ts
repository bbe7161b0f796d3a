import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openWorkplace } from '../apps/cli/test/run-program.ts';
import { fillServer } from '../apps/http/test/http-world.ts';
import { startTestServer } from '../apps/http/test/running-server.ts';
import { startMcpServer } from '../apps/mcp/test/mcp-server.ts';
import { HOUSEHOLD } from '../packages/api/test/sample.ts';

/** What pages show for a shell is run as it stands. */
const read = (page: string) => readFileSync(join(import.meta.dirname, page), 'utf8');
const hasCurl = existsSync('/usr/bin/curl');
if (!hasCurl) console.warn('!!! NOT TESTED: there is no curl here, so the commands of two pages were not run !!!');

test.runIf(hasCurl)('the commands of bulk-import.md get a template, dry-run it, apply it and rank it', async () => {
  const [place, server] = [await openWorkplace(), await startTestServer()];
  const { key } = await fillServer(server, 'page');
  const [curls = '', rank = ''] = [...read('bulk-import.md').matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, block = '']) => block,
  );
  const options = { cwd: place.folder, env: { PATH: process.env.PATH, URL: server.url, KEY: key } };
  const { stdout } = await promisify(execFile)('sh', ['-ec', curls.replaceAll('curl ', 'curl -sS ')], options);
  expect(stdout).toMatch(/^\{"upload_id":null.*"diff_count":0.*\}\{"upload_id":\d+,/);
  writeFileSync(`${place.folder}/hogar.json`, JSON.stringify(HOUSEHOLD));
  const ranked = await place.run(rank.trim().split(' ').slice(2));
  expect(ranked).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Luz Clara') });
  await server.close();
  await place.remove();
});

test.runIf(hasCurl)('the curl of mcp.md is answered with offers', async () => {
  const server = await startMcpServer();
  const { key } = await fillServer(server, 'page');
  const [curl = ''] = /curl -s URL.*\n.*$/m.exec(read('mcp.md')) ?? [];
  const command = curl.replace('URL', server.url).replace('KEY', key);
  const { stdout } = await promisify(execFile)('sh', ['-ec', command]);
  expect(JSON.parse(stdout).result).toMatchObject({
    isError: false,
    content: [{ text: expect.stringContaining('"limit":2') }],
  });
  await server.close();
});
