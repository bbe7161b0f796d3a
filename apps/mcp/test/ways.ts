import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createLog } from '@tarifario/runtime';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { type Era, modern, post } from '@tarifario/testkit/mcp/mcp-server';
import { localEndpoint, mcpMount, remoteEndpoint, type SendMessage, serveLines } from '../src/index.ts';

/** All that comes back for a message with an id: headers, where there are any, and text. */
export type Ask = (message: object) => Promise<{ readonly headers: string; readonly text: string }>;

interface Way {
  readonly name: string;
  /** Its share of similar requests, for `shareOf` with 3. Each question goes to both versions, over different transports. */
  readonly turn: number;
  readonly open: (server: RunningServer, key: string) => Ask;
}

/** Every way in which an agent may ask: over each transport, in each version of the protocol. */
export const WAYS: readonly Way[] = (['2025-11-25', '2026-07-28'] as const).flatMap((era, turn) => [
  { name: `over HTTP, ${era}`, turn, open: (server, key) => overHttp(server, key, era) },
  {
    name: `over stdio before a server, ${era}`,
    turn: turn + 1,
    open: (server, key) => overStdio(remoteEndpoint(server.url, key), era),
  },
  {
    name: `over stdio, ${era}`,
    turn: turn + 2,
    open: (server, key) => overStdio(localEndpoint(mountOf(server), key), era),
  },
]);

function overHttp(server: RunningServer, key: string, era: Era): Ask {
  return async (message) => {
    const { headers, text } = await post(server, key, message, {}, era);
    return { headers: JSON.stringify([...headers]), text };
  };
}

function mountOf({ service, config }: RunningServer) {
  const log = createLog('silent');
  return mcpMount({ dispatch: service.dispatch, log, config: { ...config, host: 'localhost' } });
}

/** Asks one message after the other. */
function overStdio(send: SendMessage, era: Era): Ask {
  const { write, lines } = openStdio(send);
  return async (message) => {
    write(JSON.stringify(era === '2025-11-25' ? message : modern(message)));
    const { value } = await lines.next();
    return { headers: '', text: value ?? '' };
  };
}

/** Standard streams whose other end is the test. */
export function openStdio(send: SendMessage, reportProblem: (error: unknown) => void = () => {}) {
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const ended = serveLines({ input, output, signal: stop.signal }, send, reportProblem);
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  void ended.then(() => output.end());
  return { write: (line: string) => input.write(`${line}\n`), end: () => input.end(), stop, lines, output, ended };
}
