import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../store/src/migrations/index.ts';
import { postgresUrl } from '../../store/test/postgres/databases.ts';
import { isFullLength } from '../../store/test/share.ts';

const root = join(import.meta.dirname, '../../..');

/** The sources in a folder of their own, whose packages are those of the folder. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-recipe-'));
  const built = /\/(node_modules|dist|[^/]+\.tsbuildinfo)$/;
  for (const name of readdirSync(root)) {
    if (name === '.git' || name === 'node_modules') continue;
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !built.test(path) });
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue;
    const from = join(root, 'node_modules', name);
    if (name === '@tarifario') cpSync(from, join(modules, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, join(modules, name));
  }
  for (const own of globSync('{packages,apps}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, own), join(folder, own));
  }
  return folder;
}

const NUMBER = String(MIGRATIONS.length + 1).padStart(4, '0');
const MIGRATION = `packages/store/src/migrations/${NUMBER}-virtual-battery.ts`;
const FIELD = `  hasVirtualBattery: {
    kind: 'flag',
    wire: 'bateria_virtual',
    column: 'has_virtual_battery',
    section: 'options',
    supply: 'LUZ',
    initial: false,
    en: 'Whether surplus is kept as credit for later bills.',
    es: 'Excedentes guardados como saldo. Vacía: no',
  },
`;

/** The recipe for a flag, done: the files that somebody writes, and in each what is added before what. */
const RECIPE: readonly (readonly [file: string, before: string, added: string])[] = [
  ['packages/core/src/offers/offer.ts', '  readonly powerTiers:', '  readonly hasVirtualBattery: boolean;\n'],
  ['packages/core/src/offers/offer-fields.ts', '} as const satisfies FieldTable;', FIELD],
  [
    'packages/store/src/migrations/index.ts',
    '\n/** One step',
    `import { added } from './${NUMBER}-virtual-battery.ts';\n`,
  ],
  [
    'packages/store/src/migrations/index.ts',
    '];\n',
    `  { name: '${NUMBER}-virtual-battery', sqlite: added, postgres: added },\n`,
  ],
  [
    'docs/glossary.md',
    '| `precio_excedentes` |',
    '| `bateria_virtual` | `hasVirtualBattery` | | surplus is kept as credit |\n',
  ],
];

function follow(folder: string): void {
  const add = (table: string) => `ALTER TABLE ${table} ADD COLUMN has_virtual_battery INTEGER;`;
  const sql = `${add('offers')}\n${add('offer_versions')}`;
  writeFileSync(join(folder, MIGRATION), `export const added = \`\n${sql}\`;\n`);
  for (const [file, before, added] of RECIPE) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.split(before), `${before} in ${file}`).toHaveLength(2);
    writeFileSync(
      join(folder, file),
      text.replace(before, () => added + before),
    );
  }
  const tests = join(folder, 'packages/api/test');
  // In the copy it stands where this test was.
  renameSync(join(tests, 'virtual-battery.ts'), join(tests, 'offer-field.integration.test.ts'));
}

/** Every test that states fields: at full length all that know of offers. */
const SHARE = ['packages/api/test/offer-field.integration.test.ts', 'packages/api/test/records.test.ts'];
const ALL = ['packages/core/', 'packages/store/', 'packages/api/', 'docs/', 'test-fixtures/'];

test('a flag added by the recipe of CONTRIBUTING.md compiles, and is on the wire, in sheets and in rows', () => {
  const folder = copyOfSources();
  const env = { ...process.env, ...(postgresUrl === null ? {} : { TEST_PG_URL: postgresUrl }), TEST_LENGTH: 'share' };
  const run = (program: string, ...args: string[]) => {
    execFileSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: folder, env, stdio: 'pipe' });
  };
  try {
    follow(folder);
    const written = new Set([MIGRATION, ...RECIPE.map(([file]) => file)]);
    expect(written.size).toBeLessThanOrEqual(6);
    const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, recipe = ''] = page.split('### An offer field\n');
    for (const file of written) expect(recipe).toContain(`\`${file.replace(/migrations\/.*/, 'migrations/')}\``);
    run('typescript/bin/tsc', '-b', 'packages/api', 'packages/store');
    const [command] = /npx vitest run .* -u/.exec(recipe) ?? [];
    if (!command) throw new Error('the recipe has a command, on one line, that writes files');
    run('vitest/vitest.mjs', ...command.split(' ').slice(2));
    if (isFullLength) run('typescript/bin/tsc', '-b');
    run('vitest/vitest.mjs', 'run', ...(isFullLength ? ALL : SHARE));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
