import { createMemoryStore, importContract } from '@tarifario/core/testing';
import { describe, test } from 'vitest';
import { runsOf } from '../../store/test/share.ts';

describe('files applied to the store in memory', () => {
  const contract = importContract(async () => createMemoryStore(), { runs: runsOf(50, 300) });
  for (const { name, run } of contract) test(name, run);
});
