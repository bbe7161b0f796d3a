import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Every decision is once on the page, and the title of a test or the rule of a vector begins with its number. */
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/assumptions.md'), 'utf8');
const lines = page.split(/^(?=- |#)/m).flatMap((text) => {
  const number = /^- \*\*(A-\d+) /.exec(text)?.[1];
  return number === undefined ? [] : [{ number, test: /`([^`]+)`\s*$/.exec(text)?.[1] ?? '' }];
});
const numbers = lines.map(({ number }) => number);

const sources = globSync('{packages,apps,docs,test-fixtures}/**/*.{ts,mjs,json,md}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data)(\/|$)/.test(String(path)),
});

test('every decision has one line, in order', () => {
  const order = (number: string) => Number(number.slice(2));
  expect(numbers.length).toBeGreaterThan(90);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => order(a) - order(b)));
});

const vectorSchema = z.array(z.object({ rule: z.array(z.string()) }));

/** The decisions that titles of a file of tests begin with, alone or in a list, or that rules of its vectors name. */
function pinnedIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.json')) return vectorSchema.parse(JSON.parse(text)).flatMap(({ rule }) => rule);
  return [...text.matchAll(/['"`]((?:A-\d+, )*A-\d+): /g)].flatMap(([, list = '']) => list.split(', '));
}

test('every decision is pinned by a test or a vector', () => {
  const files = sources.filter((file) =>
    /^test-fixtures\/vectors\/[\w-]+\.json$|\.test\.ts$|\/contract\/[\w-]+\.ts$/.test(file),
  );
  const pinned = new Set(files.flatMap(pinnedIn));
  expect(numbers.filter((number) => !pinned.has(number))).toEqual([]);
});

test('the test that the line of a decision ends with is there, and pins it', () => {
  const wrong = lines.filter(({ number, test: file }) => !sources.includes(file) || !pinnedIn(file).includes(number));
  expect(wrong).toEqual([]);
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
