import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson } from '@tarifario/core/service';
import { ANY_CHARACTER } from '@tarifario/core/testing';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { backUp, openStore } from '@tarifario/store';
import { filledWorld, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, createWorld, idOf, type World } from '@tarifario/testkit/api/world';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

type Json = Readonly<Record<string, unknown>>;

const REQUEST = { ...HOUSEHOLD, contrato_actual: { coste_total: 900 }, w: 0.4 };

const at = (id: unknown) => ({ params: { id: String(id) } });

function proposalOf({ luzId, indexedId }: Sample, more: object = {}) {
  return { body: { request: REQUEST, offer_ids: [luzId, indexedId], nota: 'Línea una\r\nlínea dos ', ...more } };
}

/** What an earlier release did not store. */
const UNSEALED = { note: null, ref: null, summary: null, words: null };

async function changeEverything(world: World, sample: Sample): Promise<void> {
  await world.ask('updateOffer', { ...at(sample.luzId), body: { e1: 0.9, offer_name: 'Otra' } });
  await world.ask('upsertIndexedPrice', { ...at(sample.indexedId), body: { reference_month: '2025-12', e1: 0.9 } });
  await world.call('deleteOffer', at(sample.indexedId));
  await world.call('deleteCompany', at(sample.companyId));
  await world.ask('updateCatalogCompany', { ...at(sample.catalogCompanyId), body: { name: 'Otro nombre' } });
  await world.call('unsubscribeFromCatalogCompany', {
    params: { id: String(sample.clientId), company_id: String(sample.catalogCompanyId) },
  });
}

describe.each(ALL_STORES)('a proposal, over %s', (_name, makeStore) => {
  it('A-88, A-90: stores the answer, and can be computed again after any later change', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const answer = await world.ask('rankOffers', { body: REQUEST });
    const made = await world.ask('createProposal', proposalOf(sample));
    expect(made).toEqual({
      ...{ id: expect.any(Number), created_at: expect.any(String), client_id: null, nota: 'Línea una\nlínea dos' },
      ...{ ref: null, estado: 'borrador', resumen: expect.any(Object) },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), url: `/v1/proposals/${made.id}` },
    });
    await changeEverything(world, sample);
    const detail = await world.ask('getProposal', at(made.id));
    expect(detail).toEqual({
      ...made,
      request: { ...REQUEST, limit: 50 },
      offer_ids: [sample.luzId, sample.indexedId],
      answer,
      pagina: expect.any(Array),
      sal: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await world.ask('verifyProposal', at(made.id))).toEqual({
      ...{ reproducible: true, sha256_now: made.sha256, differences: [] },
    });
    expect(world.bugs).toEqual([]);
  });

  it('A-88: two concurrent ones are two, and a repeated one is one', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const [one, two] = await Promise.all([1, 2].map(() => world.ask('createProposal', proposalOf(sample))));
    expect(idOf(one ?? {})).not.toBe(idOf(two ?? {}));
    const sent = { ...proposalOf(sample), idempotencyKey: 'once' };
    const [first, again] = [await world.call('createProposal', sent), await world.call('createProposal', sent)];
    expect(again.body).toEqual(first.body);
    expect((await world.ask('listProposals')).total).toBe(4);
  });

  it('A-89: is read, listed and verified only by keys with the same view of commissions and firms', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const { account } = world;
    const scopes = ['offers:read', 'proposals:write'] as const;
    const blind = await world.newKey(account.id, { scopes });
    const [own, other] = [sample.clientId, sample.otherClientId];
    const bound = await world.newKey(account.id, { firmId: own });
    const foreign = await world.newKey((await world.newAccount()).id);
    const body = (request: object, offerId: number) => ({ body: { request, offer_ids: [offerId] } });
    const ofAll = idOf(await world.ask('createProposal', proposalOf(sample)));
    const ofOther = idOf(
      await world.ask('createProposal', body({ ...HOUSEHOLD, client_id: other }, sample.otherLuzId)),
    );
    const ofBound = idOf(await world.ask('createProposal', { key: bound, ...body(HOUSEHOLD, sample.luzId) }));
    const masked = idOf(await world.ask('createProposal', { key: blind, ...body(HOUSEHOLD, sample.luzId) }));
    const idsFor = async (key: string, query = {}) => {
      const { results } = await world.ask('listProposals', { key, query });
      return (results as { id: number }[]).map(({ id }) => id);
    };
    expect(await idsFor(world.fullKey)).toEqual([sample.proposalId, ofAll, ofOther, ofBound, masked]);
    expect(await idsFor(world.fullKey, { client_id: String(other) })).toEqual([ofOther]);
    expect(await idsFor(bound)).toEqual([sample.proposalId, ofBound]);
    expect(await idsFor(blind)).toEqual([sample.proposalId, masked]);
    expect(await idsFor(foreign)).toEqual([]);
    for (const [key, hidden] of [
      [blind, ofAll],
      [blind, ofBound],
      [bound, ofAll],
      [bound, ofOther],
      [bound, masked],
      [foreign, ofAll],
    ] as const) {
      for (const operation of ['getProposal', 'verifyProposal', 'deleteProposal']) {
        expect((await world.call(operation, { key, ...at(hidden) })).status).toBe(404);
      }
    }
    for (const [key, id] of [
      [blind, masked],
      [world.fullKey, masked],
      [bound, ofBound],
    ] as const) {
      expect(await world.ask('verifyProposal', { key, ...at(id) })).toMatchObject({ reproducible: true });
    }
    const reader = await world.newKey(account.id, { scopes: ['offers:read', 'commissions:read', 'offers:write'] });
    expect((await world.call('deleteProposal', { key: reader, ...at(ofAll) })).status).toBe(403);
    for (const [key, id] of [
      [blind, masked],
      [bound, ofBound],
      [world.fullKey, ofAll],
    ] as const) {
      expect(await world.call('deleteProposal', { key, ...at(id) })).toMatchObject({ status: 204, body: undefined });
      for (const gone of ['getProposal', 'getProposalPage', 'verifyProposal', 'deleteProposal']) {
        expect((await world.call(gone, at(id))).status, gone).toBe(404);
      }
    }
    expect(await idsFor(world.fullKey)).toEqual([sample.proposalId, ofOther]);
  });
});

