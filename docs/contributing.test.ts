import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

test('the scripts that the page names exist', () => {
  const manifest = z.object({ scripts: z.record(z.string(), z.string()) });
  const { scripts } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const named = [...page.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('the second program agrees with every vector, as the page says', () => {
  const program = 'test-fixtures/vectors/oracle/write-vectors.mjs';
  expect(page).toContain(`node ${program} --check`);
  expect(execFileSync(process.execPath, [program, '--check'], { cwd: root, encoding: 'utf8' })).toMatch(/ 0 problems/);
});

test('the newest version in CHANGELOG.md is the version of the packages', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(/^## (\S+)$/m.exec(changes)?.[1]).toBe(version);
});
