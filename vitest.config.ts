import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const conditions = ['tarifario-source'];

// Workspaces are read from their sources, so tests need no build.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test-fixtures/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    // Many files wait for processes of theirs: two at once are faster than one, on two processors too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: 'packages/store/test/postgres/one-for-all.ts',
    // Nothing is told of speed here: each of these is long enough for a machine that has far too much to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
});
