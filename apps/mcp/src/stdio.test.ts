import { modern, request } from '@tarifario/testkit/mcp/mcp-server';
import { describe, expect, it } from 'vitest';
import { openStdio } from '../test/ways.ts';
import { rpcError } from './message.ts';
import type { SendMessage } from './stdio.ts';

/** An endpoint that answers with its request. */
const ECHO: SendMessage = async (text, headers) => ({ body: { ...JSON.parse(text), headers } });

const refused =
  (code: string, retryAfter?: string): SendMessage =>
  async () => ({ body: { detail: { code, message: 'no' } }, retryAfter });

async function answerOf(send: SendMessage, message: unknown) {
  const { write, lines, end } = openStdio(send);
  write(typeof message === 'string' ? message : JSON.stringify(message));
  end();
  const { value } = await lines.next();
  return value === undefined ? undefined : JSON.parse(value);
}

describe('A-94: MCP over standard input and output', () => {
  it('repeats a message of the newest version in headers, and no other message', async () => {
    expect((await answerOf(ECHO, request('ping'))).headers).toEqual({});
    const call = modern(request('tools/call', { name: 'list_offers' }));
    const mirrored = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
    expect((await answerOf(ECHO, call)).headers).toEqual({ ...mirrored, 'mcp-name': 'list_offers' });
    const odd = modern(request('tools/call', { name: 'ñ\n' }));
    expect((await answerOf(ECHO, odd)).headers).toEqual({ ...mirrored, 'mcp-name': '=?base64?w7EK?=' });
  });

  it('answers each message in progress when the input ends, in the order in which they finish', async () => {
    const done: ((reply: { readonly body: unknown }) => void)[] = [];
    const { write, end, lines, ended } = openStdio(() => new Promise((resolve) => done.push(resolve)));
    for (const id of [1, 2]) write(JSON.stringify(request('ping', {}, id)));
    end();
    await expect.poll(() => done.length).toBe(2);
    done[1]?.({ body: { id: 2 } });
    expect((await lines.next()).value).toBe('{"id":2}');
    done[0]?.({ body: { id: 1 } });
    expect((await lines.next()).value).toBe('{"id":1}');
    await ended;
  });

  it('processes 16 messages at once, and others wait', async () => {
    let [open, most] = [0, 0];
    const done: (() => void)[] = [];
    const { write, end, ended } = openStdio(async () => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => done.push(resolve));
      open -= 1;
      return { body: undefined };
    });
    for (let id = 0; id < 40; id += 1) write(JSON.stringify(request('ping', {}, id)));
    end();
    for (let each = 0; each < 40; each += 1) {
      await expect.poll(() => done.length).toBeGreaterThan(0);
      done.shift()?.();
    }
    await ended;
    expect(most).toBe(16);
  });

  it('turns a refusal of REST, and a missing endpoint, into a JSON-RPC error', async () => {
    const error = { code: -32000, message: 'no', data: { code: 'rate_limited' } };
    expect(await answerOf(refused('rate_limited'), request('ping', {}, 'a'))).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error,
    });
    expect(await answerOf(refused('rate_limited'), '{')).toEqual({ jsonrpc: '2.0', id: null, error });
    const later = { data: { code: 'rate_limited', retry_after_seconds: 7 } };
    expect((await answerOf(refused('rate_limited', '7'), request('ping'))).error).toMatchObject(later);
    // A proxy may write a date.
    const { error: dated } = await answerOf(refused('unavailable', 'Mon, 23 Nov 2026 00:00:00 GMT'), request('ping'));
    expect(dated.data).toEqual({ code: 'unavailable' });
    const problems: unknown[] = [];
    const { write, lines } = openStdio(
      () => Promise.reject(new Error('ECONNREFUSED')),
      (problem) => problems.push(problem),
    );
    write(JSON.stringify(request('ping')));
    const { error: shown } = JSON.parse((await lines.next()).value ?? '');
    expect(shown).toEqual({ code: -32603, message: 'the service cannot be reached' });
    expect(problems).toEqual([new Error('ECONNREFUSED')]);
  });

  it('answers no notification, whatever its outcome', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const inRpc: SendMessage = async () => ({ body: rpcError(null, 'headerMismatch', 'no') });
    expect(await answerOf(refused('unauthenticated'), {})).toMatchObject({ id: null, error: { message: 'no' } });
    for (const send of [
      refused('unauthenticated'),
      inRpc,
      async () => ({ body: undefined }),
      () => Promise.reject(new Error('x')),
    ])
      expect(await answerOf(send, note)).toBeUndefined();
  });

  it('ends on its stop signal, and when its output is closed', async () => {
    const endpoint = openStdio(ECHO);
    endpoint.stop.abort();
    await endpoint.ended;
    const unread = openStdio(ECHO);
    unread.output.destroy(new Error('EPIPE'));
    await unread.ended;
  });
});
