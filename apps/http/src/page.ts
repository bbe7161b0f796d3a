import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ApiAnswer, isKnownTag } from '@tarifario/api';
import type { Request } from 'express';

/** A page that is the same for everybody. */
export type Page = (request: Pick<Request, 'acceptsEncodings' | 'get' | 'path'>) => Promise<ApiAnswer>;

/** A Content-Security-Policy for a page that loads from its own service only, and as its own directives allow. */
export function policyWith(...own: readonly string[]): string {
  const always = ["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...own, ...always].join('; ');
}

/** Smaller pages are not compressed. */
const MIN_PACKED_BYTES = 1024;

const PACKERS = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
};
type Encoding = keyof typeof PACKERS;

/**
 * A page shared by all requests: its bytes, compressed or not, are in memory once and are sent without copying. It is
 * compressed on first request, off the main thread. Clients ask for it each time, unless `more` says otherwise, and it is
 * not sent again while its ETag is the same.
 *
 * @see docs/decisions/0023-only-pages-are-compressed.md
 */
export function createPage(bytes: Buffer, type: string, more: Readonly<Record<string, string>>): Page {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache', ...more };
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  const packed = new Map<Encoding, Promise<Buffer>>();
  const packedAs = (encoding: Encoding) => {
    const known = packed.get(encoding) ?? PACKERS[encoding](bytes);
    packed.set(encoding, known);
    return known;
  };
  return async (request) => {
    const encoding = encodingFor(request, bytes);
    const etag = `"${tag}${encoding === null ? '' : `-${encoding}`}"`;
    const all = { ...headers, ETag: etag, Vary: 'Accept-Encoding' };
    if (isKnownTag([request.get('if-none-match') ?? ''], etag)) return { status: 304, headers: all, body: undefined };
    if (encoding === null) return { status: 200, headers: all, body: undefined, bytes };
    const sent = await packedAs(encoding);
    return { status: 200, headers: { ...all, 'Content-Encoding': encoding }, body: undefined, bytes: sent };
  };
}

/** The best encoding that the client accepts, unless it prefers the page uncompressed. */
function encodingFor(request: Parameters<Page>[0], { length }: Buffer): Encoding | null {
  if (length < MIN_PACKED_BYTES) return null;
  for (const encoding of ['br', 'gzip'] as const) if (request.acceptsEncodings(encoding) === encoding) return encoding;
  return null;
}
