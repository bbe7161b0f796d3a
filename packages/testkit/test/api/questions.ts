import { HOUSEHOLD, PROFILED, type Sample } from './sample.ts';
import type { CallInput } from './world.ts';

const MISSING = '999999';

/** What can be asked in many words, and hangs on commissions only if something is wrong: operations and their calls. */
export function questions(sample: Sample): readonly (readonly [id: string, input: CallInput])[] {
  const offers = [sample.luzId, sample.gasId, sample.indexedId, sample.otherLuzId, sample.catalogId].map(String);
  const filters: readonly Readonly<Record<string, string>>[] = [
    {},
    { supply_type: 'GAS' },
    { tariff_type: '2.0TD' },
    { company_id: String(sample.companyId) },
    { company_id: MISSING },
    { company_name: 'comercializadora' },
    { territory: 'peninsula' },
    { territory: 'canarias' },
    { community: 'madrid' },
    { placas_solares: 'false' },
    { client_type: 'dni' },
    { client_id: String(sample.clientId) },
    { client_id: String(sample.otherClientId) },
    { include_inactive: 'true' },
    { commission: '50' },
    { commission_type: 'per_mwh' },
    { sort: 'commission' },
  ];
  const gas = { supply_type: 'GAS', consumo_gas: 5000 };
  const rankings = [
    ...[{}, { w: 1 }, { w: 0.5 }, { w: 0 }, { limit: 1 }].map((more) => ({ ...HOUSEHOLD, ...more })),
    ...[0, 1, 2, 3].map((tolerancia) => ({ ...HOUSEHOLD, tolerancia })),
    ...[700, 900].map((coste_total) => ({ ...HOUSEHOLD, contrato_actual: { coste_total } })),
    ...['2025-12', '2024-01'].map((mes) => ({ ...HOUSEHOLD, mes })),
    { ...HOUSEHOLD, dias: 30, fee_energia: 20, fee_potencia: 3 },
    { ...HOUSEHOLD, company_id: sample.companyId },
    { ...HOUSEHOLD, company_name: 'Comercial' },
    { ...HOUSEHOLD, client_id: sample.clientId },
    { ...HOUSEHOLD, territory: 'baleares' },
    { ...HOUSEHOLD, consumo_gas: 5 },
    { ...HOUSEHOLD, sort: 'comision' },
    { ...PROFILED, w: 1 },
    { ...PROFILED, tolerancia: 2 },
    gas,
    { ...gas, contrato_actual: { gas_energy: 0.06, gas_fixed: 5 } },
  ];
  const customers = rankings.map((question, index) => ({ ref: `c${index}`, ...question }));
  return [
    ...filters.flatMap((query): [string, CallInput][] => [
      ['listOffers', { query }],
      ['listOffers', { query: { ...query, limit: '1', offset: '1' } }],
      ['exportOffers', { query }],
      ['exportOffers', { query: { ...query, separator: ';' } }],
      ['recommendOffers', { query: { ...query, consumption_mwh: '3.5' } }],
    ]),
    ...rankings.map((body): [string, CallInput] => ['rankOffers', { body }]),
    ['rankPortfolio', { body: { customers, top: 10 } }],
    ...offers.flatMap((id): [string, CallInput][] => [
      ['getOffer', { params: { id } }],
      ['listIndexedPrices', { params: { id } }],
      ['calculateCommission', { params: { id }, query: { consumption_mwh: '3.5', power_kw: '4.6' } }],
      ['compareOffers', { query: { ids: [id, String(sample.luzId)] } }],
    ]),
    ['compareOffers', { query: { ids: offers } }],
    ['listCatalogOffers', { query: { supply_type: 'LUZ', client_type: 'dni' } }],
    ['getCatalogOffer', { params: { id: String(sample.catalogIndexedId) } }],
    ['listUsage', { query: { limit: '200', status_code: '422' } }],
    ['listUsage', { query: { limit: '200', endpoint: '/v1/offers/{id}/commission-calculator' } }],
  ];
}
