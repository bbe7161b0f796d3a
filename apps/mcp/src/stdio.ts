import { createInterface } from 'node:readline';
import { isJsonObject, type JsonMembers } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import type { MakeMount } from '@tarifario/http';
import { claimOf, fromJson, rpcError } from './message.ts';

/** The answer to a message. */
interface Reply {
  /** JSON; `undefined`: nothing. */
  readonly body: unknown;
  /** The header of that name. */
  readonly retryAfter?: string | null | undefined;
}

/** Sends a message to an MCP endpoint, with the headers that repeat it. */
export type SendMessage = (text: string, headers: Readonly<Record<string, string>>) => Promise<Reply>;

/** Sends messages to the endpoint of a server. */
export function remoteEndpoint(url: string, apiKey: string): SendMessage {
  const address = url.replace(/\/*$/, '').replace(/(\/mcp)?$/, '/mcp');
  return async (body, mirrored) => {
    const headers = {
      'X-API-Key': apiKey,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...mirrored,
    };
    // A key is sent only to the address that the operator gave.
    const response = await fetch(address, { method: 'POST', headers, body, redirect: 'error' });
    const text = await response.text();
    return { body: text === '' ? undefined : JSON.parse(text), retryAfter: response.headers.get('Retry-After') };
  };
}

/** Passes messages to the handler of this process. */
export function localEndpoint({ handle }: ReturnType<MakeMount>, apiKey: string): SendMessage {
  return async (text, mirrored) => {
    const headers = new Map(Object.entries({ host: 'localhost', ...mirrored }));
    const { body, headers: sentBack } = await handle({
      method: 'POST',
      apiKey,
      address: '127.0.0.1',
      header: (name) => headers.get(name.toLowerCase()) ?? null,
      readBody: async (maxBytes) => {
        if (Buffer.byteLength(text) > maxBytes) throw new DomainError('too_large');
        const json = fromJson(text);
        if (json === undefined) throw new DomainError('invalid_request');
        return json;
      },
    });
    return { body, retryAfter: sentBack['Retry-After'] };
  };
}

interface StandardStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Ends the loop as the end of the input does. */
  readonly signal: AbortSignal;
}

/** Messages in progress at once; a client that sends more waits. */
const MAX_AT_ONCE = 16;

/**
 * MCP over standard input and output: a message a line, each answered as `/mcp` answers it. Ends when the input does, once
 * everything is answered. Nothing but messages is written to the output.
 *
 * @see docs/assumptions.md, A-94
 */
export async function serveLines(
  { input, output, signal }: StandardStreams,
  send: SendMessage,
  reportProblem: (error: unknown) => void,
): Promise<void> {
  const lines = createInterface({ input, signal });
  output.on('error', () => lines.close());
  const pending = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const work = answerTo(line, send, reportProblem).then((answer) => {
      if (answer !== undefined) output.write(`${JSON.stringify(answer)}\n`);
      pending.delete(work);
    });
    pending.add(work);
    if (pending.size >= MAX_AT_ONCE) await Promise.race(pending);
  }
  await Promise.all(pending);
}

async function answerTo(line: string, send: SendMessage, reportProblem: (error: unknown) => void): Promise<unknown> {
  const message = fromJson(line);
  const { id, method } = isJsonObject(message) ? message : { id: null };
  const requestId = typeof id === 'string' || typeof id === 'number' ? id : null;
  // A notification gets no answer, whatever its outcome.
  const isNotification = id === undefined && typeof method === 'string';
  try {
    const { body, retryAfter } = await send(line, isJsonObject(message) ? mirroredOf(message) : {});
    if (isNotification) return undefined;
    if (!isJsonObject(body) || !isJsonObject(body.detail)) return body;
    // A refusal of REST, before the message was read.
    const { message: text, ...detail } = body.detail;
    const wait = /^\d+$/.test(retryAfter ?? '') ? { retry_after_seconds: Number(retryAfter) } : {};
    return rpcError(requestId, 'notAllowed', String(text), { ...detail, ...wait });
  } catch (error) {
    reportProblem(error);
    return isNotification ? undefined : rpcError(requestId, 'internalError', 'the service cannot be reached');
  }
}

/** The headers that repeat a message of the newest version. */
function mirroredOf({ method, params }: JsonMembers): Record<string, string> {
  const { _meta, name, uri } = isJsonObject(params) ? params : {};
  const version = claimOf(_meta);
  if (version === undefined) return {};
  const named = name ?? uri;
  return {
    'mcp-protocol-version': inHeader(version),
    'mcp-method': inHeader(method),
    ...(named === undefined ? {} : { 'mcp-name': inHeader(named) }),
  };
}

/** Text that is not a valid header is sent in the encoding that the protocol has for it. */
function inHeader(value: unknown): string {
  const text = String(value);
  return /^[!-~]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
