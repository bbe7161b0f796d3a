import { readdirSync, readFileSync } from 'node:fs';
import { fromWireOffers } from '@tarifario/api';
import type { CompanyTerms, MonthlyPrice, OfferTerms, Scope, Store } from '@tarifario/core/service';

/** A case of `test-fixtures/vectors`, as its README describes it. */
export interface Vector {
  readonly name: string;
  readonly file: string;
  readonly given: {
    readonly offers: readonly VectorOffer[];
    readonly caller: 'full' | 'no-commissions';
    readonly request: {
      readonly operation: string;
      readonly params?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, string | readonly string[]>>;
      readonly body?: unknown;
    };
  };
  readonly expect: { readonly status: number; readonly body: unknown };
}

/** The body that creates the offer, and what a fixture says besides it. */
export interface VectorOffer {
  readonly company?: string;
  readonly catalog?: boolean;
  readonly indexed_prices?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** Scopes of the caller `no-commissions`. */
export const BLIND_SCOPES: readonly Scope[] = [
  'offers:read',
  'catalog:read',
  'indexed_prices:read',
  'companies:read',
  'clients:read',
];

const FOLDER = new URL('../../../../test-fixtures/vectors/', import.meta.url);
const FIRM_NAME = 'Asesoría Norte';
const DEFAULT_COMPANY = 'Comercializadora Uno';

/** Every vector of every file. */
export function readVectors(): readonly Vector[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const vectors: readonly Omit<Vector, 'file'>[] = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      return vectors.map((vector) => ({ ...vector, file }));
    });
}

/** How requests are sent while the world of a vector is built: with a key of full access, refusals are thrown. */
export interface VectorWorld {
  readonly store: Store;
  ask(operationId: string, sent: { params?: Record<string, string>; body: unknown }): Promise<unknown>;
}

/**
 * Fills an empty store of one account with the offers of a vector: firm 1, companies from 1 by first appearance, offers
 * from 1 in order. Own records are created by requests, those of the catalog directly in the store.
 */
export async function buildVectorWorld(target: VectorWorld, offers: readonly VectorOffer[]): Promise<void> {
  await target.ask('createClient', { body: { name: FIRM_NAME } });
  const companyIds = new Map<string, number>();
  for (const { company = DEFAULT_COMPANY, catalog = false } of offers) {
    if (companyIds.has(company)) continue;
    companyIds.set(company, companyIds.size + 1);
    if (catalog) await writeCatalogCompany(target.store, company);
    else await target.ask('createCompany', { body: { client_id: 1, name: company } });
  }
  for (const [index, offer] of offers.entries()) {
    const { company = DEFAULT_COMPANY, catalog = false, indexed_prices = [], ...fields } = offer;
    const company_id = companyIds.get(company);
    if (catalog) {
      await writeCatalogOffer(target.store, { ...fields, company_id, indexed_prices });
      continue;
    }
    await target.ask('createOffer', { body: { ...fields, company_id } });
    for (const body of indexed_prices) {
      await target.ask('upsertIndexedPrice', { params: { id: String(index + 1) }, body });
    }
  }
}

const CONTEXT = { keyId: null, at: '2026-01-01T00:00:00.000Z' };

async function writeCatalogCompany(store: Store, name: string): Promise<void> {
  const terms: CompanyTerms = { firmId: null, name, logoUrl: null, isActive: true };
  await store.write(CONTEXT, (writer) => writer.companies.insert('catalog', terms));
}

async function writeCatalogOffer(store: Store, entry: unknown): Promise<void> {
  const [first] = fromWireOffers([entry]).offers;
  if (!first) throw new Error('an offer was expected');
  const terms: OfferTerms = first.offer;
  const months: readonly MonthlyPrice[] = first.months;
  await store.write(CONTEXT, async (writer) => {
    const [offer] = await writer.offers.insert('catalog', [terms]);
    const offerId = offer?.id ?? 0;
    await writer.months.put(
      'catalog',
      months.map((price) => ({ offerId, before: null, price })),
    );
  });
}

/** The offers of a vector as a file for programs without a server: ids, companies and their owners as in the world. */
export function toOfferFile(offers: readonly VectorOffer[]): readonly unknown[] {
  return offers.map(({ company = DEFAULT_COMPANY, catalog = false, ...fields }, index) => ({
    ...fields,
    id: index + 1,
    company,
    is_catalog: catalog,
  }));
}
