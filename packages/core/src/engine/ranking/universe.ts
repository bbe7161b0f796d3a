import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { idOf, type OfferRow, rowOf } from '../offers/offer-columns.ts';
import { BLOCK_ROWS, type Block, blockOf, type Source, sourcesIn } from './block.ts';
import type { TablePart } from './select.ts';

/** All offers of one supply type, ready to be ranked; blocks by ascending id. */
export interface Universe {
  readonly supplyType: SupplyType;
  readonly blocks: readonly Block[];
}

/** A universe without offers. */
export function emptyUniverse(supplyType: SupplyType): Universe {
  return { supplyType, blocks: [] };
}

/** Approximate memory of a universe, with what rankings added to it. */
export function heldBytes({ blocks }: Universe): number {
  return blocks.reduce((sum, block) => sum + block.heldBytes(), 0);
}

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** The tables of universes, with the companies that take part. */
export function tablesOf(parts: readonly UniversePart[]): readonly TablePart[] {
  return parts.flatMap(({ universe, admits }) => universe.blocks.map((table) => ({ table, admits })));
}

/**
 * Compiles offers into columns.
 *
 * @param entries - Offers of that supply type, each id once. Inactive ones may be among them.
 */
export function compileUniverse(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Universe {
  return patchUniverse(emptyUniverse(supplyType), entries);
}

/**
 * The universe after some offers were changed or added. Only the blocks of these offers are compiled again.
 *
 * @param changed - Whole offers, each id once, in any order. Deleted offers are inactive ones.
 */
export function patchUniverse(universe: Universe, changed: readonly OfferWithHistory[]): Universe {
  return patchRows(universe, changed.map(rowOf));
}

/** The same for offers as rows. */
export function patchRows(universe: Universe, changed: readonly OfferRow[]): Universe {
  const { supplyType, blocks } = universe;
  const fresh = changed
    .filter((row) => row.supplyType === supplyType)
    .map((row): Source => ({ id: idOf(row), key: ++lastKey, row }))
    .sort((a, b) => a.id - b.id);
  if (fresh.length === 0) return universe;
  const compiled = (sources: readonly Source[]) => chunksOf(sources).map((chunk) => blockOf(supplyType, chunk));
  if (blocks.length === 0) return { supplyType, blocks: compiled(fresh) };
  let taken = 0;
  const patched = blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const start = taken;
    while (taken < fresh.length && (!next || (fresh[taken]?.id ?? 0) < (next.ids[0] ?? 0))) taken++;
    if (taken === start) return [block];
    const own = fresh.slice(start, taken);
    // A full block does not change when offers are added after it.
    const isAfter = block.rowCount === BLOCK_ROWS && (own[0]?.id ?? 0) > (block.ids[BLOCK_ROWS - 1] ?? 0);
    return isAfter ? [block, ...compiled(own)] : compiled(mergeById([...sourcesIn(block), ...own]));
  });
  return { supplyType, blocks: patched };
}

let lastKey = 0;

/** Sorted by id; of two with the same id the later one counts. */
function mergeById(sources: readonly Source[]): readonly Source[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()].sort((a, b) => a.id - b.id);
}

function chunksOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < all.length; start += BLOCK_ROWS) chunks.push(all.slice(start, start + BLOCK_ROWS));
  return chunks;
}
