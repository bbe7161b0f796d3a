import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Metrics } from '@tarifario/runtime';
import { listen } from './listen.ts';

const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 50;

export interface MetricsDoor {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens `/metrics` on a port of its own, for Prometheus: it asks for no key, so it never shares the port of callers. */
export async function openMetricsDoor(
  metrics: Pick<Metrics, 'page' | 'contentType'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsDoor> {
  const server = createServer(LIMITS, (request, response) => {
    answer(metrics, request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const url = await listen(server, { host, port, setting: 'METRICS_PORT' });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Prometheus keeps its connection: nobody waits for it.
        server.closeAllConnections();
      }),
  };
}

async function answer(
  metrics: Pick<Metrics, 'page' | 'contentType'>,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isAsked = /^\/metrics(\?.*)?$/.test(url);
  const isRead = method === 'GET' || method === 'HEAD';
  const text = isAsked && isRead ? await metrics.page() : '';
  response.statusCode = isAsked ? (isRead ? 200 : 405) : 404;
  if (response.statusCode === 405) response.setHeader('Allow', 'GET, HEAD');
  response.setHeader('Content-Type', metrics.contentType).setHeader('Cache-Control', 'no-store').end(text);
}
