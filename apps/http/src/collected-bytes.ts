/** Smaller pieces are copied into blocks of this size. */
const BLOCK_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** Bytes that arrive in pieces. */
export interface CollectedBytes {
  add(piece: Buffer): void;
  length(): number;
  all(): Buffer;
  clear(): void;
}

/**
 * Collects pieces. Small ones are joined at once: a list of them would take a hundred times as much memory where each
 * has one byte, which the sender decides.
 */
export function collectBytes(): CollectedBytes {
  const pieces: Buffer[] = [];
  let length = 0;
  /** What small pieces are copied into, and how much of it is filled. */
  let block = NOTHING;
  let filled = 0;
  const closeBlock = () => {
    if (filled > 0) pieces.push(block.subarray(0, filled));
    block = NOTHING;
    filled = 0;
  };
  return {
    add(piece) {
      // Most bodies come in one piece.
      if (length === 0 || piece.length >= BLOCK_BYTES) {
        closeBlock();
        pieces.push(piece);
      } else {
        if (filled + piece.length > block.length) {
          closeBlock();
          block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        }
        filled += piece.copy(block, filled);
      }
      length += piece.length;
    },
    length: () => length,
    all() {
      closeBlock();
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, length);
    },
    clear() {
      closeBlock();
      pieces.length = 0;
      length = 0;
    },
  };
}
