import { utf8 } from './json-bytes.ts';

/** Overhead of an entry, in bytes. */
const ENTRY_BYTES = 200;

interface Fragment {
  readonly parts: readonly unknown[];
  readonly bytes: Uint8Array;
}

interface Entries<Key> {
  get(key: Key): Fragment | undefined;
  set(key: Key, fragment: Fragment): unknown;
}

/** Texts under a key. Each is made of the record of the key and of some parts; with other parts it is made again. */
export type Fragments<Key> = (key: Key, parts: readonly unknown[], make: () => string) => Uint8Array;

/**
 * A cache of JSON texts in UTF-8 with two generations: when the young one is full it becomes the old one, and the old
 * one is dropped.
 *
 * @param maxBytes - The size of the cache. Up to half of it is dropped at once when it is full.
 */
export function createFragments(maxBytes: number) {
  let youngBytes = 0;
  const forget: (() => void)[] = [];
  const under = <Key>(newEntries: () => Entries<Key>): Fragments<Key> => {
    let young = newEntries();
    let old = newEntries();
    forget.push(() => {
      old = young;
      young = newEntries();
    });
    const isOf = (fragment: Fragment | undefined, parts: readonly unknown[]): fragment is Fragment =>
      fragment !== undefined && parts.every((part, index) => part === fragment.parts[index]);
    return (key, parts, make) => {
      const known = young.get(key);
      if (isOf(known, parts)) return known.bytes;
      const older = old.get(key);
      const fragment = isOf(older, parts) ? older : { parts, bytes: utf8(make()) };
      youngBytes += fragment.bytes.length + ENTRY_BYTES;
      if (youngBytes > maxBytes / 2) {
        for (const forgetOlder of forget) forgetOlder();
        youngBytes = fragment.bytes.length + ENTRY_BYTES;
      }
      young.set(key, fragment);
      return fragment.bytes;
    };
  };
  return {
    /** Under numbers: `keyOf` of an offer. */
    byNumber: () => under<number>(() => new Map<number, Fragment>()),
    /** By immutable objects; entries are dropped together with the objects. */
    byObject: <Key extends object>() => under<Key>(() => new WeakMap<Key, Fragment>()),
  };
}
