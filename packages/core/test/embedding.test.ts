import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The library as a stranger gets it: packed, installed alone in an empty folder, run as its pages show it. */
const root = join(import.meta.dirname, '../../..');
const stranger = mkdtempSync(join(tmpdir(), 'tarifario-stranger-'));
/** The package as it is published. */
const staged = mkdtempSync(join(tmpdir(), 'tarifario-staged-'));
const installed = join(stranger, 'node_modules/@tarifario/core');

interface Program {
  readonly name: string;
  readonly text: string;
  /** The comments at its end: what it prints. */
  readonly promised: readonly string[];
}

const programs: readonly Program[] = ['README.md', 'packages/core/README.md'].flatMap((page) => {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```js embedding\n(.*?)```/gs)];
  return blocks.map(([, text = ''], index) => {
    const end = /(?<=\n)(\/\/ .*\n)+$/.exec(text)?.[0] ?? '';
    const promised = [...end.matchAll(/^\/\/ (.*)$/gm)].map(([, line = '']) => line);
    return { name: `${page}, program ${index + 1}`, text, promised };
  });
});
const example = programs[0]?.text ?? '';

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Installs packages, packed, in an empty folder. */
function install(folder: string, names: readonly string[]): void {
  run(process.execPath, ['deploy/packages.mjs', staged, ...names], root);
  for (const name of names) run('npm', ['pack', '--pack-destination', folder], join(staged, name));
  const tarballs = readdirSync(folder).map((file) => `./${file}`);
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', ...tarballs], folder);
}

beforeAll(() => {
  const built = ['packages/core', 'packages/core/testing'];
  run(join(root, 'node_modules/.bin/tsc'), ['-b', ...built], root);
  install(stranger, ['core']);
});

afterAll(() => {
  for (const folder of [stranger, staged]) rmSync(folder, { recursive: true });
});

test('the packed library installs no other package', () => {
  expect(readdirSync(join(stranger, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@tarifario']);
  expect(readdirSync(join(stranger, 'node_modules/@tarifario'))).toEqual(['core']);
});

test('no declaration of the packed library names a decision by its number', () => {
  const files = globSync('dist/**/*.d.ts', { cwd: installed });
  expect(files.length).toBeGreaterThan(100);
  const numbered = files.filter((file) => /(?<![\w-])A-\d/.test(readFileSync(join(installed, file), 'utf8')));
  expect(numbered).toEqual([]);
});

test('the packed library asks for a Node that has all it uses: grouped maps came with 21', () => {
  const { engines } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(engines).toEqual({ node: '>=22' });
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain('Node from version 22 on');
});

test('the packed library has its pages, its changes and the built files, and no sources, maps or tests', () => {
  const files = globSync('**/*.*', { cwd: installed }).map(String);
  const others = files.filter((file) => !/^dist\/(src|testing)\/[\w/-]+(\.d\.ts|\.js)$/.test(file));
  const pages = ['CHANGELOG.md', 'README.md', 'api-report.md', 'docs/arbitraries.md', 'docs/assumptions.md'];
  expect(others.toSorted()).toEqual([...pages, 'package.json']);
  expect(files.length).toBeGreaterThan(100);
});

test('the packed library has the required metadata, and the licence of the repository', () => {
  const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { license, description, keywords, browserslist, exports, ...rest } = manifestOf(installed);
  expect(license).toBe(manifestOf(root).license);
  expect([description, keywords, browserslist]).not.toContain(undefined);
  expect(rest.peerDependencies).toEqual({ 'fast-check': '^4.0.0' });
  expect(rest.peerDependenciesMeta).toEqual({ 'fast-check': { optional: true } });
  expect(JSON.stringify({ exports, rest })).not.toMatch(/tarifario-source|devDependencies|scripts/);
});

test('a packed library can be imported by its entries and its manifest alone', () => {
  const program = "import core from '@tarifario/core/package.json' with { type: 'json' }; console.log(core.name);";
  writeFileSync(join(stranger, 'manifest.js'), program);
  expect(run(process.execPath, ['manifest.js'], stranger).trim()).toBe('@tarifario/core');
  writeFileSync(
    join(stranger, 'entries.js'),
    "import { rankOffers } from '@tarifario/core';\nimport * as service from '@tarifario/core/service';\nconsole.log(service.rankOffers === rankOffers, 'admit' in service);",
  );
  expect(run(process.execPath, ['entries.js'], stranger).trim()).toBe('true true');
  writeFileSync(join(stranger, 'deep.js'), "import '@tarifario/core/dist/src/ranking/rank.js';");
  expect(() => run(process.execPath, ['deep.js'], stranger)).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

test('the packed testing entry has the store contract, once its optional peer is there', () => {
  const suite = `
    import { storeContract } from '@tarifario/core/testing';
    const cases = storeContract(() => Promise.reject(new Error('no store')));
    console.log(cases.length > 60, await cases[0].run().catch(({ message }) => message));
  `;
  writeFileSync(join(stranger, 'suite.js'), suite);
  expect(() => run(process.execPath, ['suite.js'], stranger)).toThrow(/fast-check/);
  for (const name of ['fast-check', 'pure-rand']) {
    symlinkSync(join(root, 'node_modules', name), join(stranger, 'node_modules', name));
  }
  expect(run(process.execPath, ['suite.js'], stranger).trim()).toBe('true no store');
});

test.each(programs)('$name runs in JavaScript and prints what the page says', ({ text, promised }) => {
  writeFileSync(join(stranger, 'example.js'), text);
  expect(promised.length).toBeGreaterThan(0);
  expect(run(process.execPath, ['example.js'], stranger).trim().split('\n')).toEqual(promised);
});

const wrong = example.replace("supplyType: 'LUZ', consumptionKwh", "supplyType: 'GAS', powerKw");

/** What the compiler says of all programs and of the wrong one, as a strict stranger compiles them. */
function compile(module: Readonly<Record<string, string>>): string {
  const texts = {
    ...Object.fromEntries(programs.map(({ text }, index) => [`example-${index}.ts`, text])),
    'wrong.ts': wrong,
  };
  const console = 'declare const console: { log(...values: unknown[]): void };';
  const files = Object.entries({ ...texts, 'console.d.ts': console });
  for (const [file, text] of files) writeFileSync(join(stranger, file), text);
  const options = { strict: true, exactOptionalPropertyTypes: true, target: 'es2024', noEmit: true, ...module };
  const compilerOptions = { ...options, lib: ['es2024'], types: [] };
  writeFileSync(
    join(stranger, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: files.map(([file]) => file) }),
  );
  return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: stranger, encoding: 'utf8' }).stdout;
}

test.each([{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }])(
  'every program of the pages type-checks in TypeScript under strict settings, and a wrong use does not: %j',
  (module) => {
    expect(wrong).not.toBe(example);
    const errors = compile(module).trim().split('\n');
    expect(errors.filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts('))).toEqual([]);
    expect(errors.join()).toContain('wrong.ts(');
  },
);
