import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Every decision stands once on its page, and what is said to pin it exists. */
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/assumptions.md'), 'utf8');

interface Pin {
  readonly file: string;
  readonly title: string;
}

interface Decision {
  readonly number: string;
  readonly text: string;
  readonly pins: readonly Pin[];
  readonly isBuilt: boolean;
}

/** Pins are written as a list: - `file`: "title", "title". A quote inside a title is escaped. */
function pinsOf(text: string): Pin[] {
  const pins: Pin[] = [];
  let file = '';
  for (const [, path, title] of text.matchAll(/`([^`]+)`:|"((?:\\"|[^"])+)"/g)) {
    if (path !== undefined) file = path;
    else if (title !== undefined) pins.push({ file, title: title.replaceAll('\\"', '"') });
  }
  return pins;
}

const decisions: readonly Decision[] = page
  .split(/^### /m)
  .slice(1)
  .map((section) => {
    const [text = '', pinned = ''] = section.split(/^Pinned by:/m);
    return {
      number: section.slice(0, 4),
      text,
      pins: pinsOf(pinned.split(/^## /m)[0] ?? ''),
      isBuilt: !text.includes('**Not built yet.**'),
    };
  });

const numbers = decisions.map(({ number }) => number);

test('every decision stands once, in order', () => {
  expect(numbers).toEqual([...new Set(numbers)].toSorted());
});

test.each(decisions)('$number is pinned by tests that exist, or says that it is not built', (decision) => {
  const { number, pins, isBuilt } = decision;
  expect(isBuilt).toBe(pins.length > 0);
  for (const { file, title } of pins) {
    expect(existsSync(join(root, file)), file).toBe(true);
    const text = readFileSync(join(root, file), 'utf8');
    if (file.endsWith('.json')) {
      const vectors = z.array(z.object({ name: z.string(), rule: z.array(z.string()) })).parse(JSON.parse(text));
      expect(vectors.find(({ name }) => name === title)?.rule ?? [], `${file}: ${title}`).toContain(number);
    } else {
      const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``].some((form) => text.includes(form));
      expect(quoted, `${file}: ${title}`).toBe(true);
    }
  }
});

const sources = globSync('{packages,apps,docs,test-fixtures}/**/*.{ts,mjs,json,md}', {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|dist|data)(\/|$)/.test(String(path)),
});

test('every number that is mentioned anywhere is a decision', () => {
  expect(sources.length).toBeGreaterThan(100);
  const unknown = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bA-\d\d\b/g)]
      .filter(([mention]) => !numbers.includes(mention))
      .map(([mention]) => `${file}: ${mention}`),
  );
  expect(unknown).toEqual([]);
});

test('every decision that a vector pins says that vectors pin it', () => {
  const vectors = sources.filter((file) => /^test-fixtures\/vectors\/[\w-]+\.json$/.test(file));
  const ruled = new Set(vectors.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/A-\d\d/g) ?? []));
  expect(ruled.size).toBeGreaterThan(20);
  const silent = decisions.filter(
    ({ number, pins }) => ruled.has(number) && !pins.some((p) => p.file.endsWith('json')),
  );
  expect(silent.map(({ number }) => number)).toEqual([]);
});
