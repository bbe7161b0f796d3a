import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';

/**
 * Sends a body piece by piece, as fast as the client takes it: the next piece is made when there is room for it, and
 * other requests have their turn between two. A client that goes away before the end is nobody's mistake.
 */
export async function sendText(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(withTurns(pieces), response);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  }
}

async function* withTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
