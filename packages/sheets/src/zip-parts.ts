import type { FileCaps } from '@tarifario/core/service';
import { Fault, type Meter } from './fault.ts';

/** What reading takes of the machine that it runs on: a process, or a browser. */
export interface Machine {
  /** The files of a zip by its directory, and how many it says that there are. */
  openArchive(bytes: Uint8Array): Promise<Archive>;
  crc32(bytes: Uint8Array, before: number): number;
  /** What says how much time is used from now on. */
  startMs(): () => number;
}

export interface Archive {
  readonly count: number;
  readonly entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;
}

/** What the directory says of a file. */
export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly crc32: number;
  /** Stored or deflated; `null`: in another way, or encrypted. */
  readonly method: 'stored' | 'deflated' | null;
  /** Its content, unpacked but not checked. */
  unpack(): AsyncIterable<Uint8Array>;
}

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

/** The beginning of files of old office programs, and of those with a password. */
const COMPOUND_FILE = 0xd0cf11e0a1b11ae1n;
const LOCAL_FILE_HEADER = 0x504b0304;

interface ZipContext {
  readonly caps: FileCaps;
  readonly meter: Meter;
  readonly machine: Machine;
}

/**
 * Opens a zip from memory.
 *
 * @throws Fault
 */
export async function openZip(bytes: Uint8Array, { caps, meter, machine }: ZipContext): Promise<ZipParts> {
  const start = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 8 && start.getBigUint64(0) === COMPOUND_FILE) throw new Fault('xls');
  if (bytes.length < 5 || start.getUint32(0) !== LOCAL_FILE_HEADER) throw new Fault('not_a_workbook');
  const unread = await listEntries(await machine.openArchive(bytes), caps);
  const read = (name: string) => {
    const entry = unread.get(name.toLowerCase());
    if (!entry) throw new Fault('damaged');
    unread.delete(name.toLowerCase());
    return checked(entry, meter, machine);
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

async function listEntries({ count, entries }: Archive, caps: FileCaps): Promise<Map<string, ArchiveEntry>> {
  if (count > caps.entries) throw new Fault('too_many_entries');
  const byName = new Map<string, ArchiveEntry>();
  let declaredBytes = 0;
  for await (const entry of entries) {
    const name = entry.name.toLowerCase();
    if (byName.has(name)) throw new Fault('duplicate_entry');
    byName.set(name, entry);
    declaredBytes += entry.size;
    if (declaredBytes > caps.unpackedBytes) throw new Fault('too_large_unpacked');
  }
  return byName;
}

async function* checked(entry: ArchiveEntry, meter: Meter, { crc32 }: Machine): AsyncGenerator<Uint8Array> {
  if (entry.method === null) throw new Fault('damaged');
  let checksum = 0;
  let size = 0;
  for await (const chunk of entry.unpack()) {
    size += chunk.length;
    if (size > entry.size) throw new Fault('damaged');
    meter.unpacked(chunk.length);
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size !== entry.size || checksum !== entry.crc32) throw new Fault('damaged');
}

/** How a file is packed, by its number in the directory. */
export const methodOf = (method: number, isEncrypted: boolean): ArchiveEntry['method'] =>
  isEncrypted ? null : (({ 0: 'stored', 8: 'deflated' } as const)[method] ?? null);
