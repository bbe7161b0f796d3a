import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Every decision is once on the page, and the tests that it names exist. */
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/assumptions.md'), 'utf8');

interface Decision {
  readonly number: string;
  /** The files that have its pins. */
  readonly files: readonly string[];
  readonly isBuilt: boolean;
}

const decisions: readonly Decision[] = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [text = '', rest = ''] = section.split(/^Pinned by:/m);
    const [pinned = ''] = rest.split(/^## /m);
    return {
      number: /^A-\d+/.exec(section)?.[0] ?? '',
      files: [...pinned.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
      isBuilt: !text.includes('**Not built yet.**'),
    };
  });

const numbers = decisions.map(({ number }) => number);

test('every decision has one section, in order', () => {
  const order = (number: string) => Number(number.slice(2));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => order(a) - order(b)));
});

/** Whether a title in a file of tests begins with the number, alone or in a list; or a rule of a vector is the number. */
function isPinnedIn(file: string, number: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  if (!file.endsWith('.json')) return new RegExp(`['"\`](A-\\d+, )*${number}(, A-\\d+)*: `).test(text);
  const vectors = z.array(z.object({ rule: z.array(z.string()) })).parse(JSON.parse(text));
  return vectors.some(({ rule }) => rule.includes(number));
}

test.each(decisions)('$number is pinned in each file that it names, or says that it is not built', (decision) => {
  const { number, files, isBuilt } = decision;
  expect(isBuilt).toBe(files.length > 0);
  expect(files.filter((file) => !existsSync(join(root, file)) || !isPinnedIn(file, number))).toEqual([]);
});

const sources = globSync('{packages,apps,docs,test-fixtures}/**/*.{ts,mjs,json,md}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data)(\/|$)/.test(String(path)),
});

test('every number that is mentioned anywhere is a decision', () => {
  expect(sources.length).toBeGreaterThan(100);
  const unknown = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bA-\d{2,3}\b/g)]
      .filter(([mention]) => !numbers.includes(mention))
      .map(([mention]) => `${file}: ${mention}`),
  );
  expect(unknown).toEqual([]);
});

test('every decision that a vector pins says that vectors pin it', () => {
  const vectors = sources.filter((file) => /^test-fixtures\/vectors\/[\w-]+\.json$/.test(file));
  const ruled = new Set(vectors.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/A-\d+/g) ?? []));
  expect(ruled.size).toBeGreaterThan(20);
  const silent = decisions.filter(
    ({ number, files }) => ruled.has(number) && !files.some((file) => file.endsWith('json')),
  );
  expect(silent.map(({ number }) => number)).toEqual([]);
});
