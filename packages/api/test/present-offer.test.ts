import { filledWorld, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { customersInTable } from '../src/customer-table/reading.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const rank = (changes: object, key?: string) =>
  world.call('rankOffers', { body: { ...HOUSEHOLD, ...changes }, ...(key === undefined ? {} : { key }) });
const rankBeside = async (contrato_actual: object, more: object = {}) =>
  asRecord((await rank({ ...more, contrato_actual })).body);

function resultOf(answer: Record<string, unknown>, id: number): Record<string, unknown> {
  const results = Array.isArray(answer.results) ? answer.results : [];
  return asRecord(results.find(({ offer }) => offer.id === id));
}

const pathsIn = (body: unknown) => asRecord(asRecord(body).detail).errors;

describe('A-114: an offer as contrato_actual', () => {
  it('costs what that offer costs, own or of the catalog, and changes only actual and ahorro', async () => {
    const plain = asRecord((await rank({})).body);
    for (const id of [sample.luzId, sample.indexedId, sample.catalogId]) {
      const answer = await rankBeside({ offer_id: id });
      expect(asRecord(answer.actual)).toEqual({ cost: resultOf(plain, id).cost });
      expect(resultOf(answer, id).ahorro).toEqual({ eur: 0, eur_anual: 0, porcentaje: 0 });
      expect(answer.mas_barata_id).toBe(plain.mas_barata_id);
      expect(answer).not.toHaveProperty('actual_codigo');
    }
  });

  it('has the services that are sent in place of its own', async () => {
    const own = asRecord((await rankBeside({ offer_id: sample.luzId })).actual);
    const { cost } = asRecord((await rankBeside({ offer_id: sample.luzId, services_cost: 2 })).actual);
    const bare = asRecord(own.cost);
    expect(cost).toEqual({ ...bare, servicios: 24, total: Number(bare.total) + 24 - Number(bare.servicios) });
  });

  it('has the bill of that offer', async () => {
    const bill = { territory: 'peninsula', impuestos: { fecha: '2026-06-15' } };
    const answer = await rankBeside({ offer_id: sample.luzId }, bill);
    expect(asRecord(answer.actual).factura_estimada).toEqual(resultOf(answer, sample.luzId).factura_estimada);
  });

  it('that is excluded is null, with its code, in a single ranking and in a portfolio', async () => {
    const answer = await rankBeside({ offer_id: sample.indexedId }, { mes: '2024-01' });
    expect([answer.actual, answer.actual_codigo]).toEqual([null, 'sin_mes']);
    const text = JSON.stringify({ ...HOUSEHOLD, mes: '2024-01', contrato_actual: { offer_id: sample.indexedId } });
    const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...JSON.parse(text) }] } });
    const [first] = (Array.isArray(results) ? results : []).map(asRecord);
    expect([first?.actual, first?.actual_codigo]).toEqual([null, 'sin_mes']);
  });

  it('may be no longer offered', async () => {
    await world.call('deleteOffer', { params: { id: String(sample.luzId) } });
    expect(asRecord((await rankBeside({ offer_id: sample.luzId })).actual)).toMatchObject({ cost: { total: 610.11 } });
  });

  it('that is missing or foreign is 404 at its path, alone and for one customer of a portfolio', async () => {
    const bound = await world.newKey(world.account.id, { scopes: ['offers:read'], firmId: sample.clientId });
    const sent = { contrato_actual: { offer_id: sample.otherLuzId } };
    const foreign = await rank(sent, bound);
    const missing = await rank({ contrato_actual: { offer_id: 999_999 } }, bound);
    expect([foreign.status, pathsIn(foreign.body)]).toEqual([
      404,
      [{ path: 'contrato_actual.offer_id', error: 'no such offer' }],
    ]);
    expect(missing).toMatchObject({ status: 404, body: foreign.body as object });
    const customers = [
      { ref: 'a', ...HOUSEHOLD, contrato_actual: { offer_id: 999_999 } },
      { ref: 'b', ...HOUSEHOLD, contrato_actual: { offer_id: sample.luzId } },
    ];
    const { results } = await world.ask('rankPortfolio', { body: { customers } });
    const [refused, answered] = (Array.isArray(results) ? results : []).map(asRecord);
    expect(asRecord(refused?.error)).toMatchObject({ code: 'not_found' });
    expect(asRecord(answered?.actual)).toHaveProperty('cost');
  });

  it('of the other supply is 422, and beside another price 400', async () => {
    const gas = await rank({ contrato_actual: { offer_id: sample.gasId } });
    expect([gas.status, pathsIn(gas.body)]).toMatchObject([422, [{ path: 'contrato_actual.offer_id' }]]);
    for (const other of [{ e1: 0.1 }, { coste_total: 5 }, { factura_total: 5 }, { precio_excedentes: 0.05 }]) {
      const both = await rank({ contrato_actual: { offer_id: sample.luzId, ...other } });
      expect(both.status).toBe(400);
    }
  });

  it('gives a masked key the same figures', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const contrato_actual = { offer_id: sample.luzId };
    const masked = asRecord((await rank({ contrato_actual }, key)).body);
    expect(masked.actual).toEqual((await rankBeside(contrato_actual)).actual);
  });

  it('of a proposal is verified after the offer has changed', async () => {
    const request = { ...HOUSEHOLD, contrato_actual: { offer_id: sample.luzId } };
    const { id } = await world.ask('createProposal', { body: { request, offer_ids: [sample.luzId] } });
    const params = { id: String(id) };
    await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { e1: 0.9 } });
    await world.call('deleteOffer', { params: { id: String(sample.luzId) } });
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true });
  });

  it('as of an instant has the prices of then, and one that came later is 404', async () => {
    const before = asRecord((await rankBeside({ offer_id: sample.luzId })).actual);
    const { updated_at: then } = await world.ask('updateOffer', {
      params: { id: String(sample.otherLuzId) },
      body: { e1: 0.3 },
    });
    await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { e1: 0.9 } });
    const past = await rankBeside({ offer_id: sample.luzId }, { as_of: then });
    expect(past.actual).toEqual(before);
    const created = world.account.createdAt;
    const later = await rank({ contrato_actual: { offer_id: sample.luzId }, as_of: created });
    expect([later.status, pathsIn(later.body)]).toMatchObject([404, [{ path: 'contrato_actual.offer_id' }]]);
  });

  it('as of an instant is found for the firm that had it then', async () => {
    const bound = await world.newKey(world.account.id, { scopes: ['offers:read'], firmId: sample.clientId });
    const { id: client_id } = await world.ask('createClient', { body: { name: 'Otra asesoría' } });
    const { id: company_id } = await world.ask('createCompany', { body: { client_id, name: 'Otra' } });
    const { updated_at: as_of } = await world.ask('updateOffer', {
      params: { id: String(sample.luzId) },
      body: { e1: 0.3 },
    });
    await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { company_id } });
    const contrato_actual = { offer_id: sample.luzId };
    expect((await rank({ contrato_actual }, bound)).status).toBe(404);
    expect((await rank({ contrato_actual, as_of }, bound)).status).toBe(200);
  });

  it('and the social bonus are columns of a table of customers', async () => {
    const cellsOf = (line: string) =>
      line.split(';').map((text, column) => ({ column, value: { kind: 'text', text } as const }));
    async function* rows() {
      yield { row: 1, cells: cellsOf('e1;actual_offer_id;actual_services_cost;actual_bono_social') };
      yield { row: 2, cells: cellsOf('1200;7;2,5;sí') };
    }
    for await (const { body } of customersInTable(rows)) {
      expect(body).toEqual({
        energia: { e1: 1200 },
        contrato_actual: { offer_id: 7, services_cost: 2.5, bono_social: true },
      });
    }
  });
});
