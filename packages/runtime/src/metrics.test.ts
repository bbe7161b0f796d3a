import { describe, expect, it } from 'vitest';
import { createMetrics, type ServiceCounts } from './metrics.ts';

const NOTHING: ServiceCounts = {
  usage: { waiting: 0, dropped: 0 },
  offerCache: { offers: 0, bytes: 0, ready: 0, patched: 0, rebuilt: 0 },
  refusals: new Map(),
  connections: null,
  writeWaits: { writes: 0, seconds: 0 },
  webhooks: { outcomes: new Map(), waiting: 0 },
  storage: async () => ({ historyBytes: 0, proposalsBytes: 0 }),
};

/** The lines of a metric, without its explanations. */
async function linesOf(metrics: { page(): Promise<string> }, name: string): Promise<string[]> {
  return (await metrics.page()).split('\n').filter((line) => line.startsWith(name));
}

describe('the metrics of a process', () => {
  it('count requests by method, template and status, and how long they took', async () => {
    const metrics = createMetrics(() => NOTHING);
    for (const seconds of [0.25, 0.03125, 0.5]) {
      metrics.requestBegan();
      metrics.requestEnded({ method: 'GET', route: '/v1/offers/{id}', status: 200, seconds });
    }
    const labels = 'method="GET",route="/v1/offers/{id}",status="200"';
    const lines = await linesOf(metrics, 'tarifario_http_request_duration_seconds');
    expect(lines).toContain(`tarifario_http_request_duration_seconds_count{${labels}} 3`);
    expect(lines).toContain(`tarifario_http_request_duration_seconds_bucket{le="0.05",${labels}} 1`);
    expect(lines).toContain(`tarifario_http_request_duration_seconds_sum{${labels}} 0.78125`);
  });

  it('give the same label to all unknown paths and methods', async () => {
    const metrics = createMetrics(() => NOTHING);
    for (const method of ['GET', 'PROPFIND', 'MKCOL']) {
      metrics.requestBegan();
      metrics.requestEnded({ method, route: null, status: 404, seconds: 0.001 });
    }
    const counts = await linesOf(metrics, 'tarifario_http_request_duration_seconds_count');
    expect(counts).toEqual([
      'tarifario_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
      'tarifario_http_request_duration_seconds_count{method="other",route="unknown",status="404"} 2',
    ]);
  });

  it('count requests in progress', async () => {
    const metrics = createMetrics(() => NOTHING);
    metrics.requestBegan();
    metrics.requestBegan();
    metrics.requestEnded({ method: 'GET', route: null, status: 404, seconds: 0.001 });
    expect(await linesOf(metrics, 'tarifario_http_requests_in_flight')).toEqual([
      'tarifario_http_requests_in_flight 1',
    ]);
  });

  it('count calls of tools by tool and status, and how long they took', async () => {
    const metrics = createMetrics(() => NOTHING);
    for (const status of [200, 422, 200]) metrics.toolCallEnded({ tool: 'rank_offers', status, seconds: 0.25 });
    expect(await linesOf(metrics, 'tarifario_mcp_tool_duration_seconds_sum')).toEqual([
      'tarifario_mcp_tool_duration_seconds_sum{tool="rank_offers",status="200"} 0.5',
      'tarifario_mcp_tool_duration_seconds_sum{tool="rank_offers",status="422"} 0.25',
    ]);
  });

  it('say nothing of connections where the database is a file', async () => {
    expect(
      await linesOf(
        createMetrics(() => NOTHING),
        'tarifario_database_connections{',
      ),
    ).toEqual([]);
  });

  it('count malformed requests and dropped connections', async () => {
    const metrics = createMetrics(() => NOTHING);
    metrics.requestBroken(431);
    metrics.connectionDropped();
    expect(await linesOf(metrics, 'tarifario_http_broken')).toEqual([
      'tarifario_http_broken_requests_total{status="431"} 1',
    ]);
    expect(await linesOf(metrics, 'tarifario_http_dropped')).toEqual(['tarifario_http_dropped_connections_total 1']);
  });

  it('show the current totals of the service at each read', async () => {
    let counts = NOTHING;
    const metrics = createMetrics(() => counts);
    await metrics.page();
    counts = {
      usage: { waiting: 3, dropped: 4 },
      offerCache: { offers: 20_000, bytes: 16_000_000, ready: 7, patched: 5, rebuilt: 2 },
      refusals: new Map([
        ['account', 9],
        ['bulk_patch', 1],
      ]),
      connections: { idle: 4, used: 6, waiting: 2 },
      writeWaits: { writes: 12, seconds: 1.5 },
      webhooks: {
        outcomes: new Map([
          ['delivered', 8],
          ['failed', 1],
        ]),
        waiting: 11,
      },
      storage: async () => ({ historyBytes: 0.75, proposalsBytes: 0.5 }),
      openRatesFrom: () => '2026-11-01',
    };
    const page = await metrics.page();
    for (const line of [
      'tarifario_usage_waiting 3',
      'tarifario_rates_open_timestamp_seconds 1793491200',
      'tarifario_usage_dropped_total 4',
      'tarifario_offer_cache_offers 20000',
      'tarifario_offer_cache_bytes 16000000',
      'tarifario_offer_cache_reads_total{outcome="ready"} 7',
      'tarifario_offer_cache_reads_total{outcome="patched"} 5',
      'tarifario_offer_cache_reads_total{outcome="rebuilt"} 2',
      'tarifario_rate_limited_total{limit="account"} 9',
      'tarifario_rate_limited_total{limit="bulk_patch"} 1',
      'tarifario_database_connections{state="idle"} 4',
      'tarifario_database_connections{state="used"} 6',
      'tarifario_database_waiting 2',
      'tarifario_writes_total 12',
      'tarifario_write_wait_seconds_total 1.5',
      'tarifario_webhook_deliveries_total{outcome="delivered"} 8',
      'tarifario_webhook_deliveries_total{outcome="failed"} 1',
      'tarifario_webhook_events_waiting 11',
      'tarifario_storage_fullest_ratio{kind="history"} 0.75',
      'tarifario_storage_fullest_ratio{kind="proposals"} 0.5',
    ]) {
      expect(page.split('\n')).toContain(line);
    }
    expect(await metrics.page()).toContain('tarifario_usage_dropped_total 4\n');
  });

  it('show the version, and metrics of the process', async () => {
    const metrics = createMetrics(() => NOTHING);
    const page = await metrics.page();
    expect(page).toMatch(/^tarifario_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.\d+\.\d+"\} 1$/m);
    for (const name of ['nodejs_eventloop_lag_max_seconds', 'process_cpu_seconds_total', 'process_open_fds']) {
      expect(page).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });
});
