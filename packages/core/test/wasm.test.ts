import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PRESELECTION_MODULE } from '../src/engine/ranking/preselection-module.ts';

const core = join(import.meta.dirname, '..');

test('the checked-in module equals the one built from its source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-wasm-'));
  try {
    const made = join(folder, 'preselection-module.ts');
    execFileSync(process.execPath, [join(core, 'assembly/build.mjs'), made], { stdio: 'pipe' });
    expect(readFileSync(made, 'utf8')).toBe(
      readFileSync(join(core, 'src/engine/ranking/preselection-module.ts'), 'utf8'),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test('the module uses no relaxed SIMD, which some runtimes lack, and is small', () => {
  for (const file of ['preselection.ts', 'pricing.ts']) {
    expect(readFileSync(join(core, 'assembly', file), 'utf8')).not.toMatch(/relaxed_/);
  }
  expect(PRESELECTION_MODULE.length).toBeLessThan(5500);
});
