// Makes `src/engine/ranking/preselection-module.ts` from `preselection.ts` here: `npm run wasm`.
// With a path as argument it writes there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: a file of this very package, beside its folder
import { checksumOf } from '../src/engine/ranking/checksum.ts';

const OPTIONS = '--optimizeLevel 3 --shrinkLevel 1 --converge --noAssert --runtime stub --importMemory --enable simd';

const folder = mkdtempSync(join(tmpdir(), 'tarifario-wasm-'));
try {
  const file = join(folder, 'preselection.wasm');
  const asc = join(createRequire(import.meta.url).resolve('assemblyscript/package.json'), '../bin/asc.js');
  const source = join(import.meta.dirname, 'preselection.ts');
  execFileSync(process.execPath, [asc, source, '--outFile', file, ...OPTIONS.split(' ')], { stdio: 'inherit' });
  const bytes = readFileSync(file);
  const text = `// Made from assembly/preselection.ts by npm run wasm; a test makes it again.
export const PRESELECTION_MODULE = {
  length: ${bytes.length},
  checksum: ${checksumOf(bytes)},
  base64:
    '${bytes.toString('base64')}',
};
`;
  writeFileSync(process.argv[2] ?? join(import.meta.dirname, '../src/engine/ranking/preselection-module.ts'), text);
} finally {
  rmSync(folder, { recursive: true });
}
