import { assert } from '../src/engine/errors.ts';
import type { Store } from '../src/service/ports/stores.ts';
import { createMemoryReader } from './memory-reader.ts';
import { copyState, emptyState, type MemoryUnit } from './memory-state.ts';
import { createMemoryWriter } from './memory-writer.ts';

/**
 * A store in memory, for tests and for trying things out: the plainest implementation that keeps the contract.
 *
 * A read keeps the state that it began with. A write works on a copy, which replaces the state when it succeeds, and
 * writes run one after the other. Nothing is indexed and every write copies the maps, so it is for small data.
 */
export function createMemoryStore(): Store {
  let state = emptyState();
  let isClosed = false;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const now = () => {
    assert(!isClosed, 'a closed store is not read');
    return createMemoryReader(state);
  };

  return {
    latest: {
      keys: { byHash: async (secretHash) => await now().keys.byHash(secretHash) },
      changes: { revisions: async (accountId) => await now().changes.revisions(accountId) },
    },
    async read(work) {
      return await work(now());
    },
    write(context, work) {
      const result = lastWrite.then(async () => {
        assert(!isClosed, 'a closed store is not written');
        const unit: MemoryUnit = { state: copyState(state), context, stamps: new Map(), isOpen: true, failure: null };
        try {
          const answer = await work(createMemoryWriter(unit));
          if (unit.failure) throw unit.failure.error;
          state = unit.state;
          return answer;
        } finally {
          unit.isOpen = false;
        }
      });
      lastWrite = result.catch(() => undefined);
      return result;
    },
    async close() {
      await lastWrite;
      isClosed = true;
    },
  };
}
