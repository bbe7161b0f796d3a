import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

// What takes longer than a change should wait for: every file `*.long.test.ts`.
const long = mergeConfig(config, defineConfig({ test: { testTimeout: 3_600_000, hookTimeout: 600_000 } }));
long.test = {
  ...long.test,
  include: ['{packages,apps}/**/*.long.test.ts'],
  // Some of them measure: one processor is left to what else the machine does.
  maxWorkers: Math.max(1, availableParallelism() - 1),
  exclude: ['**/node_modules/**', '**/dist/**'],
  reporters: ['default'],
};

export default long;
