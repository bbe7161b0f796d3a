import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const core = (path: string) => fileURLToPath(new URL(`packages/core/${path}`, import.meta.url));

// What Stryker runs in its copy of core, whose name has to mean the copy: the tests beside the definition.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@tarifario\/core$/, replacement: core('src/index.ts') },
      { find: /^@tarifario\/core\/service$/, replacement: core('src/service.ts') },
      { find: /^@tarifario\/core\/testing$/, replacement: core('testing/index.ts') },
      { find: /^@tarifario\/testkit\/(.+)$/, replacement: core('../testkit/test/$1.ts') },
    ],
  },
  test: {
    include: [
      'packages/core/src/engine/{numbers,calendar}.test.ts',
      'packages/core/src/{service/access,engine/commission}/*.test.ts',
      'packages/core/src/bulk/{stored-precision,read-cell.prop}.test.ts',
      'packages/core/src/engine/offers/offer-rules.test.ts',
      'packages/core/src/engine/price/*.test.ts',
      'packages/core/src/engine/rank/{conflict,frontier,limits,oracle,rank,rank-offers,recommend,universe}.{prop.,}test.ts',
    ],
    testTimeout: 900_000,
    env: { LAW_SHRINK: 'no', TEST_LENGTH: 'full' },
  },
});
