/** FNV-1a, 32 bits: tells a module that was cut or changed from the one that was made. */
export function checksumOf(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619) >>> 0, 2_166_136_261);
}
