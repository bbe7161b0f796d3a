import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openWorkplace } from '../apps/cli/test/run-program.ts';
import { fillServer } from '../apps/http/test/http-world.ts';
import { startTestServer } from '../apps/http/test/running-server.ts';
import { HOUSEHOLD } from '../packages/api/test/sample.ts';

const page = readFileSync(join(import.meta.dirname, 'bulk-import.md'), 'utf8');

test.runIf(existsSync('/usr/bin/curl'))(
  'the commands of the page get a template, try it, apply it and rank it',
  async () => {
    const [place, server] = [await openWorkplace(), await startTestServer()];
    const { key } = await fillServer(server, 'page');
    const [curls = '', rank = ''] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
    const options = { cwd: place.folder, env: { PATH: process.env.PATH, URL: server.url, KEY: key } };
    const { stdout } = await promisify(execFile)('sh', ['-ec', curls.replaceAll('curl ', 'curl -sS ')], options);
    expect(stdout).toMatch(/^\{"upload_id":null.*"diff_count":0.*\}\{"upload_id":\d+,/);
    writeFileSync(`${place.folder}/hogar.json`, JSON.stringify(HOUSEHOLD));
    const ranked = await place.run(rank.trim().split(' ').slice(2));
    expect(ranked).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Luz Clara') });
    await server.close();
    await place.remove();
  },
);
