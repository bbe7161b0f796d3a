import { filledWorld, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { REVIEWED_ORDERS, reviewedOf } from '../../../test-fixtures/reviewed-fields.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

/** The hours that an offer follows are members only where it follows some. */
const ofHours = new Set(reviewedOf('LUZ').flatMap(({ section, wire }) => (section === 'hours' ? [wire] : [])));
const LUZ_KEYS = REVIEWED_ORDERS.answer.LUZ.filter((name) => !ofHours.has(name)).sort();
const GAS_KEYS = REVIEWED_ORDERS.answer.GAS.toSorted();
const HISTORY_KEYS = ['indexed_prices', 'indexed_prices_total'];

const keysOf = (value: unknown) => Object.keys(asRecord(value)).sort();
const resultsOf = (answer: Record<string, unknown>) => (Array.isArray(answer.results) ? answer.results : []);

describe('A-49: the offer record', () => {
  it('A-49: has exactly the keys of its supply type, in lists, details, comparisons and answers of creation', async () => {
    const gas = { ...GAS_BODY, company_id: sample.companyId };
    const luz = { ...LUZ_BODY, company_id: sample.companyId };
    expect(keysOf(await world.ask('createOffer', { body: luz }))).toEqual(LUZ_KEYS);
    expect(keysOf(await world.ask('createOffer', { body: gas }))).toEqual(GAS_KEYS);
    for (const [supply_type, keys] of [
      ['LUZ', LUZ_KEYS],
      ['GAS', GAS_KEYS],
    ] as const) {
      const results = resultsOf(await world.ask('listOffers', { query: { supply_type } }));
      expect(results.length).toBeGreaterThan(0);
      for (const offer of results) expect(keysOf(offer)).toEqual(keys);
    }
    const ids = [sample.luzId, sample.gasId].map(String);
    const [first, second] = resultsOf(await world.ask('compareOffers', { query: { ids } }));
    expect(keysOf(first)).toEqual([...LUZ_KEYS, ...HISTORY_KEYS].sort());
    expect(keysOf(second)).toEqual([...GAS_KEYS, ...HISTORY_KEYS].sort());
    expect(keysOf(await world.ask('getOffer', { params: { id: String(sample.gasId) } }))).toEqual(keysOf(second));
  });

  it('A-29, A-49: has the sent values, and defaults for the rest', async () => {
    const body = {
      ...LUZ_BODY,
      company_id: sample.companyId,
      offer_name: '  Cafe\u0301 <b>Luz</b>  ',
      e1: -0,
      services_cost: 3.5,
      fee_power: 2,
      placas_solares: true,
      precio_excedentes: 0.06,
      ssaa_included: false,
      communities: ['navarra', 'aragon', 'navarra'],
      commission_tiers: [
        { consumption_from: 10, commission: 7, commission_type: 'per_mwh' },
        { consumption_from: 0, consumption_to: 10, commission: 5 },
      ],
    };
    const params = { id: String(sample.companyId) };
    await world.ask('updateCompany', { params, body: { logo_url: 'https://example.com/a.png' } });
    const { id, created_at, updated_at, ...record } = await world.ask('createOffer', { body });
    expect(created_at).toBe(updated_at);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Object.is(record.e1, 0)).toBe(true);
    const company = {
      id: sample.companyId,
      name: 'Comercializadora Uno',
      logo_url: 'https://example.com/a.png',
      client: { id: sample.clientId, name: 'Asesoría Uno', image_url: null },
    };
    const values = reviewedOf('LUZ').filter(({ section, wire }) => wire !== 'company_id' && section !== 'hours');
    const defaults = Object.fromEntries(values.map(({ wire, initial }) => [wire, initial]));
    expect(record).toEqual({
      ...defaults,
      offer_name: 'Café <b>Luz</b>',
      supply_type: 'LUZ',
      tariff_type: '2.0TD',
      is_catalog: false,
      company,
      ...{ e1: 0, e2: 0.13, e3: 0.09, p1: 0.08, p2: 0.01 },
      fee_power: 2,
      placas_solares: true,
      precio_excedentes: 0.06,
      ssaa_included: false,
      services_cost: 3.5,
      commission: 50,
      commission_tiers: [
        { consumption_from: 0, consumption_to: 10, commission: 5, commission_type: 'fixed' },
        { consumption_from: 10, consumption_to: null, commission: 7, commission_type: 'per_mwh' },
      ],
      acepta_dni: true,
      territory_peninsula: true,
      communities: ['aragon', 'navarra'],
    });
    expect(await world.ask('getOffer', { params: { id: String(id) } })).toEqual({
      ...record,
      ...{ id, created_at, updated_at },
      indexed_prices: [],
      indexed_prices_total: 0,
    });
    const ranking = await world.ask('rankOffers', { body: { ...HOUSEHOLD, company_id: sample.companyId } });
    const { client: _client, ...shown } = company;
    expect(resultsOf(ranking)[0].offer.company).toEqual(shown);
  });
});
