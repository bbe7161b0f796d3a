import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copyOfSources } from '@tarifario/testkit/copy-of-sources';
import { postgresUrl } from '@tarifario/testkit/postgres/databases';
import { further } from '@tarifario/testkit/share';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const MIGRATIONS = 'packages/store/src/migrations';
const NUMBERS = readdirSync(join(root, MIGRATIONS)).flatMap((name) => /^\d{4}/.exec(name)?.map(Number) ?? []);
const NUMBER = String(Math.max(...NUMBERS) + 1).padStart(4, '0');
const MIGRATION = `${MIGRATIONS}/${NUMBER}-virtual-battery.ts`;
const FIELD = `  hasVirtualBattery: {
    kind: 'flag',
    wire: 'bateria_virtual',
    column: 'has_virtual_battery',
    section: 'options',
    supply: 'LUZ',
    initial: false,
  },
`;
const WORDS = `  hasVirtualBattery: {
    en: 'Whether surplus is kept as credit for later bills.',
    es: 'Excedentes guardados como saldo. Vacía: no',
  },
`;

/** What is written by hand, and in each file what is added before what. */
type Additions = readonly (readonly [file: string, before: string, added: string])[];

const FLAG: Additions = [
  ['packages/core/src/engine/offers/offer.ts', '  readonly powerTiers:', '  readonly hasVirtualBattery: boolean;\n'],
  ['packages/core/src/engine/offers/offer-fields.ts', '} as const satisfies FieldTable;', FIELD],
  ['packages/core/src/engine/offers/offer-field-words.ts', '} as const satisfies FieldWordsTable;', WORDS],
  [`${MIGRATIONS}/index.ts`, '\n/** One step', `import { added } from './${NUMBER}-virtual-battery.ts';\n`],
  [`${MIGRATIONS}/index.ts`, '];\n', `  { name: '${NUMBER}-virtual-battery', sqlite: added, postgres: added },\n`],
];

const PRICES_FILE = 'packages/core/src/engine/price/prices.ts';
const RULE_FILE = 'packages/core/src/engine/price/rule.ts';
const ORACLE = 'test-fixtures/vectors/oracle/cost.mjs';
const PART_ROW = "  paperEur: { wire: 'papel', sign: 1, es: 'Papel', en: 'Paper', about: 'Invoices on paper' },\n";

/** A part of the cost: invoices on paper for 1 EUR a month, which one offer alone has. */
const PART: Additions = [
  [PRICES_FILE, '16;\nexport const POWER_AT', '1 + '],
  [PRICES_FILE, '\n/** The prices of a month, or the means. */', 'export const PAPER_AT = FIXED_AT + 4;\n'],
  [
    PRICES_FILE,
    "  if (offer.supplyType === 'LUZ' && offer.hasSolarPanels)",
    "  numbers[at + PAPER_AT] = offer.offerName === 'En papel' ? 1 : 0;\n",
  ],
  [RULE_FILE, '  POWER_AT,\n  ROW_DISCOUNTS,', '  PAPER_AT,\n'],
  [
    RULE_FILE,
    '    if ((bits & apart)',
    '    sum += parts.paperEur[at] = (prices[first + PAPER_AT] as number) * months;\n',
  ],
  ['packages/core/src/engine/price/rule.ts', '} as const satisfies', PART_ROW],
  [ORACLE, ']);\n\n/** The parts of the period', ", 'papel'"],
  [ORACLE, '  const amounts = ', "  const papel = offer.offer_name === 'En papel' ? months : ZERO;\n"],
  [ORACLE, ' };\n  const apart', ', papel'],
  ['docs/scoring.md', '    total       =', '    papel       = 1 * meses of an offer on paper\n'],
  ['docs/scoring.md', ' total |\n|---|---|---|---|---|---|---|', ' papel |'],
  ['docs/scoring.md', '|\n| 1 | 124 |', '---|'],
  ['docs/scoring.md', ' 160.5 |', ' 0 |'],
  ['docs/scoring.md', ' 182.5 |', ' 0 |'],
  ['docs/scoring.md', ' 215.5 |', ' 0 |'],
];

