import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { About, Client, Negotiation, PageOf } from '@tarifario/client';
import { contentOf, shownOf } from '@tarifario/testkit/api/tool-calls';
import { openWorkplace, printedUntil, type Workplace } from '@tarifario/testkit/cli/run-program';
import { quietPort } from '@tarifario/testkit/postgres/quiet-port';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDemoCatalog } from '../src/demo/demo-catalog.ts';
import type { WireRanking } from '../src/ranking-view.ts';
import { ASKED } from './agent-questions.ts';

const { households, offers: offerFixtures } = readDemoCatalog();

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

interface Seed {
  readonly account_id: number;
  readonly keys: Readonly<Record<'full_access' | 'internal' | 'public', string>>;
}

/** Where a demo at this address keeps its data, from the folder in which it was started. */
function fileOf(url: string): string {
  return `./data/demo-${new URL(url).port}.db`;
}

async function ask<T>(url: string, key: string, { path, body }: { path: string; body?: object }): Promise<T> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  expect([200, 201]).toContain(response.status);
  return JSON.parse(await response.text());
}

describe('demo seed', () => {
  it('fills an empty database with the whole fixture market, and no other database', async () => {
    const seed = await place.json<Seed>(['demo', 'seed']);
    expect(seed).toMatchObject({ clients: 2, companies: 12, offers: offerFixtures.length });
    expect(await place.json(['key', 'list', '--account', String(seed.account_id)])).toMatchObject([
      { full_access: true, scopes: [] },
      { full_access: false, scopes: ['offers:read', 'catalog:read', 'commissions:read'] },
      { full_access: false, scopes: ['offers:read', 'catalog:read'] },
    ]);
    const bytes = await readFile(place.databaseFile, 'latin1');
    for (const key of Object.values(seed.keys)) expect(bytes).not.toContain(key.slice(0, 20));
    expect(await place.runHere(['demo', 'seed'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/not empty.*DATABASE_URL=.* tarifario demo seed.*tarifario demo run/),
    });
  });
});