describe('how an office follows its proposals', () => {
  it('A-88: a ref is kept beside a proposal, sealed by nothing, and refused where it holds a CUPS or two lines', async () => {
    const { world, sample } = await filledWorld();
    const made = await world.ask('createProposal', proposalOf(sample, { ref: ' Bar Luna ' }));
    expect(made).toMatchObject({ ref: 'Bar Luna', estado: 'borrador' });
    expect(await world.ask('verifyProposal', at(made.id))).toMatchObject({ reproducible: true, differences: [] });
    const detail = await world.ask('getProposal', at(made.id));
    expect(detail).toMatchObject({ ref: 'Bar Luna', request: { ...REQUEST, limit: 50 } });
    const { request, offer_ids, nota, created_at, answer, pagina, sal } = detail;
    const sealed = canonicalJson({ request, offer_ids, nota, created_at, answer, pagina, sal });
    expect(createHash('sha256').update(sealed).digest('hex')).toBe(made.sha256);
    for (const [ref, status] of [
      ['ES0021000000000001AB0F', 422],
      ['dos\nlíneas', 422],
      ['a\u200bb', 422],
      ['x'.repeat(81), 400],
      [7, 400],
      ['ñ'.repeat(80), 201],
    ] as const) {
      expect((await world.call('createProposal', proposalOf(sample, { ref }))).status, String(ref)).toBe(status);
    }
    expect(await world.ask('createProposal', proposalOf(sample, { ref: ' ' }))).toMatchObject({ ref: null });
  });

  it('A-88: the list says what is proposed and saved, as the answer has it, and is searched by words and state', async () => {
    const { world, sample } = await filledWorld();
    await world.ask('updateOffer', { ...at(sample.luzId), body: { offer_name: 'Añil Única' } });
    const made = await world.ask('createProposal', proposalOf(sample, { ref: 'Panadería Gómez' }));
    const unknown = await world.ask('createProposal', {
      body: { request: HOUSEHOLD, offer_ids: [sample.indexedId], ref: 'Taller 100%' },
    });
    const { pagina } = (await world.ask('getProposal', at(made.id))) as {
      pagina: readonly (Json & { ahorro: Json })[];
    };
    const best = pagina.find(({ offer_id }) => [sample.luzId, sample.indexedId].includes(Number(offer_id)));
    expect(made.resumen).toEqual({
      ...{
        ofertas: 2,
        offer_id: best?.offer_id,
        offer_name: best?.offer_name,
        company_name: best?.company_name,
        con_impuestos: false,
      },
      ...{ ahorro_anual: best?.ahorro.eur, ahorro_pct: best?.ahorro.porcentaje },
    });
    expect(unknown.resumen).toMatchObject({ ofertas: 1, ahorro_anual: null, ahorro_pct: null });
    const idsOf = async (query: Readonly<Record<string, string>>) => {
      const { total, results } = await world.ask('listProposals', { query });
      expect(total).toBeGreaterThanOrEqual((results as []).length);
      return (results as { id: number }[]).map(({ id }) => id);
    };
    expect(await idsOf({ q: 'gomez PANADERIA' })).toEqual([made.id]);
    expect(await idsOf({ q: 'anil unica' })).toEqual([made.id]);
    expect(await idsOf({ q: '100%' })).toEqual([unknown.id]);
    expect(await idsOf({ q: 'gomez taller' })).toEqual([]);
    const key = await world.newKey(world.account.id, { scopes: ['offers:read', 'proposals:write'] });
    expect((await world.call('updateProposal', { ...at(made.id), key, body: { estado: 'enviada' } })).status).toBe(404);
    const stranger = await world.newKey((await world.newAccount()).id);
    const foreign = { ...at(made.id), key: stranger, body: { estado: 'enviada' } };
    expect((await world.call('updateProposal', foreign)).status).toBe(404);
    for (const body of [{ estado: 'perdida' }, { estado: null }, {}, { estado: 'enviada', ref: 'x' }]) {
      expect((await world.call('updateProposal', { ...at(made.id), body })).status).toBe(400);
    }
    expect(await idsOf({ estado: 'enviada' })).toEqual([]);
    const sent = await world.ask('updateProposal', { ...at(made.id), body: { estado: 'enviada' } });
    expect(sent).toEqual({ ...made, estado: 'enviada' });
    expect(await idsOf({ estado: 'enviada', q: 'gomez' })).toEqual([made.id]);
    expect(await idsOf({ estado: 'borrador', limit: '1', offset: '1' })).toEqual([unknown.id]);
    expect((await world.call('listProposals', { query: { estado: 'perdida' } })).status).toBe(400);
    expect(await world.ask('getProposal', at(made.id))).toMatchObject({ estado: 'enviada', sha256: made.sha256 });
    expect(await world.ask('verifyProposal', at(made.id))).toMatchObject({ reproducible: true, differences: [] });
  });
});

