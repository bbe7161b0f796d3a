import type { Config } from '@tarifario/runtime';
import { type RunningServer, startTestServer } from '../../http/test/running-server.ts';
import { mcpMount } from '../src/index.ts';

/** A server inside this process, with REST and MCP. */
export function startMcpServer(settings: Partial<Config> = {}): Promise<RunningServer> {
  return startTestServer(settings, { mounts: [mcpMount] });
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a body as it is, or a value as JSON, to the server. */
export async function post(
  server: Pick<RunningServer, 'url'>,
  key: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
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
