/** FNV-1a, 32 bits: detects a module that was truncated or changed. */
export function checksumOf(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619) >>> 0, 2_166_136_261);
}
