import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the page, by its name under `/app/`; the document itself is `index.html`. */
export type WebFiles = ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>;

/** Where `npm run build -w @tarifario/web` writes the files. */
export const BUILT = join(import.meta.dirname, '../dist/app');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/**
 * The files of the page. Where the bundler is installed, it builds them from the sources, so the page is never older
 * than they are. Elsewhere they are the files of an earlier build.
 *
 * @returns `null`: they were not built, and cannot be.
 * @see docs/decisions/0056-the-page-is-bundled-where-it-is-served.md
 */
export async function readWebFiles(): Promise<WebFiles | null> {
  return (await bundled()) ?? (await built());
}

async function bundled(): Promise<WebFiles | null> {
  const bundler = await import('./bundle.ts').catch(unlessMissing('ERR_MODULE_NOT_FOUND'));
  return bundler && filesOf(await bundler.bundle());
}

async function built(): Promise<WebFiles | null> {
  const names = await readdir(BUILT).catch(unlessMissing('ENOENT'));
  return names && filesOf(await Promise.all(names.map(async (name) => [name, await readFile(join(BUILT, name))])));
}

function filesOf(files: readonly (readonly [string, Buffer])[]): WebFiles {
  return new Map(files.map(([name, bytes]) => [name, { type: TYPES[extname(name)] ?? 'text/plain', bytes }]));
}

function unlessMissing(code: string): (error: unknown) => null {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return null;
    throw error;
  };
}
