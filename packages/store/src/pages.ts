/** How many match a list: each of its rows says so. Asked apart only when a page behind the last one has no row. */
export async function totalOf(
  rows: readonly { readonly total: number | null }[],
  offset: number,
  counted: { executeTakeFirstOrThrow(): Promise<{ readonly count: number }> },
): Promise<number> {
  const [first] = rows;
  if (first) return first.total ?? 0;
  return offset === 0 ? 0 : (await counted.executeTakeFirstOrThrow()).count;
}
