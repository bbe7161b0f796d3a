import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The library as a stranger gets it: packed, installed alone in an empty folder, run as the README shows it. */
const root = join(import.meta.dirname, '../../..');
const stranger = mkdtempSync(join(tmpdir(), 'tarifario-stranger-'));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const example = /```js embedding\n(.*?)```/s.exec(readme)?.[1] ?? '';

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  run(join(root, 'node_modules/.bin/tsc'), ['-b', 'packages/core', 'packages/core/testing'], root);
  run('npm', ['pack', '--pack-destination', stranger], join(root, 'packages/core'));
  const [tarball] = readdirSync(stranger).filter((file) => file.endsWith('.tgz'));
  writeFileSync(join(stranger, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], stranger);
}, 60_000);

afterAll(() => rmSync(stranger, { recursive: true }));

test('the packed library brings nothing else with it', () => {
  expect(readdirSync(join(stranger, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@tarifario']);
  expect(readdirSync(join(stranger, 'node_modules/@tarifario'))).toEqual(['core']);
});

test('the README example runs in JavaScript and prints what the README says', () => {
  writeFileSync(join(stranger, 'example.js'), example);
  const promised = [...example.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
  expect(promised).toHaveLength(2);
  expect(run(process.execPath, ['example.js'], stranger).trim().split('\n')).toEqual(promised);
});

test('the README example type-checks in TypeScript under strict settings', () => {
  writeFileSync(join(stranger, 'example.ts'), example);
  writeFileSync(join(stranger, 'console.d.ts'), 'declare const console: { log(...values: unknown[]): void };');
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2024',
    noEmit: true,
  };
  const config = { compilerOptions: { ...options, lib: ['es2024'], types: [] }, files: ['example.ts', 'console.d.ts'] };
  writeFileSync(join(stranger, 'tsconfig.json'), JSON.stringify(config));
  expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], stranger)).toBe('');
});

test('a wrong use of the library does not type-check', () => {
  writeFileSync(
    join(stranger, 'example.ts'),
    example.replace("supplyType: 'LUZ', consumptionKwh", "supplyType: 'GAS', powerKw"),
  );
  expect(() => run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], stranger)).toThrow();
});

test('the packed testing entry runs the store contract, once its optional peer is there', () => {
  const suite = `
    import { createMemoryStore, storeContract } from '@tarifario/core/testing';
    const cases = storeContract(async () => createMemoryStore());
    for (const { name, run } of cases.filter((_, index) => index % 8 === 0)) await run();
    console.log(cases.length > 60);
  `;
  writeFileSync(join(stranger, 'suite.js'), suite);
  expect(() => run(process.execPath, ['suite.js'], stranger)).toThrow(/fast-check/);
  for (const name of ['fast-check', 'pure-rand']) {
    symlinkSync(join(root, 'node_modules', name), join(stranger, 'node_modules', name));
  }
  expect(run(process.execPath, ['suite.js'], stranger).trim()).toBe('true');
});
