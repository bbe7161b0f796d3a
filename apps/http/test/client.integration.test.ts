import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTarifario, type Progress, type Tarifario } from '@tarifario/client';
import { zipFile } from '@tarifario/testkit/files/zip-file';
import { xlsxFile } from '@tarifario/testkit/http/forms';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleServer } from './example-server.ts';

const root = join(import.meta.dirname, '../../..');

let server: RunningServer;
let key: string;
let tarifario: Tarifario;

beforeAll(async () => {
  ({ server, key } = await exampleServer());
  tarifario = createTarifario({ url: server.url, key });
});
afterAll(() => server.close());

test('the program on the page of the client prints what the page says', async () => {
  const page = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const program = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const promised = [...(/(?:^\/\/ .*\n)+$/m.exec(program)?.[0].matchAll(/^\/\/ (.*)$/gm) ?? [])].map(
    ([, line]) => line,
  );
  expect(promised).toHaveLength(4);
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

test('the service answers the fields that a call names, and a list is gone through with them', async () => {
  const all: number[] = [];
  for await (const { id } of tarifario.listOffers({ limit: 2 })) all.push(id);
  const some: number[] = [];
  for await (const offer of tarifario.listOffers({ limit: 2, fields: 'results.id' })) {
    expect(offer).toEqual({ id: offer.id });
    some.push(offer.id);
  }
  expect(some).toEqual(all);
  expect(all.length).toBeGreaterThan(2);
  const asked = { body: { supply_type: 'LUZ', energia: { e1: 900 } }, fields: 'total,results.cost.total' } as const;
  const { total, results, ...others } = await tarifario.rankOffers(asked);
  expect(others).toEqual({});
  expect(results.map(({ cost }) => cost)).toEqual(results.map(({ cost }) => ({ total: cost.total })));
  expect(total).toBeGreaterThan(0);
});

describe('a file', () => {
  const workbook = () => {
    const rows = Array.from({ length: 400 }, (_, index) => [1, `Alba ${index}`]);
    return new File([xlsxFile({ ofertas: [['offer_id', 'nombre'], ...rows] })], 'ofertas.xlsx');
  };

  test('is sent with its bytes counted, and arrives as without counting', async () => {
    const seen: Progress[] = [];
    const body = { file: workbook(), kind: 'offers_bulk_update' } as const;
    const counted = await tarifario.createUpload({ body }, { onProgress: (progress) => seen.push(progress) });
    const plain = await tarifario.createUpload({ body });
    expect(seen.at(-1)?.sent).toBe(seen.at(-1)?.total);
    expect(seen.at(-1)?.total).toBeGreaterThan(body.file.size);
    expect(counted).toMatchObject({ size_bytes: body.file.size, file_name: 'ofertas.xlsx' });
    expect(plain).toMatchObject({ size_bytes: body.file.size, file_name: 'ofertas.xlsx' });
  });

  test('that is wrong is refused with its wrong rows', async () => {
    const failure = tarifario.bulkUpdateOffers({ body: { file: workbook() } });
    await expect(failure).rejects.toMatchObject({ code: 'business_rule', status: 422, errors: expect.any(Array) });
  });

  test('of a meter is sent as the whole body, and a template is received as bytes', async () => {
    const curve = readFileSync(join(root, 'test-fixtures/catalog/curve-2.0TD.csv'));
    const place = { tariff_type: '2.0TD', territory: 'peninsula' } as const;
    const read = await tarifario.readConsumption({ ...place, body: new Blob([curve]) });
    expect(read.dias).toBeGreaterThan(300);
    const template = await tarifario.bulkTemplateOffers();
    expect(Buffer.from(template.subarray(0, 2)).toString()).toBe('PK');
  });
});

describe('A-95: a caller who prefers Spanish', () => {
  const inLanguage = (language: 'es' | 'en') => createTarifario({ url: server.url, key, language });

  test('gets refusals in Spanish under the same code, from operations and from all other parts of the service', async () => {
    await expect(inLanguage('es').getOffer({ id: 999 })).rejects.toMatchObject({
      ...{ code: 'not_found', message: 'no se encuentra: id: no existe esa oferta' },
    });
    await expect(inLanguage('en').getOffer({ id: 999 })).rejects.toMatchObject({
      ...{ code: 'not_found', message: 'not found: id: no such offer' },
    });
    const nowhere = await fetch(`${server.url}/v1/nothing`, { headers: { 'Accept-Language': 'es-ES,en;q=0.5' } });
    const { headers } = nowhere;
    expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual(['es', 'Accept-Language']);
    expect(await nowhere.json()).toEqual({ detail: { code: 'not_found', message: 'no existe esa ruta' } });
    const broken = await fetch(`${server.url}/v1/clients`, {
      ...{ method: 'POST', body: '{', headers: { 'X-API-Key': key, 'Accept-Language': 'es' } },
    });
    expect(await broken.json()).toMatchObject({
      detail: { message: 'el cuerpo tiene que ser application/json en UTF-8' },
    });
    const answered = await fetch(`${server.url}/v1/account`, {
      headers: { 'X-API-Key': key, 'Accept-Language': 'es' },
    });
    expect(answered.headers.get('Content-Language')).toBeNull();
  });

  test('gets the errors of rows in Spanish, also of a file that was applied in the background', async () => {
    const rows = {
      ofertas: [
        ['offer_id', 'e1'],
        [1, '12 c'],
      ],
    };
    const file = new File([xlsxFile(rows)], 'ofertas.xlsx');
    const refused = inLanguage('es').bulkUpdateOffers({ body: { file } });
    const error = 'e1: tiene que ser un número, como 1234,56, sin unidad ni separador de miles';
    await expect(refused).rejects.toMatchObject({
      code: 'business_rule',
      message: `no se ha cambiado nada: el archivo tiene 1 error: ofertas 2: ${error}`,
      errors: [{ sheet: 'ofertas', row: 2, offer_id: 1, error }],
    });
    const { id } = await inLanguage('en').createUpload({ body: { file } });
    await expect.poll(async () => (await tarifario.getUpload({ id })).status).toBe('failed');
    const { error: inSpanish } = await inLanguage('es').getUpload({ id });
    expect(inSpanish).toMatchObject({ code: 'business_rule', errors: [{ row: 2, error }] });
    const { error: inEnglish } = await inLanguage('en').getUpload({ id });
    expect(inEnglish).toMatchObject({ message: 'nothing was changed: the file has 1 error' });
  });

  test.each([
    ['xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /XLS.*guardarlo como \.xlsx/],
    ['ods', zipFile([{ name: 'content.xml', data: '<a/>' }]), /ODS.*guardarla como \.xlsx/],
  ])('gets a Spanish hint to save an .%s as .xlsx', async (ending, bytes, message) => {
    const file = new File([new Uint8Array(bytes)], `ofertas.${ending}`);
    const refused = inLanguage('es').bulkUpdateOffers({ body: { file } });
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });
});

test('a redirect is not followed, so that the key is sent to no other address', async () => {
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

test('a server that stops while it answers, or does not exist, is reported as unreachable', async () => {
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
