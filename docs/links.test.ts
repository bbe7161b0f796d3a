import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const isMade = (path: unknown) => /(^|\/)(node_modules|dist)(\/|$)/.test(String(path));
const pages = globSync('{*.md,docs/**/*.md,test-fixtures/**/*.md,examples/**/*.md,packages/**/*.md,apps/**/*.md}', {
  cwd: root,
  exclude: isMade,
}).toSorted();
const sources = globSync('{*,{packages,apps,bench,deploy,docs,examples,test-fixtures}/**/*}.{ts,tsx,mjs,py}', {
  cwd: root,
  exclude: isMade,
});

/** The text of a page without its code blocks. */
function prose(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```/gms, '');
}

/** The anchors that headings get. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map((heading) =>
    (heading[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

test('the pages of the repository are found', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']));
});

test('every number of a decision has either a page or a reason why there is none', () => {
  const files = globSync('docs/decisions/0*.md', { cwd: root }).map((path) => Number(/\/(\d{4})-/.exec(path)?.[1]));
  const explained = [...readFileSync(join(root, 'docs/decisions/README.md'), 'utf8').matchAll(/^\| ([\d, ]+) \|/gm)];
  const numbers = [...files, ...explained.flatMap(([, list = '']) => list.split(', ').map(Number))];
  const upToLast = Array.from({ length: Math.max(...files) }, (_, index) => index + 1);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(upToLast);
});

test.each(pages)('every link of %s leads somewhere', (page) => {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const broken = targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, file))) return true;
    if (anchor === undefined) return false;
    return statSync(join(root, file)).isDirectory() || !anchors(file).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(pages)('every file that %s names in code, by its path or by the end of it, exists', (page) => {
  // In CONTRIBUTING `x` stands for any name.
  const named = prose(page).matchAll(
    /`((?:packages|apps|docs|test-fixtures)\/[\w./-]+|(?!x\.)[\w./-]+\.(?:tsx?|mjs|py))`/g,
  );
  const isThere = (path: string) => existsSync(join(root, path)) || sources.some((file) => file.endsWith(`/${path}`));
  expect([...named].map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([]);
});

test('every page that a comment of the sources names by @see exists', () => {
  const named = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/@see (docs\/[\w./-]*\w)/g)].map(([, page = '']) => page),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
