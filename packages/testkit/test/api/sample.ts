import type { SettledRate } from '@tarifario/core';
import type { Scope } from '@tarifario/core/service';
import { bytesAfter, newStore } from '../new-store.ts';
import { exampleCalls } from './example-calls.ts';
import { addFailedAttempt, putIndex } from './example-world.ts';
import { type KeptFileWorld, newKeptUpload } from './kept-file.ts';
import { fakeFile, type MakeFile } from './workbooks.ts';
import {
  type CallInput,
  createWorld,
  idOf,
  newClient,
  newCompany,
  PASSWORD,
  type Progress,
  type World,
} from './world.ts';

export const LUZ_BODY = {
  offer_name: 'Luz Clara',
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  territory_peninsula: true,
  acepta_dni: true,
  e1: 0.18,
  e2: 0.13,
  e3: 0.09,
  p1: 0.08,
  p2: 0.01,
  commission: 50,
};

export const GAS_BODY = {
  offer_name: 'Gas Claro',
  supply_type: 'GAS',
  tariff_type: 'RL.1',
  territory_peninsula: true,
  acepta_dni: true,
  gas_energy: 0.05,
  gas_fixed: 5,
  commission: 30,
};

/** The address in a QR code; the CUPS is invented. */
export const QR_ADDRESS =
  'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&pP1=4.6&pP2=4.6&caP1=1200&caP2=900&caP3=1400&iniA=2025-01-31' +
  '&finF=2026-01-31&iniF=2025-12-31&tc=E0&cups=ES0021000000000001AB0F&impPot=12.84&prP1=0.08&prP2=0.01&prE1=0.18' +
  '&prE2=0.13&prE3=0.09';

/** What an operator settles of a month that is undecided. */
export const NOVEMBER_RATES: readonly SettledRate[] = (['impuesto_electrico', 'iva'] as const).map((concept) => ({
  ...{ concept, kind: concept === 'iva' ? 'reducido' : 'general', supplyTypes: ['LUZ'], territories: ['peninsula'] },
  ...{ from: '2026-11-01', to: '2026-11-30', value: concept === 'iva' ? 10 : 0.5, law: 'Acuerdo', isCertain: true },
  url: 'https://www.boe.es/',
}));

const RECEIVER = 'https://receptor.example.com/tarifario';

/** A curve of a meter, by the month. */
export const MONTHLY_CURVE =
  'CUPS;Fecha;Valle;Llano;Punta\nES0021000000000001AB0F;2026/01;110;70;90\nES0021000000000001AB0F;2026/02;95,5;64;80';

export const HOUSEHOLD = {
  supply_type: 'LUZ',
  energia: { e1: 1200, e2: 900, e3: 1400 },
  potencia: { p1: 4.6, p2: 4.6 },
};

/** A household that exports, by month. */
export const PROFILED = {
  supply_type: 'LUZ',
  potencia: { p1: 4.6, p2: 4.6 },
  perfil: [
    { mes: 1, dias: 31, energia: { e1: 120, e2: 90, e3: 140 }, excedentes: 20 },
    { mes: 12, dias: 31, energia: { e1: 130, e2: 95, e3: 150 }, excedentes: 5 },
    { dias: 30, energia: { e1: 60, e2: 70, e3: 80 }, excedentes: 900 },
  ],
};

/** Ids of a small world: two firms with a company and offers each, and a catalog. */
export interface Sample {
  readonly clientId: number;
  readonly otherClientId: number;
  readonly companyId: number;
  readonly otherCompanyId: number;
  readonly luzId: number;
  readonly gasId: number;
  readonly indexedId: number;
  readonly otherLuzId: number;
  readonly catalogCompanyId: number;
  readonly catalogId: number;
  readonly catalogIndexedId: number;
  readonly proposalId: number;
  /** Uploads of the first firm. */
  readonly pendingUploadId: number;
  readonly failedUploadId: number;
  readonly keptUploadId: number;
  readonly webhookId: number;
  readonly keyId: number;
}

/** What a sample is made through: a world, or a server. */
export interface SampleWorld
  extends Pick<World, 'store' | 'account' | 'fullKey' | 'ask' | 'newKey'>,
    Omit<KeptFileWorld, 'accountId'> {
  /** Makes names of the catalog, which accounts of a server share, differ from theirs. As they are when left out. */
  readonly catalogName?: (name: string) => string;
}

