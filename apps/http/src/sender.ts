import type { IncomingMessage } from 'node:http';
import type { Sender } from '@tarifario/api';
import proxyAddress from 'proxy-addr';

/** A header by its name in small letters; `null`: not sent. Sent twice, it is joined by a comma. */
export function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
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
    // A key sent twice arrives joined by a comma: no key looks like that.
    return { apiKey: headerOf(request, 'x-api-key'), address: address ?? 'unknown' };
  };
}
