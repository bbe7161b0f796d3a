import { createMemoryStore, storeContract } from '@tarifario/core/testing';
import { describe, test } from 'vitest';

describe('the store in memory', () => {
  for (const { name, run } of storeContract(async () => createMemoryStore())) test(name, run);
});
