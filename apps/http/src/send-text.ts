import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

/**
 * Streams a body in pieces as fast as the client reads it: the next piece is generated when there is room, and other
 * requests are served between two pieces. A client that disconnects early is not an error.
 */
export async function sendText(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(withPauses(pieces), response);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  }
}

async function* withPauses(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
