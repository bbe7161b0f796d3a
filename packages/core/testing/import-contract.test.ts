import { createMemoryStore, importContract } from '@tarifario/core/testing';
import { describe, test } from 'vitest';

describe('files applied to the store in memory', () => {
  for (const { name, run } of importContract(async () => createMemoryStore())) test(name, run);
});