/** What the offers pay is a parameter, so that two worlds can differ in it and in nothing else. */
export async function fillSample(world: SampleWorld, pays: (base: number) => number = (base) => base): Promise<Sample> {
  const clientId = await newClient(world, 'Asesoría Uno');
  const otherClientId = await newClient(world, 'Asesoría Dos');
  const companyId = await newCompany(world, clientId, 'Comercializadora Uno');
  const otherCompanyId = await newCompany(world, otherClientId, 'Comercializadora Dos');
  const create = async (body: object) => idOf(await world.ask('createOffer', { body }));
  const tiers = {
    commission_tiers: [
      { consumption_from: 0, consumption_to: 3, commission: pays(40), commission_type: 'fixed' },
      { consumption_from: 3, consumption_to: null, commission: pays(12), commission_type: 'per_mwh' },
    ],
    commission_power_tiers: [{ power_from: 0, power_to: null, commission: pays(3), commission_type: 'per_kw' }],
  };
  const luzId = await create({ ...LUZ_BODY, ...tiers, company_id: companyId, commission: pays(50) });
  const gasId = await create({ ...GAS_BODY, company_id: companyId, commission: pays(30) });
  const indexedId = await create({
    ...LUZ_BODY,
    offer_name: 'Luz Indexada',
    company_id: companyId,
    is_indexed: true,
    commission: pays(70),
  });
  for (const [month, e1] of Object.entries({ '2025-11-15': 0.1, '2025-12': 0.2 })) {
    const body = { reference_month: month, e1, e2: 0.1, e3: -0.01 };
    await world.ask('upsertIndexedPrice', { params: { id: String(indexedId) }, body });
  }
  const otherLuzId = await create({
    ...LUZ_BODY,
    company_id: otherCompanyId,
    offer_name: 'Luz Ajena',
    commission: pays(60),
  });
  await create({ ...LUZ_BODY, company_id: companyId, offer_name: 'Sin precio', e2: null, commission: pays(90) });
  const { catalogName = (name: string) => name } = world;
  const shared = { name: catalogName('Comercializadora Común') };
  const catalogCompanyId = idOf(await world.ask('createCatalogCompany', { body: shared }));
  const createShared = async (body: object) =>
    idOf(await world.ask('createCatalogOffer', { body: { ...LUZ_BODY, company_id: catalogCompanyId, ...body } }));
  const catalogId = await createShared({ offer_name: 'Luz Común', commission: pays(50) });
  const catalogIndexedId = await createShared({
    ...{ offer_name: 'Luz Común Indexada', tariff_type: '3.0TD', is_indexed: true, is_active: false },
    ...{ e1: null, e2: null, e3: null, p1: 0.07, commission: pays(45) },
  });
  const month = { reference_month: '2025-11', e1: 0.1, e2: 0.1, e3: 0.1 };
  await world.ask('upsertCatalogIndexedPrice', { params: { id: String(catalogIndexedId) }, body: month });
  await putIndex(world.store, '2026-01-01T00:00:00.000Z');
  return {
    clientId,
    otherClientId,
    companyId,
    otherCompanyId,
    luzId,
    gasId,
    indexedId,
    otherLuzId,
    catalogCompanyId,
    catalogId,
    catalogIndexedId,
    proposalId: await newMaskedProposal(world, clientId, indexedId),
    pendingUploadId: idOf(
      await world.ask('createUpload', { body: { file_name: 'anunciado.xlsx', client_id: clientId } }),
    ),
    failedUploadId: await newFailedUpload(world, clientId),
    keptUploadId: await newKeptUpload({ ...world, accountId: world.account.id }, clientId, null),
    webhookId: await newWebhook(world, clientId),
    keyId: await newBoundKey(world, clientId),
  };
}

/** A proposal for a firm without commissions, which every key of the account or the firm may see. */
async function newMaskedProposal(world: SampleWorld, clientId: number, offerId: number): Promise<number> {
  const key = await world.newKey(world.account.id, { scopes: ['proposals:write'] });
  const request = { ...HOUSEHOLD, client_id: clientId };
  const body = { request, offer_ids: [offerId], nota: 'Una propuesta' };
  return idOf(await world.ask('createProposal', { key, body }));
}

/** One that was sent a test. */
async function newWebhook(world: SampleWorld, clientId: number): Promise<number> {
  const query = { client_id: String(clientId) };
  const id = idOf(await world.ask('createWebhook', { query, body: { url: RECEIVER } }));
  await addFailedAttempt({ store: world.store, accountId: world.account.id }, id);
  return id;
}

