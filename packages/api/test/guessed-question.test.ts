// What a ranking had to guess of its customer is said by every answer.
import { defineOffer, rankOffers } from '@tarifario/core';
import type { ProposedRanking } from '@tarifario/core/service';
import { filledWorld, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { PROPOSAL_FORMS } from '../src/nouns/proposals/proposal.ts';
import { toWireRanking } from '../src/nouns/ranking/ranking.ts';
import { arrayOf } from './array-of.ts';

let world: World;
let sample: Sample;
let companyOfferId: number;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
  const body = { ...LUZ_BODY, company_id: sample.companyId, offer_name: 'Nave', tariff_type: '6.1TD' };
  companyOfferId = Number((await world.ask('createOffer', { body })).id);
});

const HOME = { ...HOUSEHOLD, limit: 50 };
const { potencia: _, ...NO_POWER } = HOUSEHOLD;
const AT_HOME = '. Pregunte con tariff_type: 2.0TD';
const codesOf = (answer: object) =>
  arrayOf(asRecord(answer).avisos).map((aviso) => (typeof aviso === 'string' ? aviso : asRecord(aviso).codigo));

/** The ids of rows that are marked, of a list of results. */
function marked(results: unknown): readonly unknown[] {
  return arrayOf(results).flatMap((result) => {
    const { peaje_imposible, offer, offer_id } = asRecord(result);
    if (peaje_imposible !== undefined) expect(peaje_imposible).toBe(true);
    return peaje_imposible ? [offer_id ?? asRecord(offer).id] : [];
  });
}

describe('A-69: a question without tariff_type that ranks offers of others', () => {
  it('has the notice first with the tariff to ask with, and marks each of these offers, in a ranking and a batch', async () => {
    const answer = await world.ask('rankOffers', { body: HOME });
    expect(arrayOf(answer.avisos)[0]).toEqual({
      codigo: 'peaje_imposible',
      mensaje: expect.stringMatching(new RegExp(`${AT_HOME}$`)),
      total: 1,
      offer_ids: [companyOfferId],
    });
    expect(marked(answer.results)).toEqual([companyOfferId]);
    const customers = [{ ref: 'a', ...HOUSEHOLD }];
    const { results } = await world.ask('rankPortfolio', { body: { customers, top: 10 } });
    const [customer = {}] = arrayOf(results).map(asRecord);
    expect(codesOf(customer)[0]).toBe('peaje_imposible');
    expect(customer.peajes_parecidos).toEqual(['2.0TD']);
    expect(marked(customer.best)).toEqual([companyOfferId]);
  });

  it('marks none where the tariff is asked for', async () => {
    const answer = await world.ask('rankOffers', { body: { ...HOME, tariff_type: '6.1TD' } });
    expect(arrayOf(answer.avisos)[0]).toMatchObject({
      codigo: 'peaje_imposible',
      mensaje: expect.not.stringContaining('Pregunte'),
    });
    expect(marked(answer.results)).toEqual([]);
  });

  it('marks recommendations by the power alone', async () => {
    const body = { ...LUZ_BODY, company_id: sample.companyId, tariff_type: '3.0TD' };
    const { id } = await world.ask('createOffer', { body });
    const ask = (query: object) =>
      world.ask('recommendOffers', { query: { consumption_mwh: '3', power_kw: '4.6', ...query } });
    const answer = await ask({});
    expect(codesOf(answer)[0]).toBe('peaje_imposible');
    expect(marked(answer.results)).toEqual([id]);
    expect(marked((await ask({ tariff_type: '3.0TD' })).results)).toEqual([]);
  });

  it('is marked on both pages of a proposal, and verifies', async () => {
    const made = await world.ask('createProposal', { body: { request: HOME, offer_ids: [companyOfferId] } });
    const params = { id: String(made.id) };
    const detail = await world.ask('getProposal', { params });
    expect(marked(detail.pagina)).toEqual([companyOfferId]);
    expect(marked(asRecord(detail.answer).results)).toEqual([companyOfferId]);
    for (const query of [{}, { comisiones: 'true' }]) {
      const page = await world.call('getProposalPage', { params, query });
      expect(JSON.stringify(page)).toContain('. Su peaje no es el de este suministro');
    }
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true });
  });
});

