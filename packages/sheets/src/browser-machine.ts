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
/** A name that would lead out of a folder. */
const OUTSIDE = /^\/|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i;

function archiveOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastEnd = bytes.length - DIRECTORY_END_BYTES;
  const firstEnd = Math.max(0, lastEnd - MAX_COMMENT_BYTES);
  for (let end = lastEnd; end >= firstEnd; end--) {
    if (view.getUint32(end, true) !== DIRECTORY_END) continue;
    const count = view.getUint16(end + 10, true);
    return { count, entries: entriesFrom(view, { count, at: view.getUint32(end + 16, true) }) };
  }
  throw new Fault('damaged');
}

/** @throws RangeError for a directory that leads out of the file, which is then damaged. */
function* entriesFrom(view: DataView, directory: { readonly count: number; readonly at: number }) {
  let { at } = directory;
  for (let index = 0; index < directory.count; index++) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Fault('damaged');
    const short = (offset: number) => view.getUint16(at + offset, true);
    const long = (offset: number) => view.getUint32(at + offset, true);
    const [nameBytes, more] = [short(28), short(30) + short(32)];
    const packed = { bytes: long(20), headerAt: long(42) };
    const isDeflated = short(10) !== 0;
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + DIRECTORY_ENTRY_BYTES, nameBytes),
    );
    if (OUTSIDE.test(name)) throw new Fault('damaged');
    const entry: ArchiveEntry = {
      name,
      ...{ size: long(24), crc32: long(16), method: methodOf(short(10), (short(8) & 1) !== 0) },
      unpack: () => unpacked(contentOf(view, packed), isDeflated),
    };
    yield entry;
    at += DIRECTORY_ENTRY_BYTES + nameBytes + more;
  }
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
