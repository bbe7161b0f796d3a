import { createMemoryStore, importContract } from '@tarifario/core/testing';
import { runsOf } from '@tarifario/testkit/share';
import { describe, test } from 'vitest';

describe('files applied to the store in memory', () => {
  const contract = importContract(async () => createMemoryStore(), { runs: runsOf(50, 300) });
  for (const { name, run } of contract) test(name, run);
});
