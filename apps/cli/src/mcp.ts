import { localEndpoint, mcpMount, remoteEndpoint, type SendMessage, serveLines } from '@tarifario/mcp';
import { type Run, UsageError } from './command.ts';
import { readSettings, withDatabase } from './database.ts';
import { serverFrom } from './service-asked.ts';

/** Serves MCP over standard input and output until the input ends, or a signal comes. */
export const mcp: Run = async (args) => {
  const key = args.value('key') ?? process.env.TARIFARIO_KEY ?? '';
  if (key === '') throw new UsageError('mcp needs --key, or a key in TARIFARIO_KEY');
  const asked = args.value('url');
  const url = asked === null ? null : serverFrom(asked);
  const { config, log } = readSettings();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort());
  const streams = { input: process.stdin, output: process.stdout, signal: stop.signal };
  const serve = (send: SendMessage) => serveLines(streams, send, (error) => log.error({ error }, 'no answer'));
  if (url !== null) await serve(remoteEndpoint(url, key));
  else {
    const local = { ...config, host: 'localhost' };
    await withDatabase(({ dispatch }) => serve(localEndpoint(mcpMount({ dispatch, config: local, log }), key)));
  }
  return null;
};
