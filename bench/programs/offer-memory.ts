import { compileUniverse, createOfferCache, type OfferWithHistory } from '@tarifario/core/service';
import { compose, createLog } from '@tarifario/runtime';
import { answerParent } from '../child.ts';
import { market } from '../market.ts';
import { workAsAService } from '../service-work.ts';

/** What keeping offers took, bytes. */
export interface OfferMemory {
  /** After a collection: heap and buffers. */
  readonly retainedBytes: number;
  /** Of the whole process, as the system counts it, before a collection. */
  readonly grownBytes: number;
  /** Of an offer that an embedder gave, beside the offer itself. */
  readonly marketBytes: number;
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

const OFFERS = 20_000;
const YEARS = [2025, 2026];

/** Offers of which three of ten are indexed, with two years of months. */
function listed(): readonly OfferWithHistory[] {
  const months = market('LUZ', 100).find((entry) => entry.months.length > 0)?.months ?? [];
  const twice = YEARS.flatMap((year) => months.map((price) => ({ ...price, month: `${year}${price.month.slice(4)}` })));
  const entries = market('LUZ', OFFERS).map(({ offer }, index): OfferWithHistory => {
    const isIndexed = index % 10 < 3;
    return { offer: { ...offer, isIndexed }, months: isIndexed ? structuredClone(twice) : [] };
  });
  // Read once, because the engine gives objects another form when they are read.
  compileUniverse('LUZ', entries);
  return entries;
}

async function marketBytes(): Promise<number> {
  const entries = listed();
  const before = await settled();
  const universe = compileUniverse('LUZ', entries);
  const bytes = (await settled()) - before;
  if (universe.tables.length === 0 || entries.length === 0) throw new RangeError('nothing was kept');
  return bytes / OFFERS;
}

/** What is left once the buffers of the last collection are freed too. */
async function settled(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    collect?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return retained();
}

answerParent({
  memory: async (): Promise<OfferMemory> => {
    await workAsAService();
    const { store, close } = await compose(`sqlite:${file}`, createLog('error'));
    const offerCache = createOfferCache();
    const before = { retained: await settled(), process: process.memoryUsage.rss() };
    await store.read((reader) => offerCache.current(reader, Number(accountId)));
    const grownBytes = process.memoryUsage.rss() - before.process;
    const retainedBytes = (await settled()) - before.retained;
    // Still there, so it was not collected.
    if (offerCache.counts().offers === 0) throw new RangeError('nothing was kept');
    await close();
    return { retainedBytes, grownBytes, marketBytes: await marketBytes() };
  },
});
