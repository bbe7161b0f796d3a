import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { FileCaps } from '@tarifario/core/service';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Fault, type Meter } from './fault.ts';

/** The parts of an Open Packaging file by name, ignoring case. */
export interface ZipParts {
  has(name: string): boolean;
  /**
   * The bytes of a part, checked and counted while they are unpacked.
   *
   * @throws Fault for a missing part, or one that was read before: no normal file refers to a part twice.
   */
  read(name: string): AsyncIterable<Uint8Array>;
  /** Unpacks the unread parts as well, so that no part can have a false size. */
  readRest(): Promise<void>;
}

/** The signature of files of old office programs, and of those with a password. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * Opens a zip from memory.
 *
 * @throws Fault
 */
export async function openZip(bytes: Buffer, caps: FileCaps, meter: Meter): Promise<ZipParts> {
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE)) throw new Fault('xls');
  if (!startsAsZip(bytes)) throw new Fault('not_a_workbook');
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  if (zip.entryCount > caps.entries) throw new Fault('too_many_entries');
  const unread = await listEntries(zip, caps);
  const read = (name: string) => {
    const entry = unread.get(name.toLowerCase());
    if (!entry) throw new Fault('damaged');
    unread.delete(name.toLowerCase());
    return unpack(zip, entry, meter);
  };
  return {
    has: (name) => unread.has(name.toLowerCase()),
    read,
    async readRest() {
      for (const name of [...unread.keys()]) {
        for await (const _ of read(name));
      }
    },
  };
}

function startsAsZip(bytes: Buffer): boolean {
  const LOCAL_FILE_HEADER = 0x04034b50;
  return bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_FILE_HEADER;
}

async function listEntries(zip: ZipFile, caps: FileCaps): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw new Fault('duplicate_entry');
    entries.set(name, entry);
    declaredBytes += entry.uncompressedSize;
    if (declaredBytes > caps.unpackedBytes) throw new Fault('too_large_unpacked');
  }
  return entries;
}

/** The size of unpacked pieces: passing on many small ones would take longer than unpacking. */
const PIECE_BYTES = 128 * 1024;
const [STORED, DEFLATED] = [0, 8];

async function* unpack(zip: ZipFile, entry: Entry, meter: Meter): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  let size = 0;
  for await (const chunk of await piecesOf(zip, entry)) {
    size += chunk.length;
    if (size > entry.uncompressedSize) throw new Fault('damaged');
    meter.unpacked(chunk.length);
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size !== entry.uncompressedSize || checksum !== entry.crc32) throw new Fault('damaged');
}

async function piecesOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  const method = entry.compressionMethod;
  if (entry.isEncrypted() || (method !== STORED && method !== DEFLATED)) throw new Fault('damaged');
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  // An error of one stream destroys the other, and reaches the consumer of the pieces.
  return method === STORED ? packed : pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), () => {});
}
