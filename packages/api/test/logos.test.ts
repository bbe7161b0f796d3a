import { callerOf } from '@tarifario/core/testing';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf } from '@tarifario/testkit/api/tool-calls';
import { asRecord, idOf, newClient, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES, resourceText } from '../src/tools/context.ts';

const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nCANARY', 'latin1').toString('base64')}`;
const JPEG = 'data:image/jpeg;base64,/9j/';
const [CONTENT = ''] = PNG.split(',').slice(1);

let world: World;
let sample: Sample;
let firm: { readonly id: string };
beforeEach(async () => {
  ({ world, sample } = await filledWorld());
  firm = { id: String(sample.clientId) };
});

const change = (body: object, key = world.fullKey) => world.call('updateClient', { params: firm, body, key });
const logoNow = async () => (await world.ask('getClient', { params: firm })).logo;

describe('A-144: the logo of a firm', () => {
  it('is set when the firm is made or changed, erased by null, and left alone by what does not name it', async () => {
    expect(await world.ask('createClient', { body: { name: 'Con logotipo', logo: JPEG } })).toMatchObject({
      logo: JPEG,
    });
    expect(await world.ask('createClient', { body: { name: 'Sin logotipo' } })).toMatchObject({ logo: null });
    expect((await change({ logo: PNG })).body).toMatchObject({ logo: PNG });
    expect((await change({ name: 'Asesoría Otra' })).body).toMatchObject({ logo: PNG, name: 'Asesoría Otra' });
    for (const id of ['toggleClient', 'deleteClient', 'toggleClient', 'getClient']) {
      expect((await world.call(id, { params: firm })).body, id).toMatchObject({ logo: PNG });
    }
    expect((await change({ logo: null })).body).toMatchObject({ logo: null });
    expect(await logoNow()).toBeNull();
  });

  it('is refused with 422 at its field, with its reason, and changes nothing', async () => {
    await change({ logo: PNG });
    const refused = 'data:image/svg+xml;base64,PHN2Zy8+';
    for (const [id, input] of [
      ['updateClient', { params: firm, body: { name: 'Otra', logo: refused } }],
      ['createClient', { body: { name: 'Otra', logo: refused } }],
    ] as const) {
      const { status, body } = await world.call(id, input);
      const { code, errors } = asRecord(asRecord(body).detail);
      expect([status, code]).toEqual([422, 'business_rule']);
      expect(errors).toEqual([{ path: 'logo', error: 'must be a PNG, JPEG or WebP picture as a data: URI in base64' }]);
    }
    expect((await change({ logo: 7 })).status).toBe(400);
    expect(await world.ask('getClient', { params: firm })).toMatchObject({ name: 'Asesoría Uno', logo: PNG });
  });

  it('stands beside a contact of one line, which only the detail has, and null erases', async () => {
    const contact = 'Tel. 900 123 456 · hola@asesoria.example';
    expect((await change({ contact: `  ${contact} ` })).body).toMatchObject({ contact });
    expect((await change({ name: 'Asesoría Otra' })).body).toMatchObject({ contact });
    expect(JSON.stringify((await world.call('listClients')).body)).not.toContain('contact');
    for (const refused of ['x'.repeat(201), '', 'dos\nlíneas', 'a\u200bb']) {
      const { status, body } = await change({ contact: refused });
      expect([status, asRecord(body).detail]).toMatchObject([422, { errors: [{ path: 'contact' }] }]);
    }
    expect((await change({ contact: 7 })).status).toBe(400);
    expect((await world.call('createClient', { body: { name: 'Con contacto', contact } })).status).toBe(400);
    expect((await change({ contact: 'ñ'.repeat(200) })).status).toBe(200);
    expect((await change({ contact: null })).body).toMatchObject({ contact: null });
    expect((await world.ask('getClient', { params: firm })).contact).toBeNull();
  });

  it('changes the tag of its firm, so that nothing is saved over one that was not seen', async () => {
    const { headers } = await world.call('getClient', { params: firm });
    await change({ logo: PNG });
    const stale = await world.call('updateClient', { params: firm, body: { logo: null }, ifMatch: headers.ETag ?? '' });
    expect(stale.status).toBe(412);
    const { headers: now } = await world.call('getClient', { params: firm });
    expect(
      (await world.call('updateClient', { params: firm, body: { logo: null }, ifMatch: now.ETag ?? '' })).status,
    ).toBe(200);
  });

  it('belongs to keys of its account and its firm that may change firms, whether they see commissions or not', async () => {
    const other = await newClient(world, 'Asesoría Tercera');
    const stranger = await world.newKey((await world.newAccount()).id);
    const keyWith = (scopes: readonly ('clients:read' | 'clients:write')[], firmId?: number) =>
      world.newKey(world.account.id, { scopes, ...(firmId !== undefined && { firmId }) });
    const answers = async (key: string) => [
      (await change({ logo: PNG }, key)).status,
      (await world.call('getClient', { params: firm, key })).status,
    ];
    expect(await answers(stranger)).toEqual([404, 404]);
    expect(await answers(await keyWith(['clients:read', 'clients:write'], other))).toEqual([404, 404]);
    expect(await answers(await keyWith(['clients:read']))).toEqual([403, 200]);
    expect(await logoNow()).toBeNull();
    expect(await answers(await keyWith(['clients:read', 'clients:write'], sample.clientId))).toEqual([200, 200]);
    await change({ logo: null });
    expect(await answers(await keyWith(['clients:read', 'clients:write']))).toEqual([200, 200]);
    expect(await logoNow()).toBe(PNG);
  });

  it('is sent by an account 120 times in an hour, on all its firms, and what sends none is not counted', async () => {
    const counted = await filledWorld(undefined, createMemoryRateLimiter());
    await counted.world.subscribe(counted.world.account.id, { callsPerMinute: 10_000 });
    const params = { id: String(counted.sample.clientId) };
    const send = async (body: object) => (await counted.world.call('updateClient', { params, body })).status;
    await counted.world.ask('createClient', { body: { name: 'Con logotipo', logo: PNG } });
    for (let sent = 1; sent < 120; sent += 1) expect(await send({ logo: sent % 2 ? PNG : JPEG })).toBe(200);
    // One that is refused takes no place of another firm's.
    expect(await send({ logo: 'data:image/png;base64,AAAA' })).toBe(422);
    expect(await send({ logo: PNG })).toBe(429);
    for (const body of [{ name: 'Sin logotipo' }, { logo: null }]) expect(await send(body)).toBe(200);
  });

  it('is in no list, in no record of a retailer or an offer, and in no change', async () => {
    await change({ logo: PNG });
    const listed = await world.ask('listClients', {});
    expect(Object.keys(asRecord(Object(listed.results)[0]))).toEqual(['id', 'name', 'image_url', 'is_active']);
    const offer = { id: String(sample.luzId) };
    for (const [id, input] of [
      ['listClients', {}],
      ['listCompanies', {}],
      ['listOffers', {}],
      ['getOffer', { params: offer }],
      ['rankOffers', { body: HOUSEHOLD }],
      ['listChanges', {}],
      ['listCatalogSubscriptions', { params: firm }],
    ] as const) {
      expect(JSON.stringify(await world.ask(id, input)), id).not.toContain(CONTENT);
    }
  });

  it('is no member of what a tool answers, not even where it is named', async () => {
    await change({ logo: PNG });
    const { result } = await callTool(world, 'get_client', { id: sample.clientId });
    expect(contentOf(result)).toEqual({ id: sample.clientId, name: 'Asesoría Uno', is_active: true });
    const named = await callTool(world, 'get_client', { id: sample.clientId, fields: 'logo' });
    expect(named.answer.status).toBe(400);
    expect(JSON.stringify([result, named.result])).not.toContain(CONTENT);
    const caller = callerOf({ fullAccess: true, scopes: new Set() });
    for (const resource of RESOURCES) expect(resourceText(resource, caller)).not.toContain('`logo`');
    expect(await world.ask('getClient', { params: firm, query: { fields: 'logo' } })).toEqual({ logo: PNG });
  });

  it('is on the page of a proposal of its firm as it is today, beside the name, and not in the proposal', async () => {
    const propose = async (asked: object) => {
      const request = { ...HOUSEHOLD, ...asked };
      return String(idOf(await world.ask('createProposal', { body: { request, offer_ids: [sample.luzId] } })));
    };
    const [ofFirm, ofAccount] = [await propose({ client_id: sample.clientId }), await propose({})];
    const pageOf = async (id: string) => String((await world.call('getProposalPage', { params: { id } })).body);
    const kept = await world.ask('getProposal', { params: { id: ofFirm } });
    expect(await pageOf(ofFirm)).not.toContain('<img');
    await change({ logo: PNG, name: 'Asesoría "Uno" <b>', contact: 'Tel. 900 <i>' });
    const html = await pageOf(ofFirm);
    const name = 'Asesoría &quot;Uno&quot; &lt;b&gt;';
    expect(html).toContain(`<img src="${PNG}" alt="${name}"><p><strong class="name">${name}</strong></p>`);
    expect(html).toContain('img-src data:');
    expect(html).toContain('<p>Tel. 900 &lt;i&gt;</p>');
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(await pageOf(ofAccount)).not.toContain('<img');
    expect(await world.ask('getProposal', { params: { id: ofFirm } })).toEqual(kept);
    expect(await world.ask('verifyProposal', { params: { id: ofFirm } })).toMatchObject({
      reproducible: true,
      sha256_now: kept.sha256,
    });
    await change({ logo: null });
    expect(await pageOf(ofFirm)).not.toContain('<img');
  });
});
