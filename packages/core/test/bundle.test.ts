import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const core = join(import.meta.dirname, '..');

/** A bundle of some names, minified: its size in bytes, and compressed. */
function bundleOf(names: string): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-bundle-'));
  try {
    const entry = join(folder, 'entry.ts');
    const bundle = join(folder, 'bundle.js');
    writeFileSync(entry, `export { ${names} } from ${JSON.stringify(join(core, 'src/index.ts'))};`);
    const options = [entry, '--minify', '--format', 'esm', '--file', bundle];
    execFileSync(join(core, '../../node_modules/.bin/rolldown'), options, { stdio: 'pipe' });
    const bytes = readFileSync(bundle);
    return [bytes.length, gzipSync(bytes, { level: 9 }).length];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a bundle with and without a market has the size that README says, within a few percent', () => {
  const text = readFileSync(join(core, 'README.md'), 'utf8').replaceAll('\n', ' ');
  const sizes = [...text.matchAll(/is about (\d+) kB \((\d+) kB compressed\)/g)].map(([, ...kB]) => kB.map(Number));
  const measured = ['rankOffers, defineOffer', 'rankOffers, defineOffer, createMarket'].map(bundleOf);
  expect(sizes).toHaveLength(2);
  measured.flat().forEach((bytes, index) => {
    const kB = sizes.flat()[index] ?? 0;
    // Half a kB is what rounding hides.
    expect(Math.abs(bytes / 1000 - kB), `${bytes} bytes, ${kB} kB in README`).toBeLessThan(0.5 + 0.03 * kB);
  });
});
