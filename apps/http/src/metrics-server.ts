import { createServer } from 'node:http';
import type { Metrics } from '@tarifario/runtime';
import type { Arriving } from './arriving-body.ts';
import { isKnownHost } from './host-name.ts';
import { listen } from './listen.ts';
import { ambiguityIn, targetOf } from './request-head.ts';

const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 50;

interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on its own port for Prometheus. It needs no key, so it must not share the port of the API.
 *
 * @param at - `allowedHosts`: permitted host names in addition to those of this machine and any IP address.
 */
export async function openMetricsServer(
  metrics: Pick<Metrics, 'page' | 'contentType'>,
  at: { readonly host: string; readonly port: number; readonly allowedHosts: readonly string[] },
): Promise<MetricsServer> {
  const server = createServer(LIMITS, (request, response) => {
    answer(metrics, { request, response, allowedHosts: at.allowedHosts }).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  const url = await listen(server, { ...at, setting: 'METRICS_PORT' });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Prometheus keeps its connection open; closing does not wait for it.
        server.closeAllConnections();
      }),
  };
}

async function answer(
  metrics: Pick<Metrics, 'page' | 'contentType'>,
  exchange: Arriving & { readonly allowedHosts: readonly string[] },
): Promise<void> {
  const { request, response, allowedHosts } = exchange;
  const isMeant = ambiguityIn(request) === null && isKnownHost(request.headers.host ?? null, allowedHosts, true);
  const isAsked = targetOf(request.url ?? '').path === '/metrics';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  response.statusCode = !isMeant ? 403 : !isAsked ? 404 : isRead ? 200 : 405;
  const text = response.statusCode === 200 ? await metrics.page() : '';
  if (response.statusCode === 405) response.setHeader('Allow', 'GET, HEAD');
  response.setHeader('Content-Type', metrics.contentType).setHeader('Cache-Control', 'no-store').end(text);
}
