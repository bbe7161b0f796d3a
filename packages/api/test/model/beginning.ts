import type { Scope } from '@tarifario/core/service';
import { type Act, actInModel } from './acts.ts';
import { answer } from './model.ts';
import { KEYS } from './pieces.ts';
import { emptyState, type Json, type Request, type State } from './state.ts';
import { type System, verdictOf } from './systems.ts';

/** An instant for each command, a second after the one before. */
export function instantAt(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}

const READS: readonly Scope[] = [
  'offers:read',
  'indexed_prices:read',
  'companies:read',
  'clients:read',
  'catalog:read',
];
const WRITES: readonly Scope[] = ['offers:write', 'companies:write', 'clients:write', 'catalog:write'];

function keyFor(key: string, accountId: number, rights: { clientId?: number; scopes?: readonly Scope[] } = {}): Act {
  return { act: 'key', key, accountId, rights };
}

function create(operation: string, body: Json, key: string = KEYS.full): Request {
  return { operation, key, params: {}, query: {}, body };
}

const SOLD = { tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true };
const luz = (company_id: number, more: Readonly<Record<string, Json>>) => {
  return create('createOffer', {
    company_id,
    offer_name: 'Luz',
    supply_type: 'LUZ',
    ...SOLD,
    e1: 0.15,
    p1: 0.05,
    ...more,
  });
};

/** Two accounts with a few records, a catalog, and a key of each kind: where every list of commands begins. */
const BEGINNING: readonly (Act | Request)[] = [
  { act: 'account', name: 'uno', password: 'molinos de viento', isEditor: true },
  { act: 'account', name: 'dos', password: 'molinos de viento', isEditor: false },
  { act: 'subscribe', accountId: 1, limit: 4, isActive: true },
  // Over, so that the plan is the free one. It is there because later ones would not be numbered without a gap.
  { act: 'subscribe', accountId: 2, limit: 4, isActive: false },
  keyFor(KEYS.full, 1),
  keyFor(KEYS.other, 2),
  create('createClient', { name: 'Norte', image_url: 'https://example.com/a.png' }),
  create('createClient', { name: 'Sur', catalog: 'none' }),
  create('createClient', { name: 'Ajena' }, KEYS.other),
  create('createCompany', { client_id: 1, name: 'Comercializadora Norte', logo_url: 'https://example.com/b.png' }),
  create('createCompany', { client_id: 2, name: 'Energía Sur' }),
  create('createCompany', { client_id: 3, name: 'Comercializadora Ajena' }, KEYS.other),
  create('createCatalogCompany', { name: 'Comercializadora Común' }),
  create('createCatalogCompany', { name: 'Otra Común' }),
  { ...luz(4, { commission: 20, e1: 0.12, is_indexed: true }), operation: 'createCatalogOffer' },
  { ...luz(5, { commission: 90, e1: 0.11 }), operation: 'createCatalogOffer' },
  {
    ...create('upsertCatalogIndexedPrice', { reference_month: '2025-12', e1: 0.12 }),
    params: { id: '1' },
  },
  luz(1, { commission: 50 }),
  luz(1, { commission: 30, is_indexed: true }),
  luz(2, { commission: 50, communities: ['madrid'], commission_tiers: [{ consumption_from: 0, commission: 5 }] }),
  create('createOffer', {
    company_id: 1,
    offer_name: 'Gas',
    supply_type: 'GAS',
    ...SOLD,
    gas_energy: 0.05,
    gas_fixed: 5,
  }),
  { ...luz(3, { commission: 70 }), key: KEYS.other },
  {
    ...create('upsertIndexedPrice', { reference_month: '2025-12', e1: 0.15, p1: 0.1 }),
    params: { id: '4' },
  },
  create('createUpload', { client_id: 1, sheets: { borrar: [['offer_id'], [1]] } }),
  create('createUpload', { file_name: 'ofertas.xlsx' }),
  create('createUpload', { client_id: 1, sheets: {} }),
  { act: 'work', uploadId: 3, to: 'failed' },
  create('createUpload', { file_name: 'ofertas.xlsx' }),
  { act: 'work', uploadId: 4, to: 'failed' },
  create('createUpload', { file_name: 'ajena.xlsx' }, KEYS.other),
  keyFor(KEYS.bound, 1, { clientId: 1 }),
  keyFor(KEYS.boundReader, 1, { clientId: 1, scopes: READS }),
  keyFor(KEYS.reader, 1, { scopes: [...READS, 'commissions:read'] }),
  keyFor(KEYS.blind, 1, { scopes: READS }),
  keyFor(KEYS.blindWriter, 1, { scopes: [...READS, ...WRITES] }),
  keyFor(KEYS.nothing, 1, { scopes: [] }),
  keyFor(KEYS.revoked, 1),
  keyFor(KEYS.otherBound, 2, { clientId: 3 }),
  { act: 'revoke', key: KEYS.revoked },
];

/** When the first command takes place. */
export const FIRST_SECOND = 100;

/** Brings a service to the beginning. */
export async function begin(system: System): Promise<void> {
  for (const [second, step] of BEGINNING.entries()) {
    if ('act' in step) await system.act(step, instantAt(second));
    else {
      const { status, body } = verdictOf(await system.send(step, instantAt(second)));
      if (status >= 300) throw new Error(`${step.operation} at the beginning: ${JSON.stringify(body)}`);
    }
  }
}

/** The same for the model. */
export function beginModel(): State {
  const state = emptyState();
  for (const [second, step] of BEGINNING.entries()) {
    state.now = instantAt(second);
    if ('act' in step) actInModel(state, step);
    else answer(state, step);
  }
  return state;
}
