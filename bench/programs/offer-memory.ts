import { createOfferCache } from '@tarifario/core/service';
import { compose, createLog } from '@tarifario/runtime';
import { answerParent } from '../child.ts';
import { workAsAService } from '../service-work.ts';

/** What keeping offers took, bytes. */
export interface OfferMemory {
  /** After a collection: heap and buffers. */
  readonly retainedBytes: number;
  /** Of the whole process, as the system counts it, before a collection. */
  readonly grownBytes: number;
}

/** Reads an account into memory. Arguments: the database file, and the account. */
const [file = '', accountId = ''] = process.argv.slice(2);

const collect = globalThis.gc;
if (!collect) throw new RangeError('this program runs with --expose-gc');

function retained(): number {
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

answerParent({
  memory: async (): Promise<OfferMemory> => {
    await workAsAService();
    const { store, close } = await compose(`sqlite:${file}`, createLog('error'));
    const offerCache = createOfferCache();
    const before = { retained: retained(), process: process.memoryUsage.rss() };
    await store.read((reader) => offerCache.current(reader, Number(accountId)));
    const grownBytes = process.memoryUsage.rss() - before.process;
    const retainedBytes = retained() - before.retained;
    // Still there, so it was not collected.
    if (offerCache.counts().offers === 0) throw new RangeError('nothing was kept');
    await close();
    return { retainedBytes, grownBytes };
  },
});
