/**
 * The nouns of a reader or writer with every method run by `around`.
 *
 * @param around - `name`: such as `offers.list`.
 */
export function wrapMethods<Nouns extends object>(
  nouns: Nouns,
  around: (name: string, run: () => unknown) => unknown,
): Nouns {
  const wrapped = Object.entries(nouns).map(([noun, methods]) => {
    const all = Object.entries<(...args: readonly unknown[]) => unknown>(methods).map(
      ([name, method]) =>
        [name, (...args: readonly unknown[]) => around(`${noun}.${name}`, () => method(...args))] as const,
    );
    return [noun, Object.fromEntries(all)] as const;
  });
  return Object.fromEntries(wrapped) as Nouns;
}
