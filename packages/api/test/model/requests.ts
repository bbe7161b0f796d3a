import fc, { type Arbitrary } from 'fast-check';
import { fewFields, month, newOfferOf, prices } from './offer-fields.ts';
import { flag, junk, key, type Maybe, maybe, mostly, name, some, supply, tariff } from './pieces.ts';
import { type Draft, type Kind, type RequestDraft, referenceTo } from './references.ts';

const picture = mostly(
  fc.constantFrom(null, 'https://example.com/a.png', 'https://example.com/b.png'),
  fc.constantFrom('http://example.com/a.png', 'https://u@example.com/', 7),
);
const logo = mostly(
  fc.constantFrom(null, ...['png;base64,iVBORw0KGgo=', 'jpeg;base64,/9j/'].map((text) => `data:image/${text}`)),
  fc.constantFrom('data:image/png;base64,/9j/', 'data:image/svg+xml;base64,PHN2Zy8+', 'https://example.com/a.png', 7),
);

const clientId = mostly(referenceTo('client'), fc.constantFrom('0', 'abc', ''), 20);
const limit = mostly(fc.constantFrom(1, 2, 3, 4, 200), fc.constantFrom(0, 201, '01', 'all'), 12);
const offset = mostly(fc.constantFrom(0, 1, 2, 3, 1_000_000), fc.constantFrom(-1, 1_000_001, '1e2'), 12);
const client = { client_id: maybe(clientId, 6) };
const page = { limit: maybe(limit), offset: maybe(offset) };
const list = { ...page, include_inactive: maybe(mostly(fc.boolean(), fc.constantFrom('TRUE', '1', ''))) };

const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
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
const catalogList = {
  ...list,
  company_id: maybe(mostly(referenceTo('shared company'), referenceTo('company'), 4), 4),
  company_name: maybe(companyName, 6),
  supply_type: maybe(mostly(supply, fc.constant('luz'))),
  client_type: sold.client_type,
};
const mwh = mostly(fc.constantFrom(0, 1, 3, 3.5, 5, 5.5, 12), fc.constantFrom('-1', '1e3', 'x', '10000000001'));
const kw = mostly(fc.constantFrom(0, 4.6, 10, 11), fc.constantFrom('-1', '1000001'));
const quantities = {
  consumption_mwh: fc.oneof({ weight: 9, arbitrary: mwh }, { weight: 1, arbitrary: fc.constant(undefined) }),
  power_kw: maybe(kw, 2),
};

const energia = some({
  e1: fc.constantFrom<Draft>(1000, 1000, 2500, 2500, 400, 0),
  e2: maybe(fc.constantFrom(0, 500)),
  e6: maybe(mostly(fc.constant(100), fc.constant(-1)), 12),
});
const potencia = some({
  p1: maybe(fc.constantFrom(0, 4.6, 12), 1),
  p2: maybe(mostly(fc.constant(4.6), fc.constant('x')), 8),
});
/** Each agrees with half of the consumptions that are sent. */
const PROFILES = fc.constantFrom<Draft>(1000, 2500).map(
  (e1): Draft => [
    { mes: 12, dias: 30, energia: { e1 }, excedentes: 300 },
    { dias: 10, energia: {}, excedentes: 100 },
  ],
);
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
      perfil: maybe(PROFILES, 8),
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
      tolerancia: maybe(mostly(fc.constantFrom(0, 1.5, 100), fc.constantFrom(-1, 101)), 10),
      contrato_actual: maybe(
        some({
          e1: maybe(fc.constantFrom(0.12, -0.05), 1),
          e3: maybe(fc.constantFrom(0.1, 11), 3),
          p1: maybe(fc.constantFrom(0.08), 2),
          gas_energy: maybe(fc.constantFrom(0.05), 2),
          gas_fixed: maybe(fc.constantFrom(5.5), 2),
          services_cost: maybe(fc.constantFrom(0, 4), 4),
          coste_total: maybe(fc.constantFrom(0, 640.5), 2),
        }),
        6,
      ),
      company_id: maybe(referenceTo('company'), 10),
      company_name: maybe(companyName, 8),
      client_id: maybe(referenceTo('client'), 8),
      limit: maybe(mostly(fc.constantFrom(1, 2, 200), fc.constantFrom(0, 201)), 4),
    }),
    some({ consumo_gas: mostly(fc.constant(5000), fc.constantFrom<Draft>(0, '5000')) }),
    fc.integer({ min: 0, max: 19 }),
  )
  .map(([kind, luz, common, used, mixed]): Draft => {
    // One in twenty has fields of both supplies.
    const own = kind === 'GAS' ? used : luz;
    const passed = common.limit === 1 || common.limit === 200 ? { offset: 1 } : {};
    return { supply_type: kind, ...common, ...passed, ...own, ...(mixed === 0 ? { ...luz, ...used } : {}) };
  });

