/** Element types of arrays that are sent in binary form, so that neither side has to format or parse text. */
export type ElementType = 'bigint' | 'integer' | 'smallint' | 'double precision' | 'text';

const OIDS = { bigint: 20, integer: 23, smallint: 21, 'double precision': 701, text: 25 } as const;
const SIZES = { bigint: 8, integer: 4, smallint: 2, 'double precision': 8 } as const;

/** Number of dimensions, whether there are nulls, element type, length, index of the first element. */
const HEADER_BYTES = 20;

type Value = number | string | null;

/**
 * A list of values as a parameter of PostgreSQL in its binary form: the driver sends buffers as they are.
 *
 * @param values - Whole numbers for the whole types, in their bounds; text for `text`.
 * @throws RangeError for a number that does not fit, TypeError for a value of another type.
 */
export function toBinaryArray(type: ElementType, values: readonly Value[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + values.reduce<number>((sum, value) => sum + sizeOf(type, value), 0));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(OIDS[type], 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at);
      continue;
    }
    const start = at + 4;
    const end = writeValue(bytes, { type, value, at: start });
    bytes.writeInt32BE(end - start, at);
    at = end;
  }
  return bytes;
}

function sizeOf(type: ElementType, value: Value): number {
  if (value === null) return 4;
  return 4 + (type === 'text' ? Buffer.byteLength(String(value)) : SIZES[type]);
}

function writeValue(
  bytes: Buffer,
  { type, value, at }: { readonly type: ElementType; readonly value: number | string; readonly at: number },
): number {
  if (typeof value === 'string') {
    if (type !== 'text') throw new TypeError('a number is sent as a number');
    return at + bytes.write(value, at);
  }
  switch (type) {
    case 'double precision':
      return bytes.writeDoubleBE(value, at);
    case 'smallint':
      return bytes.writeInt16BE(value, at);
    case 'integer':
      return bytes.writeInt32BE(value, at);
    case 'bigint':
      if (!Number.isSafeInteger(value)) throw new RangeError('an id is a whole number');
      // Two halves: the upper one carries the sign.
      bytes.writeInt32BE(Math.floor(value / 2 ** 32), at);
      return bytes.writeUInt32BE(value >>> 0, at + 4);
    case 'text':
      throw new TypeError('text is sent as text');
  }
}
