import type { ServerResponse } from 'node:http';
import type { ApiAnswer } from '@tarifario/api';
import { sendText } from './send-text.ts';
import type { Trail } from './trail.ts';

/** Sends an answer, whoever made it; only one in pieces is waited for. */
export function send(response: ServerResponse, trail: Trail, answer: ApiAnswer): Promise<void> | undefined {
  const { text, bytes, json, body } = answer;
  if (text !== undefined) return sendText(withHead(response, trail, answer), text);
  if (bytes !== undefined) sendBytes(response, headOf(trail, answer), { status: answer.status, bytes });
  else if (json !== undefined) {
    // Node says that an answer is over when the socket has let go of its bytes.
    trail.whenOver = answer.letGo ?? null;
    sendBytes(response, jsonHeadOf(trail, answer), { status: answer.status, bytes: json });
  } else if (body === undefined) withHead(response, trail, answer).end();
  else {
    const made = Buffer.from(JSON.stringify(body));
    sendBytes(response, jsonHeadOf(trail, answer), { status: answer.status, bytes: made });
  }
  return undefined;
}

/** Names and values in turn: what Node writes with the least work. */
function headOf({ requestId }: Trail, { headers }: ApiAnswer): string[] {
  const head = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
  if (headers['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  for (const name in headers) head.push(name, headers[name] ?? '');
  return head;
}

function jsonHeadOf(trail: Trail, answer: ApiAnswer): string[] {
  const head = headOf(trail, answer);
  head.push('Content-Type', 'application/json; charset=utf-8');
  return head;
}

/** The head goes out with the first bytes: as long as there are none, another answer can take the place of this one. */
function withHead(response: ServerResponse, trail: Trail, answer: ApiAnswer): ServerResponse {
  const head = headOf(trail, answer);
  response.statusCode = answer.status;
  for (let i = 0; i < head.length; i += 2) response.setHeader(head[i] ?? '', head[i + 1] ?? '');
  return response;
}

function sendBytes(
  response: ServerResponse,
  head: string[],
  { status, bytes }: { readonly status: number; readonly bytes: Uint8Array },
): void {
  head.push('Content-Length', String(bytes.length));
  response.writeHead(status, head).end(bytes);
}
