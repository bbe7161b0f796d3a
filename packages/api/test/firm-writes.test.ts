import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample, HOUSEHOLD, type Sample } from './sample.ts';
import { everythingOf, removeDatabasesAfterEach, STORES } from './stores.ts';
import { createWorld, newClient, type World } from './world.ts';

removeDatabasesAfterEach();

/** The same for both nouns: the names of their operations, of the picture, and a record of the sample. */
const NOUNS = [
  {
    noun: 'Client',
    list: 'listClients',
    picture: 'image_url',
    idIn: (sample: Sample) => sample.clientId,
  },
  {
    noun: 'Company',
    list: 'listCompanies',
    picture: 'logo_url',
    idIn: (sample: Sample) => sample.companyId,
  },
] as const;

describe.each(STORES)('over %s', (_name, makeStore) => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    world = await createWorld(await makeStore());
    sample = await fillSample(world);
  });

  const everything = () => everythingOf(world);

  describe.each(NOUNS)('$noun', ({ noun, list, picture, idIn }) => {
    const params = () => ({ id: String(idIn(sample)) });
    const read = () => world.ask(`get${noun}`, { params: params() });
    const patch = (body: object) => world.call(`update${noun}`, { params: params(), body });

    it('A-29: deactivating answers the record, also when it already was inactive, and it is kept', async () => {
      const deleted = await world.call(`delete${noun}`, { params: params() });
      expect(deleted).toMatchObject({ status: 200, body: { ...(await read()), is_active: false } });
      expect(await world.call(`delete${noun}`, { params: params() })).toEqual(deleted);
      expect(await world.ask(list)).toMatchObject({ total: 1 });
      expect(await world.ask(list, { query: { include_inactive: 'true' } })).toMatchObject({ total: 2 });
      expect(await world.ask(`toggle${noun}`, { params: params() })).toMatchObject({ is_active: true });
      expect(await world.ask(`toggle${noun}`, { params: params() })).toMatchObject({ is_active: false });
    });

    it('A-21: takes its offers out of the ranking while it is inactive', async () => {
      const ranked = async () => JSON.stringify(await world.ask('rankOffers', { body: HOUSEHOLD }));
      const recommended = async () =>
        JSON.stringify(await world.ask('recommendOffers', { query: { consumption_mwh: '3.5' } }));
      expect([await ranked(), await recommended()].every((text) => text.includes('Luz Clara'))).toBe(true);
      await world.ask(`toggle${noun}`, { params: params() });
      expect([await ranked(), await recommended()].some((text) => text.includes('Luz Clara'))).toBe(false);
      expect(await ranked()).toContain('Luz Ajena');
      expect(await world.ask('getOffer', { params: { id: String(sample.luzId) } })).toMatchObject({ is_active: true });
      await world.ask(`toggle${noun}`, { params: params() });
      expect(await ranked()).toContain('Luz Clara');
    });

    it('flips as often as it is toggled, also at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 9 }, () => world.ask(`toggle${noun}`, { params: params() })),
      );
      expect(answers.filter((answer) => answer.is_active === true)).toHaveLength(4);
      expect(await read()).toMatchObject({ is_active: false });
    });

    it('keeps two changes at once in different fields', async () => {
      const url = 'https://example.com/a.png';
      await Promise.all([patch({ name: 'A la vez' }), patch({ [picture]: url })]);
      expect(await read()).toMatchObject({ name: 'A la vez', [picture]: url });
    });
  });

  describe('A-51: a name that is taken', () => {
    it('A-51: is refused for firms of the account, inactive ones too, and not for the firm itself', async () => {
      await world.ask('deleteClient', { params: { id: String(sample.otherClientId) } });
      const params = { id: String(sample.clientId) };
      const before = await everything();
      expect(await world.call('updateClient', { params, body: { name: ' ASESORÍA DOS' } })).toMatchObject({
        status: 409,
        body: { detail: { code: 'duplicate_name', message: 'that name is taken, and inactive records keep theirs' } },
      });
      expect(await everything()).toBe(before);
      expect((await world.call('updateClient', { params, body: { name: 'ASESORÍA UNO' } })).status).toBe(200);
      expect((await world.call('updateClient', { params, body: { name: 'Asesoria Dos' } })).status).toBe(200);
    });

    it('A-51: is given to one of 20 concurrent requests', async () => {
      const ids = [];
      for (let index = 0; index < 20; index += 1) ids.push(await newClient(world, `Asesoría ${index} de veinte`));
      const answers = await Promise.all(
        ids.map((id) => world.call('updateClient', { params: { id: String(id) }, body: { name: 'La deseada' } })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    });
  });

  describe('A-39: the limit of the plan', () => {
    /** An account with a plan of five firms, five active ones and twenty that were deactivated before. */
    async function crowdedAccount() {
      const account = await world.newAccount({ plan: 'starter', firmLimit: 5 });
      const key = await world.newKey(account.id);
      const resting: number[] = [];
      for (let index = 0; index < 20; index += 1) {
        const id = await newClient(world, `En reposo ${index}`, { key });
        await world.ask('deleteClient', { key, params: { id: String(id) } });
        resting.push(id);
      }
      for (let index = 0; index < 3; index += 1) await newClient(world, `Activa ${index}`, { key });
      return { key, resting };
    }

    it('A-39: is not passed by 20 that become active at once', async () => {
      const { key, resting } = await crowdedAccount();
      const answers = await Promise.all(
        resting.map((id) => world.call('toggleClient', { key, params: { id: String(id) } })),
      );
      const refused = answers.filter(({ status }) => status === 403);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(refused).toHaveLength(18);
      expect(refused[0]?.body).toEqual({
        detail: { code: 'firm_limit_reached', message: 'the plan allows 5 active advisory firms' },
      });
      expect(await world.ask('listClients', { key })).toMatchObject({ total: 5 });
    });
  });
});
