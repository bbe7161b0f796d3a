import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const core = join(import.meta.dirname, '..');

/** What the compiler declares in one file. */
interface Declarations {
  /** By name, a line each without comments; overloads are several. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  /** The same with comments, in their own lines. */
  readonly documented: ReadonlyMap<string, string>;
  /** The file that each imported or passed on name comes from. */
  readonly origins: ReadonlyMap<string, string>;
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;

function declarationsOf(file: string, text: string): Declarations {
  const lines = new Map<string, readonly string[]>();
  const documented = new Map<string, string>();
  const origins = new Map<string, string>();
  // A statement begins at the margin and goes on until another one does.
  for (const statement of text.split(/\n(?=[a-z]|\/\*\*)(?<!\*\/\n)/)) {
    const line = statement.replace(COMMENT, '').replace(/\s+/g, ' ').trim();
    const [, declaration = '', name] = /^(?:export )?(?:declare )?([a-z]+ (\w+).*)$/.exec(line) ?? [];
    const [, list, origin = ''] = /^(?:import|export) (?:type )?\{(.*)\} from '(.+)';$/.exec(line) ?? [];
    if (list !== undefined) {
      for (const [imported] of list.matchAll(/\w+(?=,| ?$)/g)) origins.set(imported, join(file, '..', origin));
    } else if (name) {
      lines.set(name, [...(lines.get(name) ?? []), declaration]);
      documented.set(name, `${documented.get(name) ?? ''}${statement}\n`);
    }
  }
  return { lines, documented, origins };
}

/** By file, such as `src/errors.ts`. */
function declarationsOfCore(): ReadonlyMap<string, Declarations> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-api-'));
  try {
    const options = ['--emitDeclarationOnly', '--declarationMap', 'false', '--outDir', folder];
    execFileSync(join(core, '../../node_modules/.bin/tsc'), ['-p', core, ...options], { stdio: 'pipe' });
    const files = globSync('src/**/*.d.ts', { cwd: folder });
    return new Map(
      files.map((path) => {
        const file = path.replace('.d.ts', '.ts');
        return [file, declarationsOf(file, readFileSync(join(folder, path), 'utf8'))];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The lines of the names of an entry, then of the types that those lines use. */
function reportOf(entry: string): {
  readonly shown: readonly string[];
  readonly behind: readonly string[];
  /** All of them with their comments. */
  readonly documented: readonly string[];
} {
  const files = declarationsOfCore();
  const documented: string[] = [];
  const seen = new Set<string>();
  const linesOf = (name: string, file: string): readonly { readonly line: string; readonly file: string }[] => {
    const lines = files.get(file)?.lines.get(name);
    const origin = files.get(file)?.origins.get(name);
    if (!lines) return origin === undefined ? [] : linesOf(name, origin);
    // Its members are all messages, in the order in which the compiler met them, which differs from run to run.
    if (name === 'SPANISH' || seen.has(`${name} ${file}`)) return [];
    seen.add(`${name} ${file}`);
    documented.push(files.get(file)?.documented.get(name) ?? '');
    return lines.map((line) => ({ line, file }));
  };
  const shown = [...(files.get(entry)?.origins.keys() ?? [])].flatMap((name) => linesOf(name, entry));
  const all = [...shown];
  for (const { line, file } of all) {
    const words = line.replace(/'[^']*'/g, '').match(/\b[A-Z]\w+/g) ?? [];
    for (const word of words) all.push(...linesOf(word, file));
  }
  const sorted = (list: typeof all) =>
    list.map(({ line }) => line).sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : Number(nameIn(a) > nameIn(b))));
  return { shown: sorted(shown), behind: sorted(all.slice(shown.length)), documented };
}

function nameIn(line: string): string {
  return line.split(' ')[1] ?? '';
}

const report = reportOf('src/index.ts');

/** Words of units, of numbers that have none, and of what ids and places count. */
const UNIT =
  /EUR|[kM]Wh|kW\b|%|\b(seconds|unit|days?|months?|years?|ids?|number|how many|times|place|whole|bytes|0 to 1|0 to 10)\b/i;
/** A member with numbers, after its comment. */
const NUMBER_MEMBER =
  /(?:(\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s*)?readonly (\w+)\??: (?!'|Readonly<Record)(?:[^;{(]*\b)?number\b[^;{]*;/g;

test('every public member with a number says its unit where an editor shows it, and nothing there names a decision', () => {
  const members = report.documented.flatMap((text) => [...text.matchAll(NUMBER_MEMBER)]);
  expect(members.length).toBeGreaterThan(150);
  const silent = members.filter(([, comment = '']) => !UNIT.test(comment));
  expect(silent.map(([text]) => text)).toEqual([]);
  expect(report.documented.filter((text) => /(?<!BOE-)\bA-\d/.test(text))).toEqual([]);
});

test('api-report.md has the present exports of @tarifario/core, so that a change of them is seen in review', async () => {
  const { shown, behind } = report;
  expect(shown.length).toBeGreaterThan(40);
  const page = `# What \`@tarifario/core\` exports

Made from the declarations of the compiler: \`npx vitest run packages/core/test/api-report.test.ts -u\`.

\`\`\`ts
${shown.join('\n')}
\`\`\`

The types that these name, and that a program cannot import:

\`\`\`ts
${behind.join('\n')}
\`\`\`
`;
  await expect(page).toMatchFileSnapshot('../api-report.md');
});
