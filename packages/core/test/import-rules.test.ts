import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Who may import whom is checked by the linter and the compiler. These tests plant violations and see them fail. */
const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'node_modules/.bin');
const house = mkdtempSync(join(tmpdir(), 'tarifario-house-'));

/** What each package may import besides itself: a library of others is known to one package alone. */
const DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/api': ['@tarifario/core', 'zod', 'zod-openapi'],
  'packages/client': [],
  'packages/store': ['@tarifario/core', 'better-sqlite3', 'kysely', 'pg'],
  'packages/sheets': ['@tarifario/core', 'exceljs', 'papaparse', 'saxes', 'yauzl'],
  'packages/runtime': [
    ...['@node-rs/argon2', '@opentelemetry/api', 'jose', 'pino', 'prom-client', 'rate-limiter-flexible'],
    ...['@tarifario/api', '@tarifario/core', '@tarifario/sheets', '@tarifario/store'],
  ],
  'apps/web': [],
  'apps/http': [
    ...['@tarifario/api', '@tarifario/core', '@tarifario/runtime', '@tarifario/web'],
    ...['busboy', 'express', 'proxy-addr', 'swagger-ui-dist'],
  ],
  'apps/mcp': [
    '@modelcontextprotocol/server',
    '@tarifario/api',
    '@tarifario/core',
    '@tarifario/http',
    '@tarifario/runtime',
  ],
  'apps/cli': [
    ...['@bomb.sh/tab', 'cli-table3', 'commander'],
    ...['@tarifario/api', '@tarifario/client', '@tarifario/core', '@tarifario/http', '@tarifario/mcp'],
    '@tarifario/runtime',
  ],
};
const PACKAGES = Object.keys(DEPENDENCIES);

/** Files to plant in the copy, by path. */
const planted = new Map<string, string>();

function plant(path: string, text: string): string {
  planted.set(path, text);
  return path;
}

function plantImport(path: string, imported: string): string {
  return plant(path, `import { planted } from '${imported}';\n\nexport const used = planted;\n`);
}

const VIOLATIONS: readonly [folder: string, imported: string][] = [
  ['packages/core/src/engine/rank', 'node:fs'],
  ['packages/core/src/engine/rank', 'zod'],
  ['packages/core/src/engine/rank', '@tarifario/api'],
  ['packages/core/src/engine/rank', '../../service/access/caller.ts'],
  ['packages/core/src/engine/commission', '../../bulk/state.ts'],
  ['packages/core/src/engine', '../service/fair-queue.ts'],
  ['packages/core/src/bulk', '../service/usecases/requests/deps.ts'],
  ['packages/core/src/service/access', '../ports/stores.ts'],
  ['packages/core/src/service/usecases', '../../../../api/src/index.ts'],
  ['packages/api/src', '@tarifario/store'],
  ['packages/api/src', '@tarifario/core'],
  ['packages/api/src', 'express'],
  ['packages/runtime/src', 'busboy'],
  ['packages/api/src', 'node:crypto'],
  ['packages/store/src', '@tarifario/api'],
  ['packages/store/src', 'zod'],
  ['packages/sheets/src', '@tarifario/store'],
  ['packages/sheets/src', 'zod'],
  ['packages/api/src', 'papaparse'],
  ['packages/runtime/src', '@tarifario/store'],
  ['packages/runtime/src', '@tarifario/sheets/reading-process'],
  ['apps/cli/src', '@tarifario/sheets/reading-process'],
  ['apps/http/src', '@tarifario/store'],
  ['apps/http/src', 'zod'],
  ['packages/core/src/service/usecases', '@modelcontextprotocol/server'],
  ['packages/api/src', '@modelcontextprotocol/server'],
  ['packages/runtime/src', '@modelcontextprotocol/server'],
  ['apps/http/src', '@modelcontextprotocol/server'],
  ['apps/cli/src', '@modelcontextprotocol/client'],
  ['apps/mcp/src', '@tarifario/store'],
  ['apps/mcp/src', 'express'],
  ['apps/mcp/src', 'zod'],
  ['apps/cli/src', 'kysely'],
  ['packages/core/testing', '@tarifario/api'],
  ['packages/store/src', '@tarifario/core'],
  ['apps/http/src', '@tarifario/core'],
  ['apps/mcp/src', '@modelcontextprotocol/client'],
];

