import { allRowsOf, getFile, newOffersWorkbook, sendFile } from '@tarifario/testkit/http/bulk-files';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { askFor, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { RETRY_ON_NOISE } from '@tarifario/testkit/loop-watch';
import { expectWithin, isFullLength } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSender, type Sender, watchedServer } from './bulk-watch.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess({ metricsPort: 0 });
});
afterAll(() => server.close());

const OWN = '/v1/offers/bulk-update';

interface WireUpload {
  readonly id: number;
  readonly status: string;
  readonly result: unknown;
  readonly error: unknown;
}

/** An upload once it is over. */
async function overOf({ key }: Sender, id: number): Promise<WireUpload> {
  const uploadNow = () => askFor<WireUpload>(server, key, { path: `/v1/uploads/${id}` });
  await expect.poll(async () => (await uploadNow()).status, { interval: 100 }).not.toMatch(/pending|processing/);
  return await uploadNow();
}

async function offerCount({ key }: Sender): Promise<number> {
  return (await askFor<{ total: number }>(server, key, { path: '/v1/offers?limit=1&include_inactive=true' })).total;
}

describe('a template that is sent back as it came', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await fillServer(server, 'templates'));
  });

  it.each([
    ['/v1/offers/bulk-template', OWN],
    ['/v1/offers/bulk-template-indexed', OWN],
    ['/v1/catalog/offers/bulk-template', '/v1/catalog/offers/bulk-update'],
    ['/v1/catalog/offers/bulk-template-indexed', '/v1/catalog/offers/bulk-update'],
  ])('A-44: changes nothing: %s', async (template, update) => {
    const bytes = await getFile(server, key, `${template}?include_inactive=true`);
    const before = allRowsOf(server);
    const { status, text } = await sendFile(server, key, { path: update, bytes });
    expect([status, JSON.parse(text)]).toMatchObject([200, { created: 0, deactivated: 0, companies_created: 0 }]);
    expect(JSON.parse(text).replaced).toBeGreaterThan(0);
    expect(allRowsOf(server) === before).toBe(true);
  });
});

const NONE = new TextEncoder().encode('no workbook');

describe('an upload', () => {
  it('A-38: is applied in the background, after those before it', async () => {
    const sender = await newSender(server);
    const bytes = await newOffersWorkbook({ offers: 300, indexed: 30 });
    const fields = { kind: 'offers_bulk_update', client_id: String(sender.clientId) };
    const sent = await sendFile(server, sender.key, { path: '/v1/uploads', bytes, fields });
    expect(sent.status).toBe(202);
    const wrong = await sendFile(server, sender.key, { path: '/v1/uploads', bytes: NONE, fields });
    const [good, bad] = [
      await overOf(sender, JSON.parse(sent.text).id),
      await overOf(sender, JSON.parse(wrong.text).id),
    ];
    expect(good).toMatchObject({ status: 'completed', result: { created: 300, prices_upserted: 30 }, error: null });
    expect(bad).toMatchObject({ status: 'failed', result: null, error: { code: 'invalid_request' } });
    expect(await offerCount(sender)).toBe(300);
  });
});

if (isFullLength) {
  it(
    'while a file is applied, and while a template of its offers is made, others are answered at once, in the allowed memory',
    RETRY_ON_NOISE,
    async () => {
      const sender = await newSender(server);
      const bytes = await newOffersWorkbook({ offers: 4000, indexed: 400 });
      const applied = await watchedServer(server, sender, () => sendFile(server, sender.key, { path: OWN, bytes }));
      expect(applied.value.status).toBe(200);
      expect(applied.answers).toBeGreaterThan(5);
      expectWithin(applied.workedMs, 100);
      expect(applied.grownMb).toBeLessThan(50);
      const made = await watchedServer(server, sender, () => getFile(server, sender.key, '/v1/offers/bulk-template'));
      expect(made.value.length).toBeGreaterThan(100_000);
      expectWithin(made.workedMs, 100);
    },
  );
}
