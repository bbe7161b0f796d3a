import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createTarifario } from '@tarifario/client';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The programs of `examples/` against a service with the demo catalog. */
const root = join(import.meta.dirname, '..');
const names = globSync('*/package.json', { cwd: join(root, 'examples') }).map((file) => file.split('/')[0] ?? '');
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FLAGS = ['--conditions=tarifario-source', '--experimental-strip-types'];

function run(file: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: 600_000 };
  return promisify(execFile)(process.execPath, [...FLAGS, join(root, 'examples', file), ...args], options).then(
    (printed): Finished => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }): Finished => ({ code, stdout, stderr }),
  );
}

const linesOf = (text: string) => text.trim().split('\n');

test('each example is found, and names the versions of this repository', () => {
  expect(names.sort()).toEqual(['embedder', 'mcp-bot', 'nightly-portfolio']);
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: root }).map((file) => readJson(String(file)));
  const versions = manifests.flatMap(({ name, version, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, [name]: version }),
  );
  for (const name of names) {
    const used = Object.entries(readJson(`examples/${name}/package.json`).dependencies);
    expect(used).not.toHaveLength(0);
    for (const dependency of used) expect(versions).toContainEqual(dependency);
  }
});

test('embedder: ranks its offers, says what makes the difference, and leaves a wrong one out', async () => {
  const { code, stdout, stderr } = await run('embedder/rank.ts');
  expect([code, stderr]).toEqual([0, expect.stringContaining('offer 5: energyEurPerKwh.0 must be between 0 and 10')]);
  const lines = linesOf(stdout);
  const costs = lines.flatMap((line) => /: ([\d.]+) EUR, pays/.exec(line)?.[1] ?? []).map(Number);
  // The first two are those of the README of the repository.
  expect(costs).toEqual([601.11, 672.11, 651.215]);
  const differences = stdout.split(/^\S.*pays.*$/m).slice(1);
  const sums = differences.map((block) =>
    [...block.matchAll(/^ {2}([+-][\d.]+) EUR of/gm)].reduce((sum, [, eur]) => sum + Number(eur), 0),
  );
  expect(sums.map((sum) => sum.toFixed(6))).toEqual(costs.map((cost) => (cost - 601.11).toFixed(6)));
  expect(lines.slice(-3)).toEqual([
    '- Sin valle: sin_precio_energia',
    'offer 2 is the best at weights from 0 to 0.5',
    'offer 1 is the best at weights from 0.5 to 1',
  ]);
});

