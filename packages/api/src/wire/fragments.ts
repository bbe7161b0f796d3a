import { utf8 } from './json-bytes.ts';

/** What an entry takes besides the bytes of its text. */
const ENTRY_BYTES = 200;

interface Fragment {
  readonly parts: readonly unknown[];
  readonly bytes: Uint8Array;
}

interface Entries<Key> {
  get(key: Key): Fragment | undefined;
  set(key: Key, fragment: Fragment): unknown;
}

/** Texts under a key, each made of what the key stands for and of some parts: other parts, another text. */
export type Fragments<Key> = (key: Key, parts: readonly unknown[], make: () => string) => Uint8Array;

/**
 * Texts that were written once and are kept, in UTF-8, two generations of them: when the younger one is full it becomes the
 * older, and the older is forgotten.
 *
 * @param maxBytes - The most that is kept; half of it can be lost at once when it is full.
 */
export function createFragments(maxBytes: number) {
  let bytesKept = 0;
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
      bytesKept += fragment.bytes.length + ENTRY_BYTES;
      if (bytesKept > maxBytes / 2) {
        for (const forgetOlder of forget) forgetOlder();
        bytesKept = fragment.bytes.length + ENTRY_BYTES;
      }
      young.set(key, fragment);
      return fragment.bytes;
    };
  };
  return {
    /** Under numbers: `keyOf` of an offer. */
    byNumber: () => under<number>(() => new Map<number, Fragment>()),
    /** Under objects that are never changed; they go when the objects go. */
    byObject: <Key extends object>() => under<Key>(() => new WeakMap<Key, Fragment>()),
  };
}