const FORBIDDEN = VIOLATIONS.map(([folder, imported], index) => {
  return { folder, imported, path: plantImport(`${folder}/forbidden-${index}.ts`, imported) };
});
const ALLOWED = [
  plantImport('packages/api/src/allowed.ts', 'zod'),
  plantImport('packages/core/src/service/usecases/allowed.ts', '../ports/stores.ts'),
  plantImport('packages/core/src/bulk/allowed.ts', '../service/firms/firm.ts'),
];
const UNDECLARED = plantImport('packages/runtime/src/undeclared.ts', 'chalk');
const CYCLES = ['import', 'import type'].map((imports, index) => {
  const [one, other] = [`one-${index}.ts`, `other-${index}.ts`];
  plant(`packages/store/src/${other}`, `${imports} { Used } from './${one}';\n\nexport type It = Used | 1;\n`);
  const text = `${imports} { It } from './${other}';\n\nexport type Used = It | 2;\n`;
  return { imports, path: plant(`packages/store/src/${one}`, text) };
});
const OF_THE_MACHINE = [
  'process.env.HOME',
  'fetch("https://example.com")',
  'Buffer.from("")',
  'setTimeout(() => {}, 1)',
  'console.log(1)',
].map((expression, index) => {
  const path = `packages/core/src/machine-${index}.ts`;
  return { expression, path: plant(path, `export const used: unknown = ${expression};\n`) };
});

/** Lines of the linter and of the compiler. Each runs once over all planted files, because starting it takes longest. */
let findings: readonly string[] = [];
let compilerErrors: readonly string[] = [];

beforeAll(() => {
  for (const file of ['biome.json', 'package.json', 'tsconfig.base.json']) cpSync(join(root, file), join(house, file));
  for (const name of PACKAGES) {
    mkdirSync(join(house, name), { recursive: true });
    cpSync(join(root, name, 'package.json'), join(house, name, 'package.json'));
  }
  cpSync(join(root, 'packages/core/tsconfig.json'), join(house, 'packages/core/tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
  execFileSync('git', ['init', '-q', house]);
  for (const [path, text] of planted) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
  findings = linesOf('biome', ['lint', '--colors=off', '--reporter=github', '--max-diagnostics=none']);
  compilerErrors = linesOf('tsc', ['-p', 'packages/core', '--noEmit', '--pretty', 'false']);
});

afterAll(() => rmSync(house, { recursive: true }));

function linesOf(program: string, options: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync(join(bin, program), options, { cwd: house, encoding: 'utf8' });
  expect(status, program).toBeGreaterThan(0);
  return stdout.split('\n');
}

/** What the linter says about a planted file. */
function findingsIn(path: string): string {
  return findings.filter((line) => line.includes(`/${path},`)).join('\n');
}

test.each(FORBIDDEN)('$folder may not import $imported', ({ path }) => {
  expect(findingsIn(path)).toMatch(/noRestrictedImports|noUndeclaredDependencies/);
});

test.each(PACKAGES)('%s declares no other dependency than it may import', (name) => {
  const manifest = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual(DEPENDENCIES[name]?.toSorted());
});

test('what a package may import passes the linter', () => {
  expect(ALLOWED.map(findingsIn)).toEqual(ALLOWED.map(() => ''));
});

test('an import that no package.json declares is refused', () => {
  expect(findingsIn(UNDECLARED)).toContain('noUndeclaredDependencies');
});

test.each(CYCLES)('two modules that $imports each other are refused', ({ path }) => {
  expect(findingsIn(path)).toContain('noImportCycles');
});

test.each(OF_THE_MACHINE)('core does not compile with $expression', ({ path }) => {
  expect(compilerErrors).toContainEqual(expect.stringMatching(`^${path}.*Cannot find name`));
});

test('no two folders of core import each other', () => {
  const core = join(root, 'packages/core/src');
  const pairs = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const imported = [...readFileSync(join(core, file), 'utf8').matchAll(/from '(\.[^']+)'/g)];
      return imported.map(([, path = '']) => [dirname(file), dirname(join(dirname(file), path))] as const);
    });
  const edges = new Set(pairs.filter(([from, to]) => from !== to && from !== '.').map((pair) => pair.join(' > ')));
  expect(edges.size).toBeGreaterThan(20);
  const isMutual = (edge: string) => edges.has(edge.split(' > ').reverse().join(' > '));
  expect([...edges].filter(isMutual)).toEqual([]);
});

test('core reads no clock and uses no randomness', () => {
  const sources = readdirSync(join(root, 'packages/core/src'), { recursive: true, encoding: 'utf8' });
  const files = sources.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(root, 'packages/core/src', file), 'utf8');
    expect(text, file).not.toMatch(/Date\.now|\bDate\(\)|new Date\b(?!\()|Math\.random|performance\.|crypto\./);
  }
});

test('every export of core has a docstring, one above each group of exports', () => {
  const folder = join(root, 'packages/core/src');
  const nouns = readdirSync(join(folder, 'service/exports')).map((file) => `service/exports/${file}`);
  const files = ['index.ts', ...nouns].flatMap((entry) =>
    [...readFileSync(join(folder, entry), 'utf8').matchAll(/from '(\..+)';/g)].map(([, file = '']) =>
      relative(folder, join(folder, dirname(entry), file)),
    ),
  );
  expect(files.length).toBeGreaterThan(100);
  const bare = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const exports = text.matchAll(/(?:^|\n\n|\n\/\/.*\n)export (?:const|function|async|type|interface|class) .*/g);
    return [...exports].map(([line]) => `${file}: ${line.trim()}`);
  });
  expect(bare).toEqual([]);
});
