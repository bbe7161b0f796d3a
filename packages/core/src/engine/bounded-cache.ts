/** A cache with a largest number of entries. A new entry replaces the oldest one. */
export interface BoundedCache<Name, T> {
  /** The entry of a name, created if it is missing. */
  readonly at: (name: Name, make: () => T) => T;
  /** The entry of a name that has one. */
  readonly get: (name: Name) => T | undefined;
  readonly all: () => Iterable<T>;
}

/** An empty cache. */
export function createBoundedCache<Name, T>(most: number): BoundedCache<Name, T> {
  const entries = new Map<Name, T>();
  return {
    at(name, make) {
      const known = entries.get(name);
      if (known !== undefined) return known;
      const oldest = entries.keys().next();
      if (entries.size >= most && !oldest.done) entries.delete(oldest.value);
      const made = make();
      entries.set(name, made);
      return made;
    },
    get: (name) => entries.get(name),
    all: () => entries.values(),
  };
}
