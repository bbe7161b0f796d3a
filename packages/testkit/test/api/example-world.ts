import { type KeptFileWorld, newKeptUpload } from './kept-file.ts';

/** An empty service to fill: one account without records. */
export interface EmptyService extends KeptFileWorld {
  readonly email: string;
  /** The hash of `EXAMPLE_PASSWORD`. */
  readonly passwordHash: string;
  /** Makes names of the catalog, which is shared with other accounts, differ from theirs. As they are when left out. */
  readonly catalogName?: (name: string) => string;
  /** Asks with a key of full access and says the record; a refusal is thrown. */
  ask(operationId: string, sent: ExampleRequest): Promise<{ readonly id?: unknown }>;
}

interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The password that the examples know. */
export const EXAMPLE_PASSWORD = 'caballo-grapa-21';
const AT = '2025-12-01T08:00:00.000Z';
const HOUSEHOLD = { supply_type: 'LUZ', tariff_type: '2.0TD', territory_peninsula: true, acepta_dni: true };

/** An index of two days of UTC, with the price that each hour says. */
export async function putIndex(store: EmptyService['store'], at: string): Promise<void> {
  const prices = Array.from({ length: 24 }, (_, hour) => (100 + hour) / 1000);
  const days = ['2025-11-02', '2025-11-03'].map((day) => ({ index: 'PVPC', day, prices }));
  await store.write({ keyId: null, at }, (writer) => writer.indices.put(days));
}

/** Records of the catalog, which others may have added to. */
export interface ExampleCatalog {
  readonly companyIds: readonly number[];
  readonly offerIds: readonly number[];
}

/**
 * The records that the examples of the document are about. In a service without any others they are advisory firms 1
 * and 2, companies 1 and 2, offers 1 (electricity with tiers), 2 (gas), 3 (indexed, with two months) and 4 (of
 * company 2), a proposal of offer 1, upload 1 that waits, 2 that failed and 3
 * that was checked, three calls of one day of 2025, webhook 1, key 2; and of the catalog company 3 with offers 5 (electricity)
 * and 6 (indexed, with a month), to which neither firm subscribes, and an index.
 */
export async function fillExampleWorld(service: EmptyService): Promise<ExampleCatalog> {
  const { ask } = service;
  await fillAccount(service);
  const { id: firmId } = await ask('createClient', { body: { name: 'Asesoría Levante', catalog: 'none' } });
  await ask('createClient', { body: { name: 'Asesoría Poniente', catalog: 'none' } });
  const { id: albaId } = await ask('createCompany', { body: { client_id: firmId, name: 'Comercializadora Alba' } });
  const { id: brisaId } = await ask('createCompany', { body: { client_id: firmId, name: 'Comercializadora Brisa' } });
  const tiers = {
    commission_tiers: [
      { consumption_from: 0, consumption_to: 3, commission: 45 },
      { consumption_from: 3, consumption_to: null, commission: 15, commission_type: 'per_mwh' },
    ],
    commission_power_tiers: [{ power_from: 0, power_to: 10, commission: 4, commission_type: 'per_kw' }],
  };
  const prices = { e1: 0.178, e2: 0.121, e3: 0.086, p1: 0.0821, p2: 0.0083 };
  const home = { ...HOUSEHOLD, company_id: albaId, offer_name: 'Alba Hogar', ...prices, commission: 40, ...tiers };
  const { id: homeId } = await ask('createOffer', { body: { ...home, e1: 0.184 } });
  await ask('updateOffer', { params: { id: String(homeId) }, body: { e1: prices.e1 } });
  const gas = { supply_type: 'GAS', tariff_type: 'RL.1', gas_energy: 0.0612, gas_fixed: 5.85 };
  await ask('createOffer', {
    body: { ...HOUSEHOLD, ...gas, company_id: albaId, offer_name: 'Alba Gas', commission: 25 },
  });
  const power = { is_indexed: true, p1: 0.0739, p2: 0.0012 };
  const { id: indexedId } = await ask('createOffer', {
    body: { ...HOUSEHOLD, company_id: albaId, offer_name: 'Alba Indexada', ...power, commission: 60 },
  });
  const params = { id: String(indexedId) };
  await ask('upsertIndexedPrice', { params, body: { reference_month: '2025-10', e1: 0.14, e2: 0.11, e3: 0.08 } });
  await ask('upsertIndexedPrice', { params, body: { reference_month: '2025-11', e1: 0.2, e2: 0.13, e3: 0.1 } });
  const flat = { e1: 0.129, e2: 0.129, e3: 0.129, p1: 0.0921, p2: 0.0121, services_cost: 3.5 };
  await ask('createOffer', {
    body: { ...HOUSEHOLD, company_id: brisaId, offer_name: 'Brisa Plana', ...flat, commission: 85 },
  });
  const request = { supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 1200, e2: 900, e3: 1400 } };
  await ask('createProposal', { body: { request, offer_ids: [homeId], nota: 'Precio fijo durante un año.' } });
  await ask('createUpload', {
    body: { file_name: 'ofertas-enero.xlsx', client_id: firmId, kind: 'offers_bulk_update' },
  });
  if (typeof firmId !== 'number' || typeof homeId !== 'number') throw new Error('records have ids');
  await addFailedUpload(service, firmId);
  await newKeptUpload(service, firmId, homeId);
  const { id: webhookId } = await ask('createWebhook', { body: { url: 'https://receptor.example.com/tarifario' } });
  await addFailedAttempt(service, Number(webhookId));
  await ask('createKey', { body: { name: 'Panel interno', scopes: ['offers:read', 'commissions:read'] } });
  return fillCatalog(service);
}

