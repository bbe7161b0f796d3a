import { randomUUID } from 'node:crypto';
import { withoutCups } from '@tarifario/core/service';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/**
 * The id under which a request is answered and logged: the caller's own if it is safe in a log line and in a header,
 * else a new UUID. A text that could be a supply point is replaced, so that the log has none.
 *
 * @param sent - The `X-Request-Id` header as received. Sent twice it arrives joined by a comma, so it is replaced.
 */
export function requestIdFor(sent: string | undefined): string {
  return sent !== undefined && REQUEST_ID.test(sent) && withoutCups(sent) === sent ? sent : randomUUID();
}
