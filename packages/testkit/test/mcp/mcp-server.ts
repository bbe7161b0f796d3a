import { mcpMount } from '@tarifario/mcp';
import type { Config } from '@tarifario/runtime';
import { z } from 'zod';
import { type RunningServer, startTestServer } from '../http/running-server.ts';

/** A server inside this process, with REST and MCP. */
export function startMcpServer(settings: Partial<Config> = {}): Promise<RunningServer> {
  return startTestServer(settings, { mounts: [mcpMount] });
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Versions of the protocol that differ in what a message says. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** Sends a body as it is, or a value as JSON, to the server. */
export async function post(
  server: Pick<RunningServer, 'url'>,
  key: string | null,
  message: unknown,
  moreHeaders: Readonly<Record<string, string>> = {},
  era: Era = '2025-11-25',
): Promise<McpAnswer> {
  const [body, headers] =
    era === '2025-11-25' ? [message, moreHeaders] : [modern(message), mirrored(message, moreHeaders)];
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What each message of the newest version says about its sender. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const messageSchema = z.looseObject({ method: z.string(), params: z.looseObject({}).default({}) });

export function modern(message: unknown): object {
  const read = messageSchema.parse(message);
  return { ...read, params: { _meta: MODERN_META, ...read.params } };
}

export function mirrored(
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { method, params } = messageSchema.parse(message);
  const name = params.name ?? params.uri;
  const named = name === undefined ? {} : { 'Mcp-Name': String(name) };
  return { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...named, ...headers };
}

export function request(method: string, params?: unknown, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export interface CallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError: boolean;
}

/** Calls a tool: its result. */
export async function callTool(
  server: Pick<RunningServer, 'url'>,
  key: string,
  name: string,
  args: object = {},
): Promise<CallResult> {
  const { status, text } = await post(server, key, request('tools/call', { name, arguments: args }));
  const { result } = JSON.parse(text);
  if (status !== 200 || result === undefined) throw new Error(`${name} was answered ${status}: ${text}`);
  return result;
}

/** What a refused call says. */
export function detailOf({ content, isError }: CallResult): Readonly<Record<string, unknown>> {
  if (!isError) throw new Error('a refusal was expected');
  return JSON.parse(content[0]?.text ?? '').detail;
}
