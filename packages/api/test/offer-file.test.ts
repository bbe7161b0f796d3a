import { DomainError, type RefusalCode } from '@tarifario/core/service';
import { filledWorld, GAS_BODY, HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { describe, expect, it } from 'vitest';
import { fromWireEfficient, fromWireOffers } from '../src/index.ts';

function refusalOf(work: () => unknown): { readonly code: RefusalCode; readonly paths: readonly string[] } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { issues = [] } = 'issues' in error.details ? error.details : {};
    return { code: error.code, paths: issues.map((issue) => issue.path) };
  }
  throw new Error('a refusal was expected');
}

describe('fromWireOffers', () => {
  it('numbers offers by their position and companies by their name', () => {
    const { offers, companies } = fromWireOffers([
      { ...LUZ_BODY, company: 'Uno' },
      { ...GAS_BODY, company: 'Dos', is_catalog: true },
      { ...LUZ_BODY, company: 'Uno' },
    ]);
    expect(offers.map(({ offer }) => [offer.id, offer.companyId])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
    expect([...companies.values()].map(({ id, name, firmId }) => [id, name, firmId])).toEqual([
      [1, 'Uno', 0],
      [2, 'Dos', null],
    ]);
  });

  it('gives companies without an id ids beyond those of the file', () => {
    const { offers } = fromWireOffers([
      { ...LUZ_BODY, company: 'Uno' },
      { ...LUZ_BODY, company: { id: 7, name: 'Siete' } },
      { ...LUZ_BODY, company_id: 9 },
    ]);
    expect(offers.map(({ offer }) => offer.companyId)).toEqual([10, 7, 9]);
  });

  it('reads what the service answers for a list or a detail, with its history', async () => {
    const { world, sample } = await filledWorld();
    const list = (limit: number) => world.ask('listOffers', { query: { limit: String(limit) } });
    const [upToIndexed, fromList] = [await list(2), fromWireOffers(await list(1))];
    expect(refusalOf(() => fromWireOffers(upToIndexed)).paths).toEqual(['1.indexed_prices']);
    expect(fromList.offers.map(({ offer }) => offer.id)).toContain(sample.luzId);
    const stored = await world.store.read((reader) => reader.offers.byId(world.account.id, [sample.luzId]));
    expect(fromList.offers.find(({ offer }) => offer.id === sample.luzId)?.offer).toEqual(stored[0]?.offer);
    const detail = await world.ask('getOffer', { params: { id: String(sample.indexedId) } });
    expect(fromWireOffers([detail]).offers[0]?.months.map(({ month }) => month)).toEqual(['2025-11-01', '2025-12-01']);
    const catalog = await world.ask('getOffer', { params: { id: String(sample.catalogId) } });
    expect(fromWireOffers([catalog]).companies.get(sample.catalogCompanyId)?.firmId).toBeNull();
  });

  it('distinguishes masked commissions from unset ones', () => {
    const sees = (...fields: object[]) =>
      fromWireOffers(fields.map((more) => ({ ...LUZ_BODY, ...more }))).seesCommissions;
    expect(sees({}, { commission: undefined })).toBe(true);
    for (const field of ['commission', 'commission_type', 'commission_tiers', 'commission_power_tiers']) {
      expect(sees({}, { [field]: null }), field).toBe(false);
    }
    expect(fromWireOffers([{ ...GAS_BODY, commission_power_tiers: null }]).seesCommissions).toBe(true);
  });

  it('refuses an indexed offer of an answer without its history', () => {
    const { commission: _, ...indexed } = { ...LUZ_BODY, id: 12, is_indexed: true };
    const answered = { ...indexed, created_at: '2026-01-01T00:00:00.000Z' };
    expect(refusalOf(() => fromWireOffers([LUZ_BODY, answered]))).toEqual({
      code: 'business_rule',
      paths: ['1.indexed_prices'],
    });
    expect(fromWireOffers([{ ...answered, indexed_prices: [] }]).offers[0]?.months).toEqual([]);
    expect(fromWireOffers([{ ...answered, is_indexed: false }]).offers).toHaveLength(1);
    expect(fromWireOffers([indexed]).offers[0]?.months).toEqual([]);
  });

  it('sorts a history and refuses a month that occurs twice', () => {
    const row = (reference_month: string) => ({ reference_month, e1: 0.1 });
    const file = (...months: string[]) => [{ ...LUZ_BODY, is_indexed: true, indexed_prices: months.map(row) }];
    const { offers } = fromWireOffers(file('2025-03', '2025-01-20'));
    expect(offers[0]?.months.map(({ month }) => month)).toEqual(['2025-01-01', '2025-03-01']);
    expect(refusalOf(() => fromWireOffers(file('2025-03', '2025-03-02')))).toEqual({
      code: 'business_rule',
      paths: ['0.indexed_prices'],
    });
  });

  it('says which offer is malformed, breaks a rule, or occurs twice', () => {
    expect(refusalOf(() => fromWireOffers([LUZ_BODY, { ...LUZ_BODY, e9: 1 }]))).toEqual({
      code: 'invalid_request',
      paths: ['1.e9'],
    });
    expect(refusalOf(() => fromWireOffers([LUZ_BODY, { ...LUZ_BODY, e1: 11 }]))).toEqual({
      code: 'business_rule',
      paths: ['1.e1'],
    });
    expect(refusalOf(() => fromWireOffers([{ ...LUZ_BODY, id: 2 }, LUZ_BODY]))).toEqual({
      code: 'invalid_request',
      paths: ['1.id'],
    });
    for (const json of [null, 'x', 1, {}, { results: 1 }]) {
      expect(refusalOf(() => fromWireOffers(json)).code).toBe('invalid_request');
    }
  });
});

describe('fromWireEfficient', () => {
  it('reads a household', () => {
    expect(fromWireEfficient({ ...HOUSEHOLD, dias: 30, client_id: 4 })).toMatchObject({
      firmId: 4,
      request: {
        customer: { supplyType: 'LUZ', consumptionKwh: [1200, 900, 1400, 0, 0, 0], exportedKwh: 0 },
        period: { days: 30, months: 0.99 },
        weight: null,
        limit: 50,
      },
    });
  });

  it('refuses malformed input and fields of the other supply', () => {
    expect(refusalOf(() => fromWireEfficient({})).code).toBe('invalid_request');
    const gas = { ...HOUSEHOLD, supply_type: 'GAS', consumo_gas: 1 };
    expect(refusalOf(() => fromWireEfficient(gas))).toEqual({ code: 'business_rule', paths: ['energia', 'potencia'] });
  });
});
