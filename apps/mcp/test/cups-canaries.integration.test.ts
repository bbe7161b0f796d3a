import { MONTHLY_CURVE, QR_ADDRESS } from '@tarifario/testkit/api/sample';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { CUPS as CORPUS, expectNoTrace, keptBy } from '@tarifario/testkit/leaks';
import { modern, post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CUPS = CORPUS.planted;
const url = QR_ADDRESS.replace('ES0021000000000001AB0F', CUPS);
const csv = MONTHLY_CURVE.replaceAll('ES0021000000000001AB0F', CUPS);
const terms = { tariff_type: '2.0TD', territory: 'peninsula' };

let server: RunningServer;
beforeAll(async () => {
  server = await startMcpServer({ logLevel: 'trace' });
});
afterAll(() => server.close());

const call = (name: string, args: unknown) => request('tools/call', { name, arguments: args });

it('A-76, A-80, A-85: a CUPS that an agent sends is in no answer, log or database', async () => {
  const key = await server.addKey(await server.addAccount('cups'), {});
  const good = [call('read_invoice_qr', { url }), call('read_curve', { ...terms, csv })];
  // Its line is left out.
  good.push(call('read_curve', { ...terms, csv: csv.replace('2026/01', CUPS) }));
  const prompt = request('prompts/get', { name: 'compare_for_invoice', arguments: { invoice: url } });
  const bad = [
    call('read_invoice_qr', { url: `${url}&pP1=${CUPS}&${CUPS}` }),
    call('read_invoice_qr', { url, [url]: CUPS }),
    call('read_curve', { ...terms, csv: csv.replaceAll(';', CUPS) }),
    call('read_curve', { tariff_type: CUPS, territory: CUPS, csv }),
    call('rank_offers', { supply_type: CUPS, [CUPS]: 1, energia: { [CUPS]: 1 } }),
  ];
  const wrong = [
    call('read_invoice_qr', url),
    call(CUPS, {}),
    request(url),
    request('initialize', { protocolVersion: 1, clientInfo: { name: CUPS, version: CUPS } }),
    `{"url": "${url}`,
    { jsonrpc: CUPS, id: 1, method: CUPS },
    request('resources/read', { uri: `file://${CUPS}` }),
    request('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': CUPS } }),
    modern(request(CUPS)),
    modern(request('tools/call', { name: CUPS })),
  ];
  const answersTo = async (messages: readonly unknown[]) => {
    const texts: string[] = [];
    for (const message of messages) {
      const { headers, text } = await post(server, key, message, { 'X-Request-Id': CUPS });
      expectNoTrace(CORPUS, { answer: JSON.stringify([...headers]) + text });
      texts.push(text);
    }
    return texts;
  };
  for (const text of await answersTo(good)) expect(text).toContain('"isError":false');
  for (const text of await answersTo([prompt])) expect(text).toContain('comparador.cnmc');
  for (const text of await answersTo(bad)) expect(text).toContain('"isError":true');
  for (const text of await answersTo(wrong)) expect(text).toContain('"error":');
  expect(server.logLines.length).toBeGreaterThan(good.length + bad.length + wrong.length - 1);
  expectNoTrace(CORPUS, keptBy(server));
});
