import type { IncomingMessage } from 'node:http';
import type { Sender } from '@tarifario/api';
import proxyAddress from 'proxy-addr';

/** A header by its name in small letters; `null`: not sent. Sent twice, it is joined by a comma. */
export function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * The key that a request shows, in `X-API-Key` or as `Authorization: Bearer`; `null`: in neither. One sent twice in
 * `X-API-Key` arrives joined by a comma: no key looks like that.
 *
 * @see docs/assumptions.md, A-58
 */
export function keyOf(request: IncomingMessage): string | null {
  return headerOf(request, 'x-api-key') ?? bearerOf(request);
}

function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Headers of which Node shows the first and drops the others; whoever stands in front may have gone by the last. */
const ONCE_ONLY = ['host', 'authorization'];

/** What of the head of a request can be read in two ways; `null`: nothing. */
export function ambiguityIn(request: IncomingMessage): string | null {
  const { rawHeaders } = request;
  for (const name of ONCE_ONLY) {
    let count = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const sent = rawHeaders[i] ?? '';
      if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
    }
    if (count > 1) return `the header ${name} must be sent once`;
  }
  if (headerOf(request, 'x-api-key') !== null && bearerOf(request) !== null) {
    return 'the key must be sent in X-API-Key or in Authorization, not in both';
  }
  return null;
}

/** Says who sends a request: what of `X-Forwarded-For` is believed depends on how many proxies are ours. */
export type ReadSender = (request: IncomingMessage) => Sender;

/** @param trustedProxyHops - Proxies in front; 0: the address is that of the connection. */
export function createSenderReader(trustedProxyHops: number): ReadSender {
  const isTrusted = (_address: string, hop: number) => hop < trustedProxyHops;
  return (request) => {
    // A connection that is gone has no address any more.
    const address: string | undefined =
      trustedProxyHops === 0 ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
    return { apiKey: keyOf(request), address: address ?? 'unknown' };
  };
}
