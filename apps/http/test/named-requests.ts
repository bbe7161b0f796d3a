import { LUZ_BODY } from '@tarifario/testkit/api/sample';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { offerRow, sendFile } from '@tarifario/testkit/http/bulk-files';
import { askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { expect } from 'vitest';

export const NAME = '7d0f7e0c-6a3b-4f5e-9b1d-2c8a1e4f6b70';

export interface Prepared {
  readonly key: string;
  readonly accountId: number;
  readonly body: object;
}

let accounts = 0;

/** An account with a retailer, and the body of an offer of it. */
export async function prepare(server: RunningServer): Promise<Prepared> {
  accounts += 1;
  const accountId = await server.addAccount(`account-${accounts}`);
  const key = await server.addKey(accountId, {});
  const { store, clock } = server.service;
  const companyId = await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    const firm = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    const { id: firmId } = await writer.firms.insert(accountId, firm);
    return (await writer.companies.insert(accountId, { firmId, name: 'Comercial', logoUrl: null, isActive: true })).id;
  });
  return { key, accountId, body: { ...LUZ_BODY, company_id: companyId } };
}

export async function create({ url }: Pick<RunningServer, 'url'>, { key, body }: Prepared, name = NAME) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': name };
  const response = await fetch(`${url}/v1/offers`, { method: 'POST', headers, body: JSON.stringify(body) });
  const replayed = response.headers.get('Idempotent-Replayed');
  return { status: response.status, replayed, text: await response.text() };
}

export interface BulkUpdate {
  readonly path: string;
  /** Where what it makes is listed. */
  readonly list: string;
}

export const OWN: BulkUpdate = { path: '/v1/offers/bulk-update', list: '/v1/offers' };
export const CATALOG: BulkUpdate = { path: '/v1/catalog/offers/bulk-update', list: '/v1/catalog/offers' };

/** A workbook with two new offers, of the account or of the catalog. */
export function newOffers({ path }: BulkUpdate, label = ''): Promise<Uint8Array> {
  const owner = path === OWN.path ? { cliente: 'Asesoría' } : {};
  const ofertas = [1, 2].map((index) => {
    const { cliente: _cliente, ...row } = offerRow(index, 1);
    return { ...owner, ...row, offer_name: `Oferta ${index}${label}` };
  });
  return workbookBytes({ ofertas });
}

export async function apply(
  server: Pick<RunningServer, 'url'>,
  { key }: Prepared,
  { path, bytes, name = NAME }: { readonly path: string; readonly bytes: Uint8Array; readonly name?: string },
) {
  const { status, headers, text } = await sendFile(server, key, { path, bytes, name });
  return { status, replayed: headers.get('Idempotent-Replayed'), text };
}

/** Offers in a list, and uploads. */
export async function effects(server: Pick<RunningServer, 'url'>, { key }: Prepared, { list }: BulkUpdate) {
  const count = async (path: string) => (await askFor<{ total: number }>(server, key, { path })).total;
  return { offers: await count(list), uploads: await count('/v1/uploads') };
}

export async function total(server: Pick<RunningServer, 'url'>, { key }: Prepared): Promise<number> {
  return (await askFor<{ total: number }>(server, key, { path: '/v1/offers' })).total;
}

/** One answer is the first, others are its replays, and the rest came while it was under way. */
export function expectOneEffect(
  answers: readonly { readonly status: number; readonly replayed: string | null; readonly text: string }[],
  success: number,
): void {
  const done = answers.filter(({ status }) => status === success);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  const refusals = answers.filter(({ status }) => status !== success);
  expect(refusals.filter(({ text }) => !text.includes('"idempotency_in_flight"'))).toEqual([]);
}
