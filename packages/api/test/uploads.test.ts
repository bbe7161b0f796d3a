import { SCOPES, type Scope } from '@tarifario/core/service';
import { filledWorld, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, type SheetsByHand, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, idOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const register = (body: object, input: CallInput = {}) => world.call('createUpload', { ...input, body });
const on = (operation: string, id: number, input: CallInput = {}) =>
  world.call(operation, { ...input, params: { id: String(id) } });

interface Waiting {
  readonly keyId?: number | null;
  readonly file?: Uint8Array;
}

async function fillPending(firmId: number | null, count: number, { keyId = null, file }: Waiting = {}): Promise<void> {
  await world.store.write({ keyId, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    const what = { firmId, fileName: 'x', status: 'pending' } as const;
    const terms = file
      ? ({ ...what, kind: 'offers_bulk_update', sizeBytes: file.length, file } as const)
      : ({ ...what, kind: 'file', sizeBytes: null } as const);
    for (let index = 0; index < count; index += 1) await writer.uploads.insert(world.account.id, terms);
  });
}

/** The id of the key that was made last. */
const lastKeyId = async () => (await world.store.read((reader) => reader.keys.list(world.account.id))).at(-1)?.id ?? 0;

const refusal = (status: number, code: string) => ({ status, body: { detail: { code } } });

describe('an upload that is announced', () => {
  it.each([
    ['C:\\datos\\ofertas 2026.xlsx', 'ofertas 2026.xlsx'],
    ['../../etc/passwd', 'passwd'],
    [' energi\u0301a.xlsx ', 'energía.xlsx'],
    ['ñ'.repeat(255), 'ñ'.repeat(255)],
    ['C:\\ES0021000073519284KB0F\\ES0021000073519284KB0F_2026.csv', '(CUPS)_2026.csv'],
    ['consumos 0021 0000 7351 9284 KB.csv', 'consumos (CUPS).csv'],
  ])('A-38: stores of the name %j only the name of the file', async (file_name, stored) => {
    expect(await register({ file_name })).toMatchObject({ status: 201, body: { file_name: stored } });
  });

  it.each(['', '   ', 'carpeta/', 'a\nb.xlsx', 'a\u202Eb.xlsx', 'a\u0000b', 'x\uD800', 'x'.repeat(256)])(
    'with the name %j is refused with 422',
    async (file_name) => {
      expect(await register({ file_name })).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ path: 'file_name' }] } },
      });
    },
  );

  it('A-38: is refused once a thousand of the account itself are pending, until one is cancelled', async () => {
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

  it('A-38: is refused once a thousand of its firm are pending, and other firms are not affected', async () => {
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

describe('A-38: a key among others', () => {
  const file = fakeFile({ borrar: [['offer_id'], [1]] });
  const queue = (key: string) => world.call('createUpload', { key, form: { bytes: file } });

  it('that has announced half of what may be pending announces no more, and others do', async () => {
    const bot = await world.newKey(world.account.id, { scopes: [] });
    await fillPending(null, 499, { keyId: await lastKeyId() });
    expect((await register({ file_name: 'x' }, { key: bot })).status).toBe(201);
    expect(await register({ file_name: 'x' }, { key: bot })).toMatchObject(refusal(409, 'wrong_state'));
    // Another owner has places of its own.
    expect((await register({ file_name: 'x', client_id: sample.clientId }, { key: bot })).status).toBe(201);
    expect((await register({ file_name: 'x' })).status).toBe(201);
  });

  it('that has queued half of the files that may wait queues no more, and others do', async () => {
    const writer = await world.newKey(world.account.id, { scopes: ['offers:write'] });
    await fillPending(null, 499, { keyId: await lastKeyId(), file });
    expect((await queue(writer)).status).toBe(202);
    expect(await queue(writer)).toMatchObject(refusal(409, 'wrong_state'));
    expect((await register({ file_name: 'x' }, { key: writer })).status).toBe(201);
    expect((await queue(world.fullKey)).status).toBe(202);
  });
});

describe('A-38: an upload with a file', () => {
  const file = { form: { bytes: fakeFile({ borrar: [['offer_id'], [1]] }) } };
  const ofCatalog = { form: { ...file.form, fields: { kind: 'catalog_bulk_update' } } };
  const queued = async (input: CallInput) => idOf(await world.ask('createUpload', input));
  const keyFor = (scopes: readonly Scope[]) => world.newKey(world.account.id, { scopes });

  it('is not cancelled by a key that may not do the same bulk update, and waits on', async () => {
    const ids = [await queued(file), sample.keptUploadId, await queued(ofCatalog)];
    const bot = await keyFor(['offers:read', 'commissions:read']);
    for (const id of ids) {
      expect(await on('cancelUpload', id, { key: bot })).toMatchObject(refusal(403, 'missing_scope'));
      expect((await on('getUpload', id)).body).toMatchObject({ status: 'pending' });
    }
    const writer = await keyFor(['offers:write']);
    const answers = [];
    for (const id of ids) answers.push((await on('cancelUpload', id, { key: writer })).status);
    expect(answers).toEqual([200, 200, 403]);
    expect((await on('cancelUpload', ids[2] ?? 0, { key: await keyFor(['catalog:write']) })).status).toBe(200);
  });

  it('is cancelled by the key that sent it, also when it may not do the bulk update any more', async () => {
    const sender = await keyFor(['catalog:write']);
    const id = await queued({ ...ofCatalog, key: sender });
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) =>
      writer.accounts.update(world.account.id, { isCatalogEditor: false }),
    );
    expect(await on('cancelUpload', id, { key: await keyFor(['catalog:write']) })).toMatchObject(
      refusal(403, 'not_catalog_editor'),
    );
    expect((await on('cancelUpload', id, { key: sender })).status).toBe(200);
  });

  it('that is only announced is cancelled by any key', async () => {
    const announced = idOf(await world.ask('createUpload', { body: { file_name: 'x', kind: 'offers_bulk_update' } }));
    expect((await on('cancelUpload', announced, { key: await keyFor([]) })).status).toBe(200);
  });
});

describe('an upload', () => {
  it('A-38: after two concurrent changes has the state of one of them', async () => {
    const cancels = await Promise.all([1, 2, 3, 4].map(() => on('cancelUpload', sample.pendingUploadId)));
    expect(cancels.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const retries = await Promise.all([1, 2, 3, 4].map(() => on('retryUpload', sample.failedUploadId)));
    expect(retries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('A-38: a file that is queued', () => {
  const queue = (sheets: SheetsByHand | Uint8Array, input: CallInput & { fields?: Record<string, string> } = {}) => {
    const { fields = {}, ...rest } = input;
    const bytes = sheets instanceof Uint8Array ? sheets : fakeFile(sheets);
    return world.call('createUpload', { ...rest, form: { fields, fileName: 'ofertas.xlsx', bytes } });
  };
  const queued = async (...args: Parameters<typeof queue>) => {
    const { status, body } = await queue(...args);
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
    // No file is stored that could be retried, and none waits.
    expect(await on('retryUpload', idOf(asRecord(body)))).toMatchObject(refusal(409, 'wrong_state'));
    expect(world.bugs).toEqual([]);
  });

  it('A-38: is not even read from a key that may send neither kind', async () => {
    let begun = 0;
    const readBody: CallInput['readBody'] = async (_sentAs, { beforeForm }) => {
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

  it('that is wrong fails with the answer of the bulk update, and changes nothing', async () => {
    const wrong = {
      ...removal(),
      ofertas: sheet(['offer_id', 'e1'], [sample.gasId, 0.1], [sample.luzId, 'x']),
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

  it('counts among the thousand files that may be pending, and not among announcements', async () => {
    await fillPending(null, 1000);
    expect((await queue(removal())).status).toBe(202);
    await fillPending(null, 999, { file: fakeFile(removal()) });
    expect(await queue(removal())).toMatchObject(refusal(409, 'wrong_state'));
  });
});
