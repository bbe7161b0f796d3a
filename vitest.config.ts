import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SecondsReporter } from './packages/testkit/test/seconds/reporter.ts';

const conditions = ['tarifario-source'];

// Sources are compiled once and not for each of hundreds of processes and threads. They inherit it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

const ALL = ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'docs/**/*.test.ts'];
/** Tests that start no process: `npm run test:unit`. */
const UNIT = [
  '{packages,apps}/*/src/**/!(*.integration).test.ts',
  'packages/core/testing/*.test.ts',
  'packages/api/test/!(*.integration|idempotency).test.ts',
  'test-fixtures/**/*.test.ts',
];
/** Tests that look at pages: `browser.ts` starts one browser for all that a worker runs. */
const PAGES = ['apps/web/test/**/*.test.ts'];
/** Tests that replace a module of their process, or count its children. Each file has a process of its own. */
const ALONE = ['packages/runtime/test/{compose,import-worker}.integration.test.ts'];
const OTHERS = ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'];

const measures = process.env.TEST_SECONDS === 'yes';

// Workspaces are read from their sources, so tests need no build.
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, 'node', 'default'] } },
};
const limits = {
  // These do not measure speed: each is long enough for a very busy machine.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 300_000, interval: 20 } },
  // Titles that are made from `$name` are whole.
  taskTitleValueFormatTruncate: 0,
  setupFiles: [
    'packages/testkit/test/remove-kept-stores.ts',
    ...(measures ? ['packages/testkit/test/seconds/measure.ts'] : []),
  ],
};

export default defineConfig({
  ...shared,
  test: {
    ...limits,
    projects: [
      // Modules are loaded once for all files: loading them is half of the time of a short file.
      { ...shared, test: { ...limits, name: 'unit', include: UNIT, exclude: OTHERS, isolate: false } },
      { ...shared, test: { ...limits, name: 'pages', include: PAGES, exclude: OTHERS, isolate: false } },
      {
        ...shared,
        test: {
          ...limits,
          name: 'integration',
          include: ALL,
          exclude: [...OTHERS, ...UNIT, ...PAGES, ...ALONE],
          isolate: false,
        },
      },
      { ...shared, test: { ...limits, name: 'alone', include: ALONE, exclude: OTHERS } },
    ],
    // One server for both.
    globalSetup: ['deploy/generated.mjs', 'packages/testkit/test/postgres/shared-server.ts'],
    // Many files wait for processes of theirs and for time-outs: one more than there are processors keeps them busy.
    maxWorkers: availableParallelism() + 1,
    reporters: [
      'default',
      ['json', { outputFile: 'node_modules/.cache/vitest.json' }],
      ...(measures ? [new SecondsReporter()] : []),
    ],
  },
});
