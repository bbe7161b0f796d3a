import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample, newFailedUpload, type Sample } from './sample.ts';
import { asRecord, createWorld, idOf, type Sent, type World } from './world.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  world = await createWorld();
  sample = await fillSample(world);
});

const register = (body: object, sent: Sent = {}) => world.call('createUpload', { ...sent, body });
const on = (operation: string, id: number, sent: Sent = {}) =>
  world.call(operation, { ...sent, params: { id: String(id) } });

async function fillPending(firmId: number | null, count: number): Promise<void> {
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    const terms = { firmId, kind: 'file', fileName: 'x', sizeBytes: null, status: 'pending' } as const;
    for (let index = 0; index < count; index += 1) await writer.insertUpload(world.account.id, terms);
  });
}

const refusal = (status: number, code: string) => ({ status, body: { detail: { code } } });

describe('an upload that is announced', () => {
  it('is a record that waits', async () => {
    const upload = await world.ask('createUpload', { body: { file_name: 'ofertas.xlsx' } });
    expect(upload).toEqual({
      id: expect.any(Number),
      client_id: null,
      kind: 'file',
      file_name: 'ofertas.xlsx',
      size_bytes: null,
      status: 'pending',
      result: null,
      error: null,
      created_at: expect.stringMatching(/^2026-01-01T00:/),
      updated_at: upload.created_at,
      finished_at: null,
    });
    expect(await world.ask('getUpload', { params: { id: String(upload.id) } })).toEqual(upload);
  });

  it.each(['offers_bulk_update', 'catalog_bulk_update', 'file'])('may be of kind %s', async (kind) => {
    expect(await register({ file_name: 'x', kind })).toMatchObject({ status: 201, body: { kind } });
  });

  it.each([{}, { file_name: null }, { file_name: 'x', kind: 'other' }, { file_name: 'x', status: 'completed' }])(
    'is refused as malformed with the body %j',
    async (body) => {
      expect(await register(body)).toMatchObject(refusal(400, 'invalid_request'));
    },
  );

  it.each([
    ['C:\\datos\\ofertas 2026.xlsx', 'ofertas 2026.xlsx'],
    ['../../etc/passwd', 'passwd'],
    [' energi\u0301a.xlsx ', 'energía.xlsx'],
    ['ñ'.repeat(255), 'ñ'.repeat(255)],
  ])('keeps of the name %j no more than the file', async (file_name, kept) => {
    expect(await register({ file_name })).toMatchObject({ status: 201, body: { file_name: kept } });
  });

  it.each(['', '   ', 'carpeta/', 'a\nb.xlsx', 'a\u202Eb.xlsx', 'a\u0000b', 'x\uD800', 'x'.repeat(256)])(
    'is refused as a rule with the name %j',
    async (file_name) => {
      expect(await register({ file_name })).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ path: 'file_name' }] } },
      });
    },
  );

  it('belongs to the firm that is named, or to that of the key', async () => {
    const named = { file_name: 'x', client_id: sample.otherClientId };
    expect(await register(named)).toMatchObject({ body: { client_id: sample.otherClientId } });
    const query = { client_id: String(sample.clientId) };
    expect(await register({ file_name: 'x' }, { query })).toMatchObject({ body: { client_id: sample.clientId } });
    expect(await register(named, { query })).toMatchObject(refusal(403, 'foreign_firm'));
    expect(await register({ file_name: 'x', client_id: 999_999 })).toMatchObject(refusal(403, 'foreign_firm'));
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    expect(await register({ file_name: 'x' }, { key })).toMatchObject({ body: { client_id: sample.clientId } });
    expect(await register(named, { key })).toMatchObject(refusal(403, 'foreign_firm'));
  });

  it('is refused once a thousand of the account itself wait, until one is cancelled', async () => {
    await fillPending(null, 999);
    const answers = await Promise.all([1, 2, 3].map(() => register({ file_name: 'x' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await register({ file_name: 'x' })).toMatchObject(refusal(409, 'wrong_state'));
    const stranger = await world.newKey((await world.newAccount()).id);
    expect((await register({ file_name: 'x' }, { key: stranger })).status).toBe(201);
    // The firms have their own thousand.
    expect((await register({ file_name: 'x', client_id: sample.clientId })).status).toBe(201);
    const registered = answers.find(({ status }) => status === 201);
    await on('cancelUpload', idOf(asRecord(registered?.body)));
    expect((await register({ file_name: 'x' })).status).toBe(201);
  });

  it('is refused once a thousand of its firm wait, which leaves the others theirs', async () => {
    await fillPending(sample.clientId, 998);
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    // One was pending before.
    expect((await register({ file_name: 'x' }, { key })).status).toBe(201);
    expect(await register({ file_name: 'x' }, { key })).toMatchObject(refusal(409, 'wrong_state'));
    const named = { file_name: 'x', client_id: sample.clientId };
    expect(await register(named)).toMatchObject(refusal(409, 'wrong_state'));
    expect((await register({ file_name: 'x' })).status).toBe(201);
    expect((await register({ file_name: 'x', client_id: sample.otherClientId })).status).toBe(201);
    await on('cancelUpload', sample.pendingUploadId);
    expect((await register({ file_name: 'x' }, { key })).status).toBe(201);
  });
});

describe('an upload', () => {
  it('is cancelled while it waits, once, and stays in the list', async () => {
    const { status, body } = await on('cancelUpload', sample.pendingUploadId);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ status: 'cancelled', finished_at: expect.stringMatching(/^2026-01-01T00:/) }),
    ]);
    expect(await on('cancelUpload', sample.pendingUploadId)).toMatchObject(refusal(409, 'wrong_state'));
    expect(await on('retryUpload', sample.pendingUploadId)).toMatchObject(refusal(409, 'wrong_state'));
    expect((await on('getUpload', sample.pendingUploadId)).body).toEqual(body);
  });

  it('is tried again once it failed, without what it said of its failure', async () => {
    expect(await on('cancelUpload', sample.failedUploadId)).toMatchObject(refusal(409, 'wrong_state'));
    expect(await on('retryUpload', sample.failedUploadId)).toMatchObject({
      status: 200,
      body: { status: 'pending', error: null, result: null, finished_at: null },
    });
    expect(await on('retryUpload', sample.failedUploadId)).toMatchObject(refusal(409, 'wrong_state'));
  });

  it('is not tried again without its file', async () => {
    const id = idOf(await world.ask('createUpload', { body: { file_name: 'x' } }));
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
      await writer.updateUpload(world.account.id, id, { from: 'pending', to: 'processing', finishedAt: null });
      const finishedAt = '2026-01-01T00:00:00.000Z';
      await writer.updateUpload(world.account.id, id, { from: 'processing', to: 'failed', finishedAt });
    });
    expect(await on('retryUpload', id)).toMatchObject({
      status: 409,
      body: { detail: { code: 'wrong_state', message: 'the upload has no file to work on' } },
    });
  });

  it('asked to be two things at once becomes one of them', async () => {
    const cancels = await Promise.all([1, 2, 3, 4].map(() => on('cancelUpload', sample.pendingUploadId)));
    expect(cancels.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const retries = await Promise.all([1, 2, 3, 4].map(() => on('retryUpload', sample.failedUploadId)));
    expect(retries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('of another firm is out of reach of a bound key', async () => {
    const key = await world.newKey(world.account.id, { firmId: sample.otherClientId });
    const ofAccount = await newFailedUpload(world, null);
    for (const id of [sample.pendingUploadId, sample.failedUploadId, ofAccount]) {
      for (const operation of ['getUpload', 'retryUpload', 'cancelUpload']) {
        expect(await on(operation, id, { key })).toMatchObject(refusal(404, 'not_found'));
      }
    }
    expect(await on('getUpload', ofAccount)).toMatchObject({ status: 200, body: { client_id: null } });
    expect(await world.ask('listUploads', { key })).toMatchObject({ total: 0, results: [] });
  });
});

it('uploads are listed by id, by status, by firm and by page', async () => {
  const ofAccount = idOf(await world.ask('createUpload', { body: { file_name: 'x' } }));
  const idsOf = async (query: Record<string, string>) => {
    const { total, results } = await world.ask('listUploads', { query });
    return [total, Array.isArray(results) ? results.map(idOf) : null];
  };
  const { pendingUploadId: pending, failedUploadId: failed } = sample;
  expect(await idsOf({})).toEqual([3, [pending, failed, ofAccount]]);
  expect(await idsOf({ status: 'pending' })).toEqual([2, [pending, ofAccount]]);
  expect(await idsOf({ status: 'completed' })).toEqual([0, []]);
  expect(await idsOf({ client_id: String(sample.clientId) })).toEqual([2, [pending, failed]]);
  expect(await idsOf({ client_id: String(sample.otherClientId) })).toEqual([0, []]);
  expect(await idsOf({ limit: '1', offset: '1' })).toEqual([3, [failed]]);
  expect(await world.call('listUploads', { query: { status: 'done' } })).toMatchObject(refusal(400, 'invalid_request'));
});
