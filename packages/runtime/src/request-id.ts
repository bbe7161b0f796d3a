import { randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/**
 * The id under which a request is answered and logged: the caller's own if it is safe in a log line and in a header,
 * else a new UUID.
 *
 * @param sent - The `X-Request-Id` header as received. Sent twice it arrives joined by a comma, so it is replaced.
 */
export function requestIdFor(sent: string | undefined): string {
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
}
