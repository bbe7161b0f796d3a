import { GAS_BODY, HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { runsOf } from '@tarifario/testkit/share';
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
  const on = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeZone: 'Europe/Madrid' });
  const own = [`Propuesta ${id}`, `propuestas/${id}`, String(sha256), on.format(new Date(String(created_at)))];
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
  // In the sentence, in the table, and where one of them is accepted.
  expect([...html.matchAll(/Oferta \d+/g)].map(String)).toEqual(['Oferta 13', ...inOrder, ...inOrder]);
  expect(html).toContain('<h1>Con <b>Oferta 13</b> paga ');
  expect(html.match(/Recomendada<\/em>Oferta \d+/g)).toEqual(['Recomendada</em>Oferta 13']);
  expect(html).not.toMatch(/>Puesto|>#<|Comparativa|puntuación|>nota/i);
  expect(html).toContain('30 ofertas comparadas');
});

it('A-91: recommends no offer that costs as much as the present contract or more, and says which is cheaper', async () => {
  const { world, ids } = await marketWorld();
  const offer_ids = ids.slice(2, 4);
  const headOf = async (contrato_actual: object) => {
    const html = await pageOf(world, { body: { request: { ...HOUSEHOLD, contrato_actual }, offer_ids } });
    return [/<h1>(.*?)<\/h1>/.exec(html)?.[1]?.replaceAll('\u00a0', ' '), html.includes('Recomendada')];
  };
  const money = String.raw`[\d.,]+ €`;
  const [cheaper, sold] = await headOf({ offer_id: ids[20] });
  expect(cheaper).toMatch(new RegExp(`^Con <b>Oferta 3</b> paga ${money} al mes sin impuestos: ${money} menos al año`));
  expect(sold).toBe(true);
  const [dearer, ...none] = await headOf({ offer_id: ids[0] });
  expect(dearer).toMatch(
    new RegExp(`^Hoy paga menos: con <b>Oferta 3</b> serían ${money} al mes sin impuestos, ${money} más al año`),
  );
  expect(none).toEqual([false]);
  expect(await headOf({ offer_id: ids[2] })).toEqual([expect.stringMatching(/, lo mismo que hoy\.$/), false]);
});

it('A-91: recommends no offer that bills balancing services apart beside one that includes them, but alone', async () => {
  const { world, ids } = await marketWorld();
  // The last ones: warnings name some of the first.
  const [complete = 0, cheap = 0] = ids.slice(-2);
  for (const id of ids)
    await world.ask('updateOffer', { params: { id: String(id) }, body: { e1: 0.2, ssaa_included: id !== cheap } });
  await world.ask('updateOffer', { params: { id: String(cheap) }, body: { e1: 0.1 } });
  const request = { ...HOUSEHOLD, contrato_actual: { coste_total: 2000 } };
  const headOf = async (body: object) => {
    const html = await pageOf(world, { body: { request, offer_ids: [cheap, complete], ...body } });
    return [/<h1>Con <b>(.*?)<.b>/.exec(html)?.[1], /Recomendada<.em>(.*?)</.exec(html)?.[1]];
  };
  expect(await headOf({})).toEqual(['Oferta 29', 'Oferta 29']);
  expect(await headOf({ offer_ids: [cheap] })).toEqual(['Oferta 30', 'Oferta 30']);
  // With their price all costs are whole.
  expect(await headOf({ request: { ...request, ssaa_eur_mwh: 1 } })).toEqual(['Oferta 30', 'Oferta 30']);
  // Nor one that the customer cannot have.
  const body = { tariff_type: '3.0TD', e4: 0.1, e5: 0.1, e6: 0.1, p3: 0.01, p4: 0.01, p5: 0.01, p6: 0.01 };
  await world.ask('updateOffer', { params: { id: String(cheap) }, body });
  const { tariff_type: _tariff, ...any } = { tariff_type: '', ...request };
  expect(await headOf({ request: any })).toEqual(['Oferta 29', 'Oferta 29']);
  expect(await headOf({ request: any, offer_ids: [cheap] })).toEqual(['Oferta 30', undefined]);
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
    expect(html).toContain(`; ${name}: ${value};`);
  }
});

