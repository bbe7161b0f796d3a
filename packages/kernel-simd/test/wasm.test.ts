import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

test.each([
  ['wasm:kernel', 'wasm/kernel.wasm'],
  ['wasm:portfolio', 'wasm/portfolio.wasm'],
])(
  'the bytes that are checked in are those that the sources give: %s',
  (script, file) => {
    expect(scripts.wasm).toContain(`npm run ${script}`);
    const folder = mkdtempSync(join(tmpdir(), 'tarifario-wasm-'));
    try {
      const made = join(folder, 'made.wasm');
      const [, ...words] = scripts[script]?.split(' ') ?? [];
      const args = words.map((word) => (word === file ? made : word));
      expect(args).toContain(made);
      const asc = join(root, '../../node_modules/assemblyscript/bin/asc.js');
      execFileSync(process.execPath, [asc, ...args], { cwd: root, stdio: 'pipe' });
      expect(readFileSync(made).equals(readFileSync(join(root, file)))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
