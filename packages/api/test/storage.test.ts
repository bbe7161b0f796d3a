import type { Quotas } from '@tarifario/core/service';
import { filledWorld, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { BLIND_SCOPES } from '@tarifario/testkit/api/vectors';
import { fakeFile, type SheetsByHand } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, idOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { UPDATE } from './bulk-calls.ts';
import { everythingOf } from './stores.ts';

let world: World;
let sample: Sample;

const storageFor = async (key = world.fullKey) => asRecord((await world.ask('getAccount', { key })).storage);
const allow = (quotas: Partial<Quotas>) => world.subscribe(world.account.id, { plan: 'pro', quotas });
const endOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  if (status < 400) return String(status);
  const { code, message } = asRecord(asRecord(body).detail);
  return `${status} ${code}: ${message}`;
};
const file = (sheets: SheetsByHand) => ({ form: { bytes: fakeFile(sheets) } });
const newPrice = (e1: number): SheetsByHand => ({
  ofertas: [
    ['offer_id', 'e1'],
    [sample.luzId, e1],
  ],
});
const tiersOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ consumption_from: i, consumption_to: i + 1, commission: 7 + i }));
const proposal = () => ({ body: { request: { ...HOUSEHOLD, w: 0.4 }, offer_ids: [sample.luzId] } });

