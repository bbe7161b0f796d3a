import { createMemoryRateLimiter } from '@tarifario/runtime';
import { LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

let world: World;
let ids: readonly number[];

const HOME = { supply_type: 'LUZ', energia: { e1: 1000, e3: 1000 }, potencia: { p1: 1 } };
const NIGHT = { supply_type: 'LUZ', energia: { e3: 4000 } };

const negotiate = (body: object, key = world.fullKey) =>
  world.call('negotiateOffer', { key, body: { offer_id: ids[0], ...body } });

beforeEach(async () => {
  world = await createWorld();
  const clientId = await newClient(world, 'Asesoría Norte');
  const company_id = await newCompany(world, clientId, 'Luz Uno');
  const offers = [
    { e1: 0.2, e2: 0.2, e3: 0.1, commission: 100 },
    { e1: 0.15, e2: 0.15, e3: 0.12, commission: 10 },
  ];
  const made = [];
  for (const offer of offers)
    made.push(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, ...offer } }));
  ids = made.map(idOf);
});

describe('A-116: what an offer has to come down', () => {
  it('is its gap to the first of the others by annual MWh, and the steps add customers and MWh', async () => {
    // 1000 * (0.2 - 0.15) + 1000 * (0.1 - 0.12) = 30 EUR over 2 MWh: 15 EUR/MWh. By night it is the cheapest already.
    const customers = [
      { ref: 'home', ...HOME },
      { ref: 'gas', supply_type: 'GAS', consumo_gas: 100 },
      { ref: 'night', ...NIGHT },
      { ref: 'half a home', ...HOME, energia: { e1: 500, e3: 500 } },
      { ref: 'wrong', supply_type: 'LUZ' },
    ];
    const { status, body } = await negotiate({ customers });
    expect(status).toBe(200);
    expect(body).toEqual({
      offer_id: ids[0],
      total: 5,
      tramos: [
        { baja_eur_mwh: 0, clientes: 1, mwh: 4 },
        { baja_eur_mwh: 15, clientes: 3, mwh: 7 },
      ],
      results: [
        { ref: 'night', mwh_anuales: 4, hueco_eur_mwh: 0 },
        { ref: 'home', mwh_anuales: 2, hueco_eur_mwh: 15 },
        { ref: 'half a home', mwh_anuales: 1, hueco_eur_mwh: 15 },
        { ref: 'gas', mwh_anuales: 0.1, hueco_eur_mwh: null },
        { ref: 'wrong', error: expect.objectContaining({ code: 'invalid_request' }) },
      ],
    });
  });

  it('has w = 1 unless it is sent, which needs commissions:read below 1, and no tolerancia', async () => {
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const plain = { ref: 'a', ...HOME };
    const weighed = { ref: 'b', ...HOME, w: 0.4 };
    const tolerant = { ref: 'c', ...HOME, tolerancia: 1 };
    const seen = await negotiate({ customers: [plain, weighed, tolerant] });
    expect(seen.body).toMatchObject({
      results: [
        { ref: 'b', hueco_eur_mwh: 0 },
        { ref: 'a', hueco_eur_mwh: 15 },
        { ref: 'c', error: { code: 'business_rule', errors: [{ path: 'tolerancia' }] } },
      ],
    });
    const hidden = await negotiate({ customers: [plain, weighed] }, masked);
    expect(hidden.body).toMatchObject({
      results: [
        { ref: 'a', hueco_eur_mwh: 15 },
        { ref: 'b', error: { code: 'weight_needs_commissions' } },
      ],
    });
  });

  it('knows no offer that the caller does not see', async () => {
    expect((await negotiate({ offer_id: 999, customers: [{ ref: 'a', ...HOME }] })).status).toBe(404);
  });
});

describe('A-54: the points of a negotiation', () => {
  it.each([
    { count: 100, months: 1, cost: 1 },
    { count: 101, months: 1, cost: 2 },
    { count: 1000, months: 11, cost: 11 },
    // Bills do not count, so they cost nothing either.
    { count: 100, months: 1, cost: 1, more: { impuestos: { fecha: '2026-10-15' } } },
  ])(
    'are those of a portfolio: $cost for $count customers with $months months',
    async ({ count, months, cost, more }) => {
      // A store takes turns of the event loop.
      vi.useFakeTimers({ toNotFake: ['setImmediate'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      world = await createWorld(undefined, createMemoryRateLimiter());
      const company_id = await newCompany(world, await newClient(world, 'Asesoría Norte'), 'Luz Uno');
      const offer_id = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }));
      const customers = Array.from({ length: count }, (_, at) => {
        const mes = `2025-${String(1 + (at % months)).padStart(2, '0')}`;
        return { ref: `c${at}`, ...HOME, mes, ...more };
      });
      const left = async () => {
        const { headers } = await world.send('negotiateOffer', { key: world.fullKey, body: { offer_id, customers } });
        return Number(/r=(\d+)/.exec(headers.RateLimit ?? '')?.[1]);
      };
      const before = await left();
      expect(before - (await left())).toBe(cost);
    },
  );
});