/** A key of a firm, which no call made: those count. */
async function newBoundKey({ newKey, store, account }: SampleWorld, firmId: number): Promise<number> {
  await newKey(account.id, { firmId, scopes: ['offers:read'] });
  return (await store.read((reader) => reader.keys.list(account.id))).at(-1)?.id ?? 0;
}

/** An upload whose work has failed, with its file, which is no workbook. */
export async function newFailedUpload(
  world: Pick<World, 'store' | 'account'>,
  clientId: number | null,
): Promise<number> {
  const at = '2026-01-01T00:00:00.000Z';
  return world.store.write({ keyId: null, at }, async (writer) => {
    const { id } = await writer.uploads.insert(world.account.id, {
      firmId: clientId,
      kind: 'offers_bulk_update',
      fileName: 'dañado.xlsx',
      sizeBytes: 4,
      status: 'processing',
      file: new Uint8Array([80, 75, 3, 4]),
    });
    const error = { code: 'invalid_request', message: 'the file cannot be read' };
    await writer.uploads.update(world.account.id, id, { from: 'processing', to: 'failed', error, finishedAt: at });
    return id;
  });
}

/** What a call takes besides the scopes of its operation: who tries the upload of another may do and see what it does. */
export const SCOPES_OF_CALLS: Readonly<Record<string, readonly Scope[]>> = {
  retryUpload: ['offers:write', 'commissions:read'],
  applyUpload: ['offers:write', 'commissions:read'],
};

/** What only the key that made the record may do, or one with full access that is bound to no firm. */
export const CALLS_OF_ITS_KEY: readonly string[] = [
  'rotateWebhookSecret',
  'testWebhook',
  'listWebhookDeliveries',
  'redeliverWebhook',
  'deleteWebhook',
];

/** A file that replaces an offer, changes its tiers and deactivates another. */
function ownFile({ luzId, gasId }: Sample, makeFile: MakeFile) {
  return makeFile({
    ofertas: [
      ['offer_id', 'offer_name', 'e1', 'commission'],
      [luzId, 'Luz de la Hoja', 0.16, 12],
    ],
    tramos_consumo: [
      ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
      [luzId, 0, 5, 33],
    ],
    borrar: [['offer_id'], [gasId]],
  });
}

function catalogFile({ catalogId, catalogIndexedId }: Sample, makeFile: MakeFile) {
  return makeFile({
    ofertas: [
      ['catalog_offer_id', 'offer_name', 'e1', 'commission'],
      [catalogId, 'Luz Común de la Hoja', 0.16, 12],
    ],
    precios_indexados: [
      ['catalog_offer_id', 'reference_month', 'e1'],
      [catalogIndexedId, '2025-12', 0.11],
    ],
  });
}

/**
 * For every operation, one call that succeeds on a fresh sample: the first example of the document, unless a test wants
 * another one.
 *
 * @param makeFile - Of a workbook as the service of the test reads it.
 */
