import fc, { type Arbitrary } from 'fast-check';
import { junk, key, type Maybe, maybe, mostly, some } from './pieces.ts';
import { type Draft, type Kind, type RequestDraft, referenceTo } from './references.ts';

const NAMES = ['Norte', ' norte ', 'NORTE', 'Sur', 'Energi\u0301a', 'ENERGÍA', 'Iberia 100%', 'a_b'];
const BAD_NAMES = ['', '   ', 'a\u0000b', 'a\u202Eb', 'x'.repeat(201)];
const name = mostly(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...BAD_NAMES), junk));
const picture = mostly(
  fc.constantFrom(null, 'https://example.com/a.png', 'https://example.com/b.png'),
  fc.constantFrom('http://example.com/a.png', 'https://u@example.com/', 7),
);
const flag = mostly(fc.boolean(), junk, 80);

const clientId = mostly(referenceTo('client'), fc.constantFrom('0', 'abc', ''), 20);
const limit = mostly(fc.constantFrom(1, 2, 3, 4, 200), fc.constantFrom(0, 201, '01', 'all'), 12);
const offset = mostly(fc.constantFrom(0, 1, 2, 3, 1_000_000), fc.constantFrom(-1, 1_000_001, '1e2'), 12);
const client = { client_id: maybe(clientId, 6) };
const page = { limit: maybe(limit), offset: maybe(offset) };
const list = { ...page, include_inactive: maybe(mostly(fc.boolean(), fc.constantFrom('TRUE', '1', ''))) };

const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
const supply = fc.constantFrom('LUZ', 'LUZ', 'GAS');
const tariff = fc.constantFrom('2.0TD', '3.0TD', 'RL.1');
const sold = {
  tariff_type: maybe(mostly(tariff, fc.constantFrom('', 'x'.repeat(33))), 5),
  territory: maybe(mostly(fc.constantFrom(...TERRITORIES), fc.constant('luna')), 5),
  community: maybe(mostly(fc.constantFrom('madrid', 'aragon', 'navarra'), fc.constant('Madrid')), 5),
  client_type: maybe(mostly(fc.constantFrom('dni', 'cif', 'cdad'), fc.constant('DNI')), 5),
};
const companyName = mostly(fc.constantFrom('nor', 'ENERGÍA', '%', '_', 'a_b'), fc.constantFrom('', 'x'.repeat(201)));

const offerList = {
  ...client,
  ...list,
  ...sold,
  supply_type: maybe(mostly(supply, fc.constant('luz'))),
  company_id: maybe(mostly(referenceTo('company'), fc.constantFrom('0', '1.0')), 5),
  company_name: maybe(companyName, 6),
  placas_solares: maybe(mostly(fc.boolean(), fc.constant('si')), 5),
};
const mwh = mostly(fc.constantFrom(0, 1, 3, 3.5, 5, 5.5, 12), fc.constantFrom('-1', '1e3', 'x', '10000000001'));
const kw = mostly(fc.constantFrom(0, 4.6, 10, 11), fc.constantFrom('-1', '1000001'));
const quantities = {
  consumption_mwh: fc.oneof({ weight: 9, arbitrary: mwh }, { weight: 1, arbitrary: fc.constant(undefined) }),
  power_kw: maybe(kw, 2),
};

const price = mostly(
  fc.constantFrom(null, 0, 0.1, 0.15, 0.2, 10),
  fc.constantFrom<Draft>(-0.01, 10.01, '0.1', true),
  60,
);
const power = mostly(fc.constantFrom(null, 0, 0.05, 0.1, 1), fc.constantFrom<Draft>(-0.01, 1.01, '0.1'), 60);
const monthly = mostly(fc.constantFrom(null, 0, 5, 8), fc.constantFrom<Draft>(100_001, -1, 'x'), 60);
const commission = mostly(fc.constantFrom(0, 10, 50, 50.5), fc.constantFrom<Draft>(-1, 1_000_001, null, '5'), 60);
const consumptionType = mostly(fc.constantFrom('fixed', 'per_mwh'), fc.constantFrom('per_kw', 5), 60);
const powerType = mostly(fc.constantFrom('fixed', 'per_kw'), fc.constant('per_mwh'), 60);

