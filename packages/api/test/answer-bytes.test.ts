import { filledWorld, HOUSEHOLD } from '@tarifario/testkit/api/sample';
import type { CallInput } from '@tarifario/testkit/api/world';
import { beforeAll, describe, expect, it } from 'vitest';

let world: Awaited<ReturnType<typeof filledWorld>>['world'];
let blindKey: string;

beforeAll(async () => {
  ({ world } = await filledWorld());
  blindKey = await world.newKey(world.account.id, { scopes: ['offers:read', 'catalog:read'] });
});

const REASONS = { explicar: true, umbrales_consumo: true, margen: true, retrospectiva: true };
const TAXED = { tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' };
const BILLED = {
  ...TAXED,
  impuestos: { fecha: '2026-10-15', alquiler: 'monofasico' },
  contrato_actual: { factura_total: 900 },
};
const NOVEMBER = { mes: 11, dias: 30, energia: { e1: 95, e2: 70, e3: 120 } };

/** Each kind of answer that a transport may take as bytes. */
const ANSWERS: readonly (readonly [kind: string, id: string, input: CallInput])[] = [
  ['of a plain question', 'rankOffers', { body: HOUSEHOLD }],
  ['with bills', 'rankOffers', { body: { ...HOUSEHOLD, ...BILLED } }],
  ['with reasons', 'rankOffers', { body: { ...HOUSEHOLD, ...REASONS } }],
  ['of months', 'rankOffers', { body: { supply_type: 'LUZ', potencia: HOUSEHOLD.potencia, perfil: [NOVEMBER] } }],
  ['of a search', 'rankOffers', { body: { ...HOUSEHOLD, q: 'e' } }],
  ['of the past', 'rankOffers', { body: { ...HOUSEHOLD, as_of: '2026-01-01T00:00:00.000Z' } }],
  ['cut', 'rankOffers', { body: HOUSEHOLD, query: { fields: 'total,results.offer.id,results.cost' } }],
  ['of a portfolio', 'rankPortfolio', { body: { customers: [{ ref: 'ES-1', ...HOUSEHOLD }, { ref: 'ES-2' }] } }],
  ['that is a page', 'listOffers', {}],
  ['that is a cut page', 'listOffers', { query: { fields: 'total,results.id' } }],
  ['that is a page of the catalog', 'listCatalogOffers', { query: { permanencia_max: '12' } }],
];

describe.each([true, false])('an answer in bytes, to a key that sees commissions: %s', (seesCommissions) => {
  it.each(ANSWERS)('%s is the value as JSON.stringify writes it, with the same tag', async (_kind, id, input) => {
    const asked = { ...input, ...(seesCommissions ? {} : { key: blindKey }) };
    const value = await world.call(id, asked);
    expect([value.status, value.json]).toEqual([200, undefined]);
    const { json, text, body, headers } = await world.call(id, { ...asked, takesJson: true });
    const bytes = json ?? (Array.isArray(text) ? Buffer.concat(text) : Buffer.from(JSON.stringify(body)));
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe(JSON.stringify(value.body));
    expect(headers.ETag).toBe(value.headers.ETag);
  });
});
