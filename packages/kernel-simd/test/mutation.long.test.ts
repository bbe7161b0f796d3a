import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Each of these changes to the assembly loses somebody who matters, or tells a figure that is further off than is
// proved. The laws have to notice all of them.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(ROOT, 'packages/kernel-simd/assembly/index.ts');
const source = readFileSync(SOURCE, 'utf8');

/** What is changed, and into what; each is there once. */
const MUTANTS: readonly (readonly [string, string, string])[] = [
  ['surplus is worth more than the energy', 'f32x4.pmin(worth, energy)', 'worth'],
  ['surplus is that of another column', 'const SURPLUS: usize = 14 * 128', 'const SURPLUS: usize = 13 * 128'],
  ['the largest size is that of the last row', 'largest = max(largest, abs(value))', 'largest = abs(value)'],
  ['the steepest line is the last one', 'steepest = max(steepest, abs(perUnit))', 'steepest = abs(perUnit)'],
  ['commissions pay no fees', 'f32x4.add(v128.load(consumption), fees)', 'v128.load(consumption)'],
  ['power pays nothing', 'f32x4.add(energy, v128.load(power))', 'energy'],
  ['whoever lacks a price is priced', 'const c3 = v128.and(p3, ', 'const c3 = v128.or(p3, '],
  ['some offers pay no fees', 'f32x4.add(a5, fees)', 'a5'],
  ['power costs nothing', 'load<i32>(demand, USED_END)', 'load<i32>(demand, ENERGY_END)'],
  ['some candidates are not counted', 'candidates = i32x4.sub(candidates, c2);', ''],
  ['some who pass are not counted', 'passing = i32x4.sub(passing, p6);', ''],
  ['a box forgets who is cheap', 'lowest = f32x4.pmin(lowest, k5);', ''],
  ['a box forgets who is dear', 'highest = f32x4.pmax(highest, k1);', ''],
  ['a box forgets who is paid least', 'least = f32x4.pmin(least, q4);', ''],
  ['a box forgets who is paid best', 'most = f32x4.pmax(most, q7);', ''],
  ['nobody is dear', 'f32x4.ge(cost, highCost)', 'f32x4.gt(cost, f32x4.splat(Infinity))'],
  ['nobody is rich', 'f32x4.ge(paid, highPaid)', 'f32x4.gt(paid, f32x4.splat(Infinity))'],
  ['boxes of the dear are skipped', 'v128.or(cheap, dear)', 'cheap'],
  ['boxes of the rich are skipped', 'v128.or(poor, rich)', 'poor'],
  ['fewer than the limit reach the threshold', 'countFrom(middle, highest, end) >= limit', 'limit > 0'],
  ['the threshold is raised', 'reachedBy(limit, highest, parts) - margin', 'reachedBy(limit, highest, parts) + margin'],
  ['a box with one who is too low is skipped', 'i32x4.all_true(f32x4.lt(corner', 'v128.any_true(f32x4.lt(corner'],
  ['the second half of a step is not looked at', 'v128.any_true(v128.or(a, b))', 'v128.any_true(a)'],
  ['the rows of a step are one too high', 'next = listRows(bits, ', 'next = listRows(bits, 1 + '],
  ['nobody is on the first inner part of the edge', 'v128.or(first, second)', 'second'],
  ['nobody is on the ends of the edge', 'v128.or(isBestPaid, isCheapest)', 'f32x4.gt(cost, cost)'],
];

const folder = mkdtempSync(join(tmpdir(), 'tarifario-assembly-'));
const copy = join(folder, 'packages/kernel-simd');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = `
const conditions = ['tarifario-source'];
export default {
  cacheDir: '.cache',
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: { include: ['packages/kernel-simd/test/*.prop.test.ts'], testTimeout: 50_000, maxWorkers: 1, bail: 1 },
};
`;

/** Whether the laws hold with these sources. */
function lawsHold(text: string): boolean {
  writeFileSync(join(copy, 'assembly/index.ts'), text);
  const { scripts }: { readonly scripts: { readonly wasm: string } } = JSON.parse(
    readFileSync(join(copy, 'package.json'), 'utf8'),
  );
  const [, ...args] = scripts.wasm.split(' ');
  const compiler = join(ROOT, 'node_modules/assemblyscript/bin/asc.js');
  execFileSync(process.execPath, [compiler, ...args], { cwd: copy, stdio: 'pipe' });
  const { status, stdout, signal } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot'],
    {
      cwd: folder,
      env: { ...process.env, LAW_SHRINK: 'no', VITEST: '', NODE_ENV: 'test', NO_COLOR: '1' },
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  const isTold = status === 0 || signal !== null || /Tests .*failed|AssertionError|Property failed/.test(stdout);
  expect(isTold, `the tests did not run: ${stdout.slice(-2000)}`).toBe(true);
  return status === 0;
}

beforeAll(() => {
  for (const name of ['src', 'test', 'wasm', 'assembly', 'package.json']) {
    cpSync(join(ROOT, 'packages/kernel-simd', name), join(copy, name), { recursive: true });
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@tarifario'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@tarifario') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(ROOT, 'packages/core'), join(modules, '@tarifario/core'));
  symlinkSync(copy, join(modules, '@tarifario/kernel-simd'));
  symlinkSync(join(ROOT, 'packages/core'), join(folder, 'packages/core'));
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG);
  expect(lawsHold(source), 'the laws hold for the assembly as it is').toBe(true);
});

test.each(MUTANTS)('the laws notice that %s', (_name, find, replace) => {
  expect(source.split(find)).toHaveLength(2);
  expect(lawsHold(source.replace(find, replace))).toBe(false);
});
