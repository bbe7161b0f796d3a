/** What was made under each name, up to so many of them: the oldest makes room for the next. */
export interface Kept<Name, T> {
  /** What is kept under a name, made when it is not. */
  readonly at: (name: Name, make: () => T) => T;
  readonly has: (name: Name) => boolean;
  readonly all: () => Iterable<T>;
}

/** Nothing yet. */
export function keepUpTo<Name, T>(most: number): Kept<Name, T> {
  const kept = new Map<Name, T>();
  return {
    at(name, make) {
      const known = kept.get(name);
      if (known !== undefined) return known;
      const oldest = kept.keys().next();
      if (kept.size >= most && !oldest.done) kept.delete(oldest.value);
      const made = make();
      kept.set(name, made);
      return made;
    },
    has: (name) => kept.has(name),
    all: () => kept.values(),
  };
}
