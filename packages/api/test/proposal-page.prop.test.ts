import { HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const OFFERS = 30;

/** Offers of rising cost, of which two and two cost the same, and all without a commission. One has a `fee_power`. */
async function marketWorld() {
  const world = await createWorld();
  const company_id = await newCompany(world, await newClient(world, 'Asesoría'), 'Comercializadora');
  const ids: number[] = [];
  for (let index = 0; index < OFFERS; index++) {
    const prices = { e1: 0.1 + Math.floor(index / 2) / 100, e2: 0.1, e3: 0.1 };
    const names = { company_id, offer_name: `Oferta ${index + 1}` };
    const body = { ...LUZ_BODY, ...prices, ...names, commission: 0, fee_power: index === 0 ? 2 : null };
    ids.push(idOf(await world.ask('createOffer', { body })));
  }
  return { world, ids, blind: await world.newKey(world.account.id, { scopes: ['offers:read', 'proposals:write'] }) };
}

async function pay(world: World, ids: readonly number[], commissions: readonly number[]) {
  for (const [index, id] of ids.entries()) {
    const body = { commission: commissions[index] ?? 0, commission_type: 'fixed' };
    await world.ask('updateOffer', { params: { id: String(id) }, body });
  }
}

/** The page for the customer, without its id, hash and instant. */
async function pageOf(world: World, sent: { readonly key?: string; readonly body: object }): Promise<string> {
  const { id, sha256, created_at } = await world.ask('createProposal', sent);
  const { body } = await world.call('getProposalPage', { params: { id: String(id) } });
  const at = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Madrid' });
  const own = [`Propuesta ${id}`, String(sha256), at.format(new Date(String(created_at)))];
  return own.reduce((html, text) => html.replaceAll(text, '…'), String(body));
}

it('A-91: for the customer has the proposed offers alone, in the order of cost and without places', async () => {
  const { world, ids } = await marketWorld();
  // The dearest pay best, so the best paid are none of the cheapest.
  await pay(
    world,
    ids,
    ids.map((_, index) => 10 * (index + 1)),
  );
  const request = { ...HOUSEHOLD, w: 0, limit: 20 };
  const html = await pageOf(world, { body: { request, offer_ids: [29, 12, 22].map((index) => ids[index] ?? 0) } });
  const inOrder = ['Oferta 13', 'Oferta 23', 'Oferta 30'];
  // In the table of costs, and in that of prices.
  expect([...html.matchAll(/Oferta \d+/g)].map(String)).toEqual([...inOrder, ...inOrder]);
  expect(html).not.toMatch(/>Puesto|>#<|Comparativa|puntuación|>nota/i);
  expect(html).toContain('30 ofertas comparadas');
});

it('A-142: says why offers were not compared, and names no members of the answer', async () => {
  const { world, ids } = await marketWorld();
  await world.ask('updateOffer', { params: { id: String(ids[0]) }, body: { potencia_max_kw: 0.5 } });
  const request = { ...HOUSEHOLD, territory: 'peninsula', impuestos: { fecha: '2026-10-15' } };
  const html = await pageOf(world, { body: { request, offer_ids: ids.slice(1, 3) } });
  expect(html).toContain('De 29 ofertas comparadas; 1 sin comparar (para otra potencia u otro consumo).');
  expect(html).toContain('<li>La factura no lleva el alquiler del contador</li>');
  expect(html).not.toMatch(/impuestos\.(alquiler|tipos)|mas_barata/);
});

it('A-91: says of which month the prices are, and what balancing services, panels and the day of signing count as', async () => {
  const { world, ids } = await marketWorld();
  const question = { mes: '2026-05', ssaa_eur_mwh: 12.5, placas_solares: false, fecha_firma: '2026-11-24' };
  const html = await pageOf(world, { body: { request: { ...HOUSEHOLD, ...question }, offer_ids: ids.slice(0, 1) } });
  for (const [name, value] of [
    ['Precios del mes', 'mayo de 2026'],
    ['Servicios de ajuste (€/MWh)', '12,5'],
    ['Ofertas para placas solares', 'no'],
    ['Fecha de la firma', '24 de noviembre de 2026'],
  ]) {
    expect(html).toContain(`<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  }
});

it('A-91: for the customer is the same for proposals that differ in commissions, w and tolerancia alone', async () => {
  const { world, ids, blind } = await marketWorld();
  const commissions = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: OFFERS, maxLength: OFFERS });
  const preference = fc.oneof(
    fc.constant({}),
    fc.record({ w: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ tolerancia: fc.double({ min: 0, max: 100, noNaN: true }) }),
  );
  const variant = fc.record({ commissions, preference });
  const limits = fc.constantFrom(8, 25, 200);
  const masked = { count: 0, whole: 0 };
  const property = fc.asyncProperty(
    variant,
    variant,
    limits,
    fc.infiniteStream(fc.nat()),
    async (a, b, limit, picks) => {
      const impuestos = { fecha: '2026-10-15' };
      const present = { territory: 'peninsula', contrato_actual: { e1: 0.2, e2: 0.2, e3: 0.2, p1: 0.1, p2: 0.1 } };
      const question = { ...HOUSEHOLD, ...present, impuestos, limit };
      const shown = async ({ body, key }: { readonly body: object; readonly key?: string }) => {
        const { results } = await world.ask('rankOffers', key === undefined ? { body } : { key, body });
        return (results as { offer: { id: number } }[]).map(({ offer }) => offer.id);
      };
      await pay(world, ids, a.commissions);
      const inA = await shown({ body: { ...question, ...a.preference } });
      await pay(world, ids, b.commissions);
      const inB = await shown({ body: { ...question, ...b.preference } });
      const common = inA.filter((id) => inB.includes(id));
      fc.pre(common.length > 0);
      const chosen = new Set([...picks.take(3)].map((pick) => common[pick % common.length]));
      const sent = (preferred: object) => ({
        body: { request: { ...question, ...preferred }, offer_ids: [...chosen] },
      });
      const ofB = await pageOf(world, sent(b.preference));
      await pay(world, ids, a.commissions);
      expect(await pageOf(world, sent(a.preference))).toBe(ofB);
      const inMasked = await shown({ body: question, key: blind });
      masked.whole += 1;
      if (![...chosen].every((id) => id !== undefined && inMasked.includes(id))) return;
      masked.count += 1;
      expect(await pageOf(world, { ...sent({}), key: blind })).toBe(ofB);
    },
  );
  await fc.assert(property, { seed: 91, numRuns: 12 });
  expect(masked.count).toBeGreaterThan(0);
  expect(masked.count).toBeLessThan(masked.whole);
  expect(world.bugs).toEqual([]);
}, 60_000);
