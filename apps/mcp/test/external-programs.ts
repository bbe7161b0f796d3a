import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const FOLDER = join(import.meta.dirname, '../conformance');

/** What to do where a program is not there: it comes with 160 MB that nobody else needs. */
export const HOW_TO_INSTALL = 'npm ci --prefix apps/mcp/conformance';

/** The scenarios of a version of the protocol that must fail. */
export const baselineOf = (version: string) => join(FOLDER, `${version}.yml`);

/** A program that comes with a package, or one of ours that uses such a package. */
function pathOf(program: string): string {
  return join(FOLDER, program.endsWith('.mjs') ? '' : 'node_modules/.bin', program);
}

export function isInstalled(program: string): boolean {
  if (existsSync(join(FOLDER, 'node_modules')) && existsSync(pathOf(program))) return true;
  process.stderr.write(`\n!!! ${program} is not installed and was NOT tried. To try it: ${HOW_TO_INSTALL}\n\n`);
  return false;
}

/** Runs a program of others as a process of its own, for ten minutes at most. */
export async function runExternalProgram(program: string, args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [pathOf(program), ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1' },
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
}
