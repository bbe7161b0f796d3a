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
    common.writeUInt32LE(part.declaredBytes ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([uint32(0x04034b50), common, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([uint32(0x02014b50), Buffer.from([20, 0]), common, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, uint32(0x06054b50), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
