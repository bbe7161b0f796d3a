import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Language, preferredLanguage } from '@tarifario/api';
import { type Message, say } from '@tarifario/core/service';
import proxyAddress from 'proxy-addr';

/** A header by its lower-case name; `null`: not sent. The values of a repeated header are joined by a comma. */
export function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/**
 * The key of a request, from `X-API-Key` or `Authorization: Bearer`; `null`: in neither. The values of a repeated
 * `X-API-Key` are joined by a comma, which is not a valid key. Nor is a token valid there: an issuer's token has points,
 * and no key has.
 *
 * @see docs/assumptions.md, A-58 and A-100
 */
export function keyOf(request: IncomingMessage): string | null {
  const key = headerOf(request, 'x-api-key');
  return key?.includes('.') ? '' : (key ?? bearerOf(request));
}

function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The language of messages that the caller prefers. */
export function languageOf(request: IncomingMessage): Language {
  return preferredLanguage(headerOf(request, 'accept-language'));
}

/** Headers of which Node keeps only the first value, although a proxy may have used the last one. */
const ONCE_ONLY = ['host', 'authorization'];

/** What is ambiguous in the headers of a request; `null`: nothing. */
export function ambiguityIn(request: IncomingMessage): Message | null {
  const { rawHeaders } = request;
  for (const name of ONCE_ONLY) {
    let count = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const sent = rawHeaders[i] ?? '';
      if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
    }
    if (count > 1) return say('the header {name} must be sent once', { name });
  }
  // Also where the text after `Bearer` is no key, because a proxy may read it in another way.
  if (headerOf(request, 'x-api-key') !== null && /^bearer(?: |$)/i.test(request.headers.authorization ?? '')) {
    return 'the key must be sent in X-API-Key or in Authorization, not in both';
  }
  return null;
}

/** How long a caller is served who has ended its side of the connection: whether it still reads is not known. */
const HALF_CLOSED_MS = 50;

const closings = new WeakMap<Socket, AbortSignal>();

/** Is aborted once the connection has closed: one for all its requests. */
export function closingOf(socket: Socket): AbortSignal {
  const known = closings.get(socket);
  if (known) return known;
  const controller = new AbortController();
  const abort = () => controller.abort();
  closings.set(socket, controller.signal);
  if (socket.destroyed) abort();
  else socket.once('close', abort).once('end', () => setTimeout(abort, HALF_CLOSED_MS).unref());
  return controller.signal;
}

/** The address of the client. How much of `X-Forwarded-For` is trusted depends on the number of our proxies. */
type ReadAddress = (request: IncomingMessage) => string;

/** @param trustedProxyHops - The number of trusted proxies; 0: the address of the connection is used. */
export function createAddressReader(trustedProxyHops: number): ReadAddress {
  const isTrusted = (_address: string, hop: number) => hop < trustedProxyHops;
  return (request) => {
    // A closed connection has no address.
    const address: string | undefined =
      trustedProxyHops === 0 ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
    return address ?? 'unknown';
  };
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The path and the query of a request target, which may name this server before them. A fragment is a matter of the client
 * (RFC 9110, 4.2.5): the server ignores it wherever it stands.
 */
export function targetOf(url: string): { readonly path: string; readonly query: string | null } {
  const local = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const fragmentStart = local.indexOf('#');
  const sent = fragmentStart < 0 ? local : local.slice(0, fragmentStart);
  const queryStart = sent.indexOf('?');
  if (queryStart < 0) return { path: sent, query: null };
  return { path: sent.slice(0, queryStart), query: sent.slice(queryStart + 1) };
}