function tiers(quantity: string, type: Arbitrary<Draft>): Arbitrary<Draft> {
  // Bounds that often meet, leave a hole or overlap.
  const bounds = fc.tuple(fc.constantFrom(0, 3, 5, 6, 10), fc.constantFrom<Draft>(3, 5, 8, 12, null));
  const tier = fc.tuple(bounds, commission, maybe(type, 2)).map(([[from, to], value, kind]) => ({
    [`${quantity}_from`]: from,
    [`${quantity}_to`]: to,
    commission: value,
    ...(kind === undefined ? {} : { commission_type: kind }),
  }));
  const chain = fc.tuple(commission, commission, type).map(
    ([low, high, kind]): Draft => [
      { [`${quantity}_from`]: 5, commission: high, commission_type: kind },
      { [`${quantity}_from`]: 0, [`${quantity}_to`]: 5, commission: low },
    ],
  );
  return fc.oneof(
    { weight: 3, arbitrary: chain },
    { weight: 2, arbitrary: fc.array(tier, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant<Draft>([]) },
  );
}

const prices = {
  e1: maybe(price),
  e2: maybe(price),
  e6: maybe(price, 6),
  p1: maybe(power),
  p2: maybe(power, 6),
  gas_energy: maybe(price, 8),
  gas_fixed: maybe(monthly, 8),
};

/** Any of the fields of an offer; those of the other supply now and then. */
const offerFields = {
  ...prices,
  is_indexed: maybe(flag, 3),
  services_cost: maybe(monthly, 5),
  commission: maybe(commission),
  commission_type: maybe(consumptionType, 5),
  commission_tiers: maybe(tiers('consumption', consumptionType), 4),
  commission_power_tiers: maybe(mostly(tiers('power', powerType), fc.constant(null)), 6),
  fee_power: maybe(mostly(fc.constantFrom(null, 0, 3), fc.constant(-1)), 10),
  placas_solares: maybe(mostly(fc.boolean(), fc.constant(null)), 8),
  precio_excedentes: maybe(price, 12),
  ssaa_included: maybe(fc.constantFrom<Draft>(true, false, null), 8),
  acepta_cif: maybe(flag, 5),
  acepta_cdad_propietarios: maybe(flag, 8),
  territory_canarias: maybe(flag, 5),
  territory_ceuta_melilla: maybe(flag, 8),
  communities: maybe(
    mostly(
      fc.array(fc.constantFrom('madrid', 'aragon', 'navarra'), { maxLength: 3 }),
      fc.constantFrom<Draft>(['Madrid'], 'madrid', null),
    ),
    6,
  ),
};
const switches = { acepta_dni: maybe(flag, 10), territory_peninsula: maybe(flag, 10), is_active: maybe(flag, 8) };
const texts = {
  offer_name: maybe(name, 5),
  tariff_type: maybe(mostly(tariff, fc.constantFrom('', 'x'.repeat(33))), 8),
};
const unknown = { precio: maybe(fc.constant<Draft>(1), 60), id: maybe(fc.constant<Draft>(1), 60) };

const electricity = { e1: 0.1, e2: 0.2, p1: 0.05 };
const gas = { gas_energy: 0.05, gas_fixed: 5 };

/** A whole offer: sound but for what chance puts over it. */
const newOffer = fc
  .record({
    kind: supply,
    company: mostly(referenceTo('company'), fc.constantFrom<Draft>(0, '1', 1.5), 30),
    sent: some({
      ...offerFields,
      ...texts,
      ...unknown,
      ...switches,
      supply_type: maybe(fc.constantFrom('GAS', 'luz'), 25),
    }),
    missing: fc.constantFrom(
      ...Array.from({ length: 30 }, () => ''),
      'offer_name',
      'tariff_type',
      'company_id',
      'supply_type',
    ),
  })
  .map(({ kind, company, sent, missing }) => {
    const sound = {
      company_id: company,
      offer_name: 'Luz Clara',
      supply_type: kind,
      tariff_type: kind === 'GAS' ? 'RL.1' : '2.0TD',
      acepta_dni: true,
      territory_peninsula: true,
      ...(kind === 'GAS' ? gas : electricity),
    };
    // Most of what belongs to the other supply alone goes, or hardly an offer of gas would be sound.
    const own = Object.entries(sent).filter(
      ([field]) => kind !== 'GAS' || !/^(e\d|p\d|fee|placas|precio_e|ssaa|commission_p)/.test(field) || field === 'p2',
    );
    const whole = { ...sound, ...Object.fromEntries(own) };
    return Object.fromEntries(Object.entries<Draft>(whole).filter(([field]) => field !== missing));
  });

const chosenFields = fc
  .tuple(some({ ...offerFields, ...switches, ...texts, ...unknown }), fc.integer({ min: 0, max: 5 }), fc.nat(40))
  .map(([sent, most, from]) => {
    const fields = Object.entries<Draft>(sent);
    const start = from % Math.max(1, fields.length);
    return Object.fromEntries([...fields.slice(start), ...fields.slice(0, start)].slice(0, most));
  });

/** Often what is stored already, which is a change for those who cannot know that. */
const fewFields = fc.oneof(
  { weight: 6, arbitrary: chosenFields },
  {
    weight: 1,
    arbitrary: fc.constantFrom<{ readonly [name: string]: Draft }>(
      { commission: 50 },
      { commission_tiers: [] },
      { commission_type: 'fixed' },
      { e1: 0.15 },
    ),
  },
);

const month = mostly(
  fc.constantFrom('2025-12', '2025-12', '2025-12-31', '2025-12-01', '2025-11', '2026-01', '2025-02-28'),
  fc.constantFrom<Draft>('2025-13', '2025-02-30', '2025', 5, ''),
);

const energia = some({
  e1: fc.constantFrom<Draft>(1000, 1000, 2500, 2500, 400, 0),
  e2: maybe(fc.constantFrom(0, 500)),
  e6: maybe(mostly(fc.constant(100), fc.constant(-1)), 12),
});
const potencia = some({
  p1: maybe(fc.constantFrom(0, 4.6, 12), 1),
  p2: maybe(mostly(fc.constant(4.6), fc.constant('x')), 8),
});
const question = fc
  .tuple(
    supply,
    some({
      energia: fc.oneof(
        { weight: 20, arbitrary: energia },
        { weight: 1, arbitrary: fc.constantFrom<Draft>({}, [], null) },
      ),
      potencia: maybe(potencia, 2),
      excedentes: maybe(mostly(fc.constantFrom(0, 400), fc.constant(-1)), 8),
      ssaa_included: maybe(flag, 10),
      fee_potencia: maybe(mostly(fc.constantFrom(1, 3), fc.constant(31)), 10),
    }),
    some({
      ...sold,
      dias: maybe(mostly(fc.constantFrom(30, 365), fc.constantFrom(0, 1.5)), 6),
      meses: maybe(mostly(fc.constantFrom(1, 12), fc.constant(37)), 6),
      mes: maybe(month, 6),
      fee_energia: maybe(mostly(fc.constantFrom(1, 30), fc.constant(0.5)), 6),
      w: maybe(mostly(fc.constantFrom(0, 0.3, 0.5, 1), fc.constantFrom(1.01, -0.1)), 2),
      company_id: maybe(referenceTo('company'), 10),
      company_name: maybe(companyName, 8),
      client_id: maybe(referenceTo('client'), 8),
      limit: maybe(mostly(fc.constantFrom(1, 2, 200), fc.constantFrom(0, 201)), 4),
    }),
    some({ consumo_gas: mostly(fc.constant(5000), fc.constantFrom<Draft>(0, '5000')) }),
    fc.integer({ min: 0, max: 19 }),
  )
  .map(([kind, luz, common, used, mixed]): Draft => {
    // One in twenty speaks of both supplies.
    const own = kind === 'GAS' ? used : luz;
    return { supply_type: kind, ...common, ...own, ...(mixed === 0 ? { ...luz, ...used } : {}) };
  });

const idOf = (kind: Kind) =>
  mostly(referenceTo(kind), fc.constantFrom<Draft>('abc', '0', '1.0', '01', '9007199254740993'), 25);

/** Distinct as a rule, so that most of these requests are well-formed. */
const offerIds = (least: number, most: number) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.uniqueArray(
        fc.record({ kind: fc.constant('offer' as const), whose: fc.constant('mine' as const), pick: fc.nat(4) }),
        { selector: ({ pick }) => pick, minLength: least, maxLength: most },
      ),
    },
    { weight: 2, arbitrary: fc.array(referenceTo('offer'), { maxLength: most + 1 }) },
    { weight: 1, arbitrary: fc.constantFrom<Draft>([], ['abc', '1'], [1]) },
  );

