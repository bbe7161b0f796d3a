import { Fault } from './fault.ts';
import { type ArchiveEntry, type Machine, methodOf } from './zip-parts.ts';

// A browser unpacks, but has no reader of the directory of a zip, and libraries for it keep neither its checksums nor a
// limit on what is unpacked.

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1 ? 0xedb88320 : 0) ^ (remainder >>> 1);
  return remainder;
});

/** A browser, beside its page. */
export const BROWSER: Machine = {
  openArchive: async (bytes) => archiveOf(bytes),
  crc32(bytes, before) {
    let crc = ~before;
    for (const byte of bytes) crc = (REMAINDERS[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
    return ~crc >>> 0;
  },
  startMs() {
    const begun = performance.now();
    return () => performance.now() - begun;
  },
};

// Records of a zip (APPNOTE.TXT of PKWARE, 4.3), numbers of which are little-endian.
const DIRECTORY_END = 0x06054b50;
const DIRECTORY_END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
// Of Zip64 (4.3.14, 4.3.15, 4.5.3), which programs use that write a file while they make it.
const WIDE_LOCATOR = 0x07064b50;
const WIDE_LOCATOR_BYTES = 20;
const WIDE_DIRECTORY_END = 0x06064b50;
const WIDE_FIELD = 1;
/** A number that is in the field of Zip64. */
const ELSEWHERE = 0xffffffff;
/** A name that would lead out of a folder. */
const OUTSIDE = /^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i;

function archiveOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastEnd = bytes.length - DIRECTORY_END_BYTES;
  const firstEnd = Math.max(0, lastEnd - MAX_COMMENT_BYTES);
  for (let end = lastEnd; end >= firstEnd; end--) {
    if (view.getUint32(end, true) !== DIRECTORY_END) continue;
    const directory = directoryOf(view, end);
    return { count: directory.count, entries: entriesFrom(view, directory) };
  }
  throw new Fault('damaged');
}

const wideIn = (view: DataView, at: number) => Number(view.getBigUint64(at, true));

function directoryOf(view: DataView, end: number) {
  const locator = end - WIDE_LOCATOR_BYTES;
  if (locator < 0 || view.getUint32(locator, true) !== WIDE_LOCATOR)
    return { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
  const wide = wideIn(view, locator + 8);
  if (view.getUint32(wide, true) !== WIDE_DIRECTORY_END) throw new Fault('damaged');
  return { count: wideIn(view, wide + 32), at: wideIn(view, wide + 48) };
}

/** @throws RangeError for a directory that leads out of the file, which is then damaged. */
function* entriesFrom(view: DataView, directory: { readonly count: number; readonly at: number }) {
  let { at } = directory;
  for (let index = 0; index < directory.count; index++) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Fault('damaged');
    const short = (offset: number) => view.getUint16(at + offset, true);
    const long = (offset: number) => view.getUint32(at + offset, true);
    const [nameBytes, more] = [short(28), short(30) + short(32)];
    const extra = at + DIRECTORY_ENTRY_BYTES + nameBytes;
    const inEntry = [long(24), long(20), long(42)];
    const [size = 0, bytes = 0, headerAt = 0] = wideNumbers(view, inEntry, { at: extra, end: extra + short(30) });
    const isDeflated = short(10) !== 0;
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + DIRECTORY_ENTRY_BYTES, nameBytes),
    );
    if (OUTSIDE.test(name)) throw new Fault('damaged');
    const entry: ArchiveEntry = {
      name,
      ...{ size, crc32: long(16), method: methodOf(short(10), (short(8) & 1) !== 0) },
      unpack: () => unpacked(contentOf(view, { bytes, headerAt }), isDeflated),
    };
    yield entry;
    at = extra + more;
  }
}

/** Numbers of an entry; those that are elsewhere are in its extra field of Zip64, in their order. */
function wideNumbers(view: DataView, numbers: readonly number[], extra: { readonly at: number; readonly end: number }) {
  let { at } = extra;
  while (at + 4 <= extra.end && view.getUint16(at, true) !== WIDE_FIELD) at += 4 + view.getUint16(at + 2, true);
  if (at + 4 > extra.end) return numbers;
  const end = Math.min(extra.end, at + 4 + view.getUint16(at + 2, true));
  at += 4;
  return numbers.map((number) => {
    if (number !== ELSEWHERE) return number;
    at += 8;
    if (at > end) throw new Fault('damaged');
    return wideIn(view, at - 8);
  });
}

function contentOf(
  view: DataView,
  packed: { readonly bytes: number; readonly headerAt: number },
): Uint8Array<ArrayBuffer> {
  const { bytes, headerAt } = packed;
  const start =
    headerAt + LOCAL_HEADER_BYTES + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true);
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + start, bytes);
}

async function* unpacked(content: Uint8Array<ArrayBuffer>, isDeflated: boolean): AsyncGenerator<Uint8Array> {
  const stored = new Blob([content]).stream();
  const reader = (isDeflated ? stored.pipeThrough(new DecompressionStream('deflate-raw')) : stored).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
