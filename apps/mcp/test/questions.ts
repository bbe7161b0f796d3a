import { operations } from '@tarifario/api';
import { HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';

export const TOOLS = operations.flatMap(({ mcp }) => mcp ?? []);

/** Arguments of all kinds: valid ones, wrong ones, and probes for hidden values. */
export function questions(sample: Sample, commission: number): readonly [tool: string, args: unknown][] {
  const offers = [
    sample.luzId,
    sample.gasId,
    sample.indexedId,
    sample.otherLuzId,
    sample.catalogId,
    sample.catalogIndexedId,
  ];
  const rankings = [
    {},
    ...[0, 0.5, 1, 2].map((w) => ({ w })),
    ...[0, 3].map((tolerancia) => ({ tolerancia })),
    { contrato_actual: { coste_total: 900 } },
    { limit: 1 },
    { dias: 30, fee_energia: 20, fee_potencia: 3 },
    { mes: '2025-12' },
    { mes: '2024-01' },
    { company_id: sample.companyId },
    { company_name: 'Comercial' },
    { client_id: sample.clientId },
    { client_id: sample.otherClientId },
    { sort: 'comision' },
    { include_inactive: true },
    { consumo_gas: 5 },
  ];
  const filters = [
    {},
    { supply_type: 'GAS' },
    { limit: 1, offset: 1 },
    { tariff_type: '2.0TD' },
    { company_id: sample.companyId },
    { client_type: 'dni' },
    { commission: 50 },
    { commission },
    { commission_type: 'per_mwh' },
    { include_inactive: true },
    { sort: 'commission' },
  ];
  return [
    ...rankings.map((more): [string, unknown] => ['rank_offers', { ...HOUSEHOLD, ...more }]),
    ['rank_offers', { supply_type: 'GAS', consumo_gas: 5000 }],
    ...['list_offers', 'list_catalog_offers'].flatMap((name) => filters.map((args): [string, unknown] => [name, args])),
    ...offers.flatMap((id): [string, unknown][] => [
      ['get_offer', { id }],
      ['list_indexed_prices', { id }],
      ['list_catalog_indexed_prices', { id }],
      ['calculate_commission', { id, consumption_mwh: 3.5, power_kw: 4.6 }],
      ['compare_offers', { ids: [id, sample.luzId === id ? sample.gasId : sample.luzId] }],
    ]),
    ['compare_offers', { ids: offers.slice(0, 5) }],
    ['recommend_offers', { consumption_mwh: 3.5 }],
    [
      'read_invoice_qr',
      { url: 'https://comparador.cnmc.gob.es/comparador/QRE?pP1=4.6&pP2=4.6&caP1=1200&caP2=900&caP3=1400' },
    ],
    [
      'read_curve',
      { tariff_type: '2.0TD', territory: 'peninsula', csv: 'CUPS;Fecha;Valle;Llano;Punta\n;2026/01;110;70;90' },
    ],
    [
      'optimize_power',
      {
        tariff_type: '3.0TD',
        fecha: '2026-11-20',
        potencia: { p1: 20, p2: 20, p3: 20, p4: 20, p5: 20, p6: 20 },
        periodos: [{ mes: 1, dias: 31, maximos: { p1: 15.5, p2: 16, p6: 9 } }],
      },
    ],
    ...TOOLS.flatMap((name): [string, unknown][] => [
      [name, {}],
      [name, { id: 999_999 }],
      [name, { id: 'x', w: 0 }],
      [name, []],
      [name, { id: sample.companyId, client_id: sample.clientId }],
    ]),
  ];
}

/** What an agent may ask beside calls of tools. */
export const OTHER_METHODS: readonly [method: string, params?: object][] = [
  ['initialize', { protocolVersion: '2025-11-25' }],
  ['server/discover'],
  ['tools/list'],
  ['ping'],
  ['resources/list'],
  ['resources/read', { uri: 'tarifario://glossary' }],
  ['resources/read', { uri: 'tarifario://arguments' }],
  ['prompts/list'],
  ['prompts/get', { name: 'compare_for_invoice', arguments: { invoice: '3 kW' } }],
];
