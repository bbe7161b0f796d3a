import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Files of which `npm test` sends a share go their full length here. */
const shared = globSync(['{packages,apps}/*/{src,test,testing}/**/*.test.ts', 'docs/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes('@tarifario/testkit/share'),
);
const long = mergeConfig(config, defineConfig({ test: { testTimeout: 3_600_000, hookTimeout: 600_000 } }));

// What takes longer than a change should wait for: every file `*.long.test.ts`, and those at full length.
const { projects: _, ...settings } = long.test ?? {};
long.test = {
  ...settings,
  include: ['{packages,apps}/**/*.long.test.ts', ...shared],
  env: { TEST_LENGTH: 'full' },
  // Some of them measure: one processor is left to what else the machine does.
  maxWorkers: Math.max(1, availableParallelism() - 1),
  exclude: ['**/node_modules/**', '**/dist/**'],
  reporters: ['default'],
};

export default long;
