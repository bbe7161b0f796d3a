import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { fromBufferPromise, type ZipFile } from 'yauzl';
import { type ArchiveEntry, type Machine, methodOf } from './zip-parts.ts';

/** The size of unpacked pieces: passing on many small ones would take longer than unpacking. */
const PIECE_BYTES = 128 * 1024;

/** A process of Node. */
export const PROCESS: Machine = {
  async openArchive(bytes) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, strictFileNames: true });
    return { count: zip.entryCount, entries: entriesOf(zip) };
  },
  crc32,
  startMs() {
    const begun = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1000;
    };
  },
};

async function* entriesOf(zip: ZipFile): AsyncGenerator<ArchiveEntry> {
  for await (const entry of zip.eachEntry()) {
    const method = methodOf(entry.compressionMethod, entry.isEncrypted());
    yield {
      ...{ name: entry.fileName, size: entry.uncompressedSize, crc32: entry.crc32, method },
      async *unpack() {
        const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
        // An error of one stream destroys the other, and reaches the consumer of the pieces.
        const inflated = () => pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), () => {});
        yield* method === 'stored' ? packed : inflated();
      },
    };
  }
}
