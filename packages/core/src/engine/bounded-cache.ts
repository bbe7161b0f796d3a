/** A cache with a largest number of entries. A new entry replaces the one that was used least recently. */
export interface BoundedCache<Name, T> {
  /** The entry of a name, created if it is missing. */
  readonly at: (name: Name, make: () => T) => T;
  /** The least recently used first. */
  readonly entries: () => Iterable<readonly [Name, T]>;
}

/** An empty cache. */
export function createBoundedCache<Name, T>(most: number): BoundedCache<Name, T> {
  // Maps remember the order of insertion.
  const entries = new Map<Name, T>();
  let latest: Name | undefined;
  return {
    at(name, make) {
      const known = entries.get(name);
      if (known !== undefined && name === latest) return known;
      if (known !== undefined) entries.delete(name);
      const entry = known ?? make();
      const oldest = entries.keys().next();
      if (entries.size >= most && !oldest.done) entries.delete(oldest.value);
      entries.set(name, entry);
      latest = name;
      return entry;
    },
    entries: () => entries,
  };
}
