import { filledWorld, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, operationOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { REVIEWED_ORDERS } from '../../../test-fixtures/reviewed-fields.ts';
import { EXPORT_COLUMNS } from '../src/nouns/offers/export.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

/** The table that an export is written from: the form, the header, a record per offer. */
async function exported(input: CallInput = {}) {
  const { status, headers, body } = await world.call('exportOffers', input);
  expect(status).toBe(200);
  const [form, header, ...rows] = String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(header).toEqual(EXPORT_COLUMNS);
  const records = rows.map((row) => asRecord(Object.fromEntries(EXPORT_COLUMNS.map((name, i) => [name, row[i]]))));
  return { form, headers, records };
}

async function listed(query: Record<string, string> = {}) {
  const { results } = await world.ask('listOffers', { query: { ...query, limit: '200' } });
  return (Array.isArray(results) ? results : []).map(asRecord);
}

/** What the lists of both supplies say, by id. */
async function listedOfBoth(query: Record<string, string> = {}) {
  const gas = await listed({ ...query, supply_type: 'GAS' });
  return [...(await listed(query)), ...gas].sort((a, b) => Number(a.id) - Number(b.id));
}

describe('A-35: exportOffers', () => {
  it('A-35: has a fixed order of columns: the fields of both supplies, with two columns each for company and firm', async () => {
    expect(EXPORT_COLUMNS).toEqual(REVIEWED_ORDERS.export);
    const offers = await listedOfBoth();
    const keys = new Set(offers.flatMap((offer) => Object.keys(offer)).filter((key) => key !== 'company'));
    const named = ['company_id', 'company_name', 'client_id', 'client_name'];
    expect([...EXPORT_COLUMNS].sort()).toEqual([...keys, ...named].sort());
    expect(operationOf('exportOffers').description).toContain(EXPORT_COLUMNS.join(', '));
  });

  it('A-35: has the values of the list for every offer', async () => {
    const body = {
      ...LUZ_BODY,
      company_id: sample.companyId,
      communities: ['navarra', 'aragon'],
      ssaa_included: false,
    };
    await world.ask('createOffer', { body });
    for (const supply_type of ['LUZ', 'GAS']) {
      const { records } = await exported({ query: { supply_type } });
      const expected = (await listed({ supply_type })).map(({ company: shown, communities, ...offer }) => {
        const company = asRecord(shown);
        const client = asRecord(company.client);
        const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
        return {
          ...Object.fromEntries(EXPORT_COLUMNS.map((name) => [name, null])),
          ...offer,
          company_id: company.id,
          company_name: company.name,
          client_id: client.id,
          client_name: client.name,
          communities: Array.isArray(communities) ? communities.join(',') : null,
          commission_tiers: json(offer.commission_tiers),
          commission_power_tiers: json(offer.commission_power_tiers),
        };
      });
      expect(expected.length).toBeGreaterThan(0);
      expect(records).toEqual(expected);
    }
  });

  it('is an attachment, and has the number of matching offers in a header', async () => {
    const { headers, form } = await exported();
    expect(headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="ofertas.csv"',
      'X-Total-Count': '5',
    });
    expect(form).toEqual({ separator: ',' });
    expect((await exported({ query: { separator: ';' } })).form).toEqual({ separator: ';' });
  });

  it('A-35: has the first 2 000 offers by id', async () => {
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
      const [record] = await writer.offers.byId(world.account.id, [sample.luzId]);
      if (!record) throw new Error('an offer was expected');
      await writer.offers.insert(
        world.account.id,
        Array.from({ length: 2010 }, () => record.offer),
      );
    });
    const { records, headers } = await exported();
    expect(headers['X-Total-Count']).toBe('2015');
    expect(records).toHaveLength(2000);
    const ids = records.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids[0]).toBe(sample.luzId);
  });

  it('A-17, A-26: leaves the columns of commissions empty for a key that may not see them, and no other column', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:export'] });
    const blind = (await exported({ key })).records;
    const seen = (await exported()).records;
    const empty = { commission: null, commission_type: null, commission_tiers: null, commission_power_tiers: null };
    expect(seen[0]?.commission).toBe(50);
    expect(blind).toEqual(seen.map((record) => ({ ...record, ...empty })));
  });

  it('has the offers of its own firm for a bound key, and none of the catalog', async () => {
    const key = await world.newKey(world.account.id, { firmId: sample.otherClientId });
    expect((await exported({ key })).records.map(({ id }) => id)).toEqual([sample.otherLuzId]);
    expect((await exported()).records.map(({ id }) => id)).not.toContain(sample.catalogId);
  });
});
