import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfSources } from '@tarifario/testkit/copy-of-sources';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const FILES = ['packages/api/dist/openapi-examples.json', 'packages/client/src/generated.ts'];
let folder: string;

beforeAll(() => {
  folder = copyOfSources();
});
afterAll(() => rmSync(folder, { recursive: true }));

const missing = () => FILES.filter((file) => !existsSync(join(folder, file)));

function version() {
  const program = join(folder, 'apps/cli/bin/tarifario.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

further('the program in a new clone makes the files that are made of the sources, before anything else', () => {
  expect(missing()).toEqual(FILES);
  expect(version()).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  for (const file of FILES)
    expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'));
});

it('the program says how they are made where that is not installed which makes them', () => {
  for (const file of FILES) rmSync(join(folder, file), { force: true });
  rmSync(join(folder, 'packages/client/node_modules'));
  rmSync(join(folder, 'node_modules/@tarifario/testkit'));
  const stderr = 'tarifario: files are missing that are made of the sources: npm ci && npm run build\n';
  expect(version()).toEqual({ status: 1, stdout: '', stderr });
});

it('git ignores them, so none can be committed', () => {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['dist/', 'packages/client/src/generated.ts']));
});