async function fillCatalog({ ask, store, catalogName = (name) => name }: EmptyService): Promise<ExampleCatalog> {
  await putIndex(store, AT);
  const company = await ask('createCatalogCompany', { body: { name: catalogName('Comercializadora Duero') } });
  const offer = await ask('createCatalogOffer', {
    body: {
      ...{ ...HOUSEHOLD, company_id: company.id, offer_name: 'Duero Fija', e1: 0.151, e2: 0.118, e3: 0.087 },
      ...{ p1: 0.0799, p2: 0.0091, commission: 55 },
    },
  });
  const indexed = await ask('createCatalogOffer', {
    body: { ...HOUSEHOLD, company_id: company.id, offer_name: 'Duero Mercado', is_indexed: true, commission: 65 },
  });
  const month = { reference_month: '2025-11', e1: 0.19, e2: 0.12, e3: 0.09 };
  await ask('upsertCatalogIndexedPrice', { params: { id: String(indexed.id) }, body: month });
  return { companyIds: [Number(company.id)], offerIds: [Number(offer.id), Number(indexed.id)] };
}

async function fillAccount({ store, accountId, email, passwordHash }: EmptyService): Promise<void> {
  const call = { accountId, firmId: null, method: 'GET', statusCode: 200, createdAt: AT };
  await store.write({ keyId: null, at: AT }, async (writer) => {
    await writer.accounts.update(accountId, { name: 'Energía Clara', email, passwordHash });
    const ceilings = { callsPerMinute: 1_000_000, firmCallsPerMinute: 1_000_000, quotas: {} };
    const dates = { trialEndsAt: null, currentPeriodEnd: '2026-12-01T00:00:00.000Z' };
    await writer.accounts.putSubscription(accountId, {
      plan: 'pro',
      status: 'active',
      firmLimit: 25,
      ...dates,
      ...ceilings,
    });
    await writer.usage.insert([
      { ...call, endpoint: '/v1/offers', responseTimeMs: 3.2 },
      { ...call, endpoint: '/v1/offers/efficient', method: 'POST', responseTimeMs: 6.1 },
      { ...call, endpoint: '/v1/offers/{id}', statusCode: 404, responseTimeMs: 1.4 },
    ]);
  });
}

async function addFailedUpload({ store, accountId }: EmptyService, firmId: number): Promise<void> {
  const terms = { firmId, kind: 'offers_bulk_update', fileName: 'ofertas-diciembre.xlsx', sizeBytes: 18_432 } as const;
  const error = { code: 'invalid_request', message: 'the file cannot be read: it is not an XLSX workbook' };
  await store.write({ keyId: null, at: AT }, async (writer) => {
    const file = new Uint8Array(terms.sizeBytes);
    const { id } = await writer.uploads.insert(accountId, { ...terms, status: 'processing', file });
    await writer.uploads.update(accountId, id, { from: 'processing', to: 'failed', error, finishedAt: AT });
  });
}

/** A test of a webhook that was answered with an error, and waits to be sent again. */
export async function addFailedAttempt(
  { store, accountId }: Pick<EmptyService, 'store' | 'accountId'>,
  webhookId: number,
): Promise<void> {
  await store.write({ keyId: null, at: AT }, async (writer) => {
    const event = await writer.webhooks.queueFor(accountId, webhookId, { type: 'webhook.test', data: {} });
    if (event === null) throw new Error('the webhook is new');
    const attempt = { sentAt: AT, durationMs: 84, status: 503, failure: null };
    await writer.webhooks.keepAttempt(webhookId, event, attempt);
  });
}
