import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

test('the bytes that are checked in are those that the sources give', () => {
  const { scripts } = z
    .object({ scripts: z.object({ wasm: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-wasm-'));
  try {
    const made = join(folder, 'kernel.wasm');
    const [, ...words] = scripts.wasm.split(' ');
    const args = words.map((word) => (word === 'wasm/kernel.wasm' ? made : word));
    expect(args).toContain(made);
    const asc = join(root, '../../node_modules/assemblyscript/bin/asc.js');
    execFileSync(process.execPath, [asc, ...args], { cwd: root, stdio: 'pipe' });
    expect(readFileSync(made).equals(readFileSync(join(root, 'wasm/kernel.wasm')))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