describe('demo run', () => {
  let printed: string;
  let url: string;
  let key: string;
  let bot: string;
  let stop: () => Promise<unknown>;
  let full: WireRanking;

  beforeAll(async () => {
    const child = place.start(['demo', 'run', '--full'], { env: { PORT: String(await quietPort()) } });
    printed = await printedUntil(child, /^listening on \S+\n/m);
    url = /^URL=(.*)$/m.exec(printed)?.[1] ?? '';
    key = /^KEY=(.*)$/m.exec(printed)?.[1] ?? '';
    bot = /^BOT=(.*)$/m.exec(printed)?.[1] ?? '';
    stop = () => {
      child.kill('SIGINT');
      return once(child, 'exit');
    };
    full = await ask(url, key, { path: '/v1/offers/efficient', body: { ...households[0]?.efficient, limit: 200 } });
  });

  it('shows the ranking of the API, row by row and figure by figure', () => {
    const [section = ''] = printed.split('The same question');
    const rows = section.split('\n').filter((line) => /^ *\d+ .*\d\.\d\d/.test(line) && !line.includes('█'));
    expect(rows).toHaveLength(full.results.length);
    expect(full.results.length).toBeGreaterThan(10);
    full.results.forEach((result, index) => {
      const { cost, commission } = result;
      const figures = [
        cost.energia,
        cost.potencia,
        cost.servicios,
        cost.excedentes,
        cost.total,
        commission?.total ?? Number.NaN,
        result.nota,
        result.nota_precio,
        result.nota_comision ?? Number.NaN,
      ];
      const row = rows[index] ?? '';
      expect(row.trim()).toMatch(new RegExp(`^${index + 1} `));
      expect(row).toContain(result.offer.offer_name.slice(0, 20));
      expect(row).toContain(result.offer.company.name.slice(0, 20));
      expect(row.match(/-?\d+\.\d\d(?= |$)/g)).toEqual(figures.map((figure) => figure.toFixed(2)));
      expect(row.includes('★')).toBe(result.is_optimal);
      expect(row.includes('◆')).toBe(result.en_frontera);
    });
  });

  it('A-116: shows what the best paid offer would have to come down, as the API answers it', async () => {
    const customers = households
      .filter(({ efficient }) => efficient.tariff_type === '2.0TD')
      .map(({ name, efficient }) => ({ ref: name, ...efficient }));
    const body = { offer_id: full.mas_comision_id, customers };
    const { tramos } = await ask<Negotiation>(url, key, { path: '/v1/offers/efficient/negotiate', body });
    const shown = [...printed.matchAll(/^([\d.]+) EUR\/MWh less: first for (\d+) of 4 customers, .* MWh a year$/gm)];
    expect(tramos.length).toBeGreaterThan(1);
    expect(shown.map(([, fall, count]) => [fall, Number(count)])).toEqual(
      tramos.map(({ baja_eur_mwh, clientes }) => [String(baja_eur_mwh), clientes]),
    );
  });

  it('A-117: says what is compared, and that it is not the whole market', async () => {
    const { offers, retailers } = await ask<About>(url, key, { path: '/v1/about' });
    expect(printed).toContain(`What is compared: ${offers} offers of ${retailers} retailers`);
    expect(printed).toContain('not the whole market');
  });

  it('shows which offer wins at which weight, at least four of them', () => {
    const segments = full.umbrales ?? [];
    expect(segments.length).toBeGreaterThanOrEqual(4);
    const bars = printed.split('\n').filter((line) => line.includes('█'));
    expect(bars).toHaveLength(segments.length);
    segments.forEach(({ w_desde, w_hasta, offer_id }, index) => {
      const winner = full.results.find(({ offer }) => offer.id === offer_id);
      const line = bars[index] ?? '';
      expect(line.trim()).toMatch(new RegExp(`^${w_desde.toFixed(3)} +${w_hasta.toFixed(3)} ·*█+·* `));
      expect(/[·█]+/.exec(line)?.[0]).toHaveLength(40);
      expect(line).toContain(winner?.offer.offer_name);
      expect(line).toContain(winner?.cost.total.toFixed(2));
    });
  });

  it('shows every excluded offer with its reason', () => {
    expect(full.excluded_count).toBeGreaterThan(2);
    expect(printed).toContain(`${full.excluded_count} offers excluded`);
    for (const { offer_name, codigo, motivo } of full.excluded) {
      const line = printed.split('\n').find((candidate) => candidate.startsWith(offer_name.slice(0, 20)));
      expect(line).toContain(codigo);
      expect(line).toContain(motivo);
    }
  });

  it('shows the same ranking by cost alone to a key that may not see commissions', async () => {
    const masked = await ask<WireRanking>(url, bot, {
      path: '/v1/offers/efficient',
      body: { ...households[0]?.efficient, limit: 200 },
    });
    const [, section = ''] = printed.split(/The same question|From the QR code/);
    const rows = section.split('\n').filter((line) => /^ *\d+ .*\d\.\d\d/.test(line));
    expect(masked.w).toBe(1);
    expect(rows).toHaveLength(masked.results.length);
    masked.results.forEach(({ offer, cost }, index) => {
      expect(rows[index]).toContain(offer.offer_name.slice(0, 20));
      expect(rows[index]).toMatch(new RegExp(` ${cost.total.toFixed(2)} +- +\\d`));
    });
    expect(section).not.toMatch(/◆|█/);
  });

  it('ranks from a QR code and from a curve, says that both are generated, and prints what README shows', () => {
    const [, section = ''] = printed.split(/^(?=From the QR code)/m);
    expect(section).toMatch(
      /^From the QR code.*a generated invoice\)$[\s\S]*^The present contract costs \d+\.\d\d EUR before tax\.$/m,
    );
    expect(section).toMatch(/TOTAL +saves[\s\S]*^From the curve of a meter: 12 months.*a generated file\)$/m);
    expect(section.split('\n').filter((line) => /^\d .*\d\.\d\d/.test(line))).toHaveLength(6);
    const [, shown = ''] = /^(From the QR code[\s\S]*?)```/m.exec(readme) ?? [];
    const lines = shown.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) expect(section.split('\n')).toContain(line);
    expect(printed).not.toContain('ES0021');
  });

  it('shows what the hours of a house with panels change: energy, surplus and place of each offer that follows an index', () => {
    const [, section = ''] = printed.split(/^(?=From the hours)/m);
    expect(section).toMatch(
      /^.*a generated file\)\n.*curve-2\.0TD-2026-06\.csv\nIts hours cost 7\.29 EUR more than .* PVPC\.$/m,
    );
    const rows = [...section.matchAll(/^(.*?) +by (means|hours) +(\S+) +(\S+) +(\S+) +(\d+)$/gm)];
    // Energy of PVPC: 22.181155 by means, 29.471653 by hours.
    expect(rows.map(([, ...cells]) => cells.slice(0, 4))).toEqual([
      ['Tejado Imaginario', 'means', '23.02', '-12.55'],
      ['Tejado Imaginario', 'hours', '23.02', '-23.02'],
      ['PVPC 2.0TD', 'means', '22.18', '0.00'],
      ['PVPC 2.0TD', 'hours', '29.47', '0.00'],
    ]);
    const [, , before, after] = rows.map((cells) => Number(cells[6]));
    expect(before).toBeLessThan(after ?? 0);
  });

  it('stores its data in a folder that only its owner can read', async () => {
    expect((await stat(join(place.folder, 'data'))).mode & 0o777).toBe(0o700);
  });

  it('fits 120 columns, without colour where there is no terminal', () => {
    const lines = printed.split('\n').filter((line) => !line.startsWith('curl') && !line.startsWith('  -d'));
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(120);
    expect(printed.includes('\u001B')).toBe(false);
  });

  it('prints requests that a shell runs as they are', async () => {
    const lines = printed.split('\n');
    const from = lines.findIndex((line) => line.startsWith('URL='));
    const script = lines.slice(
      from,
      lines.findIndex((line, index) => index > from && line.startsWith('Ctrl+C')),
    );
    // A curl that knows what the requests use and prints the status before the body.
    const curl = join(place.folder, 'curl');
    await writeFile(
      curl,
      `#!${process.execPath}
const args = process.argv.slice(2).filter((arg) => arg !== '-s');
const init = { headers: {} };
let url;
for (let at = 0; at < args.length; at++) {
  if (args[at] === '-H') { const [name, value] = args[++at].split(': '); init.headers[name] = value; }
  else if (args[at] === '-d') { init.method = 'POST'; init.body = args[++at]; }
  else url = args[at];
}
fetch(url, init).then(async (answer) => console.log(answer.status, (await answer.text()).slice(0, 40)));
`,
    );
    await chmod(curl, 0o755);
    // Not in one go: a connection that the server closes meanwhile would be taken for open by the next request.
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script.join('\n')], {
      env: { PATH: `${place.folder}:${process.env.PATH}` },
    });
    expect(stderr).toBe('');
    const answers = stdout.trim().split('\n');
    expect(answers).toHaveLength(script.filter((line) => line.startsWith('curl')).length);
    expect(answers.length).toBeGreaterThanOrEqual(6);
    for (const answer of answers) expect(answer).toMatch(/^200 \{"/);
  });

  it('prints a call of a tool that answers what REST answers to the same key', async () => {
    const lines = printed.split('\n');
    const from = lines.findIndex((line) => line.startsWith('curl -s "$URL/mcp"'));
    const [, json = ''] = /^ {2}-d '(.*)'$/.exec(lines[from + 1] ?? '') ?? [];
    const message = JSON.parse(json);
    const { result } = await ask<{ result: Parameters<typeof contentOf>[0] }>(url, bot, {
      path: '/mcp',
      body: message,
    });
    const body = message.params.arguments;
    const { next_offset: _next, ...shown } = contentOf(result);
    expect(shown).toEqual(shownOf(await ask(url, bot, { path: '/v1/offers/efficient', body })));
    expect(lines[from + 2]).toContain('claude mcp add --transport http tarifario $URL/mcp');
  });

  it.each(ASKED)(
    'A-47: tells an agent what it needs to answer: $question',
    async ({ tool = 'rank_offers', args, told }) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
      const answer = await ask<{ result: { content: { text: string }[] } }>(url, bot, { path: '/mcp', body: message });
      expect(answer.result.content[0]?.text).toMatch(told);
    },
  );

  further('does not change the database of a running demo, on the same port or on another one', async () => {
    const { port } = new URL(url);
    const second = await place.run(['demo', 'run'], { env: { PORT: port } });
    expect(second).toMatchObject({ status: 1, stdout: '' });
    expect(second.stderr).toMatch(new RegExp(`^tarifario: cannot listen on PORT ${port} .*taken.*\n$`));
    const other = place.start(['demo', 'run'], { env: { PORT: '0' } });
    const output = await printedUntil(other, /^listening on \S+\n/m);
    const otherUrl = /^URL=(.*)$/m.exec(output)?.[1] ?? '';
    expect(output).toContain(` in ${fileOf(otherUrl)},`);
    expect(printed).toContain(` in ${fileOf(url)},`);
    // A key made by another program is refused unless the server still has the file that this path names.
    const made = await place.json<{ key: string }>(['key', 'create', '--account', '1', '--full-access'], {
      env: { DATABASE_URL: `sqlite:${join(place.folder, fileOf(url))}` },
    });
    await ask(url, made.key, { path: '/v1/offers?limit=1' });
    other.kill('SIGINT');
    expect(await once(other, 'exit')).toEqual([0, null]);
  });

  it('gives the page a key of its own, which opens it', async () => {
    const pageKey = pageKeyIn(printed);
    expect([key, bot]).not.toContain(pageKey);
    expect(await ask(url, pageKey, { path: '/v1/account' })).toMatchObject({ key: { full_access: true } });
  });

  it('ends with status 0 and with its keys, and keeps what was changed, which it prints on two screens, until --fresh', async () => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Asesoría propia' });
    expect((await fetch(`${url}/v1/clients`, { method: 'POST', headers, body })).status).toBe(201);
    const own = await ask<{ key: string }>(url, key, {
      path: '/v1/keys',
      body: { name: 'own', full_access: true },
    });
    expect(await stop()).toEqual([0, null]);
    const again = await startedAgain([]);
    expect(again.printed).toContain('as you left it (--fresh starts anew)');
    expect(again.printed.split('\n').length).toBeLessThanOrEqual(60);
    const rows = (text: string) =>
      text.split('\n').filter((line) => /^ *\d+ .*\d\.\d\d/.test(line) && !line.includes('█'));
    const shortly = (row: string) => row.replaceAll(/ +/g, ' ').trim();
    expect(rows(again.printed).map(shortly)).toEqual(rows(printed).slice(0, 5).map(shortly));
    for (const ended of [key, bot, pageKeyIn(printed)]) expect(await statusFor(ended)).toBe(401);
    expect(await statusFor(own.key)).toBe(200);
    const clients = await ask<PageOf<Client>>(url, keyIn(again.printed), {
      path: '/v1/clients',
    });
    expect(clients.results.map(({ name }) => name)).toContain('Asesoría propia');
    // What is left of a run that was killed ends with the next one.
    again.child.kill('SIGKILL');
    await once(again.child, 'exit');
    const fresh = await startedAgain(['--fresh']);
    expect(fresh.printed).not.toContain('as you left it');
    for (const ended of [keyIn(again.printed), own.key]) expect(await statusFor(ended)).toBe(401);
    fresh.child.kill('SIGKILL');
    await once(fresh.child, 'exit');
    const last = await startedAgain([]);
    expect(await statusFor(keyIn(fresh.printed))).toBe(401);
    expect(await statusFor(keyIn(last.printed))).toBe(200);
    last.child.kill('SIGTERM');
    expect(await once(last.child, 'exit')).toEqual([0, null]);
  });

  const keyIn = (text: string) => /^KEY=(.*)$/m.exec(text)?.[1] ?? '';
  const pageKeyIn = (text: string) => /\/app\/#key=(\S+)$/m.exec(text)?.[1] ?? '';
  const statusFor = async (own: string) => (await fetch(`${url}/v1/offers`, { headers: { 'X-API-Key': own } })).status;

  async function startedAgain(args: readonly string[]) {
    const child = place.start(['demo', 'run', ...args], { env: { PORT: new URL(url).port } });
    const text = await printedUntil(child, /^listening on \S+\n/m);
    expect(text).toContain(fileOf(url));
    expect(/^URL=(.*)$/m.exec(text)?.[1]).toBe(url);
    return { child, printed: text };
  }
});
