import { defineConfig } from 'vitest/config';

const conditions = ['source'];

// Workspaces are read from their sources, so tests need no build.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module', 'default'] } },
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test-fixtures/**/*.test.ts', 'docs/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    globalSetup: 'packages/store/test/postgres/one-for-all.ts',
    testTimeout: 30_000,
    // The clients of MCP need a package that names its own sources by the same condition, and those Node does not strip.
    server: {
      deps: { inline: [/\/eventsource\//, /\/@modelcontextprotocol\/client\//, /\/sdk\/dist\/esm\/client\//] },
    },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]],
  },
});
