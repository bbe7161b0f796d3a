import { crc32, deflateRawSync } from 'node:zlib';

/** A part to pack, honest unless it says otherwise. */
export interface ZipPart {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** What the headers say of the unpacked size instead of the truth. */
  readonly declaredBytes?: number;
  /** What the headers say of the checksum instead of the truth. */
  readonly checksum?: number;
  /** `imploded`: it says so, and is not. */
  readonly method?: 'stored' | 'deflated' | 'imploded';
  /** It says that it is, and is not. */
  readonly isEncrypted?: boolean;
  /** Its sizes and its place are in the extra field of Zip64, as in files that were written while they were made. */
  readonly isZip64?: boolean;
  /** What that field says of its place instead of the truth. */
  readonly declaredAt?: number;
}

const METHODS = { stored: 0, deflated: 8, imploded: 6 } as const;

/** A zip with these parts, made by hand so that it can also be wrong. */
export function zipFile(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = typeof part.data === 'string' ? Buffer.from(part.data) : part.data;
    const packed = part.method === 'stored' ? Buffer.from(data) : deflateRawSync(data, { level: 1 });
    const name = Buffer.from(part.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((1 << 11) | (part.isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(METHODS[part.method ?? 'deflated'], 4);
    common.writeUInt32LE(part.checksum ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(part.isZip64 ? data.length : (part.declaredBytes ?? data.length), 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([uint32(0x04034b50), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(part.isZip64 ? FULL : offset, 10);
    let wide: Buffer = Buffer.alloc(0);
    if (part.isZip64) {
      wide = wideField([part.declaredBytes ?? data.length, packed.length, part.declaredAt ?? offset]);
      common.fill(0xff, 14, 22);
      common.writeUInt16LE(wide.length, 24);
    }
    directory.push(Buffer.concat([uint32(0x02014b50), Buffer.from([20, 0]), common, tail, name, wide]));
    bodies.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  const wideEnd = parts.some(({ isZip64 }) => isZip64) ? [wideEndOf(parts.length, list.length, offset)] : [];
  if (wideEnd.length > 0) end.fill(0xff, 4, 16);
  return Buffer.concat([...bodies, list, ...wideEnd, uint32(0x06054b50), end]);
}

/** A number of 32 bits that is elsewhere. */
const FULL = 0xffffffff;

/** Another extra field, and the one of Zip64 behind it. */
function wideField(numbers: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('feca01000001001800', 'hex'), ...numbers.map(uint64)]);
}

/** The end of a directory of Zip64 and what says where it is. */
function wideEndOf(count: number, bytes: number, at: number): Buffer {
  const head = Buffer.alloc(20);
  head.writeBigUInt64LE(44n, 0);
  head.writeUInt16LE(45, 8);
  head.writeUInt16LE(45, 10);
  const numbers = [count, count, bytes, at].map(uint64);
  const locator = [uint32(0x07064b50), uint32(0), uint64(at + bytes), uint32(1)];
  return Buffer.concat([uint32(0x06064b50), head, ...numbers, ...locator]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
