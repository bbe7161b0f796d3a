import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MutatedFile, sourceOf } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const CONFIG = `
const conditions = ['tarifario-source'];
export default {
  cacheDir: '.cache',
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: { include: ['packages/core/src/**/*.test.ts'], testTimeout: 50_000, isolate: false, maxWorkers: 1, bail: 1 },
};
`;

/** What became of a run of tests. `broken`: the program did not even load, which proves nothing. */
export type Outcome = 'passed' | 'failed' | 'hung' | 'broken';

interface Change {
  readonly file: MutatedFile;
  readonly text: string;
}

/** A copy of core in which files can be changed, with its own tests. */
export interface Workshop {
  /**
   * Runs the tests whose path contains one of the filters, with one file replaced by `text` meanwhile.
   *
   * @param limitMs - A run that takes longer is hanging: a changed loop that never ends is a change that was noticed.
   */
  run(tests: readonly string[], limitMs: number, change?: Change): Promise<Outcome>;
  close(): void;
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-mutation-'));
  const core = join(folder, 'packages/core');
  for (const name of ['src', 'test', 'testing', 'package.json']) {
    const isCopied = (path: string) => !path.endsWith('tsconfig.json'); // it extends one that is not there
    cpSync(join(ROOT, 'packages/core', name), join(core, name), { recursive: true, filter: isCopied });
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@tarifario'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!existsSync(join(modules, name))) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  symlinkSync(core, join(modules, '@tarifario/core'));
  symlinkSync(join(ROOT, 'test-fixtures'), join(folder, 'test-fixtures'));
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG);
  return {
    async run(tests, limitMs, change) {
      if (change) writeFileSync(join(core, 'src', change.file), change.text);
      try {
        return await runTests(folder, tests, limitMs);
      } finally {
        if (change) writeFileSync(join(core, 'src', change.file), sourceOf(change.file));
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function runTests(folder: string, tests: readonly string[], limitMs: number): Promise<Outcome> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--reporter=dot', ...tests], {
    cwd: folder,
    env: { ...process.env, LAW_SHRINK: 'no', VITEST: '', NODE_ENV: 'test', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own: the workers of a hanging run are ended with it
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let hung = false;
    const limit = setTimeout(() => {
      hung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      if (hung) resolve('hung');
      else if (code === 0) resolve('passed');
      else resolve(/Tests .*failed|AssertionError|Property failed/.test(output) ? 'failed' : 'broken');
    });
  });
}