export function goodCalls(sample: Sample, makeFile: MakeFile = fakeFile): Readonly<Record<string, CallInput>> {
  const offer = { id: String(sample.luzId) };
  const indexed = { id: String(sample.indexedId) };
  const client = { id: String(sample.clientId) };
  const company = { id: String(sample.companyId) };
  const catalogCompany = { id: String(sample.catalogCompanyId) };
  const catalogOffer = { id: String(sample.catalogId) };
  const catalogIndexed = { id: String(sample.catalogIndexedId) };
  const ids = {
    clients: [sample.clientId, sample.otherClientId],
    companies: [sample.companyId, sample.otherCompanyId],
    offers: [sample.luzId, sample.gasId, sample.indexedId, sample.otherLuzId],
    proposals: [sample.proposalId],
    uploads: [sample.pendingUploadId, sample.failedUploadId, sample.keptUploadId],
    webhooks: [sample.webhookId],
    keys: [sample.keyId],
    catalogCompanies: [sample.catalogCompanyId],
    catalogOffers: [sample.catalogId, sample.catalogIndexedId],
  };
  return {
    ...exampleCalls(ids, makeFile),
    listOffers: { query: { include_inactive: 'true' } },
    createOffer: { body: { ...LUZ_BODY, company_id: sample.companyId } },
    rankOffers: { body: HOUSEHOLD },
    rankPortfolio: {
      body: {
        customers: [
          { ref: 'a', ...HOUSEHOLD },
          { ref: 'b', supply_type: 'GAS' },
        ],
        top: 2,
      },
    },
    createProposal: { body: { request: HOUSEHOLD, offer_ids: [sample.indexedId] } },
    recommendOffers: { query: { consumption_mwh: '3.5', power_kw: '4.6' } },
    compareOffers: { query: { ids: [String(sample.luzId), String(sample.gasId)] } },
    exportOffers: { query: { include_inactive: 'true' } },
    bulkPatchOffers: {
      body: { offer_ids: [sample.luzId, sample.gasId], updates: { services_cost: 2, commission: 9 } },
    },
    bulkUpdateOffers: { form: { bytes: ownFile(sample, makeFile) } },
    bulkTemplateOffers: { query: { include_inactive: 'true' } },
    bulkTemplateIndexedOffers: {},
    getOffer: { params: offer },
    getOfferHistory: { params: indexed },
    updateOffer: { params: offer, body: { offer_name: 'Luz Nueva', e1: 0.17, commission: 8 } },
    toggleOffer: { params: offer },
    deleteOffer: { params: offer },
    upsertIndexedPrice: { params: indexed, body: { reference_month: '2026-01-01', e1: 0.1 } },
    getIndexedPrice: { params: { ...indexed, month: '2025-12-31' } },
    deleteIndexedPrice: { params: { ...indexed, month: '2025-11' } },
    readInvoice: { body: { url: QR_ADDRESS } },
    readConsumption: { query: { tariff_type: '2.0TD', territory: 'peninsula' }, body: { csv: MONTHLY_CURVE } },
    listClients: { query: { include_inactive: 'true' } },
    createClient: { body: { name: 'Asesoría Nueva' } },
    updateClient: { params: client, body: { name: 'Asesoría Mayor', image_url: 'https://example.com/uno.png' } },
    updateProposal: { params: { id: String(sample.proposalId) }, body: { estado: 'aceptada' } },
    toggleClient: { params: client },
    deleteClient: { params: client },
    listCompanies: { query: { include_inactive: 'true' } },
    createCompany: { body: { client_id: sample.clientId, name: 'Comercializadora Nueva' } },
    updateCompany: { params: company, body: { name: 'Comercializadora Mayor', logo_url: null } },
    toggleCompany: { params: company },
    deleteCompany: { params: company },
    listCatalogSubscriptions: { params: client, query: { include_inactive: 'true' } },
    listCatalogCompanies: { query: { include_inactive: 'true' } },
    createCatalogCompany: { body: { name: 'Comercializadora Nueva' } },
    updateCatalogCompany: { params: catalogCompany, body: { name: 'Comercializadora Mayor', logo_url: null } },
    listCatalogOffers: { query: { include_inactive: 'true' } },
    createCatalogOffer: { body: { ...LUZ_BODY, company_id: sample.catalogCompanyId } },
    bulkUpdateCatalogOffers: { form: { bytes: catalogFile(sample, makeFile) } },
    bulkTemplateCatalogOffers: {},
    bulkTemplateIndexedCatalogOffers: { query: { include_inactive: 'true' } },
    updateCatalogOffer: { params: catalogOffer, body: { offer_name: 'Luz de Todos', e1: 0.17, commission: 8 } },
    upsertCatalogIndexedPrice: { params: catalogIndexed, body: { reference_month: '2026-01-01', e1: 0.1 } },
    updateAccount: { body: { name: 'Cuenta Mayor', email: 'mayor@example.com', current_password: PASSWORD } },
    changePassword: { body: { current_password: PASSWORD, new_password: PASSWORD } },
    listUsage: {},
    getUsageSummary: {},
    listUploads: {},
    createUpload: { body: { file_name: 'ofertas.xlsx', client_id: sample.clientId } },
  };
}

let filledOnce: Promise<{ bytes: Uint8Array; answer: { progress: Progress; sample: Sample } }> | undefined;

/** A service with a sample in it, and a call that succeeds for each operation. Filling takes longer than a copy. */
export async function filledWorld(
  ...[store, limiter, others]: Parameters<typeof createWorld>
): Promise<{ world: World; sample: Sample; calls: Readonly<Record<string, CallInput>> }> {
  if (store || limiter) {
    const world = await createWorld(store, limiter, others);
    const sample = await fillSample(world);
    return { world, sample, calls: goodCalls(sample) };
  }
  filledOnce ??= bytesAfter(async (empty) => {
    const world = await createWorld(empty);
    const sample = await fillSample(world);
    return { progress: world.progress(), sample };
  });
  const { bytes, answer } = await filledOnce;
  const { progress, sample } = answer;
  const world = await createWorld(await newStore(bytes), undefined, { ...others, progress });
  return { world, sample, calls: goodCalls(sample) };
}