describe('what a proposal refuses', () => {
  const endOf = ({ status, body }: { status: number; body: unknown }) => {
    if (status < 400) return String(status);
    const { code, errors = [] } = asRecord(asRecord(body).detail);
    return [status, code, ...(errors as { path: string }[]).map(({ path }) => path)].join(' ');
  };

  it('A-88: refuses offers that are not ranked, unknown fields, a CUPS in any text, and invisible characters', async () => {
    const { world, sample } = await filledWorld();
    const other = await world.newAccount();
    const refused = async (more: object, key = world.fullKey) =>
      endOf(await world.call('createProposal', { key, ...proposalOf(sample, more) }));
    expect(await refused({ offer_ids: [sample.luzId, sample.gasId] })).toBe('422 business_rule offer_ids.1');
    expect(await refused({ request: { ...REQUEST, limit: 1 } })).toMatch(/^422 business_rule offer_ids/);
    await world.ask('toggleOffer', at(sample.indexedId));
    expect(await refused({})).toBe('422 business_rule offer_ids.1');
    expect(await refused({}, await world.newKey(other.id))).toBe('422 business_rule offer_ids.0 offer_ids.1');
    const just = { offer_ids: [sample.luzId] };
    for (const field of ['nombre', 'cups', 'direccion']) {
      expect(await refused({ ...just, [field]: 'x' })).toMatch(/^400 invalid_request/);
      expect(await refused({ ...just, request: { ...REQUEST, [field]: 'x' } })).toMatch(/^400 invalid_request/);
    }
    expect(await refused({ ...just, request: { ...REQUEST, as_of: '2026-01-01' } })).toMatch(/^400/);
    expect(await refused({ ...just, offer_ids: [] })).toMatch(/^400/);
    expect(await refused({ ...just, nota: 'x'.repeat(2001) })).toMatch(/^400/);
    for (const nota of ['CUPS ES0021000000000001AB0F', 'es 0021 0000 0000 0001 ab', 'xES.0021-0000-0000-0001.A.B']) {
      expect(await refused({ ...just, nota })).toBe('422 business_rule nota');
      expect(await refused({ ...just, request: { ...REQUEST, company_name: nota } })).toBe('422 business_rule request');
    }
    for (const between of ['\n', '\t', '\u00a0', '\u200d', '\u2013']) {
      const nota = ['ES', '0021', '0000', '0000', '0001', 'AB'].join(between);
      expect(await refused({ ...just, nota })).toBe('422 business_rule nota');
    }
    for (const nota of [
      'ＥＳ００２１０００００００００００１ＡＢ',
      'ЕЅ0021000073519284КВ',
      '0021 0000 7351 9284 KB',
      '٠٠٢١٠٠٠٠٧٣٥١٩٢٨٤ KB',
    ]) {
      expect(await refused({ ...just, nota })).toBe('422 business_rule nota');
    }
    for (const nota of ['a\u0000b', 'a\u00adb', 'a\u{e0041}b', 'a\u061cb']) {
      expect(await refused({ ...just, nota })).toBe('422 business_rule nota');
    }
    expect(await refused({ ...just, nota: 'Familia 👨\u200d👩\u200d👧 ❤\ufe0f' })).toBe('201');
    const nota = 'ES 2 000 kWh al mes y 16 periodos; tel. 600 12 34 56, meses 01/01/2025-31/12/2025 de 2.0TD';
    expect(await refused({ ...just, nota })).toBe('201');
  });

  it('A-88: refuses weights below 1 without commissions, keys that only read, and revoked keys', async () => {
    const { world, sample } = await filledWorld();
    const blind = await world.newKey(world.account.id, { scopes: ['proposals:write'] });
    const sent = proposalOf(sample);
    expect(endOf(await world.call('createProposal', { ...sent, key: blind }))).toBe('403 weight_needs_commissions');
    const reader = await world.newKey(world.account.id, { scopes: ['offers:read', 'commissions:read'] });
    expect(await world.call('createProposal', { ...sent, key: reader })).toMatchObject({
      status: 403,
      body: { detail: { code: 'missing_scope', missing_scope: 'proposals:write' } },
    });
    expect((await world.ask('listProposals', { key: reader })).total).toBe(1);
    const { id } = await world.ask('createProposal', sent);
    const keyId = await world.store.read(
      async (reader) =>
        (await reader.proposals.get({ accountId: world.account.id, firmId: null, seesCommissions: true }, Number(id)))
          ?.keyId,
    );
    const spare = await world.newKey(world.account.id);
    await world.store.write({ keyId: null, at: world.instant() }, (writer) => writer.keys.revoke(Number(keyId)));
    expect(endOf(await world.call('createProposal', sent))).toBe('401 unauthenticated');
    expect(await world.ask('verifyProposal', { key: spare, ...at(id) })).toMatchObject({ reproducible: true });
  });

  it('A-88: refuses more than 60 in an hour of a key and 300 of an account, so one key leaves the others theirs', async () => {
    const { world, sample } = await filledWorld(undefined, createMemoryRateLimiter());
    await world.subscribe(world.account.id, { callsPerMinute: 10_000 });
    const sent = proposalOf(sample);
    const newKey = () => world.newKey(world.account.id, { scopes: ['proposals:write', 'commissions:read'] });
    const makeAll = async (key: string) => {
      for (let made = 0; made < 100; made += 1) {
        const { status, headers } = await world.send('createProposal', { ...sent, key });
        if (status === 429)
          return [made, headers['RateLimit-Policy']?.match(/\w*proposals";q=\d+;w=\d+/g), headers['Retry-After']];
      }
      return null;
    };
    const policy = ['key_proposals";q=60;w=3600', 'proposals";q=300;w=3600'];
    const seconds = expect.stringMatching(/^\d+$/);
    const bot = await newKey();
    expect(await makeAll(bot)).toEqual([60, policy, seconds]);
    expect(endOf(await world.call('createProposal', sent))).toBe('201');
    for (let index = 0; index < 3; index += 1) expect(await makeAll(await newKey())).toEqual([60, policy, seconds]);
    // The sample made one, and the office one.
    expect(await makeAll(world.fullKey)).toEqual([58, policy, seconds]);
    expect((await world.call('rankOffers', { body: HOUSEHOLD })).status).toBe(200);
  });
});

describe('a proposal in a file', () => {
  const COLUMNS = {
    own_revision: 'own_revision - 3',
    catalog_revision: 'catalog_revision - 1',
    is_masked: '1 - is_masked',
    companies: `replace(companies, 'Uno', 'Dos')`,
    sha256: `replace(sha256, substr(sha256, 1, 1), 'x')`,
    seal: `replace(seal, substr(seal, 1, 1), 'x')`,
    created_at: `'2026-01-01T00:00:01.000Z'`,
    firm_id: '1',
    key_id: 'null',
    note: `'Otra'`,
  };
  const NONSENSE = [
    ...['[]', '[null]', '{}', 'null', '[{"id":"x"}]'].map((text) => `companies = '${text}'`),
    ...['{"answer":null}', 'null', '[]', '{"answer":{},"request":[],"offer_ids":1}'].map(
      (text) => `content = '${text}'`,
    ),
    `content = json_remove(content, '$.pagina')`,
    ...['own_revision = 0', 'own_revision = 999999', 'catalog_revision = -1', `created_at = 'x'`],
  ];
  const IN_CONTENT = [
    [`'"puesto":1,'`, `'"puesto":2,'`],
    [`'"sal":"'`, `'"sal":"0'`],
    [`'"w":0.4'`, `'"w":0.5'`],
    [`'línea dos'`, `'linea dos'`],
    [`'"mas_barata_id":'`, `'"mas_barata_id":1'`],
    [`'"offer_ids":['`, `'"offer_ids":[9,'`],
    [`'}'`, `''`],
    [`',"answer"'`, `', "answer"'`],
  ];

  it('A-90: is not reproducible after a change of any part of it, and can be restored from a backup', async () => {
    const place = await temporaryDatabase();
    const store = await openStore(place.url);
    const { world, sample } = await filledWorld(store);
    const { id, sha256 } = await world.ask('createProposal', proposalOf(sample));
    await changeEverything(world, sample);
    await backUp(place.url, `${place.path}.backup`);
    const verified = async (through = world.dispatch) =>
      asRecord((await world.call('verifyProposal', at(id), through)).body);
    const copy = await openStore(`${place.url}.backup`);
    expect(await verified(world.newDispatch(copy))).toMatchObject({ reproducible: true, sha256_now: sha256 });
    await copy.close();
    const file = new DatabaseSync(place.path);
    const tampered = [
      ...Object.entries(COLUMNS).map(([column, value]) => `${column} = ${value}`),
      ...NONSENSE,
      ...IN_CONTENT.map(([text, other]) => `content = replace(content, ${text}, ${other})`),
    ];
    for (const change of tampered) {
      const before = file.prepare('select * from proposals where id = ?').get(Number(id)) ?? {};
      expect(file.prepare(`update proposals set ${change} where id = ?`).run(Number(id)).changes).toBe(1);
      const { reproducible, differences } = await verified();
      expect([reproducible, (differences as unknown[]).length > 0], change).toEqual([false, true]);
      const names = Object.keys(before);
      file
        .prepare(`update proposals set ${names.map((name) => `${name} = ?`)} where id = ?`)
        .run(...Object.values(before), Number(id));
      expect(await verified()).toMatchObject({ reproducible: true });
    }
    expect(world.bugs).toEqual([]);
    file.close();
    await store.close();
    place.remove();
  });

  it('A-90: of an earlier release, without a note of its own or a price of surplus, is reproducible', async () => {
    const { world, sample } = await filledWorld();
    const body = { placas_solares: true, precio_excedentes: 0.0625 };
    await world.ask('updateOffer', { ...at(sample.luzId), body });
    const made = await world.ask('createProposal', proposalOf(sample, { request: { ...REQUEST, excedentes: 300 } }));
    const query = { accountId: world.account.id, firmId: null, seesCommissions: true };
    const stored = await world.store.read((reader) => reader.proposals.get(query, idOf(made)));
    if (stored === null) throw new Error('it was made');
    const { id: _id, state: _state, keyId, createdAt, ...terms } = stored;
    const { pagina, ...others } = JSON.parse(terms.content);
    expect(pagina.some((row: object) => 'precio_excedentes' in row)).toBe(true);
    const content = { ...others, pagina: pagina.map(({ precio_excedentes: _later, ...row }: Json) => row) };
    const hashOf = (value: object) => createHash('sha256').update(canonicalJson(value)).digest('hex');
    const sha256 = hashOf({ ...content, created_at: createdAt });
    const earlier = { ...terms, content: JSON.stringify(content), sha256, ...UNSEALED };
    const { seal: _seal, ...sealed } = { ...terms, content: earlier.content, sha256 };
    const { note: _note, ref: _ref, summary: _summary, words: _words, ...proved } = sealed;
    const seal = hashOf({ ...proved, keyId, createdAt });
    const { id } = await world.store.write({ keyId, at: createdAt }, (writer) =>
      writer.proposals.insert(world.account.id, { ...earlier, seal }),
    );
    expect(await world.ask('verifyProposal', at(id))).toEqual({
      reproducible: true,
      sha256_now: sha256,
      differences: [],
    });
  });

  it('A-88: is deleted with its account', async () => {
    const place = await temporaryDatabase();
    const store = await openStore(place.url);
    const world = await createWorld(store);
    const { id } = await world.newAccount();
    const empty = { companies: '[]', content: '{}', sha256: '', seal: '', ...UNSEALED };
    const terms = { firmId: null, isMasked: false, ownRevision: 0, catalogRevision: 0, ...empty };
    await store.write({ keyId: null, at: world.instant() }, (writer) => writer.proposals.insert(id, terms));
    await store.close();
    const file = new DatabaseSync(place.path);
    file.exec(
      `pragma foreign_keys = on; delete from subscriptions where account_id = ${id}; delete from accounts where id = ${id}`,
    );
    expect(file.prepare('select count(*) as n from proposals').get()).toEqual({ n: 0 });
    file.close();
    place.remove();
  });
});

describe('the hash of a proposal', () => {
  const script = join(import.meta.dirname, '../../../test-fixtures/proposal-hash.py');

  /** By the second program; `null`: there is no Python. */
  function hashedElsewhere(proposal: object): string | null {
    const folder = mkdtempSync(join(tmpdir(), 'tarifario-proposal-'));
    const file = join(folder, 'proposal.json');
    writeFileSync(file, JSON.stringify(proposal));
    try {
      return execFileSync('python3', [script, file], { encoding: 'utf8' }).trim();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      console.warn('PYTHON IS MISSING: the hash of a proposal was not made by a second program');
      return null;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('A-90: equals the hash that another program makes from the JSON of the API', async () => {
    const { world, sample } = await filledWorld();
    const nota = 'ñ € 😀 \u2260 "comillas" \\ \t fin';
    const { id, sha256 } = await world.ask('createProposal', proposalOf(sample, { nota }));
    expect([sha256, null]).toContain(hashedElsewhere(await world.ask('getProposal', at(id))));
  });

  it('A-90: covers a random member that only the detail shows, so it confirms no guess of a commission', async () => {
    const { world, sample } = await filledWorld();
    const made = await world.ask('createProposal', proposalOf(sample));
    const { request, offer_ids, nota, created_at, answer, pagina, sal } = await world.ask('getProposal', at(made.id));
    const guess = { request, offer_ids, nota, created_at, answer, pagina };
    const hashOf = (content: object) => createHash('sha256').update(canonicalJson(content)).digest('hex');
    expect(hashOf(guess)).not.toBe(made.sha256);
    expect(hashOf({ ...guess, sal })).toBe(made.sha256);
    const again = await world.ask('createProposal', proposalOf(sample));
    expect((await world.ask('getProposal', at(again.id))).sal).not.toBe(sal);
    const page = await world.call('getProposalPage', { ...at(made.id), query: { comisiones: 'true' } });
    for (const other of [
      made,
      page,
      await world.call('listProposals'),
      await world.call('verifyProposal', at(made.id)),
    ]) {
      expect(JSON.stringify(other)).not.toContain(sal);
    }
  });

  it('A-90: is the same in that program for any number and any name', () => {
    const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { seed: 90, numRuns: 3000 });
    const edges = [
      0,
      -0,
      1e21,
      1e20,
      123456789012345680000,
      1e-6,
      1e-7,
      5e-324,
      1.7976931348623157e308,
      -1.5e-9,
      100,
      0.1 + 0.2,
    ];
    const texts = fc.sample(fc.string({ unit: ANY_CHARACTER }), { seed: 90, numRuns: 300 });
    const answer = { numbers: [...numbers, ...edges], names: Object.fromEntries(texts.map((text, i) => [text, i])) };
    const shown = { request: {}, offer_ids: [1], nota: null, created_at: '2026-01-01T00:00:00.000Z' };
    const content = { ...shown, answer, pagina: [], sal: '' };
    const hash = createHash('sha256').update(canonicalJson(content)).digest('hex');
    expect([hash, null]).toContain(hashedElsewhere(content));
  });
});
