/** JSON text in UTF-8 that is being written, in a block that the texts use one after the other. */
export interface JsonBytes {
  block: Uint8Array;
  /** The same bytes, for writing pieces that are larger than a byte. */
  view: DataView;
  /** The length of the text so far. */
  at: number;
}

/** The size of the block, except for a longer text. */
const BLOCK_BYTES = 256 * 1024;
/** From this length on the engine copies faster than a loop. */
const LONG_PIECE = 48;
/** The numbers that `putMillionths` accepts. */
export const NUMBER_BYTES = 40;

/** Every engine has both; the types of this package do not. */
declare const TextEncoder: {
  new (): { encodeInto(text: string, into: Uint8Array): { readonly written: number } };
};
declare const TextDecoder: { new (): { decode(bytes: Uint8Array): string } };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function newJsonBytes(): JsonBytes {
  const block = new Uint8Array(BLOCK_BYTES);
  return { block, view: new DataView(block.buffer), at: 0 };
}

function moveTo(json: JsonBytes, block: Uint8Array): Uint8Array {
  json.block = block;
  json.view = new DataView(block.buffer);
  return block;
}

/** The block, with room for more bytes at the end of the text. A text that outgrows its block moves to another one. */
export function roomFor(json: JsonBytes, byteCount: number): Uint8Array {
  if (json.at + byteCount <= json.block.length) return json.block;
  const larger = new Uint8Array(2 * (json.at + byteCount));
  larger.set(json.block.subarray(0, json.at));
  return moveTo(json, larger);
}

/** Adds bytes as they are. */
export function addBytes(json: JsonBytes, bytes: Uint8Array): void {
  json.at = putBytes(bytes, roomFor(json, bytes.length), json.at);
}

/** Adds well-formed text unchanged: punctuation, or the result of `JSON.stringify`. */
export function addText(json: JsonBytes, text: string): void {
  json.at += encoder.encodeInto(text, roomFor(json, 3 * text.length).subarray(json.at)).written;
}

/** Removes the last byte: the comma after the last entry. */
export function dropLast(json: JsonBytes): void {
  json.at -= 1;
}

/** A copy of the text with its own memory. */
export function takeBytes(json: JsonBytes): Uint8Array {
  const bytes = json.block.slice(0, json.at);
  if (json.block.length > BLOCK_BYTES) moveTo(json, new Uint8Array(BLOCK_BYTES));
  return bytes;
}

/** Scratch memory for encoding, so that a text need not reserve three times its length. */
let scratch = new Uint8Array(4096);

/** A well-formed text in UTF-8, in memory that the next call overwrites. */
export function encoded(text: string): Uint8Array {
  if (scratch.length < 3 * text.length) scratch = new Uint8Array(3 * text.length);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** The text that these bytes are in UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A well-formed text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoded(text).slice();
}

/** Copies bytes into a block with room for them. Returns the position after them. */
function putBytes(bytes: Uint8Array, block: Uint8Array, at: number): number {
  const { length } = bytes;
  if (length > LONG_PIECE) block.set(bytes, at);
  else for (let i = 0; i < length; i++) block[at + i] = bytes[i] ?? 0;
  return at + length;
}

/** A short text of ASCII, eight characters to a word. */
export interface Label {
  readonly words: Float64Array;
  readonly length: number;
}

/** A label of printable ASCII: as doubles its words are never NaN, whose bits an engine may change. */
export function labelOf(text: string): Label {
  const bytes = new Uint8Array(8 * Math.ceil(text.length / 8)).fill(SPACE);
  encoder.encodeInto(text, bytes);
  const view = new DataView(bytes.buffer);
  const words = Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
  return { words, length: text.length };
}

/** Copies a label to a position with room for it and 8 bytes more. Returns the position after it. */
export function putLabel({ words, length }: Label, view: DataView, at: number): number {
  for (let i = 0; i < words.length; i++) view.setFloat64(at + 8 * i, words[i] ?? 0, true);
  return at + length;
}

/** A number of millionths below this has at most 15 digits. */
const MAX_MILLIONTHS = 1e15;
const SPACE = 0x20;
const MINUS = 0x2d;
const POINT = 0x2e;

/** The numbers from 0 to 999 as text: the first digit in the lowest byte, and the number of digits in the highest. */
function digitsOf(textOf: (threeDigits: string) => string): Uint32Array {
  return Uint32Array.from({ length: 1000 }, (_, value) => {
    const text = textOf(String(value).padStart(3, '0'));
    return [...text].reduce((word, digit, i) => word | (digit.charCodeAt(0) << (8 * i)), text.length << 24);
  });
}

const THREE = digitsOf((text) => text);
/** Without leading and trailing zeros. */
const FIRST = digitsOf((text) => String(Number(text)));
const LAST = digitsOf((text) => text.replace(/0{1,2}$/, ''));
/** A decimal point before the three digits. */
const POINT_AND_THREE = THREE.map((word) => (word << 8) | POINT);

/**
 * Writes `millionths / 1e6` as `JSON.stringify` does, where there is room for `NUMBER_BYTES`. Returns the position
 * after it.
 *
 * Of the decimals with at most 15 digits exactly one stands for a given double, and `JSON.stringify` writes the
 * shortest. So it writes the digits of the millionths without trailing zeros. Larger numbers are passed to it.
 *
 * @param millionths - A whole number, or not finite.
 */
export function putMillionths(millionths: number, view: DataView, start: number): number {
  const size = Math.abs(millionths);
  if (!(size < MAX_MILLIONTHS)) return putLabel(labelOf(JSON.stringify(millionths / 1e6)), view, start);
  let at = start;
  if (millionths < 0) view.setUint8(at++, MINUS);
  const whole = (size / 1e6) | 0;
  at = putWhole(whole, view, at);
  const rest = (size - whole * 1e6) | 0;
  if (rest === 0) return at;
  const thousandths = (rest / 1000) | 0;
  const last = rest - 1000 * thousandths;
  view.setUint32(at, POINT_AND_THREE[thousandths] ?? 0, true);
  return last === 0 ? at + 1 + ((LAST[thousandths] ?? 0) >>> 24) : putDigits(LAST[last] ?? 0, view, at + 4);
}

/** Writes a whole number from 0 to a thousand million. */
function putWhole(value: number, view: DataView, start: number): number {
  if (value < 1000) return putDigits(FIRST[value] ?? 0, view, start);
  const thousands = (value / 1000) | 0;
  // The engine inlines this function into its callers, but not into itself: most numbers have at most six digits.
  const at = thousands < 1000 ? putDigits(FIRST[thousands] ?? 0, view, start) : putWhole(thousands, view, start);
  return putDigits(THREE[value - 1000 * thousands] ?? 0, view, at);
}

/** The bytes after the digits are overwritten. */
function putDigits(word: number, view: DataView, at: number): number {
  view.setUint32(at, word, true);
  return at + (word >>> 24);
}

/** Writes labels, each with the number after it, in millionths. */
export function putFigures(labels: readonly Label[], figures: Float64Array, view: DataView, start: number): number {
  let at = start;
  for (let i = 0; i < labels.length; i++) {
    at = putMillionths(figures[i] ?? 0, view, putLabel(labels[i] ?? NO_LABEL, view, at));
  }
  return at;
}

const NO_LABEL = labelOf('');