interface Parts {
  readonly id?: Kind;
  readonly query?: Maybe;
  readonly body?: Arbitrary<Draft>;
  readonly params?: Maybe;
}

function call(operation: string, { id, query = {}, body, params = {} }: Parts = {}): Arbitrary<RequestDraft> {
  const path = id === undefined ? params : { id: idOf(id), ...params };
  const sent = body === undefined ? fc.constant(undefined) : mostly(body, junk, 40);
  return fc
    .record({
      key,
      params: some(path),
      query: some({ ...client, ...query, color: maybe(fc.constant<Draft>('x'), 80) }),
      sent,
    })
    .map(({ sent: read, ...rest }) => ({ operation, ...rest, ...(read === undefined ? {} : { body: read }) }));
}

const newClient = some({
  name,
  image_url: maybe(picture, 1),
  catalog: maybe(mostly(fc.constantFrom('all', 'none'), fc.constant('some')), 4),
});
const newCompany = some({
  client_id: mostly(referenceTo('client'), fc.constantFrom<Draft>('1', 0), 30),
  name,
  logo_url: maybe(picture, 1),
});
const email = mostly(
  fc.constantFrom('uno@example.com', 'UNO@example.com', 'dos@example.com', ' tres@example.com '),
  fc.constantFrom<Draft>('x', 'a b@c.d', 5),
);
const password = mostly(fc.constant('molinos de viento'), fc.constantFrom('otros molinos', 'falsa'), 4);
const newPassword = mostly(
  fc.constantFrom('molinos de viento', 'molinos de viento', 'otros molinos'),
  fc.constantFrom<Draft>('corta', 5, 'x'.repeat(129)),
);
const fileName = mostly(
  fc.constantFrom('kept.xlsx', 'C:\\datos\\kept.xlsx', 'ofertas.xlsx', ' ofertas.xlsx '),
  fc.constantFrom<Draft>('', 'carpeta/', 'x'.repeat(256), 5),
  6,
);
const newUpload = some({
  file_name: fileName,
  client_id: maybe(referenceTo('client'), 2),
  kind: maybe(mostly(fc.constantFrom('file', 'offers_bulk_update', 'catalog_bulk_update'), fc.constant('other')), 4),
});
const statuses = fc.constantFrom('pending', 'processing', 'completed', 'failed', 'cancelled', 'done');

