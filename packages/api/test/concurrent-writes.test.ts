import { filledWorld, type Sample } from '@tarifario/testkit/api/sample';
import { newClient, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';

// What one write after the other does is what the model says; these are written at once.

const prices = 'e1 e2 e3 e4 e5 e6 p1 p2 p3 p4 p5 p6 fee_power services_cost'.split(' ');
const priced = Object.fromEntries(prices.map((field, index) => [field, (index + 1) / 100]));

/** Of each noun: a record of the sample, and fields that are changed each by a request of its own. */
const NOUNS = [
  ['Client', 'clientId', { name: 'A la vez', image_url: 'https://example.com/a.png' }],
  ['Company', 'companyId', { name: 'A la vez', logo_url: 'https://example.com/a.png' }],
  ['Offer', 'luzId', priced],
] as const;

function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

function countOf(answers: readonly { readonly status: number }[]): Record<string, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, same.length]));
}

describe('writes at once', () => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  describe.each(NOUNS)('%s', (noun, idName, fields) => {
    const params = () => ({ id: String(sample[idName]) });

    it('A-30: changes its state as often as it is toggled at once', async () => {
      const answers = await atOnce(15, () => world.ask(`toggle${noun}`, { params: params() }));
      expect(answers.filter((answer) => answer.is_active === true)).toHaveLength(7);
      expect(await world.ask(`get${noun}`, { params: params() })).toMatchObject({ is_active: false });
    });

    it('A-30: stores every one of many concurrent changes of different fields', async () => {
      const bodies = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
      await Promise.all(bodies.map((body) => world.ask(`update${noun}`, { params: params(), body })));
      expect(await world.ask(`get${noun}`, { params: params() })).toMatchObject(fields);
    });
  });

  it('A-51: of 20 equal names at once one is accepted, for a new record or for a rename', async () => {
    const created = await atOnce(20, () => world.call('createClient', { body: { name: 'A la vez' } }));
    expect(countOf(created)).toEqual({ 201: 1, 409: 19 });
    const body = { client_id: sample.clientId, name: 'A la vez' };
    expect(countOf(await atOnce(20, () => world.call('createCompany', { body })))).toEqual({ 201: 1, 409: 19 });
    const ids = await atOnce(20, (index) => newClient(world, `Asesoría ${index} de veinte`));
    const renamed = await Promise.all(
      ids.map((id) => world.call('updateClient', { params: { id: String(id) }, body: { name: 'La deseada' } })),
    );
    expect(countOf(renamed)).toEqual({ 200: 1, 409: 19 });
  });

  it('A-39: 20 firms that are created or activated at once do not exceed the limit of the plan', async () => {
    const { id } = await world.newAccount({ plan: 'starter', firmLimit: 5 });
    const key = await world.newKey(id);
    const answers = await atOnce(20, (index) => world.call('createClient', { key, body: { name: `Nueva ${index}` } }));
    expect(countOf(answers)).toEqual({ 201: 5, 403: 15 });
    expect(answers.find((answer) => answer.status === 403)?.body).toEqual({
      detail: { code: 'firm_limit_reached', message: 'the plan allows 5 active advisory firms' },
    });
    const { results } = await world.ask('listClients', { key });
    const resting = Array.isArray(results) ? results.map((firm) => ({ id: String(firm.id) })) : [];
    for (const params of resting) await world.ask('deleteClient', { key, params });
    for (const name of ['Una', 'Dos', 'Tres']) await newClient(world, name, { key });
    const awake = await Promise.all(resting.map((params) => world.call('toggleClient', { key, params })));
    expect(countOf(awake)).toEqual({ 200: 2, 403: 3 });
    expect(await world.ask('listClients', { key })).toMatchObject({ total: 5 });
  });
});
