/** Smaller pieces are copied into blocks of this size. */
const BLOCK_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Frees the memory of bytes after their last use. The garbage collector alone would free them only once there are 64 MB
 * of them. Bytes that share their memory with others stay.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Collects bytes that arrive in pieces, whose memory is freed once it is not needed. Small ones are joined at once: a list
 * of them would take a hundred times as much memory where each has one byte, which the sender decides.
 */
export function collectBytes() {
  const pieces: Buffer[] = [];
  let length = 0;
  /** The block into which small pieces are copied, and how much of it is filled. */
  let block = NOTHING;
  let filled = 0;
  const closeBlock = () => {
    if (filled > 0) pieces.push(block.subarray(0, filled));
    block = NOTHING;
    filled = 0;
  };
  return {
    add(piece: Buffer): void {
      // Most bodies come in one piece.
      const isFirst = length === 0;
      length += piece.length;
      if (isFirst || piece.length >= BLOCK_BYTES) {
        closeBlock();
        pieces.push(piece);
      } else {
        if (filled + piece.length > block.length) {
          closeBlock();
          block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        }
        filled += piece.copy(block, filled);
        release(piece);
      }
    },
    length: (): number => length,
    /** All bytes; may be called once. */
    all(): Buffer {
      closeBlock();
      if (pieces.length === 1 && pieces[0]) return pieces[0];
      const all = Buffer.concat(pieces, length);
      pieces.forEach(release);
      return all;
    },
    clear(): void {
      closeBlock();
      pieces.forEach(release);
      pieces.length = 0;
      length = 0;
    },
  };
}
