import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The sources in a folder of their own, whose packages are those of the folder, without what is made of them. */
export function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-recipe-'));
  const built = /\/(node_modules|dist|generated\.ts|[^/]+\.tsbuildinfo)$/;
  for (const name of readdirSync(root)) {
    if (name === '.git' || name === 'node_modules') continue;
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !built.test(path) });
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue;
    const from = join(root, 'node_modules', name);
    if (name === '@tarifario' || name === '.bin')
      cpSync(from, join(modules, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, join(modules, name));
  }
  for (const own of globSync('{packages,apps}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, own), join(folder, own));
  }
  return folder;
}
