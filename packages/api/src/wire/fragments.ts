import { encoded } from './json-bytes.ts';

/** Overhead of an entry, in bytes. */
const ENTRY_BYTES = 300;
/** Texts share buffers of this size, because a buffer of its own for each costs the garbage collector more. */
const BUFFER_BYTES = 64 * 1024;

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
  let buffer = new Uint8Array(0);
  let end = 0;
  /** A copy in the buffer of the young generation, so that no text holds a buffer of a dropped generation. */
  const copyOf = (bytes: Uint8Array) => {
    if (end + bytes.length > buffer.length) {
      buffer = new Uint8Array(Math.max(bytes.length, Math.min(BUFFER_BYTES, maxBytes / 2)));
      end = 0;
    }
    buffer.set(bytes, end);
    end += bytes.length;
    return buffer.subarray(end - bytes.length, end);
  };
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
      const text = isOf(older, parts) ? older.bytes : encoded(make());
      youngBytes += text.length + ENTRY_BYTES;
      if (youngBytes > maxBytes / 2) {
        for (const forgetOlder of forget) forgetOlder();
        youngBytes = text.length + ENTRY_BYTES;
        end = buffer.length;
      }
      const bytes = copyOf(text);
      young.set(key, { parts, bytes });
      return bytes;
    };
  };
  return {
    /** Under numbers: the key of a ranked offer. */
    byNumber: () => under<number>(() => new Map<number, Fragment>()),
    /** By immutable objects; entries are dropped together with the objects. */
    byObject: <Key extends object>() => under<Key>(() => new WeakMap<Key, Fragment>()),
  };
}

/** The most memory for texts of offers in answers: with 1 400 bytes a text, some 72 000 of them. */
const MAX_BYTES = 96 * 1024 * 1024;

/** The cache of this process, for rankings and lists: whichever is asked for more has more of it. */
export const sharedFragments = createFragments(MAX_BYTES);
