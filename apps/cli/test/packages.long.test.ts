import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../../http/test/running-server.ts';

/** The packages as strangers get them: packed, checked by the tools of others, installed in empty projects. */

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'tarifario-packages-'));
const staged = join(folder, 'staged');
/** For programs of others: embedders, callers, generators, operators. How many bytes each may have, packed. */
const PUBLIC = { core: 350_000, client: 40_000, api: 200_000, cli: 80_000 };
const isTried = process.platform === 'linux' && process.arch === 'x64';

let server: RunningServer;
let env: NodeJS.ProcessEnv;
let tarballs: ReadonlyMap<string, string>;

const runAs = promisify(execFile);
const run = (command: string, args: readonly string[], cwd: string) => runAs(command, args, { cwd, env });

const NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--fetch-retries=0'];

/** Installs in a new folder; `null` where no registry can be reached. */
async function install(name: string, specs: readonly string[], manifest: object = {}): Promise<string | null> {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, ...manifest }));
  try {
    await run('npm', ['install', ...NPM, ...specs], project);
    return project;
  } catch (error) {
    if (!/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)/.test(String(error))) throw error;
    console.warn(`LEFT OUT: no registry can be reached, so nothing is known of ${name}`);
    return null;
  }
}

const packed = (...names: string[]) => names.map((name) => tarballs.get(name) ?? expect.fail(`${name} is not packed`));

beforeAll(async () => {
  await runAs('npm', ['run', 'build'], { cwd: root });
  await runAs('npm', ['run', 'build', '-w', '@tarifario/web'], { cwd: root });
  await runAs(process.execPath, ['deploy/packages.mjs', staged], { cwd: root });
  const packs = readdirSync(staged).map(async (name): Promise<[string, string]> => {
    const { stdout } = await runAs('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(staged, name),
    });
    return [name, join(folder, JSON.parse(stdout)[0].filename)];
  });
  tarballs = new Map(await Promise.all(packs));
  server = await startTestServer();
  const key = await server.addKey(await server.addAccount('packages'), {});
  env = { ...process.env, TARIFARIO_URL: server.url, TARIFARIO_KEY: key };
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe.each(Object.entries(PUBLIC))('the package %s', (name, maxBytes) => {
  test('can be published and is small', async () => {
    expect(statSync(packed(name)[0] ?? '').size).toBeLessThan(maxBytes);
    const { stdout } = await run('npm', ['publish', '--dry-run', '--json', '--offline'], join(staged, name));
    expect(stdout).toContain(`"name": "@tarifario/${name}"`);
  });

  test.runIf(isTried)('passes publint, and every kind of module resolution finds its types', async () => {
    const tools = await install('tools', ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']);
    if (tools === null) return;
    const bin = join(tools, 'node_modules/.bin');
    await run(join(bin, 'publint'), ['run', '--strict', join(staged, name)], tools);
    await run(join(bin, 'attw'), ['--profile', 'esm-only', ...packed(name)], tools);
  });
});

/** Ranks an offer, and asks the server by the client, with a file whose bytes are counted. */
const PROGRAM = `
async function run({ defineOffer, rankOffers }, { createTarifario }, env) {
  const territory = { accepts: { dni: true }, territories: { peninsula: true } };
  const prices = { energyEurPerKwh: [0.1, 0.1, 0.1], powerEurPerKwDay: [0.1, 0.1] };
  const offer = defineOffer({ id: 1, offerName: 'A', supplyType: 'LUZ', tariffType: '2.0TD', ...territory, ...prices });
  const customer = { supplyType: 'LUZ', consumptionKwh: [10, 10, 10], powerKw: [1, 1] };
  const tarifario = createTarifario({ url: env.TARIFARIO_URL, key: env.TARIFARIO_KEY });
  const { name } = await tarifario.getAccount();
  const progress = [];
  const body = { file: new File(['PK'], 'ofertas.xlsx') };
  const upload = await tarifario.createUpload({ body }, { onProgress: (sent) => progress.push(sent) });
  const { sent, total } = progress.at(-1);
  const refused = await tarifario.getOffer({ id: 9 }).catch(({ code, status }) => code + status);
  console.log([rankOffers({ offers: [offer], customer }).results.length, name, upload.size_bytes, sent === total, refused].join());
}
`;
const ESM = `import * as core from '@tarifario/core';
import * as client from '@tarifario/client';
import document from '@tarifario/api/openapi.json' with { type: 'json' };
${PROGRAM}
await run(core, client, globalThis.process.env);
console.log(document.openapi);`;
const COMMONJS = `${PROGRAM}
run(require('@tarifario/core'), require('@tarifario/client'), process.env).then(() =>
  console.log(require('@tarifario/api/openapi.json').openapi));`;
const PRINTED = '1,packages,2,true,not_found404\n3.1.0\n';

interface Project {
  readonly name: string;
  /** What runs it, out of a package of the registry. */
  readonly runtime?: { readonly spec: string; readonly file: string };
  readonly args?: readonly string[];
  readonly type?: 'commonjs';
}
const PROJECTS: readonly Project[] = [
  { name: 'esm' },
  { name: 'commonjs', type: 'commonjs' },
  {
    name: 'deno',
    runtime: { spec: '@deno/linux-x64-glibc@2.9.6', file: '@deno/linux-x64-glibc/deno' },
    args: ['run', '--allow-read', '--allow-env', '--allow-net'],
  },
  { name: 'bun', runtime: { spec: '@oven/bun-linux-x64@1.4.5', file: '@oven/bun-linux-x64/bin/bun' } },
];

test.runIf(isTried).each(PROJECTS)('a project for $name ranks and calls with the packed tarballs', async (project) => {
  const { name, runtime, args = [], type = 'module' } = project;
  const place = await install(name, [...packed('core', 'client', 'api'), ...(runtime ? [runtime.spec] : [])], { type });
  if (place === null) return;
  writeFileSync(join(place, 'program.js'), type === 'module' ? ESM : COMMONJS);
  const executable = runtime ? join(place, 'node_modules', runtime.file) : process.execPath;
  expect((await run(executable, [...args, 'program.js'], place)).stdout).toBe(PRINTED);
});

test.runIf(isTried)('the packed command line fills a database and ranks its offers', async () => {
  const place = await install('cli', packed(...tarballs.keys()));
  if (place === null) return;
  expect(readdirSync(join(place, 'node_modules/.bin'))).not.toContain('exec');
  const tarifario = async (...args: string[]) =>
    (await run(join(place, 'node_modules/.bin/tarifario'), args, place)).stdout;
  expect(await tarifario('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  await tarifario('migrate');
  expect(JSON.parse(await tarifario('demo', 'seed'))).toMatchObject({ account_id: 1 });
  const customer = { supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 900, e2: 700, e3: 1400 } };
  writeFileSync(join(place, 'customer.json'), JSON.stringify(customer));
  const ranked = JSON.parse(await tarifario('rank', '--account', '1', '--customer', 'customer.json'));
  expect(ranked.results.length).toBeGreaterThan(20);
  const checks: readonly { readonly state: string }[] = JSON.parse(await tarifario('doctor'));
  expect(new Set(checks.map(({ state }) => state))).toEqual(new Set(['good', 'look']));
});
