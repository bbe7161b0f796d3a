import { defineConfig } from 'vitest/config';

const conditions = ['tarifario-source'];

// Workspaces are read from their sources, so tests need no build.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test-fixtures/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    globalSetup: 'packages/store/test/postgres/one-for-all.ts',
    testTimeout: 30_000,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
});
