import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const SOURCES = join(import.meta.dirname, '../src');

/** The reader of PDFs is minified. To bundle it would take longer than all the rest. */
const copyReader: Plugin = {
  name: 'copy the reader of PDFs',
  setup: ({ onLoad }) =>
    onLoad({ filter: /unpdf.dist.pdfjs\.mjs$/ }, async ({ path }) => ({
      contents: await readFile(path),
      loader: 'copy',
    })),
};

/** Bundles the page in memory. Files that it loads later have the hash of their content in their names. */
export async function bundle(): Promise<readonly (readonly [string, Buffer])[]> {
  const { outputFiles } = await build({
    // Names of files have a hash, which must be the same wherever the program is started.
    absWorkingDir: SOURCES,
    entryPoints: ['app.tsx', 'app.css', 'customer/code-reader.ts'],
    // All in one folder, as they are served.
    entryNames: '[name]',
    outdir: 'app',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['tarifario-source'],
    minify: true,
    plugins: [copyReader],
    write: false,
    logLevel: 'silent',
  });
  const page = await readFile(join(SOURCES, 'index.html'));
  return [
    ['index.html', page],
    ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  ];
}
