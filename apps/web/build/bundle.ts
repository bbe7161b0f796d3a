import { readdir, readFile } from 'node:fs/promises';
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
  const { outputFiles, metafile } = await build({
    // Names of files have a hash, which must be the same wherever the program is started.
    absWorkingDir: SOURCES,
    entryPoints: ['app.tsx', 'app.css', 'customer/code-reader.ts', 'office/workbook-reader.ts'],
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
    metafile: true,
    logLevel: 'silent',
  });
  const page = await readFile(join(SOURCES, 'index.html'));
  return [
    ['index.html', page],
    ['LICENSES.txt', await licences(Object.keys(metafile.inputs))],
    ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)] as const),
  ];
}

/** What a package contains of others without saying so. The page has the text of the Apache License with `qr`. */
const INSIDE: Readonly<Record<string, string>> = {
  unpdf: 'It contains pdf.js: Copyright Mozilla Foundation, Apache License, Version 2.0.',
};
/** The licence of a package that comes without its text. */
const APART: Readonly<Record<string, string>> = { saxes: join(SOURCES, '../build/licence-of-saxes.txt') };

/** The licences of the packages that are part of the page: each has to go where its code goes. */
async function licences(inputs: readonly string[]): Promise<Buffer> {
  const folders = inputs.flatMap((input) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const place = join(SOURCES, folder);
    const files = (await readdir(place)).filter((name) => /^licen[cs]e/i.test(name)).sort();
    const name = folder.replace(/^.*node_modules\//, '');
    const paths = [...files.map((file) => join(place, file)), ...(APART[name] ? [APART[name]] : [])];
    if (paths.length === 0) throw new Error(`${folder} has no licence`);
    const read = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    return [name, ...read, INSIDE[name] ?? ''].join('\n\n');
  });
  return Buffer.from((await Promise.all(texts)).join('\n\n'));
}