/** The files of a folder after what is added to them: each place is in its file once. */
function added(folder: string, additions: Additions): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [file, before, addition] of additions) {
    const text = texts.get(file) ?? readFileSync(join(folder, file), 'utf8');
    expect(text.split(before), `${before} in ${file}`).toHaveLength(2);
    texts.set(
      file,
      text.replace(before, () => addition + before),
    );
  }
  return texts;
}

function follow(folder: string): void {
  const column = (table: string) => `ALTER TABLE ${table} ADD COLUMN has_virtual_battery INTEGER;`;
  const sql = `${column('offers')}\n${column('offer_versions')}`;
  writeFileSync(join(folder, MIGRATION), `export const added = \`\n${sql}\`;\n`);
  for (const [file, text] of added(folder, [...FLAG, ...PART])) writeFileSync(join(folder, file), text);
  const tests = join(folder, 'packages/api/test');
  // In the copy one stands where this test was, which pages name.
  renameSync(join(tests, 'virtual-battery.ts'), join(tests, 'recipes.integration.test.ts'));
  renameSync(join(tests, 'paper-invoice.ts'), join(tests, 'paper-invoice.test.ts'));
}

const PAGE = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The command of a recipe that writes files, and a check that the recipe names the files that are written by hand. */
function commandOf(heading: string, written: ReadonlySet<string>): readonly string[] {
  const [recipe = ''] = PAGE.split(`### ${heading}\n`)[1]?.split('\n### ') ?? [];
  for (const file of written) expect(recipe).toContain(`\`${file.replace(/migrations\/.*/, 'migrations/')}\``);
  const [, files] = /npx vitest run (.*) -u/.exec(recipe) ?? [];
  if (!files) throw new Error('the recipe has a command, on one line, that writes files');
  return files.split(' ');
}

const filesOf = (additions: Additions) => new Set(additions.map(([file]) => file));

// `docs/commands.test.ts` sends a workbook, and the process that reads it may not follow the links to packages.
const DOCS = globSync('docs/*.test.ts', { cwd: root }).filter((file) => !file.endsWith('commands.test.ts'));
const ALL = ['packages/core/', 'packages/store/', 'packages/api/', ...DOCS, 'test-fixtures/'];

/** The commands of both recipes. */
function commandsOfRecipes(): readonly string[] {
  const [forFlag, forPart] = [filesOf(FLAG).add(MIGRATION), filesOf(PART)];
  expect(forFlag.size).toBeLessThanOrEqual(5);
  expect(forPart.size).toBeLessThanOrEqual(4);
  return [...commandOf('An offer field', forFlag), ...commandOf('A part of the cost', forPart)];
}

test('the recipes of CONTRIBUTING.md for a flag and a part of the cost name every file, each with its place', () => {
  expect(commandsOfRecipes()).not.toEqual([]);
  expect(added(root, [...FLAG, ...PART]).size).toBe(new Set([...filesOf(FLAG), ...filesOf(PART)]).size);
});

further('a flag and a part of the cost, added by them, compile and are wherever others are', async () => {
  const folder = copyOfSources();
  const env = { ...process.env, ...(postgresUrl === null ? {} : { TEST_PG_URL: postgresUrl }), TEST_LENGTH: 'share' };
  const run = (program: string, ...args: string[]) => {
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(root, program), ...args], options);
    expect(status, `${program}: ${stdout.slice(-5000)} ${stderr.slice(-5000)}`).toBe(0);
  };
  try {
    follow(folder);
    run('node_modules/vitest/vitest.mjs', 'run', ...new Set(commandsOfRecipes()), '-u');
    for (const name of ['vectors', 'bills']) run(join(folder, `test-fixtures/vectors/oracle/write-${name}.mjs`));
    run('node_modules/typescript/bin/tsc', '-b');
    run('node_modules/vitest/vitest.mjs', 'run', ...ALL);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
