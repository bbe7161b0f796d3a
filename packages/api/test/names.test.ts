import { filledWorld, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { asRecord, idOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromWireEfficient } from '../src/index.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const AT = '2026-01-01T00:00:00.000Z';
/** Names that are older than the rule: their hidden characters are not shown. */
const HIDDEN = { firm: 'Ase\u034fsoría', company: 'Ende\u3164sa', offer: 'Luz\u2800Clara', tariff: '2.0\u034fTD' };

describe('A-55: a record with a name older than the rule', () => {
  let offerId: number;
  const params = () => ({ id: String(offerId) });

  beforeEach(async () => {
    offerId = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } }));
    await world.store.write({ keyId: null, at: AT }, async (writer) => {
      const [firm, company] = [
        await writer.firms.get(world.account.id, sample.clientId),
        await writer.companies.get(world.account.id, sample.companyId),
      ];
      const [record] = await writer.offers.byId(world.account.id, [offerId]);
      if (!firm || !company || !record) throw new Error('records were expected');
      await writer.firms.update(world.account.id, firm.id, { ...firm, name: HIDDEN.firm });
      await writer.companies.update(world.account.id, company.id, { ...company, name: HIDDEN.company });
      const terms = { ...record.offer, offerName: HIDDEN.offer, tariffType: HIDDEN.tariff };
      await writer.offers.update(world.account.id, [{ before: record.offer, terms, sections: ['identity'] }]);
    });
  });

  it('is read, ranked and found unchanged', async () => {
    const { offer_name, tariff_type, company } = await world.ask('getOffer', { params: params() });
    expect([offer_name, tariff_type, asRecord(company).name]).toEqual([HIDDEN.offer, HIDDEN.tariff, HIDDEN.company]);
    const { results } = await world.ask('listOffers', { query: { company_name: 'sa' } });
    expect(results).toEqual(expect.arrayContaining([expect.objectContaining({ offer_name: HIDDEN.offer })]));
    expect(await world.ask('rankOffers', { body: HOUSEHOLD })).toMatchObject({ total: expect.any(Number) });
  });

  it('is edited in other fields, also when its name is sent along', async () => {
    for (const [id, of, body] of [
      ['updateOffer', params(), { e1: 0.2 }],
      ['updateOffer', params(), { e1: 0.21, offer_name: HIDDEN.offer, tariff_type: HIDDEN.tariff }],
      ['updateClient', { id: String(sample.clientId) }, { image_url: 'https://example.com/a.png' }],
      ['updateCompany', { id: String(sample.companyId) }, { name: HIDDEN.company, logo_url: null }],
      ['toggleCompany', { id: String(sample.companyId) }, undefined],
    ] as const) {
      expect([id, (await world.call(id, { params: of, body })).status]).toEqual([id, 200]);
    }
    const updates = { e1: 0.22 };
    expect((await world.call('bulkPatchOffers', { body: { offer_ids: [offerId], updates } })).status).toBe(200);
  });

  it('is replaced by a row of a file that leaves its name as it is', async () => {
    const columns = ['offer_id', 'cliente', 'company_name', 'offer_name', 'tariff_type', 'e1'];
    const row = (name: string) => [offerId, HIDDEN.firm, HIDDEN.company, name, HIDDEN.tariff, 0.3];
    const send = (name: string) =>
      world.call('bulkUpdateOffers', { form: { bytes: fakeFile({ ofertas: [columns, row(name)] }) } });
    expect((await send(HIDDEN.offer)).status).toBe(200);
    expect((await send(`${HIDDEN.offer}2`)).status).toBe(422);
  });

  it('is not renamed to another such name', async () => {
    for (const [id, of, body] of [
      ['updateOffer', params(), { offer_name: 'Luz\u034f' }],
      ['updateOffer', params(), { tariff_type: '3.0\u2800TD' }],
      ['updateClient', { id: String(sample.clientId) }, { name: '\u3164' }],
      ['updateCompany', { id: String(sample.companyId) }, { name: 'Ende\u3164s\u3164a' }],
    ] as const) {
      const { status, body: answer } = await world.call(id, { params: of, body });
      expect([status, JSON.stringify(answer)]).toEqual([422, expect.stringContaining('invisible')]);
    }
  });
});

describe('A-51: a variation selector behind an emoji', () => {
  it('A-51: does not distinguish names of clients or companies, in the record or in a search', async () => {
    const of = { client_id: sample.clientId };
    const { id } = await world.ask('createCompany', { body: { ...of, name: 'Rayo \u26a1\ufe0f' } });
    await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: id } });
    expect((await world.call('createCompany', { body: { ...of, name: 'rayo \u26a1' } })).status).toBe(409);
    for (const company_name of ['\u26a1', 'RAYO \u26a1\ufe0f', '\u26a1\ufe0e']) {
      expect((await world.ask('listOffers', { query: { company_name } })).total).toBe(1);
    }
  });

  it('A-51: links a row of a file to the same company', async () => {
    await world.ask('createCompany', { body: { client_id: sample.clientId, name: 'Rayo \u26a1\ufe0f' } });
    const columns = 'cliente company_name offer_name supply_type tariff_type e1 acepta_dni territory_peninsula'.split(
      ' ',
    );
    const row = ['Asesoría Uno', 'RAYO \u26a1', 'Luz', 'LUZ', '2.0TD', 0.1, true, true];
    const sent = await world.ask('bulkUpdateOffers', { form: { bytes: fakeFile({ ofertas: [columns, row] }) } });
    expect(sent).toMatchObject({ created: 1, companies_created: 0 });
  });
});

describe('A-04: an access tariff that is looked for is cleaned as it is when it is stored', () => {
  const TYPED = ' Tari\u0301fa ';
  const body = { ...HOUSEHOLD, tariff_type: TYPED };
  const ranked = { consumption_mwh: '3.5', power_kw: '4.6' };

  beforeEach(async () => {
    const { tariff_type } = await world.ask('createOffer', {
      body: { ...LUZ_BODY, company_id: sample.companyId, tariff_type: TYPED },
    });
    expect(tariff_type).toBe('Tarífa');
  });

  it('in lists, exports, rankings, recommendations and portfolios', async () => {
    const query = { tariff_type: TYPED };
    expect((await world.ask('listOffers', { query })).total).toBe(1);
    expect((await world.call('exportOffers', { query })).headers['X-Total-Count']).toBe('1');
    expect((await world.ask('recommendOffers', { query: { ...ranked, ...query } })).total).toBe(1);
    expect((await world.ask('rankOffers', { body })).total).toBe(1);
    const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...body }] } });
    expect(results).toMatchObject([{ total: 1 }]);
  });

  it('in a question of the command line', () => {
    expect(fromWireEfficient(body).request.filter.tariffType).toBe('Tarífa');
  });
});