describe('A-162: what an account stores', () => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  it('A-162: is told in bytes before it is too much, but not to who may not see all commissions', async () => {
    await allow({ proposalsBytes: 5_000_000 });
    const before = await storageFor();
    expect(before).toEqual({
      ...{ history_bytes: expect.any(Number), history_limit: 5_000_000_000 },
      ...{ proposals_bytes: expect.any(Number), proposals_limit: 5_000_000 },
    });
    const id = { params: { id: String(sample.luzId) } };
    await world.ask('updateOffer', { ...id, body: { commission_tiers: tiersOf(50) } });
    await world.ask('updateOffer', { ...id, body: { commission_tiers: [] } });
    const made = idOf(await world.ask('createProposal', proposal()));
    const after = await storageFor();
    expect(Number(after.history_bytes)).toBeGreaterThan(Number(before.history_bytes) + 3000);
    expect(Number(after.proposals_bytes)).toBeGreaterThan(Number(before.proposals_bytes) + 1000);
    const blind = await world.newKey(world.account.id, { scopes: BLIND_SCOPES });
    const bound = await world.newKey(world.account.id, { firmId: sample.clientId });
    for (const key of [blind, bound]) {
      expect(await storageFor(key)).toEqual({ ...before, history_bytes: null, proposals_bytes: null });
    }
    await world.call('deleteProposal', { params: { id: String(made) } });
    expect(await storageFor()).toMatchObject({ proposals_bytes: before.proposals_bytes });
  });

  it('A-162: is refused beyond the history of its plan, whichever way it comes, and nothing is lost', async () => {
    const { history_bytes } = await storageFor();
    await allow({ historyBytes: Number(history_bytes) + 400 });
    const id = { params: { id: String(sample.luzId) } };
    const month = { params: { id: String(sample.indexedId) } };
    const dry = { query: { dry_run: 'true' } };
    const sent = file(newPrice(0.31));
    const bulk = { offer_ids: [sample.luzId, sample.gasId], updates: { offer_name: 'Otra' } };
    const calls: readonly (readonly [string, CallInput])[] = [
      ['createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } }],
      ['updateOffer', { ...id, body: { e1: 0.3 } }],
      ['toggleOffer', id],
      ['deleteOffer', id],
      ['bulkPatchOffers', { body: bulk }],
      ['upsertIndexedPrice', { ...month, body: { reference_month: '2026-01', e1: 0.3 } }],
      ['deleteIndexedPrice', { params: { ...month.params, month: '2025-11' } }],
      [UPDATE.own, { ...dry, ...sent }],
    ];
    const before = await everythingOf(world);
    const message = `the history of offers of the account, on the plan pro, may have ${Number(history_bytes) + 400} bytes, and has no room for this: nothing was changed`;
    for (const [operation, input] of calls) {
      expect(endOf(await world.call(operation, input)), operation).toBe(`403 storage_full: ${message}`);
    }
    expect(await everythingOf(world)).toBe(before);
    expect(endOf(await world.call(UPDATE.own, sent))).toContain('403 storage_full');
    const upload = idOf(
      asRecord((await world.call('createUpload', { form: { fileName: 'a.xlsx', bytes: sent.form.bytes } })).body),
    );
    await world.work();
    const shown = () => world.ask('getUpload', { params: { id: String(upload) } });
    expect(await shown()).toMatchObject({ status: 'failed', error: { code: 'storage_full', message } });
    // What leaves no version is done as before.
    for (const [operation, input] of [
      ['updateOffer', { ...id, body: { is_active: true } }],
      ['createProposal', proposal()],
      ['updateAccount', { body: { name: 'Otra' } }],
    ] as const) {
      expect(Number(endOf(await world.call(operation, input))), operation).toBeLessThan(300);
    }
    // The history of the catalog is not that of its editor.
    await allow({ historyBytes: 0 });
    const ofCatalog = { params: { id: String(sample.catalogId) }, body: { offer_name: 'Otra' } };
    expect((await world.call('updateCatalogOffer', ofCatalog)).status).toBe(200);
    await allow({ historyBytes: Number(history_bytes) + 5_000 });
    expect((await world.call('retryUpload', { params: { id: String(upload) } })).status).toBe(200);
    await world.work();
    expect(await shown()).toMatchObject({ status: 'completed' });
  });

  it('A-162: a batch or a file is refused whole where the tiers that it replaces are too much', async () => {
    const id = { params: { id: String(sample.luzId) } };
    await world.ask('updateOffer', { ...id, body: { commission_tiers: tiersOf(50) } });
    const { history_bytes } = await storageFor();
    await allow({ historyBytes: Number(history_bytes) + 2 * 800 });
    const sheets = { ...newPrice(0.5), borrar: [['offer_id'], [sample.gasId]] };
    const tiers = {
      tramos_consumo: [
        ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
        [sample.luzId, 0, 5, 33],
      ],
    };
    const before = await everythingOf(world);
    const updates = { commission_tiers: tiersOf(1), offer_name: 'Otra' };
    const bulk = { body: { offer_ids: [sample.gasId, sample.luzId], updates } };
    expect(endOf(await world.call('bulkPatchOffers', bulk))).toContain('403 storage_full');
    expect(await everythingOf(world)).toBe(before);
    const offersBefore = await world.ask('listOffers');
    expect(endOf(await world.call(UPDATE.own, file({ ...sheets, ...tiers })))).toContain('403 storage_full');
    expect(await world.ask('listOffers')).toEqual(offersBefore);
    expect(await storageFor()).toMatchObject({ history_bytes });
    expect((await world.call(UPDATE.own, file(sheets))).status).toBe(200);
  });

  it('A-162: a proposal beyond the bytes of its plan is refused, and made once another was deleted', async () => {
    const { proposals_bytes } = await storageFor();
    const first = idOf(await world.ask('createProposal', proposal()));
    const bytes = Number((await storageFor()).proposals_bytes);
    const one = bytes - Number(proposals_bytes);
    await allow({ proposalsBytes: bytes + one - 1 });
    const list = await world.ask('listProposals');
    const message = `the proposals of the account, on the plan pro, may have ${bytes + one - 1} bytes, and have no room for this: delete some first`;
    const named = { ...proposal(), idempotencyKey: 'una' };
    for (const sent of [proposal(), named]) {
      expect(endOf(await world.call('createProposal', sent))).toBe(`403 storage_full: ${message}`);
    }
    expect(await world.ask('listProposals')).toEqual(list);
    expect(await world.ask('verifyProposal', { params: { id: String(first) } })).toMatchObject({ reproducible: true });
    await allow({ proposalsBytes: bytes + one });
    expect((await world.call('createProposal', proposal())).status).toBe(201);
    expect(endOf(await world.call('createProposal', named))).toContain('403 storage_full');
    expect((await world.call('deleteProposal', { params: { id: String(first) } })).status).toBe(204);
    expect((await world.call('createProposal', named)).status).toBe(201);
    expect((await world.call('updateOffer', { params: { id: String(sample.luzId) }, body: { e1: 0.3 } })).status).toBe(
      200,
    );
  });
});
