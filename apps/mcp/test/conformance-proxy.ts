import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@tarifario/http';

/** Tools that the suite wants a server to have for it, and calls of ours that do what they should. */
const STAND_INS: ReadonlyMap<unknown, string> = new Map([
  ['test_simple_text', 'list_offers'],
  ['test_error_handling', 'get_offer'],
]);

/**
 * A proxy for a suite that sends no key and calls tools by its own names: it adds the key, replaces the tools of the
 * suite by equivalent ones, and passes everything else on unchanged.
 */
export async function openConformanceProxy(target: { readonly url: string; readonly key: string }) {
  const server = createServer(async (incoming, response) => {
    const body = withStandIn(await buffer(incoming));
    const named = STAND_INS.get(incoming.headers['mcp-name']);
    const name = named === undefined ? {} : { 'mcp-name': named };
    const headers = { ...incoming.headers, ...name, 'x-api-key': target.key, 'content-length': String(body.length) };
    const sent = request(`${target.url}${incoming.url}`, { method: incoming.method ?? 'GET', headers });
    sent.end(body);
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    response.writeHead(answer?.statusCode ?? 500, answer?.headers);
    answer?.pipe(response);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url, close };
}

function withStandIn(body: Buffer): Buffer {
  if (!body.includes('tools/call')) return body;
  const message = JSON.parse(body.toString());
  const name = STAND_INS.get(message.params?.name);
  if (name === undefined) return body;
  return Buffer.from(JSON.stringify({ ...message, params: { ...message.params, name, arguments: {} } }));
}
