import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readWebFiles } from '../build/index.ts';

const web = join(import.meta.dirname, '..');
// Far from node_modules, as an installation without development dependencies is for the bundler.
const installed = mkdtempSync(join(tmpdir(), 'tarifario-web-'));

beforeAll(() => {
  for (const name of ['package.json', 'build']) cpSync(join(web, name), join(installed, name), { recursive: true });
});
afterAll(() => rmSync(installed, { recursive: true }));

/** The names and sizes of the files that are served there. */
function servedThere(): unknown {
  const program = `import('./build/index.ts').then(async ({ readWebFiles }) =>
    console.log(JSON.stringify([...(await readWebFiles()) ?? []].map(([name, { type, bytes }]) => [name, type, bytes.length]))))`;
  const flags = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: installed, encoding: 'utf8', stdio: 'pipe' }));
}

further(
  'without the bundler the page does not exist at first, and after a build it has the files that the bundler makes',
  async () => {
    expect(servedThere()).toEqual([]);
    execFileSync(process.execPath, ['--conditions=tarifario-source', 'build/write.ts'], { cwd: web, stdio: 'pipe' });
    cpSync(join(web, 'dist/app'), join(installed, 'dist/app'), { recursive: true });
    const bundled = [...((await readWebFiles()) ?? [])].map(([name, { type, bytes }]) => [name, type, bytes.length]);
    expect(bundled.length).toBeGreaterThan(3);
    const byName = (files: unknown) => (Array.isArray(files) ? files.toSorted() : files);
    expect(byName(servedThere())).toEqual(byName(bundled));
  },
);

it('the page has the licence of each package whose code is in it', async () => {
  const licences = String((await readWebFiles())?.get('LICENSES.txt')?.bytes);
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: web, exclude: (name) => String(name).includes('.test.') });
  const imported = sources.flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(/(?:from |import\()'((?!@tarifario|node:)[a-z@][^/']*)/g)].map(
      ([, name = '']) => name,
    ),
  );
  // The last ones are in the page through the readers of tables.
  const packages = [...new Set(imported), 'papaparse', 'saxes'];
  expect(packages).toEqual(expect.arrayContaining(['preact', 'qr']));
  for (const name of packages) expect(licences).toMatch(new RegExp(`^${name}\\n\\n[^]{0,300}licen[cs]e`, 'im'));
  expect(licences).toContain('Copyright (c) 2015-present Jason Miller');
  expect(licences).toContain('contributors to xmlchars');
  expect(licences).toMatch(/pdf\.js: Copyright Mozilla Foundation, Apache License/);
  expect(licences).toMatch(/Apache License\s+Version 2\.0, January 2004/);
});