it('A-91: names the fees that are agreed with the customer, by MWh and in each line', async () => {
  const { world, ids, blind } = await marketWorld();
  await world.ask('updateOffer', { params: { id: String(ids[0]) }, body: { e1: 0.1, p1: 0.1 } });
  const request = { supply_type: 'LUZ', energia: { e1: 1000 }, potencia: { p1: 5 }, fee_energia: 30, fee_potencia: 20 };
  const html = await pageOf(world, { body: { request, offer_ids: ids.slice(0, 1) } });
  for (const [name, value] of [
    ['Margen acordado en la energía (€/MWh)', '30'],
    ['Margen acordado en la potencia (€/MWh)', '20'],
  ]) {
    expect(html).toContain(`; ${name}: ${value};`);
  }
  for (const [name, value] of [
    ['Energía', '100,00'],
    ['Margen acordado en la energía', '30,00'],
    ['Potencia', '182,50'],
    ['Margen acordado en la potencia', '20,00'],
  ]) {
    expect(html).toContain(`<tr><th scope="row">${name}</th><td class="n best">${value}</td></tr>`);
  }
  expect(await pageOf(world, { key: blind, body: { request, offer_ids: ids.slice(0, 1) } })).toBe(html);
  expect(html.match(/, y el margen acordado por los MWh/g)).toHaveLength(2);
  const { fee_energia: _energy, fee_potencia: _power, ...without } = request;
  expect(await pageOf(world, { body: { request: without, offer_ids: ids.slice(0, 1) } })).not.toContain('argen');
});

it('A-91: has the sums of a profile by period, and says one of anything in the singular', async () => {
  const world = await createWorld();
  const company_id = await newCompany(world, await newClient(world, 'Asesoría'), 'Comercializadora');
  const id = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, is_indexed: true } }));
  const month = { reference_month: '2025-11', e1: 0.1, e2: 0.2, e3: 0.3 };
  await world.ask('upsertIndexedPrice', { params: { id: String(id) }, body: month });
  const pageFor = async (perfil: readonly object[]) =>
    pageOf(world, { body: { request: { supply_type: 'LUZ', potencia: { p1: 5 }, perfil }, offer_ids: [id] } });
  const energia = { e1: 92, e2: 92, e3: 188 };
  const july = { mes: 7, dias: 1, energia, excedentes: 12 };
  const one = await pageFor([july]);
  const two = await pageFor([july, { mes: 11, dias: 29, energia: { ...energia, e3: 0.5 } }]);
  const asked = (html: string, name: string) => new RegExp(`${name}: (.*?)(?:;|\\. )`).exec(html)?.[1];
  for (const [html, energy, parts, period] of [
    [one, 'P1 92 · P2 92 · P3 188', '1 parte', '1 día, 0,03 meses'],
    [two, 'P1 184 · P2 184 · P3 188,5', '2 partes', '30 días, 0,99 meses'],
  ] as const) {
    expect(asked(html, 'Energía \\(kWh\\)')).toBe(energy);
    expect(asked(html, 'Excedentes \\(kWh\\)')).toBe('12');
    expect(asked(html, 'Perfil')).toBe(parts);
    expect(asked(html, 'Periodo')).toBe(period);
    expect(html).toContain('De 1 oferta comparada.');
    expect(html).toContain('la media de 1 mes, de noviembre de 2025');
    expect(html).toContain(`<caption>Coste de un año en €, en proporción a ${period.split(',')[0]}, sin impuestos`);
    expect(html).toContain('<ul><li>Se conoce menos de un año, y lo que falta puede ser otra estación</li>');
  }
  const byMonth = 'La energía de un mes del perfil lleva los de ese mes.';
  expect([one, two].map((html) => html.includes(byMonth))).toEqual([false, true]);
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
});

