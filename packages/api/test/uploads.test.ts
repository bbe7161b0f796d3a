import { SCOPES } from '@tarifario/core/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample, newFailedUpload, type Sample } from './sample.ts';
import { fakeFile, type SheetsByHand } from './workbooks.ts';
import { asRecord, createWorld, idOf, newCompany, type Sent, type World } from './world.ts';

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
  it('A-38: is a record that waits', async () => {
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
  ])('A-38: keeps of the name %j no more than the file', async (file_name, kept) => {
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

  it('A-38: belongs to the firm that is named, or to that of the key', async () => {
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

  it('A-38: is refused once a thousand of the account itself wait, until one is cancelled', async () => {
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

  it('A-38: is refused once a thousand of its firm wait, which leaves the others theirs', async () => {
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

  it('A-38: is tried again once it failed, without what it said of its failure', async () => {
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

  it('A-38: asked to be two things at once becomes one of them', async () => {
    const cancels = await Promise.all([1, 2, 3, 4].map(() => on('cancelUpload', sample.pendingUploadId)));
    expect(cancels.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const retries = await Promise.all([1, 2, 3, 4].map(() => on('retryUpload', sample.failedUploadId)));
    expect(retries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('A-38: of another firm is out of reach of a bound key', async () => {
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

describe('A-38: a file that is queued', () => {
  const queue = (sheets: SheetsByHand | Uint8Array, sent: Sent & { fields?: Record<string, string> } = {}) => {
    const { fields = {}, ...rest } = sent;
    const bytes = sheets instanceof Uint8Array ? sheets : fakeFile(sheets);
    return world.call('createUpload', { ...rest, form: { fields, fileName: 'ofertas.xlsx', bytes } });
  };
  const queued = async (...given: Parameters<typeof queue>) => {
    const { status, body } = await queue(...given);
    expect({ status, body }).toMatchObject({ status: 202 });
    return idOf(asRecord(body));
  };
  const read = async (id: number) => asRecord((await on('getUpload', id)).body);
  const isActive = async (id: number) => (await world.ask('getOffer', { params: { id: String(id) } })).is_active;
  const removal = () => ({ borrar: [['offer_id'], [sample.luzId]] });
  const unreadable = new Uint8Array([80, 75]);

  it('A-38: waits, and is applied in the background as the bulk update would', async () => {
    const { status, body } = await queue(removal());
    expect([status, body]).toEqual([
      202,
      {
        id: expect.any(Number),
        client_id: null,
        kind: 'offers_bulk_update',
        file_name: 'ofertas.xlsx',
        size_bytes: fakeFile(removal()).length,
        status: 'pending',
        result: null,
        error: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        finished_at: null,
      },
    ]);
    expect(await isActive(sample.luzId)).toBe(true);
    await world.work();
    expect(await isActive(sample.luzId)).toBe(false);
    const counts = { replaced: 0, companies_created: 0, prices_upserted: 0, tiers_replaced: 0 };
    expect(await read(idOf(asRecord(body)))).toMatchObject({
      status: 'completed',
      result: { created: 0, deactivated: 1, ...counts, warnings: [] },
      error: null,
      finished_at: expect.any(String),
    });
    // Nothing of it is kept that could be tried again, and nothing waits.
    expect(await on('retryUpload', idOf(asRecord(body)))).toMatchObject(refusal(409, 'wrong_state'));
    expect(world.bugs).toEqual([]);
  });

  it('may be for the catalog, by an editor whose key is bound to no firm', async () => {
    const fields = { kind: 'catalog_bulk_update' };
    const removeShared = { borrar: [['catalog_offer_id'], [sample.catalogId]] };
    const id = await queued(removeShared, { fields, query: { client_id: String(sample.clientId) } });
    expect(await read(id)).toMatchObject({ kind: 'catalog_bulk_update', client_id: null });
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'completed', result: { deactivated: 1 } });
    const bound = await world.newKey(world.account.id, { firmId: sample.clientId });
    expect(await queue(removeShared, { fields, key: bound })).toMatchObject(refusal(403, 'bound_key'));
    const stranger = await world.newKey((await world.newAccount()).id);
    expect(await queue(removeShared, { fields, key: stranger })).toMatchObject(refusal(403, 'not_catalog_editor'));
    const named = { ...fields, client_id: String(sample.clientId) };
    expect(await queue(removeShared, { fields: named })).toMatchObject(refusal(400, 'invalid_request'));
  });

  it.each([
    ['offers_bulk_update', 'offers:write'],
    ['catalog_bulk_update', 'catalog:write'],
  ])('A-38: of kind %s needs %s, to be sent and to be tried again', async (kind, scope) => {
    const key = await world.newKey(world.account.id, { scopes: SCOPES.filter((other) => other !== scope) });
    const missing = { status: 403, body: { detail: { code: 'missing_scope', missing_scope: scope } } };
    expect(await queue({}, { key, fields: { kind } })).toMatchObject(missing);
    const id = await queued(unreadable, { fields: { kind } });
    await world.work();
    expect(await on('retryUpload', id, { key })).toMatchObject(missing);
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });

  it('A-38: is not even read from a key that may send neither kind', async () => {
    let begun = 0;
    const readBody: Sent['readBody'] = async (_sentAs, { beforeForm }) => {
      await beforeForm();
      begun += 1;
      return null;
    };
    const without = SCOPES.filter((scope) => scope !== 'offers:write' && scope !== 'catalog:write');
    const key = await world.newKey(world.account.id, { scopes: without });
    expect(await world.call('createUpload', { key, readBody })).toMatchObject({
      status: 403,
      body: { detail: { code: 'missing_scope', missing_scope: 'offers:write' } },
    });
    expect(begun).toBe(0);
    for (const scope of ['offers:write', 'catalog:write'] as const) {
      const either = await world.newKey(world.account.id, { scopes: [scope] });
      expect((await world.call('createUpload', { key: either, readBody })).status).toBe(400);
    }
    expect(begun).toBe(2);
  });

  it('is for the firm that is named, or that of the key, and reaches no other', async () => {
    const named = { client_id: String(sample.otherClientId) };
    const foreign = await queued(removal(), { fields: named });
    expect(await read(foreign)).toMatchObject({ client_id: sample.otherClientId });
    const query = { client_id: String(sample.clientId) };
    expect(await queue(removal(), { fields: named, query })).toMatchObject(refusal(403, 'foreign_firm'));
    expect(await queue(removal(), { fields: { client_id: '999999' } })).toMatchObject(refusal(403, 'foreign_firm'));
    const key = await world.newKey(world.account.id, { firmId: sample.otherClientId });
    const ofKey = await queued(removal(), { key });
    await world.work();
    for (const id of [foreign, ofKey]) {
      expect(await read(id)).toMatchObject({
        status: 'failed',
        client_id: sample.otherClientId,
        error: { errors: [{ row: 2, sheet: 'borrar', offer_id: sample.luzId, error: 'offer_id: no such offer' }] },
      });
    }
    expect(await isActive(sample.luzId)).toBe(true);
  });

  it('that is wrong fails with what the bulk update would have answered, and changes nothing', async () => {
    const wrong = {
      ...removal(),
      ofertas: [
        ['offer_id', 'e1'],
        [sample.gasId, 0.1],
        [sample.luzId, 'x'],
      ],
    };
    const ids = [await queued(wrong), await queued(unreadable)];
    await world.work();
    const answers = [
      await world.call('bulkUpdateOffers', { form: { bytes: fakeFile(wrong) } }),
      await world.call('bulkUpdateOffers', { form: { bytes: unreadable } }),
    ];
    for (const [index, id] of ids.entries()) {
      const upload = await read(id);
      expect(upload).toMatchObject({ status: 'failed', result: null, finished_at: expect.any(String) });
      expect({ detail: upload.error }).toEqual(answers[index]?.body);
    }
    expect(await isActive(sample.luzId)).toBe(true);
  });

  it('A-38: that failed is applied again, once what was wrong is right', async () => {
    const id = await queued({
      ofertas: [
        ['offer_id', 'cliente', 'company_name'],
        [sample.luzId, 'Asesoría Uno', 'Todavía No'],
      ],
    });
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'failed' });
    await newCompany(world, sample.clientId, 'Todavía No');
    expect(await on('retryUpload', id)).toMatchObject({
      status: 200,
      body: { status: 'pending', error: null, result: null, finished_at: null },
    });
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'completed', result: { replaced: 1 } });
    expect(await world.ask('getOffer', { params: { id: String(sample.luzId) } })).toMatchObject({
      company: { name: 'Todavía No' },
    });
  });

  it('so is the file of a bulk update that was refused', async () => {
    await world.call('bulkUpdateOffers', { form: { bytes: unreadable } });
    const { results } = await world.ask('listUploads', { query: { status: 'failed', offset: '1' } });
    const id = idOf(asRecord(Array.isArray(results) ? results[0] : null));
    expect((await on('retryUpload', id)).status).toBe(200);
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } });
  });

  it('that is cancelled in time is never applied', async () => {
    const id = await queued(removal());
    expect((await on('cancelUpload', id)).status).toBe(200);
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    expect(await isActive(sample.luzId)).toBe(true);
  });

  it('A-38: is applied with the rights that its key has by then', async () => {
    const [revoked, other] = [await world.newKey(world.account.id), await world.newKey(world.account.id)];
    const ids = [await queued(removal(), { key: revoked }), await queued({}, { key: other })];
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
      const keys = await writer.keys(world.account.id);
      await writer.revokeKey(keys.at(-2)?.id ?? 0);
    });
    await world.work();
    const uploads = await Promise.all(ids.map(read));
    expect(uploads).toMatchObject([{ status: 'failed', error: { code: 'unauthenticated' } }, { status: 'completed' }]);
    expect(await isActive(sample.luzId)).toBe(true);
  });

  it.each(['a\nb.xlsx', 'x'.repeat(256)])('with the name %j is refused as a rule', async (fileName) => {
    const answer = await world.call('createUpload', { form: { fileName, bytes: fakeFile({}) } });
    expect(answer).toMatchObject({ status: 422, body: { detail: { errors: [{ path: 'file_name' }] } } });
  });

  it('counts among the thousand that may wait', async () => {
    await fillPending(null, 1000);
    expect(await queue(removal())).toMatchObject(refusal(409, 'wrong_state'));
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