describe('A-69: a question about a supply of which there is no offer', () => {
  it('has sin_ofertas that names supply_type, in a ranking, a batch and a recommendation', async () => {
    const small = await createWorld();
    const { id: client_id } = await small.ask('createClient', { body: { name: 'Asesoría' } });
    const { id: company_id } = await small.ask('createCompany', { body: { client_id, name: 'Solo luz' } });
    const question = { supply_type: 'GAS', consumo_gas: 9000 };
    const query = { consumption_mwh: '9', supply_type: 'GAS' };
    expect(codesOf(await small.ask('rankOffers', { body: question }))).toEqual([]);
    await small.ask('createOffer', { body: { ...LUZ_BODY, company_id } });
    const mensaje = expect.stringMatching(/: supply_type$/);
    const expected = [{ codigo: 'sin_ofertas', mensaje, total: 0, offer_ids: [] }];
    expect((await small.ask('rankOffers', { body: question })).avisos).toEqual(expected);
    expect((await small.ask('recommendOffers', { query })).avisos).toEqual(expected);
    const { results } = await small.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...question }] } });
    expect(codesOf(asRecord(arrayOf(results)[0]))).toEqual(['sin_ofertas']);
  });
});

describe('A-69: electricity without power', () => {
  it('has the notice first, in a ranking, a batch and on the page of a proposal', async () => {
    const answer = await world.ask('rankOffers', { body: NO_POWER });
    expect(codesOf(answer)[0]).toBe('sin_potencia');
    const { results } = await world.ask('rankPortfolio', {
      body: { customers: [{ ref: 'a', ...NO_POWER }] },
    });
    expect(codesOf(asRecord(arrayOf(results)[0]))[0]).toBe('sin_potencia');
    const made = await world.ask('createProposal', { body: { request: NO_POWER, offer_ids: [sample.luzId] } });
    const page = await world.call('getProposalPage', { params: { id: String(made.id) } });
    expect(JSON.stringify(page)).toContain(
      '<h2>Avisos</h2><ul><li>El coste no lleva la potencia, que no se ha indicado',
    );
  });

  it('has the notice before those that name an offer of the proposal', async () => {
    const offer_ids = [sample.luzId, companyOfferId];
    const made = await world.ask('createProposal', { body: { request: NO_POWER, offer_ids } });
    const page = await world.call('getProposalPage', { params: { id: String(made.id) } });
    const [, first, second] = /<h2>Avisos<\/h2><ul><li>(.*?)<\/li><li>(.*?)<\/li>/.exec(String(page.body)) ?? [];
    expect([first, second]).toEqual([
      expect.stringMatching(/^El coste no lleva la potencia/),
      expect.stringContaining('('),
    ]);
  });
});

describe('A-90: a proposal of an earlier release', () => {
  it('is computed again in the words, the order and with the notices that it has, and without marks', () => {
    const offers = ['2.0TD', '6.1TD'].map((tariffType, index) =>
      defineOffer({
        ...{ id: index + 1, companyId: 1, offerName: tariffType, supplyType: 'LUZ', tariffType },
        ...{ accepts: { dni: true }, territories: { peninsula: true } },
        ...{ energyEurPerKwh: [0.1, 0.1, 0.1], powerEurPerKwDay: [0.1, 0.1] },
      }),
    );
    const customer = { supplyType: 'LUZ', consumptionKwh: [100, 100, 100] } as const;
    const ranking = rankOffers({ customer, offers });
    const company = { id: 1, firmId: 1, name: 'Uno', logoUrl: null, isActive: true, createdAt: '', updatedAt: '' };
    const companies = new Map([[1, company]]);
    const rows = ranking.results.map((result, index) => ({ ...result, place: index + 1 }));
    const ranked: ProposedRanking = { ranking, companies, seesCommissions: true, rows };
    const today = toWireRanking(ranked);
    expect(codesOf(today)).toEqual(['sin_potencia', 'peaje_imposible', 'peajes_mezclados']);
    const avisos = today.avisos
      .slice(1)
      .toReversed()
      .map((aviso) => ({ ...aviso, mensaje: 'Otra cosa' }));
    const kept = { request: {}, offer_ids: [1], nota: null, answer: { avisos }, pagina: [], sal: '' };
    const again = PROPOSAL_FORMS.toAnswer(ranked, kept);
    expect(asRecord(again.answer).avisos).toEqual(avisos);
    expect(JSON.stringify(again)).not.toContain('"peaje_imposible":');
    const now = PROPOSAL_FORMS.toAnswer(ranked);
    const { answer, pagina } = PROPOSAL_FORMS.toAnswer(ranked, { ...kept, ...now });
    expect({ answer, pagina }).toEqual(now);
  });
});