/** Offers with each kind of price and part, of both supplies. */
async function variedWorld() {
  const world = await createWorld();
  const company_id = await newCompany(world, await newClient(world, 'Asesoría'), 'Comercializadora');
  const discount = { descuento_energia_pct: 15, descuento_potencia_pct: 8, descuento_meses: 6 };
  const panels = { placas_solares: true, precio_excedentes: 0.0625 };
  const create = async (offer: object) => idOf(await world.ask('createOffer', { body: { ...offer, company_id } }));
  const indexed = async (offer: object, prices: object) => {
    const id = await create({ ...offer, is_indexed: true });
    for (const [month, times] of Object.entries({ '2025-10': 1, '2025-11': 2, '2025-12': 6 })) {
      const priced = Object.entries(prices).map(([name, price]) => [name, price * times]);
      const body = { reference_month: month, ...Object.fromEntries(priced) };
      await world.ask('upsertIndexedPrice', { params: { id: String(id) }, body });
    }
    return id;
  };
  const energy = { e1: 0.05, e2: 0.04, e3: -0.001 };
  const LUZ = [
    await create({ ...LUZ_BODY, ssaa_included: false }),
    await create({ ...LUZ_BODY, ...panels, offer_name: 'Luz Solar', services_cost: 3.45, e3: 0 }),
    await create({ ...LUZ_BODY, ...panels, ...discount, offer_name: 'Luz Rebajada', ssaa_included: false }),
    await indexed({ ...LUZ_BODY, ...panels, offer_name: 'Luz Indexada' }, energy),
    await indexed({ ...LUZ_BODY, ...discount, offer_name: 'Luz Indexada Rebajada' }, energy),
  ];
  const { descuento_potencia_pct: _power, ...gasDiscount } = discount;
  const GAS = [
    await create({ ...GAS_BODY, services_cost: 2.5 }),
    await create({ ...GAS_BODY, ...gasDiscount, offer_name: 'Gas Rebajado' }),
    await indexed({ ...GAS_BODY, offer_name: 'Gas Indexado' }, { gas_energy: 0.02 }),
  ];
  return { world, ids: { LUZ, GAS } };
}

