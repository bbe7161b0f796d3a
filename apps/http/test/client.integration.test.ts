import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTarifario, type Progress, type Tarifario } from '@tarifario/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PASSWORD, fillExampleWorld } from '../../../packages/api/test/example-world.ts';
import { xlsxFile } from './forms.ts';
import { requestOf } from './http-world.ts';
import { askFor, type RunningServer, startTestServer } from './running-server.ts';

const root = join(import.meta.dirname, '../../..');

let server: RunningServer;
let key: string;
let tarifario: Tarifario;

beforeAll(async () => {
  server = await startTestServer();
  const accountId = await server.addAccount('client');
  key = await server.addKey(accountId, {});
  tarifario = createTarifario({ url: server.url, key });
  const { secrets, store } = server.service;
  await fillExampleWorld({
    ...{ store, accountId, email: 'hola@energiaclara.example' },
    passwordHash: await secrets.hashPassword(EXAMPLE_PASSWORD),
    ask: (id, sent) => askFor(server, key, requestOf(id, sent)),
  });
});
afterAll(() => server.close());

test('the program in the page of the client prints what the page says', async () => {
  const page = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const program = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const promised = [...(/(?:^\/\/ .*\n)+$/m.exec(program)?.[0].matchAll(/^\/\/ (.*)$/gm) ?? [])].map(
    ([, line]) => line,
  );
  expect(promised).toHaveLength(3);
  // From here the package has its name.
  const folder = join(root, 'node_modules/.cache/client');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=tarifario-source', file], {
    env: { ...process.env, TARIFARIO_URL: server.url, TARIFARIO_KEY: key },
  });
  rmSync(folder, { recursive: true });
  expect(stdout.trim().split('\n')).toEqual(promised);
});

describe('a file', () => {
  const workbook = () => {
    const rows = Array.from({ length: 400 }, (_, index) => [1, `Alba ${index}`]);
    return new File([xlsxFile({ ofertas: [['offer_id', 'nombre'], ...rows] })], 'ofertas.xlsx');
  };

  test('is sent with all of its bytes counted, as without that', async () => {
    const seen: Progress[] = [];
    const body = { file: workbook(), kind: 'offers_bulk_update' } as const;
    const counted = await tarifario.createUpload({ body }, { onProgress: (progress) => seen.push(progress) });
    const plain = await tarifario.createUpload({ body });
    expect(seen.at(-1)?.sent).toBe(seen.at(-1)?.total);
    expect(seen.at(-1)?.total).toBeGreaterThan(body.file.size);
    expect(counted).toMatchObject({ size_bytes: body.file.size, file_name: 'ofertas.xlsx' });
    expect(plain).toMatchObject({ size_bytes: body.file.size, file_name: 'ofertas.xlsx' });
  });

  test('that is wrong is refused with the rows that are', async () => {
    const failure = tarifario.bulkUpdateOffers({ body: { file: workbook() } });
    await expect(failure).rejects.toMatchObject({ code: 'business_rule', status: 422, errors: expect.any(Array) });
  });

  test('of a meter is sent alone, and a template comes back as bytes', async () => {
    const curve = readFileSync(join(root, 'test-fixtures/catalog/curve-2.0TD.csv'));
    const place = { tariff_type: '2.0TD', territory: 'peninsula' } as const;
    const read = await tarifario.readConsumption({ ...place, body: new Blob([curve]) });
    expect(read.dias).toBeGreaterThan(300);
    const template = await tarifario.bulkTemplateOffers();
    expect(Buffer.from(template.subarray(0, 2)).toString()).toBe('PK');
  });
});

test('a redirect is not followed, so that the key goes nowhere else', async () => {
  const seen: unknown[] = [];
  const redirecting = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(307, { Location: `${server.url}/v1/account` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = Object(redirecting.address());
  const moved = createTarifario({ url: `http://127.0.0.1:${port}`, key });
  await expect(moved.getAccount()).rejects.toMatchObject({ code: 'unreachable' });
  expect(seen).toEqual(['/v1/account']);
  redirecting.closeAllConnections();
  redirecting.close();
});

test('a server that stops while it answers, or is not there, cannot be reached', async () => {
  const dying = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('{', () => response.destroy());
  });
  await new Promise<void>((resolve) => dying.listen(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = Object(dying.address());
  const client = createTarifario({ url: `http://127.0.0.1:${port}`, key });
  await expect(client.getAccount()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
  dying.closeAllConnections();
  await new Promise((resolve) => dying.close(resolve));
  await expect(client.getAccount()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
});
