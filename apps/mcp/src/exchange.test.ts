import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ToolResult } from '@tarifario/api';
import { afterEach, expect, it, vi } from 'vitest';
import { exchange, type MessageServerOptions } from './exchange.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const CALL = { kind: 'request', id: 7, method: 'tools/call', params: { name: 'a_tool' } } as const;
const DONE: ToolResult = { content: [{ type: 'text', text: '{}' }], isError: false };

function options(changes: Partial<MessageServerOptions> = {}): MessageServerOptions {
  return { seesCommissions: false, tools: [], call: async () => DONE, reportBug: () => {}, ...changes };
}

it('A-48: creates a server for each message and closes it after the answer', async () => {
  const connect = vi.spyOn(Server.prototype, 'connect');
  const close = vi.spyOn(Server.prototype, 'close');
  await Promise.all([exchange(CALL, options()), exchange(CALL, options())]);
  const failing = options({ call: () => Promise.reject(new Error('SELECT 1')) });
  expect(await exchange(CALL, failing)).toMatchObject({ id: 7, error: { message: 'internal error' } });
  expect(new Set(connect.mock.contexts).size).toBe(3);
  for (const server of connect.mock.contexts) expect(close.mock.contexts).toContain(server);
});

it('ends when the SDK sends no answer', async () => {
  const reportBug = () => {
    throw new Error('the log is full');
  };
  const failing = options({ call: () => Promise.reject(new Error('x')), reportBug });
  await expect(exchange(CALL, failing)).rejects.toThrow('the log is full');
});