/** Any request, weighted so that much of it succeeds and lists have something to show. */
export const anyRequest: Arbitrary<RequestDraft> = fc.oneof(
  { weight: 8, arbitrary: call('listOffers', { query: offerList }) },
  { weight: 9, arbitrary: call('createOffer', { body: newOffer }) },
  { weight: 8, arbitrary: call('rankOffers', { body: question }) },
  {
    weight: 4,
    arbitrary: call('recommendOffers', { query: { ...page, ...sold, ...quantities, supply_type: maybe(supply) } }),
  },
  { weight: 4, arbitrary: call('compareOffers', { query: { ids: offerIds(2, 4) } }) },
  { weight: 3, arbitrary: call('getStats') },
  { weight: 7, arbitrary: call('bulkPatchOffers', { body: some({ offer_ids: offerIds(1, 4), updates: fewFields }) }) },
  { weight: 4, arbitrary: call('getOffer', { id: 'offer' }) },
  {
    weight: 8,
    arbitrary: call('updateOffer', {
      id: 'offer',
      body: fc
        .tuple(fewFields, maybe(referenceTo('company'), 3))
        .map(([sent, to]): Draft => (to === undefined ? sent : { ...sent, company_id: to })),
    }),
  },
  { weight: 4, arbitrary: call('toggleOffer', { id: 'offer' }) },
  { weight: 2, arbitrary: call('deleteOffer', { id: 'offer' }) },
  { weight: 3, arbitrary: call('calculateCommission', { id: 'offer', query: quantities }) },
  { weight: 2, arbitrary: call('listIndexedPrices', { id: 'priced', query: page }) },
  {
    weight: 7,
    arbitrary: call('upsertIndexedPrice', { id: 'indexed', body: some({ ...prices, reference_month: month }) }),
  },
  { weight: 3, arbitrary: call('deleteIndexedPrice', { id: 'priced', params: { month } }) },
  { weight: 3, arbitrary: call('listClients', { query: list }) },
  { weight: 4, arbitrary: call('createClient', { body: newClient }) },
  { weight: 2, arbitrary: call('getClient', { id: 'client' }) },
  {
    weight: 3,
    arbitrary: call('updateClient', {
      id: 'client',
      body: some({ name: maybe(name, 2), image_url: maybe(picture, 1) }),
    }),
  },
  { weight: 3, arbitrary: call('toggleClient', { id: 'client' }) },
  { weight: 1, arbitrary: call('deleteClient', { id: 'client' }) },
  { weight: 3, arbitrary: call('listCompanies', { query: list }) },
  { weight: 3, arbitrary: call('createCompany', { body: newCompany }) },
  { weight: 2, arbitrary: call('getCompany', { id: 'company' }) },
  {
    weight: 3,
    arbitrary: call('updateCompany', {
      id: 'company',
      body: some({ name: maybe(name, 2), logo_url: maybe(picture, 1) }),
    }),
  },
  { weight: 3, arbitrary: call('toggleCompany', { id: 'company' }) },
  { weight: 1, arbitrary: call('deleteCompany', { id: 'company' }) },
  { weight: 1, arbitrary: call('getAccount') },
  {
    weight: 3,
    arbitrary: call('updateAccount', {
      body: some({ name: maybe(name, 2), email: maybe(email, 2), current_password: maybe(password, 1) }),
    }),
  },
  {
    weight: 1,
    arbitrary: call('changePassword', { body: some({ current_password: password, new_password: newPassword }) }),
  },
  { weight: 1, arbitrary: call('getSubscription') },
  { weight: 2, arbitrary: call('listUploads', { query: { ...page, status: maybe(statuses, 2) } }) },
  { weight: 3, arbitrary: call('createUpload', { body: newUpload }) },
  { weight: 1, arbitrary: call('getUpload', { id: 'upload' }) },
  { weight: 2, arbitrary: call('retryUpload', { id: 'failed' }) },
  { weight: 2, arbitrary: call('cancelUpload', { id: 'upload' }) },
);
