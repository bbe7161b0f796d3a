import { createServer } from 'node:http';
import type { Metrics } from '@tarifario/runtime';
import type { Arriving } from './arriving-body.ts';
import { isKnownHost } from './host-name.ts';
import { listen } from './listen.ts';
import { ambiguityIn } from './sender.ts';
import { targetOf } from './target.ts';

const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 };
const MAX_CONNECTIONS = 50;

export interface MetricsDoor {
  readonly url: string;
  close(): Promise<void>;
}

interface MetricsPlace {
  readonly host: string;
  readonly port: number;
  /** Names, besides those of this machine and its addresses, under which it may be asked. */
  readonly allowedHosts: readonly string[];
}

/** Opens `/metrics` on a port of its own, for Prometheus: it asks for no key, so it never shares the port of callers. */
export async function openMetricsDoor(
  metrics: Pick<Metrics, 'page' | 'contentType'>,
  { host, port, allowedHosts }: MetricsPlace,
): Promise<MetricsDoor> {
  const server = createServer(LIMITS, (request, response) => {
    answer(metrics, { request, response, allowedHosts }).catch(() => response.destroy());
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
  asked: Arriving & { readonly allowedHosts: readonly string[] },
): Promise<void> {
  const { request, response, allowedHosts } = asked;
  const isMeant = ambiguityIn(request) === null && isKnownHost(request.headers.host ?? null, allowedHosts, true);
  const isAsked = targetOf(request.url ?? '').path === '/metrics';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  response.statusCode = !isMeant ? 403 : !isAsked ? 404 : isRead ? 200 : 405;
  const text = response.statusCode === 200 ? await metrics.page() : '';
  if (response.statusCode === 405) response.setHeader('Allow', 'GET, HEAD');
  response.setHeader('Content-Type', metrics.contentType).setHeader('Cache-Control', 'no-store').end(text);
}