const idOf = (kind: Kind) =>
  mostly(referenceTo(kind), fc.constantFrom<Draft>('abc', '0', '1.0', '01', '9007199254740993'), 25);

/** Mostly distinct, so that most of these requests are well-formed. */
const offerIds = (least: number, most: number) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.uniqueArray(
        fc.record({ kind: fc.constant('offer' as const), whose: fc.constant('mine' as const), pick: fc.nat(3) }),
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
  logo: maybe(logo, 2),
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
  fc.constantFrom('C:\\datos\\ofertas.xlsx', 'ofertas.xlsx', ' ofertas.xlsx '),
  fc.constantFrom<Draft>('', 'carpeta/', 'x'.repeat(256), 5),
  6,
);
const newUpload = some({
  file_name: fileName,
  client_id: maybe(referenceTo('client'), 2),
  kind: maybe(mostly(fc.constantFrom('file', 'offers_bulk_update', 'catalog_bulk_update'), fc.constant('other')), 4),
});
/** A few rows with ids, and how many of the fields they have. */
function fileOf(kind: Kind, idHeader: string): Arbitrary<{ readonly [name: string]: Draft }> {
  const ids = mostly(
    referenceTo(kind),
    fc.constant(null).chain(() => referenceTo('offer')),
    12,
  );
  const cells = fc.tuple(
    mostly(fc.constantFrom('Norte', 'Sur', ' Energi\u0301a '), fc.constantFrom(null, 'x'.repeat(201), 'a\u202Eb'), 20),
    mostly(fc.constantFrom(null, 0.1, 0.15, 10), fc.constantFrom(10.01, -0.01), 20),
    mostly(fc.constantFrom(null, 0, 5), fc.constantFrom(-1), 20),
    mostly(fc.constantFrom(null, 0, 10, 50), fc.constantFrom(-1), 20),
  );
  const headers = ['offer_name', 'e1', 'services_cost', 'commission'];
  return fc
    .record({
      width: fc.integer({ min: 0, max: headers.length }),
      offers: fc.array(fc.tuple(ids, cells), { maxLength: 3 }),
      removed: maybe(fc.array(ids, { maxLength: 2 }), 2),
    })
    .map(({ width, offers, removed }) => {
      const header: Draft[] = [idHeader, ...headers.slice(0, width)];
      const ofertas: Draft[] = [header, ...offers.map(([id, row]): Draft => [id, ...row.slice(0, width)])];
      const borrar: Draft[] = [[idHeader], ...(removed ?? []).map((id): Draft => [id])];
      return { ofertas, ...(removed === undefined ? {} : { borrar }) };
    });
}

const ownFile = fileOf('offer', 'offer_id');
const sharedFile = fileOf('shared', 'catalog_offer_id');
const queuedFile = fc
  .tuple(
    fc.oneof(ownFile, sharedFile),
    some({
      client_id: maybe(mostly(referenceTo('client'), fc.constant<Draft>(0)), 3),
      kind: maybe(mostly(fc.constantFrom('offers_bulk_update', 'catalog_bulk_update'), fc.constant('file'), 12), 2),
    }),
  )
  .map(([sheets, texts]): Draft => ({ ...texts, sheets }));
const dryRun = { dry_run: maybe(mostly(fc.boolean(), fc.constant('si'), 12), 4), keep: maybe(fc.boolean(), 12) };
const kept = { dry_run: fc.constant(true), keep: fc.constant(true) };
const asFile = (sheets: Arbitrary<Draft>) => sheets.map((each): Draft => ({ sheets: each }));

const statuses = fc.constantFrom('pending', 'processing', 'completed', 'failed', 'cancelled', 'done');

const newCompanyFields = some({ name: maybe(name, 2), logo_url: maybe(picture, 1) });
const newClientFields = some({ name: maybe(name, 2), image_url: maybe(picture, 1), logo: maybe(logo, 2) });

const asked = (weight: number, operation: string, parts?: Parts) => ({ weight, arbitrary: call(operation, parts) });

