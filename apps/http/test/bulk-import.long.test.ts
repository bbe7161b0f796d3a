import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOMBS, HOSTILE_FILES, xmlAttacks } from '@tarifario/testkit/files/hostile-files';
import { hasLibreOffice, openLibreOffice } from '@tarifario/testkit/files/libreoffice';
import { allRowsOf, getFile, largeOffersWorkbook, sendFile } from '@tarifario/testkit/http/bulk-files';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { expectHarmless, newSender, watchedServer } from './bulk-watch.ts';

const PORT = 9_998;
let server: ServerProcess;
let connections = 0;
const listener = createServer((_, response) => response.end('<!-- -->')).on('connection', () => {
  connections += 1;
});

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(PORT, '127.0.0.1', resolve));
  server = await startServerProcess({ metricsPort: 0 }, { lifetimeMs: 3_600_000 });
});
afterAll(async () => {
  listener.close();
  await server.close();
});

describe('a hostile file is refused within 35 seconds and harms nobody', { timeout: 90_000 }, () => {
  test.each([...HOSTILE_FILES, ...BOMBS])('A-45: $name', (file) => expectHarmless(server, file));

  test.each(xmlAttacks(`http://127.0.0.1:${PORT}`))('$name, and nothing is fetched', async (file) => {
    await expectHarmless(server, file);
    expect(connections).toBe(0);
  });
});

const TEMPLATES: readonly (readonly [template: string, update: string])[] = [
  ['/v1/offers/bulk-template', '/v1/offers/bulk-update'],
  ['/v1/offers/bulk-template-indexed', '/v1/offers/bulk-update'],
  ['/v1/catalog/offers/bulk-template', '/v1/catalog/offers/bulk-update'],
  ['/v1/catalog/offers/bulk-template-indexed', '/v1/catalog/offers/bulk-update'],
];

describe.runIf(hasLibreOffice())('a template that LibreOffice has saved again', { timeout: 600_000 }, () => {
  const office = openLibreOffice();
  afterAll(() => office.close());

  it.each(TEMPLATES)('A-44: changes nothing: %s', async (template, update) => {
    // What these offers pay has more digits than LibreOffice keeps.
    const { key } = await fillServer(server, template.replaceAll(/\W/g, '-'), (base) => base / 3 + 0.1 + 0.2);
    const bytes = await office.savedAgain(await getFile(server, key, `${template}?include_inactive=true`));
    const before = allRowsOf(server);
    const { status, text } = await sendFile(server, key, { path: update, bytes });
    expect([status, JSON.parse(text)]).toMatchObject([200, { created: 0, deactivated: 0, companies_created: 0 }]);
    expect(JSON.parse(text).replaced).toBeGreaterThan(0);
    expect(allRowsOf(server) === before).toBe(true);
  });
});

it('while a file of 10 MB is applied others are answered, and the server needs less than the allowed memory', {
  timeout: 300_000,
}, async () => {
  const sender = await newSender(server);
  const bytes = await largeOffersWorkbook();
  expect(bytes.length).toBeGreaterThan(9_000_000);
  const path = '/v1/offers/bulk-update';
  const idle = await watchedServer(server, sender, () => sleep(5000));
  const { value, ...seen } = await watchedServer(server, sender, () => sendFile(server, sender.key, { path, bytes }));
  console.info(
    `${(bytes.length / 1e6).toFixed(1)} MB, ${value.text}: ${(seen.wallMs / 1000).toFixed(1)} s; others: ` +
      `${seen.answers} answers, p99 ${seen.p99Ms.toFixed(0)} ms, idle ${idle.p99Ms.toFixed(0)} ms; longest work at a stretch ${seen.workedMs.toFixed(1)} ms; ` +
      `the thread that answers +${seen.grownMb.toFixed(0)} MB, the process +${seen.processGrownMb.toFixed(0)} MB`,
  );
  expect(value.status).toBe(200);
  expect(seen.workedMs).toBeLessThan(100);
  expect(seen.grownMb).toBeLessThan(50);
});
