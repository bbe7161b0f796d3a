import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    ...['@node-rs/argon2', 'jose', 'pino', 'prom-client', 'rate-limiter-flexible'],
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

beforeAll(() => {
  for (const file of ['biome.json', 'package.json', 'tsconfig.base.json']) cpSync(join(root, file), join(house, file));
  for (const name of PACKAGES) {
    mkdirSync(join(house, name, 'src'), { recursive: true });
    cpSync(join(root, name, 'package.json'), join(house, name, 'package.json'));
  }
  cpSync(join(root, 'packages/core/tsconfig.json'), join(house, 'packages/core/tsconfig.json'));
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
  execFileSync('git', ['init', '-q', house]);
});

afterAll(() => rmSync(house, { recursive: true }));

/** The findings of the linter about one file with this text. */
function lint(file: string, text: string): string {
  const path = join(house, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const run = spawnSync(join(bin, 'biome'), ['lint', '--colors=off', '--max-diagnostics=200', file], {
    cwd: house,
    encoding: 'utf8',
  });
  rmSync(path);
  return run.status === 0 ? '' : run.stdout + run.stderr;
}

const violations: readonly [file: string, imported: string][] = [
  ['packages/core/src/ranking/planted.ts', 'node:fs'],
  ['packages/core/src/ranking/planted.ts', 'zod'],
  ['packages/core/src/ranking/planted.ts', '@tarifario/api'],
  ['packages/core/src/ranking/planted.ts', '../usecases/deps.ts'],
  ['packages/core/src/commission/planted.ts', '../ports/stores.ts'],
  ['packages/core/src/usecases/planted.ts', '../../../api/src/index.ts'],
  ['packages/api/src/planted.ts', '@tarifario/store'],
  ['packages/api/src/planted.ts', '@tarifario/core'],
  ['packages/api/src/planted.ts', 'express'],
  ['packages/runtime/src/planted.ts', 'busboy'],
  ['packages/api/src/planted.ts', 'node:crypto'],
  ['packages/store/src/planted.ts', '@tarifario/api'],
  ['packages/store/src/planted.ts', 'zod'],
  ['packages/sheets/src/planted.ts', '@tarifario/store'],
  ['packages/sheets/src/planted.ts', 'zod'],
  ['packages/api/src/planted.ts', 'papaparse'],
  ['packages/runtime/src/planted.ts', '@tarifario/store'],
  ['packages/runtime/src/planted.ts', '@tarifario/sheets/reading-process'],
  ['apps/cli/src/planted.ts', '@tarifario/sheets/reading-process'],
  ['apps/http/src/planted.ts', '@tarifario/store'],
  ['apps/http/src/planted.ts', 'zod'],
  ['packages/core/src/usecases/planted.ts', '@modelcontextprotocol/server'],
  ['packages/api/src/planted.ts', '@modelcontextprotocol/server'],
  ['packages/runtime/src/planted.ts', '@modelcontextprotocol/server'],
  ['apps/http/src/planted.ts', '@modelcontextprotocol/server'],
  ['apps/cli/src/planted.ts', '@modelcontextprotocol/client'],
  ['apps/mcp/src/planted.ts', '@tarifario/store'],
  ['apps/mcp/src/planted.ts', 'express'],
  ['apps/mcp/src/planted.ts', 'zod'],
  ['apps/cli/src/planted.ts', 'kysely'],
  ['packages/core/testing/planted.ts', '@tarifario/api'],
  ['packages/store/src/planted.ts', '@tarifario/core'],
  ['apps/http/src/planted.ts', '@tarifario/core'],
  ['apps/mcp/src/planted.ts', '@modelcontextprotocol/client'],
];

test.each(violations)('%s may not import %s', (file, imported) => {
  const findings = lint(file, `import { planted } from '${imported}';\n\nexport const used = planted;\n`);
  expect(findings).toMatch(/noRestrictedImports|noUndeclaredDependencies/);
});

test.each(PACKAGES)('%s declares no other dependency than it may import', (name) => {
  const manifest = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies ?? {}).sort()).toEqual(DEPENDENCIES[name]?.toSorted());
});

test('what a package may import passes the linter', () => {
  expect(lint('packages/api/src/planted.ts', "import { z } from 'zod';\n\nexport const used = z;\n")).toBe('');
  expect(
    lint(
      'packages/core/src/usecases/planted.ts',
      "import { used } from '../ports/stores.ts';\n\nexport const it = used;\n",
    ),
  ).toBe('');
});

test('an import that no package.json declares is refused', () => {
  const findings = lint(
    'packages/runtime/src/planted.ts',
    "import chalk from 'chalk';\n\nexport const used = chalk;\n",
  );
  expect(findings).toContain('noUndeclaredDependencies');
});

test.each(['import', 'import type'])('two modules that %s each other are refused', (imports) => {
  const other = join(house, 'packages/store/src/other.ts');
  writeFileSync(other, `${imports} { Used } from './planted.ts';\n\nexport type It = Used | 1;\n`);
  const findings = lint(
    'packages/store/src/planted.ts',
    `${imports} { It } from './other.ts';\n\nexport type Used = It | 2;\n`,
  );
  rmSync(other);
  expect(findings).toContain('noImportCycles');
});

test.each([
  'process.env.HOME',
  'fetch("https://example.com")',
  'Buffer.from("")',
  'setTimeout(() => {}, 1)',
  'console.log(1)',
])('core does not compile with %s', (expression) => {
  const path = join(house, 'packages/core/src/planted.ts');
  writeFileSync(path, `export const used: unknown = ${expression};\n`);
  const run = spawnSync(join(bin, 'tsc'), ['-p', 'packages/core', '--noEmit'], { cwd: house, encoding: 'utf8' });
  rmSync(path);
  expect(run.status).not.toBe(0);
  expect(run.stdout).toContain('Cannot find name');
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
  const entries = ['index.ts', 'service.ts'].map((entry) => readFileSync(join(folder, entry), 'utf8')).join('\n');
  const files = [...entries.matchAll(/from '\.\/(.+)';/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(20);
  const bare = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const exports = text.matchAll(/(?:^|\n\n|\n\/\/.*\n)export (?:const|function|async|type|interface|class) .*/g);
    return [...exports].map(([line]) => `${file}: ${line.trim()}`);
  });
  expect(bare).toEqual([]);
});
