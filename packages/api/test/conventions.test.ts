import { DomainError, type RateLimiter } from '@tarifario/core/service';
import { pointsLeft } from '@tarifario/core/testing';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld } from '@tarifario/testkit/api/sample';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';
import { everythingOf } from './stores.ts';

let world: World;
let calls: Readonly<Record<string, CallInput>>;

beforeEach(async () => {
  ({ world, calls } = await filledWorld());
});

const creating = operations.filter(({ success }) => success.includes(201)).map(({ id }) => id);

/** The answer at a path, as for a client that follows `Location`. */
async function followed(path: string) {
  for (const { id, method, path: template } of operations) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const match = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (method !== 'GET' || match === null) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
    return world.ask(id, { params });
  }
  throw new Error(`nothing can be read at ${path}`);
}

describe('a created record', () => {
  it('is answered 201 or 202 by 11 operations', () => {
    expect(creating).toHaveLength(11);
  });

  it.each(creating)('A-58: has its address in Location: %s', async (id) => {
    const { status, headers, body } = await world.call(id, calls[id]);
    expect(status).toBe(201);
    const read = await followed(headers.Location ?? '');
    const { id: created, reference_month: month } = asRecord(body);
    expect(read).toMatchObject(month === undefined ? { id: created } : { reference_month: month });
  });

  it('A-58: has its address in Location where it is queued too, also in a replay', async () => {
    const input = { form: { bytes: fakeFile({}) }, idempotencyKey: 'queued-once' };
    for (const _time of ['first', 'second']) {
      const { status, headers, body } = await world.call('createUpload', input);
      expect([status, headers.Location]).toEqual([202, `/v1/uploads/${asRecord(body).id}`]);
    }
  });

  it('A-58: has no Location if nothing new was created', async () => {
    for (const id of ['upsertIndexedPrice', 'upsertCatalogIndexedPrice']) {
      await world.call(id, calls[id]);
      const { status, headers } = await world.call(id, calls[id]);
      expect([status, headers.Location]).toEqual([200, undefined]);
    }
  });
});

describe('a body for an operation that takes none', () => {
  const without = operations.filter(({ method, input }) => input.body === null && method !== 'GET').map(({ id }) => id);

  it('is sent to every toggle and every DELETE, and to no operation with an input besides its path', () => {
    const expected = operations.filter(({ path, method }) => path.endsWith('/toggle') || method === 'DELETE');
    expect(without).toEqual(expect.arrayContaining(expected.map(({ id }) => id)));
    expect(without.filter((id) => !expected.some((row) => row.id === id))).toEqual([
      'subscribeToCatalogCompany',
      'retryUpload',
      'applyUpload',
      'rotateWebhookSecret',
      'testWebhook',
      'redeliverWebhook',
    ]);
  });

  it.each(without)('A-58: is refused, and nothing is done: %s', async (id) => {
    const before = await everythingOf(world);
    for (const body of [{ is_active: true }, [], 'x', 0, false, null]) {
      expect(await world.call(id, { ...calls[id], body })).toMatchObject({
        status: 400,
        body: { detail: { code: 'invalid_request', message: expect.stringContaining('no body is taken here') } },
      });
    }
    expect(await everythingOf(world)).toBe(before);
  });

  it.each(without)('A-58: may be an empty object: %s', async (id) => {
    expect((await world.call(id, { ...calls[id], body: {} })).status).toBeLessThan(300);
  });

  it('A-58: is not read in a GET', async () => {
    const readBody = () => Promise.reject(new Error('was read'));
    for (const { id, method } of operations) {
      if (method === 'GET') expect((await world.call(id, { ...calls[id], readBody })).status, id).toBe(200);
    }
  });

  it('is mentioned in the description of each operation that refuses it', () => {
    const document = JSON.stringify(openApiDocument());
    expect(document.split('Takes no body: one that says more than `{}` is refused with 400.')).toHaveLength(
      without.length + 1,
    );
  });
});

describe('the point of a file that is queued', () => {
  let limiter: RateLimiter;
  beforeEach(async () => {
    limiter = createMemoryRateLimiter();
    world = await createWorld(undefined, limiter);
  });

  const queue = (kind: string, readBody?: CallInput['readBody']) =>
    world.send('createUpload', { form: { bytes: fakeFile({}), fields: { kind } }, ...(readBody && { readBody }) });
  const remaining = async (id: 'bulkUpdateOffers' | 'bulkUpdateCatalogOffers') => {
    const name = id === 'bulkUpdateOffers' ? 'bulk_update' : 'catalog_bulk_update';
    const accountId = world.account.id;
    const key = `${name}:${accountId}`;
    return (await pointsLeft(limiter, [{ name, key, points: 10, windowSeconds: 3600 }]))[0];
  };

  it('A-59: is taken before a byte of the file is read, and not returned', async () => {
    let before: number | undefined;
    await queue('offers_bulk_update', async (_sentAs, { beforeForm }) => {
      await beforeForm();
      before = await remaining('bulkUpdateOffers');
      throw new Error('the caller went away');
    });
    expect([before, await remaining('bulkUpdateOffers')]).toEqual([9, 9]);
  });

  it('A-40: is returned when the file is not received because too many arrive', async () => {
    const { status } = await queue('offers_bulk_update', async (_sentAs, { beforeForm }) => {
      await beforeForm();
      throw new DomainError('unavailable', { retryAfterSeconds: 10, isQueueFull: true });
    });
    expect([status, await remaining('bulkUpdateOffers')]).toEqual([503, 10]);
  });

  it('A-59: is that of the bulk update that the form asks for', async () => {
    expect((await queue('catalog_bulk_update')).status).toBe(202);
    expect([await remaining('bulkUpdateOffers'), await remaining('bulkUpdateCatalogOffers')]).toEqual([10, 9]);
    expect((await queue('offers_bulk_update')).status).toBe(202);
    expect([await remaining('bulkUpdateOffers'), await remaining('bulkUpdateCatalogOffers')]).toEqual([9, 9]);
  });

  it('A-59: is one of the other bulk update while its own are used up, and no file is read once both are', async () => {
    for (let count = 0; count < 10; count += 1) await queue('offers_bulk_update');
    expect((await queue('catalog_bulk_update')).status).toBe(202);
    expect([await remaining('bulkUpdateOffers'), await remaining('bulkUpdateCatalogOffers')]).toEqual([0, 9]);
    expect((await queue('offers_bulk_update')).status).toBe(429);
    expect(await remaining('bulkUpdateCatalogOffers')).toBe(9);
    for (let count = 0; count < 10; count += 1) await queue('catalog_bulk_update');
    let isRead = false;
    const answer = await queue('offers_bulk_update', async (_sentAs, { beforeForm }) => {
      await beforeForm();
      isRead = true;
    });
    expect([answer.status, isRead]).toEqual([429, false]);
    expect(answer.headers['Retry-After']).toBe('3600');
  });
});