describe('with a service', () => {
  let place: Workplace;
  let url: string;
  let keys: { readonly full_access: string; readonly public: string };
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    place = await openWorkplace();
    ({ keys } = await place.json<{ keys: typeof keys }>(['demo', 'seed']));
    const child = place.start(['serve'], { env: { PORT: '0' } });
    url = await addressOf(child);
    stop = () => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    };
  });
  afterAll(async () => {
    await stop();
    await place.remove();
  });

  test('mcp-bot: ranks every offer page by page in the order of REST, and says nothing of a commission', async () => {
    const env = { TARIFARIO_URL: url, TARIFARIO_KEY: keys.public };
    const { code, stdout, stderr } = await run('mcp-bot/bot.ts', [], env);
    expect([code, stderr]).toEqual([0, '']);
    const asked = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' } as const;
    const { total, results } = await createTarifario({ url, key: keys.public }).rankOffers({
      body: { ...asked, energia: { e1: 1200, e2: 900, e3: 1400 }, potencia: { p1: 4.6, p2: 4.6 }, limit: 200 },
    });
    expect(results.length).toBeGreaterThan(20);
    const expected = results.map(
      ({ offer, cost }, index) =>
        `${index + 1} of ${total}: ${offer.offer_name} (${offer.company.name}), ${cost.total} EUR`,
    );
    expect(linesOf(stdout).filter((line) => /^\d/.test(line))).toEqual(expected);
    expect(stdout).toMatch(/^tools: .*\brank_offers\b/);
    expect(stdout).not.toMatch(/commission|comisi/i);
  });

  test('mcp-bot: refuses a key that sees commissions before it asks anything, and ends without a key', async () => {
    const seeing = await run('mcp-bot/bot.ts', [], { TARIFARIO_URL: url, TARIFARIO_KEY: keys.full_access });
    expect([seeing.code, seeing.stderr]).toEqual([1, expect.stringContaining('this key sees commissions')]);
    expect(seeing.stdout).not.toMatch(/ EUR/);
    expect((await run('mcp-bot/bot.ts', [], { TARIFARIO_URL: url })).code).toBe(1);
  });

  /** Passes requests on, but answers the first that it is busy, loses the second, and has no service for the third. */
  async function unsteady() {
    let requests = 0;
    const proxy = createServer(async (request, response) => {
      requests += 1;
      if (requests === 1) return response.writeHead(503, { 'Retry-After': '0' }).end();
      if (requests === 2) return request.socket.destroy();
      if (requests === 3) return response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
      const { method = 'GET', headers } = request;
      const sent = { 'X-API-Key': String(headers['x-api-key']), 'Content-Type': 'application/json' };
      const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
      const answer = await fetch(`${url}${request.url}`, { method, headers: sent, body });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
      response.end(await answer.text());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, count: () => requests, close: () => proxy.close() };
  }

  const cellsOf = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
    );
  function reported(file: string): Record<string, string>[] {
    const [header = [], ...rows] = readFileSync(file, 'utf8').trim().split(/\r?\n/).map(cellsOf);
    return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
  }

  test('nightly-portfolio: reports a catalog offer as indexed where it is, and no saving where a cell is empty', async () => {
    const [source, target] = ['cells.csv', 'cells-report.csv'].map((name) => join(place.folder, name)) as [
      string,
      string,
    ];
    const head = 'ref,client_type,tariff_type,e1,e2,e3,p1,p2,pays_eur';
    const flat = 'llano,dni,2.0TD,0,3000,0,4.6,4.6,700';
    writeFileSync(source, [head, flat, 'hueco,dni,2.0TD,0,3000,0,, ,700'].join('\n'));
    const { code } = await run('nightly-portfolio/report.ts', [source, target], {
      TARIFARIO_URL: url,
      TARIFARIO_KEY: keys.public,
    });
    const [indexed, incomplete] = reported(target);
    const tarifario = createTarifario({ url, key: keys.public });
    const { results } = await tarifario.rankOffers({
      body: {
        ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', w: 1, limit: 1 },
        energia: { e1: 0, e2: 3000, e3: 0 },
        potencia: { p1: 4.6, p2: 4.6 },
      },
    });
    expect(results).toMatchObject([{ offer: { is_catalog: true }, indexada: { modo: 'media' } }]);
    expect(indexed).toMatchObject({ offer: results[0]?.offer.offer_name, indexed: 'yes', problem: '' });
    expect(incomplete).toMatchObject({
      offer: '',
      saves_eur: '',
      problem: expect.stringMatching(/potencia\.p1.*potencia\.p2/),
    });
    expect(code).toBe(0);
  });

  test('nightly-portfolio: reports the offers of single rankings and each problem, over a service that fails three times', async () => {
    const proxy = await unsteady();
    const target = join(place.folder, 'report.csv');
    const env = { TARIFARIO_URL: proxy.url, TARIFARIO_KEY: keys.full_access };
    const source = join(root, 'examples/nightly-portfolio/customers.csv');
    const { code, stdout, stderr } = await run('nightly-portfolio/report.ts', [source, target], env);
    proxy.close();
    expect([code, stdout, stderr]).toEqual([0, `4 customers, 1 with a problem: ${target}\n`, '']);
    const rows = reported(target);
    const offers = new Set(rows.flatMap(({ offer }) => offer || []));
    // The three failures, the portfolio, and each offer once.
    expect(proxy.count()).toBe(4 + offers.size);
    expect(rows.map(({ ref }) => ref)).toEqual(['casa-1', 'casa-2', 'tienda "La, esquina"', 'casa-mal']);
    expect(rows[3]).toMatchObject({ offer: '', cost_eur: '', problem: expect.stringMatching(/energia\.e1 must be/) });
    const tarifario = createTarifario({ url, key: keys.full_access });
    const { results } = await tarifario.rankOffers({
      body: {
        ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', w: 1, limit: 1 },
        energia: { e1: 1200, e2: 900, e3: 1400 },
        potencia: { p1: 4.6, p2: 4.6 },
        contrato_actual: { coste_total: 745.11 },
      },
    });
    const [best] = results;
    const { is_indexed, acepta_dni } = await tarifario.getOffer({ id: best?.offer.id ?? 0 });
    expect(acepta_dni).toBe(true);
    expect(rows[0]).toMatchObject({
      offer: best?.offer.offer_name,
      company: best?.offer.company.name,
      indexed: is_indexed ? 'yes' : 'no',
      cost_eur: String(best?.cost.total),
      saves_eur: String(best?.ahorro?.eur),
      problem: '',
    });
    expect(Number(rows[0]?.saves_eur)).toBeCloseTo(745.11 - Number(rows[0]?.cost_eur), 6);
    expect(rows[2]?.saves_eur).toBe('');
    expect(readFileSync(target, 'utf8')).not.toMatch(/commission|comisi/i);
    expect(globSync('*.part', { cwd: place.folder })).toEqual([]);
  });

  test('nightly-portfolio: reports more customers than a call takes, in their order', async () => {
    const [source, target] = [join(place.folder, 'many.csv'), join(place.folder, 'many-report.csv')];
    const refs = Array.from({ length: 1001 }, (_, index) => `c${index}`);
    writeFileSync(source, ['ref,tariff_type,e1,p1', ...refs.map((ref) => `${ref},2.0TD,500,3.3`)].join('\n'));
    const env = { TARIFARIO_URL: url, TARIFARIO_KEY: keys.public };
    expect(await run('nightly-portfolio/report.ts', [source, target], env)).toMatchObject({ code: 0, stderr: '' });
    expect(reported(target).map(({ ref }) => ref)).toEqual(refs);
  });

  test('nightly-portfolio: writes no report where the key is refused, and an empty one of an empty table', async () => {
    const [source, target] = [join(place.folder, 'none.csv'), join(place.folder, 'no-report.csv')];
    const customers = join(root, 'examples/nightly-portfolio/customers.csv');
    const refused = await run('nightly-portfolio/report.ts', [customers, target], {
      TARIFARIO_URL: url,
      TARIFARIO_KEY: 'x',
    });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('unauthenticated')]);
    expect(globSync('no-report*', { cwd: place.folder })).toEqual([]);
    writeFileSync(source, 'ref,tariff_type\n');
    const env = { TARIFARIO_URL: url, TARIFARIO_KEY: keys.public };
    const empty = await run('nightly-portfolio/report.ts', [source, target], env);
    expect(empty).toMatchObject({ code: 0, stdout: `0 customers, 0 with a problem: ${target}\n` });
  });
});

test.each(['README.md', 'packages/core/README.md', 'packages/client/README.md', 'docs/mcp.md', 'docs/openapi.md'])(
  'A-69: the first question of %s has a tariff, a territory, a type of customer and a power',
  (page) => {
    const examples = readFileSync(join(root, page), 'utf8').match(/^```\w+.*?^```/gms) ?? [];
    const first = examples.find((text) => /rankOffers\(|rank_offers|offers\/efficient/.test(text)) ?? '';
    const members = [/tariff_?type/i, /territory/, /client_type|customerType/, /potencia|powerKw/];
    expect(members.filter((member) => !member.test(first))).toEqual([]);
  },
);