const kwh = fc.integer({ min: 1, max: 400_000 }).map((hundredths) => hundredths / 100);
const charge = fc.option(
  fc.integer({ min: 100, max: 3000 }).map((cents) => cents / 100),
  { nil: undefined },
);
const monthly = fc.record({
  mes: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  dias: fc.integer({ min: 1, max: 31 }),
});
const inMonths = <T>(quantities: fc.Arbitrary<T>) =>
  fc.array(
    fc.tuple(monthly, quantities).map(([part, quantity]) => ({ ...part, ...quantity })),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
const periodsOf = (quantity: fc.Arbitrary<number>) =>
  fc.tuple(quantity, quantity, quantity).map(([e1, e2, e3]) => ({ e1, e2, e3 }));
const dias = fc.option(fc.integer({ min: 1, max: 800 }), { nil: undefined });

const electricity = fc
  .tuple(
    fc.record({
      supply_type: fc.constant('LUZ' as const),
      potencia: fc.record({ p1: fc.integer({ min: 0, max: 150 }), p2: fc.constant(4.6) }),
      ...{ fee_energia: charge, fee_potencia: charge, ssaa_eur_mwh: charge },
    }),
    fc.oneof(
      fc.record({ energia: periodsOf(kwh), excedentes: fc.option(kwh, { nil: undefined }), dias }),
      fc.record({ perfil: inMonths(fc.record({ energia: periodsOf(kwh), excedentes: kwh })) }),
    ),
  )
  .map(([question, quantities]) => ({ ...question, ...quantities }));
const gas = fc
  .tuple(
    fc.record({ supply_type: fc.constant('GAS' as const), fee_energia: charge }),
    fc.oneof(fc.record({ consumo_gas: kwh, dias }), fc.record({ perfil: inMonths(fc.record({ consumo_gas: kwh })) })),
  )
  .map(([question, quantities]) => ({ ...question, ...quantities }));

const numberIn = (text = '') => (text === '—' ? 0 : Number(text.replaceAll(/[^\d,-]/g, '').replace(',', '.')));

/** The figures of a page: what the text says of the question, and the cells of each offer by the names of their rows. */
function printedIn(html: string) {
  const [, text = ''] = /<p class="small">(.*?)<\/p>/s.exec(html) ?? [];
  const said = (name: string) =>
    new RegExp(`(?:^|; )${name.replaceAll(/[()/]/g, '\\$&')}: (.*?)(?:;|$)`).exec(text)?.[1];
  const offers = new Map<string, Map<string, string>>();
  for (const [, content = ''] of html.matchAll(/<table class="(?:figures|terms)">(.*?)<\/table>/gs)) {
    const heads = [...content.matchAll(/<th scope="col" class="n[^"]*">(?:<em>.*?<\/em>)?(.*?)(?:<small>.*?)?<\/th>/g)];
    for (const [, name = '', cells = ''] of content.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)) {
      for (const [at, [, value = '']] of [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].entries()) {
        const offer = heads[at]?.[1] ?? '';
        offers.set(offer, (offers.get(offer) ?? new Map()).set(name, value));
      }
    }
  }
  const [, days = '', months = ''] = /Periodo: ([\d.]+) días?, ([\d.,]+) mes(?:es)?\./.exec(text) ?? [];
  const isYear = /<caption>(?:Factura estimada|Coste) de un año en €/.test(html);
  return { said, offers, days: numberIn(days), months: numberIn(months), perDay: isYear ? 365 / numberIn(days) : 1 };
}

/** What each line of an offer is by the printed figures, and the quantity that its prices are multiplied by. */
function linesFrom({ said, days, months, perDay }: ReturnType<typeof printedIn>, own: ReadonlyMap<string, string>) {
  const figure = (name: string) => numberIn(own.get(name) ?? '—');
  const question = (name: string) => numberIn(said(name) ?? '—');
  const byPeriod = (name: string) =>
    [...(said(name) ?? '').matchAll(/P(\d) ([\d.,]+)/g)].map(([, n, text]) => [n, numberIn(text)] as const);
  const listed = (quantities: ReturnType<typeof byPeriod>, nameOf: (period: string) => string) =>
    quantities.reduce((sum, [period = '', quantity]) => sum + quantity * figure(nameOf(period)), 0);
  const used = byPeriod('Energía (kWh)');
  const totalKwh = used.reduce((sum, [, quantity]) => sum + quantity, question('Gas (kWh)'));
  const fee = (place: string) => (question(`Margen acordado en ${place} (€/MWh)`) * totalKwh) / 1000;
  const energyEur = listed(used, (n) => `Energía P${n} (€/kWh)`) + question('Gas (kWh)') * figure('Energía (€/kWh)');
  const powerEur = listed(byPeriod('Potencia (kW)'), (n) => `Potencia P${n} (€/kW·día)`) * days;
  const share = Math.min(1, figure('El descuento termina tras (meses)') / months);
  const lines = {
    Energía: energyEur,
    'Margen acordado en la energía': fee('la energía'),
    Potencia: powerEur,
    'Margen acordado en la potencia': fee('la potencia'),
    Fijo: figure('Término fijo (€/mes)') * months,
    Servicios: figure('Servicios (€/mes)') * months,
    'Descuento en la energía': (-energyEur * share * figure('Descuento en energía (%)')) / 100,
    'Descuento en la potencia': (-powerEur * share * figure('Descuento en potencia (%)')) / 100,
    ssaaEur: (question('Servicios de ajuste (€/MWh)') * totalKwh) / 1000,
    surplusEur: question('Excedentes (kWh)') * figure('Excedentes (€/kWh)'),
  };
  const scaled = Object.entries(lines).map(([name, eur]) => [name, eur * perDay]);
  return { totalKwh, ...(Object.fromEntries(scaled) as typeof lines) };
}

/** The lines of the total, in cents. */
const addendsOf = (own: ReadonlyMap<string, string>) =>
  [...own].flatMap(([name, text]) =>
    /[(]|^(Total|Al mes|Ahorro|Comisión|Sin el|Doce|Precio fijo|Permanencia|Se contrata)|verde/.test(name) &&
    name !== 'Alquiler del contador (monofásico)'
      ? []
      : [Math.round(numberIn(text) * 100)],
  );

it('A-91: for any question each line of an offer is what the printed quantities, prices and further parts make', async () => {
  const { world, ids } = await variedWorld();
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    fc.oneof(electricity, gas),
    fc.boolean(),
    fc.boolean(),
    async (question, isBilled, isInternal) => {
      const request = isBilled ? { ...question, territory: 'peninsula', impuestos: { fecha: '2026-10-15' } } : question;
      const { id } = await world.ask('createProposal', { body: { request, offer_ids: ids[request.supply_type] } });
      const query = isInternal ? { comisiones: 'true' } : {};
      const { body } = await world.call('getProposalPage', { params: { id: String(id) }, query });
      const printed = printedIn(String(body));
      const { offers, days, perDay } = printed;
      expect(offers.size).toBe(ids[request.supply_type].length);
      for (const [offer, own] of offers) {
        const lines = linesFrom(printed, own);
        // Prices are printed with six decimals; amounts with two, and a cent may go to another line.
        const tolerance = 0.035 + (lines.totalKwh + days * 100) * perDay * 1e-6;
        const near = (name: string, amount: number) =>
          expect(Math.abs(numberIn(own.get(name) ?? '—') - amount), `${offer}: ${name}`).toBeLessThan(tolerance);
        const isRebated = offer.includes('Rebajad');
        const isByMonth = 'perfil' in request && offer.includes('Indexad');
        for (const name of ['Fijo', 'Servicios'] as const) near(name, lines[name]);
        for (const place of ['energía', 'potencia'] as const) {
          near(`Margen acordado en la ${place}`, lines[`Margen acordado en la ${place}`]);
          near(place === 'energía' ? 'Energía' : 'Potencia', lines[place === 'energía' ? 'Energía' : 'Potencia']);
          if (isRebated && !isInternal && !('perfil' in request)) {
            near(`Descuento en la ${place}`, lines[`Descuento en la ${place}`]);
          }
        }
        const further = [...own].filter(([name, text]) => /^(Descuento|Precios) .*en la /.test(name) && text !== '—');
        if (!isRebated && !isByMonth) expect(further).toEqual([]);
        near('Servicios de ajuste', /^Luz (Clara|Rebajada)/.test(offer) ? lines.ssaaEur : 0);
        const surplusEur = numberIn(own.get('Excedentes'));
        const ofEnergy = further.filter(([name]) => name.endsWith('en la energía'));
        const discounted = ofEnergy.reduce((sum, [, text]) => sum + numberIn(text), lines.Energía);
        const mostEur = Math.max(0, Math.min(lines.surplusEur, discounted));
        if ('perfil' in request) expect(-surplusEur).toBeLessThan(Math.max(mostEur, lines.surplusEur) + tolerance);
        else near('Excedentes', -mostEur);
        const total = own.get(isBilled ? 'Total con impuestos' : 'Total sin impuestos');
        // To the cent.
        expect(
          addendsOf(own).reduce((sum, cents) => sum + cents, 0),
          offer,
        ).toBe(Math.round(numberIn(total) * 100));
        for (const [name, text] of own) if (numberIn(text) !== 0) seen.add(name);
      }
    },
  );
  await fc.assert(property, { seed: 106, numRuns: runsOf(60, 600) });
  for (const name of [
    'Margen acordado en la energía',
    'Margen acordado en la potencia',
    'Descuento en la potencia',
    'Impuesto eléctrico',
    'Excedentes',
    'Servicios de ajuste',
    'Fijo',
  ])
    expect(seen).toContain(name);
  expect(world.bugs).toEqual([]);
});
