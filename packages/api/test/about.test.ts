import { LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';

let world: World;
let offerId: string;

const about = (key = world.fullKey) => world.ask('describeComparison', { key });

beforeEach(async () => {
  world = await createWorld();
  const clientId = await newClient(world, 'Asesoría Norte');
  const offers = [];
  for (const name of ['Luz Uno', 'Luz Dos', 'Luz Tres']) {
    const company_id = await newCompany(world, clientId, name);
    if (name === 'Luz Tres') break;
    offers.push(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }));
    world.passTime(1);
  }
  offerId = String(offers[0]?.id);
});

describe('A-117: what a comparison says of itself', () => {
  it('has the active offers and their retailers, and that they are not the whole market in two languages', async () => {
    expect(await about()).toMatchObject({
      ...{ owner: null, financing: null, contact: null, offers: 2, retailers: 2 },
      scope: { es: expect.stringContaining('no todo el mercado'), en: expect.stringContaining('not the whole market') },
    });
    await world.ask('toggleOffer', { params: { id: offerId } });
    expect(await about()).toMatchObject({ offers: 1, retailers: 1 });
  });

  it('has the newest change, which for a masked key is none of commissions', async () => {
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const [seen, hidden] = [await about(), await about(masked)];
    expect(seen.newest_change).toBe(hidden.newest_change);
    world.passTime(5);
    await world.ask('updateOffer', { params: { id: offerId }, body: { commission: 77 } });
    expect((await about()).newest_change).not.toBe(seen.newest_change);
    expect(await about(masked)).toEqual(hidden);
    expect(JSON.stringify(hidden)).not.toMatch(/comisi|commission/i);
  });
});
