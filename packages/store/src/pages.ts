import type { Page } from '@tarifario/core/service';

/** The number of matches, which every row contains. Queried separately only if the page has no rows. */
export async function totalOf(
  rows: readonly { readonly total: number | null }[],
  { offset, afterId = null }: Page,
  counted: { executeTakeFirstOrThrow(): Promise<{ readonly count: number }> },
): Promise<number> {
  const [first] = rows;
  if (first) return first.total ?? 0;
  return offset === 0 && afterId === null ? 0 : (await counted.executeTakeFirstOrThrow()).count;
}
