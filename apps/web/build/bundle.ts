import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const SOURCES = join(import.meta.dirname, '../src');

/** Bundles the page in memory. Files that it loads later have the hash of their content in their names. */
export async function bundle(): Promise<readonly (readonly [string, Buffer])[]> {
  const { outputFiles } = await build({
    // Names of files have a hash, which must be the same wherever the program is started.
    absWorkingDir: SOURCES,
    entryPoints: [join(SOURCES, 'app.tsx'), join(SOURCES, 'app.css')],
    outdir: 'app',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['tarifario-source'],
    minify: true,
    write: false,
    logLevel: 'silent',
  });
  const page = await readFile(join(SOURCES, 'index.html'));
  return [
    ['index.html', page],
    ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  ];
}
