import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { openWorkplace } from '@tarifario/testkit/cli/run-program';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { startTestServer } from '@tarifario/testkit/http/running-server';
import { startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { expect, test } from 'vitest';

/** The shell commands of the pages run unchanged. */
const read = (page: string) => readFileSync(join(import.meta.dirname, page), 'utf8');
const hasCurl = existsSync('/usr/bin/curl');
if (!hasCurl) console.warn('!!! NOT TESTED: there is no curl here, so the commands of five pages were not run !!!');

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

test.runIf(hasCurl)('the five requests of openapi.md are answered with what a program needs first', async () => {
  const server = await startTestServer();
  const { key } = await fillServer(server, 'page');
  const [, block = ''] = /^```sh\n(.*?)^```/ms.exec(read('openapi.md')) ?? [];
  const env = { PATH: process.env.PATH, URL: server.url, KEY: key };
  const commands = block.replaceAll('curl ', 'curl -sS -w "\\n" ');
  const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { key: { full_access: true } },
    { limit: 2, offset: 0, results: expect.any(Array), total: expect.any(Number) },
    {
      actual: { cost: { total: 700 } },
      results: expect.arrayContaining([expect.objectContaining({ is_optimal: true })]),
    },
    { name: 'Asesoría del Sur', is_active: true },
    { next: expect.any(String) },
  ]);
  await server.close();
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

test.runIf(hasCurl)(
  'the curls of openapi.md, sending-again.md and proposals.md are answered as the pages say',
  async () => {
    const [place, server] = [await openWorkplace(), await startTestServer()];
    const { key, sample } = await fillServer(server, 'page');
    const curlsOf = (page: string) =>
      [...read(page).matchAll(/^ {4}(curl (?:.*\\\n)*.*)$/gm)].map(([, command = '']) => {
        const [request = ''] = command.replaceAll('http://127.0.0.1:3000', server.url).split(/ {3,}(?=for )/);
        return request
          .replace('/v1/offers/15', `/v1/offers/${sample.luzId}`)
          .replace('/1 >', `/${sample.proposalId} >`);
      });
    const env = { PATH: process.env.PATH, URL: server.url, KEY: key };
    const run = async (command = '', flags = '-sSi') =>
      (await promisify(execFile)('sh', ['-ec', command.replace('curl', `curl ${flags}`)], { cwd: place.folder, env }))
        .stdout;
    writeFileSync(join(place.folder, 'offer.json'), JSON.stringify({ ...LUZ_BODY, company_id: sample.companyId }));

    const [create, patch] = curlsOf('sending-again.md');
    expect(await run(create)).toMatch(/^HTTP\/1.1 201 /);
    expect(await run(create)).toMatch(/^HTTP\/1.1 201 .*Idempotent-Replayed: true/s);
    expect(await run(patch)).toMatch(/^HTTP\/1.1 412 .*"precondition_failed"/s);
    expect(await run(curlsOf('openapi.md')[0])).toMatch(/^HTTP\/1.1 200 .*"openapi":"3.1.0"/s);
    await run(curlsOf('proposals.md')[0], '-sS');
    const proposal = JSON.parse(readFileSync(join(place.folder, 'proposal.json'), 'utf8'));
    expect(proposal).toMatchObject({ id: sample.proposalId, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await server.close();
    await place.remove();
  },
);

test('the commands of hours.md load an index, list it, and say what the hours of a curve cost more', async () => {
  const place = await openWorkplace();
  const [, block = ''] = /^```sh\n(.*?)^```/ms.exec(read('hours.md')) ?? [];
  const root = join(import.meta.dirname, '..');
  const commands = block
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(2))
    .map((args) => args.map((arg) => (arg.startsWith('test-fixtures/') ? join(root, arg) : arg)));
  const answers: unknown[] = [];
  for (const args of commands) answers.push(await place.json(args));
  expect(answers).toMatchObject([
    { indice: 'PVPC', huecos: expect.any(Array) },
    [{ indice: 'PVPC', horas: 2952 }],
    {
      indices: [{ indice: 'PVPC', efecto: 7.290497 }],
      perfil: [
        {
          mes: 6,
          anio: 2026,
          indices: { PVPC: { d1: 0.057794275, d2: 0.071104114, d3: 0.026648093, excedentes: 0.083588438 } },
        },
      ],
    },
  ]);
  await place.remove();
});