/** Any request, weighted so that much of it succeeds and lists have something to show. */
export const anyRequest: Arbitrary<RequestDraft> = fc.oneof(
  asked(8, 'listOffers', { query: offerList }),
  asked(9, 'createOffer', { body: newOfferOf('company') }),
  asked(8, 'rankOffers', { body: question }),
  asked(4, 'recommendOffers', { query: { ...page, ...sold, ...quantities, supply_type: maybe(supply) } }),
  asked(4, 'compareOffers', { query: { ids: offerIds(2, 4) } }),
  asked(3, 'getStats'),
  asked(7, 'bulkPatchOffers', { body: some({ offer_ids: offerIds(1, 4), updates: fewFields }) }),
  asked(4, 'getOffer', { id: 'offer' }),
  asked(8, 'updateOffer', {
    id: 'offer',
    body: fc
      .tuple(fewFields, maybe(referenceTo('company'), 3))
      .map(([sent, to]): Draft => (to === undefined ? sent : { ...sent, company_id: to })),
  }),
  asked(4, 'toggleOffer', { id: 'offer' }),
  asked(2, 'deleteOffer', { id: 'offer' }),
  asked(3, 'calculateCommission', { id: 'offer', query: quantities }),
  asked(2, 'listIndexedPrices', { id: 'priced', query: page }),
  asked(7, 'upsertIndexedPrice', { id: 'indexed', body: some({ ...prices, reference_month: month }) }),
  asked(3, 'deleteIndexedPrice', { id: 'priced', params: { month } }),
  asked(2, 'listCatalogCompanies', { query: list }),
  asked(1, 'createCatalogCompany', { body: some({ name, logo_url: maybe(picture) }) }),
  asked(1, 'getCatalogCompany', { id: 'shared company' }),
  asked(2, 'updateCatalogCompany', { id: 'shared company', body: newCompanyFields }),
  asked(2, 'toggleCatalogCompany', { id: 'shared company' }),
  asked(1, 'deleteCatalogCompany', { id: 'shared company' }),
  asked(3, 'listCatalogOffers', { query: catalogList }),
  asked(3, 'createCatalogOffer', { body: newOfferOf('shared company') }),
  asked(2, 'getCatalogOffer', { id: 'shared' }),
  asked(3, 'updateCatalogOffer', { id: 'shared', body: fewFields }),
  asked(2, 'toggleCatalogOffer', { id: 'shared' }),
  asked(1, 'deleteCatalogOffer', { id: 'shared' }),
  asked(1, 'listCatalogIndexedPrices', { id: 'shared', query: page }),
  asked(2, 'upsertCatalogIndexedPrice', { id: 'shared', body: some({ ...prices, reference_month: month }) }),
  asked(2, 'deleteCatalogIndexedPrice', { id: 'shared', params: { month } }),
  asked(2, 'listCatalogSubscriptions', { id: 'client', query: list }),
  asked(2, 'subscribeToCatalogCompany', { id: 'client', params: { company_id: idOf('shared company') } }),
  asked(2, 'unsubscribeFromCatalogCompany', { id: 'client', params: { company_id: idOf('shared company') } }),
  asked(3, 'listClients', { query: list }),
  asked(4, 'createClient', { body: newClient }),
  asked(2, 'getClient', { id: 'client' }),
  asked(3, 'updateClient', { id: 'client', body: newClientFields }),
  asked(3, 'toggleClient', { id: 'client' }),
  asked(1, 'deleteClient', { id: 'client' }),
  asked(3, 'listCompanies', { query: list }),
  asked(3, 'createCompany', { body: newCompany }),
  asked(2, 'getCompany', { id: 'company' }),
  asked(3, 'updateCompany', { id: 'company', body: newCompanyFields }),
  asked(3, 'toggleCompany', { id: 'company' }),
  asked(1, 'deleteCompany', { id: 'company' }),
  asked(2, 'getAccount'),
  asked(3, 'updateAccount', {
    body: some({ name: maybe(name, 2), email: maybe(email, 2), current_password: maybe(password, 1) }),
  }),
  asked(1, 'changePassword', { body: some({ current_password: password, new_password: newPassword }) }),
  asked(1, 'getSubscription'),
  asked(2, 'listUploads', { query: { ...page, status: maybe(statuses, 2) } }),
  asked(3, 'createUpload', { body: newUpload }),
  asked(3, 'createUpload', { body: queuedFile }),
  asked(5, 'bulkUpdateOffers', { query: dryRun, body: asFile(ownFile) }),
  asked(3, 'bulkUpdateCatalogOffers', { query: dryRun, body: asFile(sharedFile) }),
  asked(4, 'bulkUpdateOffers', { query: kept, body: asFile(ownFile) }),
  asked(2, 'bulkUpdateCatalogOffers', { query: kept, body: asFile(sharedFile) }),
  asked(1, 'getUpload', { id: 'upload' }),
  asked(2, 'retryUpload', { id: 'failed' }),
  asked(4, 'applyUpload', { id: 'kept' }),
  asked(2, 'cancelUpload', { id: 'upload' }),
);
