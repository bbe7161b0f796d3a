import { curveText, madeUpHours, PLAIN_STYLE } from '@tarifario/core/testing';
import { QR_ADDRESS } from '@tarifario/testkit/api/sample';
import { FORM_TYPE, formBytes } from '@tarifario/testkit/http/forms';
import { type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { CUPS as CORPUS, expectNoTrace, keptBy, metricsOf } from '@tarifario/testkit/leaks';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The number of a supply point is planted wherever an invoice or a curve has a place for
// it, and where it has none; a server that logs all it can never says, counts or keeps it.

const CUPS = CORPUS.planted;
const CURVE = '/v1/consumption/periods?tariff_type=2.0TD&territory=peninsula';

let server: ServerProcess;
let key: string;
let answers = '';

beforeAll(async () => {
  server = await startServerProcess({ logLevel: 'trace', metricsPort: 0 });
  key = await server.addKey(await server.addAccount('cups'), {});
});
afterAll(() => server.close());

interface Sent {
  readonly path: string;
  readonly type?: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

async function post({ path, type = 'application/json', body }: Sent): Promise<number> {
  const headers = { 'X-API-Key': key, 'Content-Type': type, 'X-Request-Id': CUPS };
  const response = await fetch(server.url + path, { method: 'POST', headers, body });
  answers += `${JSON.stringify([...response.headers])}${await response.text()}`;
  return response.status;
}

const planted = QR_ADDRESS.replace('ES0021000000000001AB0F', CUPS);
const addresses = [
  planted,
  planted.replace('cups=', 'CUPS='),
  `${planted}&cups=${CUPS}`,
  `${planted}&${CUPS}=1&${CUPS}=2`,
  `${planted}&pP1=${CUPS}`,
  ...['cp', 'com', 'tc', 'tf', 'finF', 'prE1', 'imp', 'pP1', 'caP1', 'rev'].map(
    (name) => `${planted.replace(new RegExp(`${name}=[^&]*&?`), '')}&${name}=${CUPS}`,
  ),
  `${planted}&cp=%${CUPS}`,
  planted.replace('comparador.cnmc', CUPS),
  planted.replace('/QRE', `/${CUPS}`),
  `${planted}#${CUPS}`,
  CUPS,
  planted + CUPS.repeat(100),
];

const WEEK = madeUpHours(['2026-02-02', '2026-02-03'], () => 24);
const whole = curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, cups: CUPS });
const lines = whole.split('\n');
const curves = [
  whole,
  lines.slice(1).join('\n'),
  lines.with(3, (lines[3] ?? '').replace(CUPS, `${CUPS.slice(0, -1)}1`)).join('\n'),
  ...[1, 2, 3, 4, 5].map((column) =>
    lines.with(3, (lines[3] ?? '').split(';').with(column, CUPS).join(';')).join('\n'),
  ),
  lines.with(0, (lines[0] ?? '').replace('fecha', CUPS)).join('\n'),
  `"${whole}`,
  `${whole}\0`,
  whole.replaceAll('2026/02/02', '2026/02/03'),
  CUPS,
];

const SPACED = CUPS.replace(/(.{4})/g, '$1 ').trim();

/** Where a client that mixes names and values up would put it. */
async function plantInNames(): Promise<void> {
  const rank = '/v1/offers/efficient';
  const parts = [{ dias: 1, energia: { [CUPS]: 1 } }];
  const bodies = [
    { [CUPS]: 1 },
    { [CUPS.toLowerCase()]: { [CUPS]: 1 } },
    { [SPACED]: 1, [`x${CUPS.repeat(20)}`]: 1 },
    { supply_type: 'LUZ', energia: { e1: 1, [CUPS]: 1 } },
    { supply_type: 'LUZ', perfil: parts, [`${'x'.repeat(50)}${CUPS}`]: 1 },
    { supply_type: CUPS, tariff_type: CUPS, mes: CUPS },
  ];
  const statuses = [];
  for (const body of bodies) {
    statuses.push(await post({ path: rank, body: JSON.stringify(body) }));
    statuses.push(await post({ path: `${rank}/batch`, body: JSON.stringify({ customers: [body], [CUPS]: 1 }) }));
  }
  const bytes = new TextEncoder().encode(whole);
  statuses.push(await post({ path: CURVE, type: FORM_TYPE, body: formBytes({ fields: { [CUPS]: CUPS }, bytes }) }));
  statuses.push(await post({ path: `${CURVE}&${CUPS}=1`, type: 'text/csv', body: whole }));
  statuses.push(await post({ path: `/v1/offers/${CUPS}/toggle-active`, body: '' }));
  expect(new Set(statuses)).toEqual(new Set([400, 404]));
  await post({ path: `/${CUPS}`, body: '{}' });
}

/** Datadis names its files after the supply point. */
async function plantInFileNames(): Promise<void> {
  const fileName = `${SPACED} ${CUPS}_2026.xlsx`;
  const body = formBytes({ fileName, bytes: new TextEncoder().encode('no workbook') });
  const sent: readonly Sent[] = [
    { path: '/v1/uploads', body: JSON.stringify({ file_name: fileName }) },
    { path: '/v1/uploads', type: FORM_TYPE, body },
    { path: '/v1/offers/bulk-update', type: FORM_TYPE, body },
  ];
  const statuses = [];
  for (const way of sent) statuses.push(await post(way));
  expect(statuses).toEqual([201, 202, 400]);
  expect(answers.includes('(CUPS) (CUPS)_2026.xlsx')).toBe(true);
}

it('A-38, A-76, A-80, A-85: a CUPS is in no answer, log, metric, database or temporary file', async () => {
  const statuses = new Set<number>();
  for (const url of addresses) statuses.add(await post({ path: '/v1/invoices/qr', body: JSON.stringify({ url }) }));
  statuses.add(await post({ path: '/v1/invoices/qr', body: `{"url": "${planted}` }));
  statuses.add(await post({ path: '/v1/invoices/qr', type: 'text/plain', body: planted }));
  for (const [turn, csv] of curves.entries()) {
    const form = formBytes({ fileName: `${CUPS}.csv`, bytes: new TextEncoder().encode(csv) });
    const ways: readonly Sent[] = [
      { path: CURVE, body: JSON.stringify({ csv }) },
      { path: CURVE, type: 'text/csv', body: csv },
      { path: CURVE, type: FORM_TYPE, body: form },
    ];
    // Each curve in JSON, and two of three in one more way.
    for (const way of shareOf(ways, 3, turn + 1)) statuses.add(await post(way));
  }
  expect([...statuses].toSorted()).toEqual([200, 400, 415, 422]);
  await plantInNames();
  await plantInFileNames();
  const metrics = await metricsOf(server);
  expect(metrics).toContain('/v1/consumption/periods');
  const { status } = await server.stop();
  expect(status).toBe(0);
  expect(server.logLines.length).toBeGreaterThan(addresses.length);
  expectNoTrace(CORPUS, { answers, metrics, ...keptBy(server) });
});
