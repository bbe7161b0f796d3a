import {
  classifyInboundRequest,
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCResponse,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isJsonObject, type JsonMembers } from '@tarifario/api';
import { withoutCups } from '@tarifario/core/service';
import {
  claimOf,
  type MessageId,
  type Notification,
  type Request,
  RPC_CODES,
  type RpcError,
  rpcError,
} from './message.ts';
import { type MessageServerOptions, mistakeIn, serverFor } from './message-server.ts';

/** The first version without an initialisation: each request has its version and capabilities in `_meta`. */
const MODERN_VERSION = '2026-07-28';
const BAD_META = `params._meta is not as version ${MODERN_VERSION} has it`;
const VERSIONS: readonly string[] = [MODERN_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

export interface ExchangeOptions extends MessageServerOptions {
  /** A header of the request. */
  header(name: string): string | null;
  reportBug(error: unknown): void;
}

interface ExchangeAnswer {
  readonly status: number;
  readonly body: Exclude<JSONRPCResponse, { error: unknown }> | RpcError;
}

/**
 * Lets the SDK answer one request, of the newest version of the protocol or of an older one. A server is created for it
 * and closed after it, so nothing can leak from one caller to another. Error texts of the SDK are replaced.
 */
export async function exchange(request: Request, options: ExchangeOptions): Promise<ExchangeAnswer> {
  const mistake = mistakeIn(request, options.caller);
  const message = { jsonrpc: '2.0' as const, ...messageOf(request) };
  const head = headOf(options);
  const isLegacy = await isLegacyRequest(head, message);
  const unknown = unknownVersion(request, options);
  if (unknown !== null) return { status: 400, body: unsupported(request.id, unknown) };
  // Nothing that a client could subscribe to ever changes, and a stream would outlast the call that was admitted.
  if (!isLegacy && request.method === 'subscriptions/listen') return { status: 404, body: noSuchMethod(request) };
  if (isLegacy && mistake !== null) return { status: 200, body: invalidParams(request, mistake) };
  const makeServer = () => serverFor(request, mistake, options);
  const response = isLegacy
    ? await answerLegacy(makeServer(), head, message)
    : await createMcpHandler(makeServer, { legacy: 'reject' }).fetch(head, { parsedBody: message });
  const body = (await response.json()) as JSONRPCResponse;
  if (!('error' in body)) return { status: response.status, body: withVersions(body) };
  return { status: response.status, body: inOurWords(request, body.error, { mistake, reportBug: options.reportBug }) };
}

/** Why a notification, which has no other answer, is not accepted; `null`: it is. */
export function refusalOf(
  { method, params }: Notification,
  { header }: Pick<ExchangeOptions, 'header'>,
): RpcError | null {
  const unknown = unknownVersion({ params }, { header });
  if (unknown !== null) return unsupported(null, unknown);
  const version = header('mcp-protocol-version');
  const named = header('mcp-method');
  const classified = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== null && { protocolVersionHeader: version }),
    ...(named !== null && { mcpMethodHeader: named }),
    body: { jsonrpc: '2.0', method, params: claimedIn(params) },
  });
  if (classified.kind !== 'reject') return null;
  return classified.code === RPC_CODES.headerMismatch ? mismatch(null) : rpcError(null, 'invalidParams', BAD_META);
}

/** The version that header and message name, if it is not supported. Two different versions count as not supported. */
function unknownVersion(
  { params }: Pick<Request, 'params'>,
  { header }: Pick<ExchangeOptions, 'header'>,
): string | null {
  const version = header('mcp-protocol-version');
  const isOne = version === null || VERSIONS.includes(version) || (claimOf(params._meta) ?? version) !== version;
  return isOne ? null : version;
}

/** What a server discovers of itself has, as the refusal of an unknown version, all that answer and not the newest alone. */
function withVersions(body: Exclude<JSONRPCResponse, { error: unknown }>) {
  const { result } = body;
  return 'supportedVersions' in result ? { ...body, result: { ...result, supportedVersions: VERSIONS } } : body;
}

/** The older versions without sessions and streams: one message in and one out. */
async function answerLegacy(server: Server, head: globalThis.Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(head, { parsedBody });
  } finally {
    await server.close();
  }
}

const MIRRORED = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The headers that the SDK reads. Every client is answered in JSON, whatever it prefers. */
function headOf({ header }: Pick<ExchangeOptions, 'header'>): globalThis.Request {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
  for (const name of MIRRORED) {
    const value = header(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** The part of a request that is passed to the SDK: what it needs to answer, and nothing that could make it fail. */
function messageOf(request: Request) {
  const { id, method, params } = request;
  return { id, method, params: { ...claimedIn(params), ...paramsFor(method, params) } };
}

function claimedIn({ _meta }: JsonMembers): JsonMembers {
  return claimOf(_meta) === undefined ? {} : { _meta };
}

function paramsFor(method: string, { name, uri, protocolVersion }: JsonMembers): JsonMembers {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return { name: String(name) };
    case 'resources/read':
      return { uri: String(uri) };
    case 'initialize':
      return { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '0' } };
    default:
      return {};
  }
}

function inOurWords(
  request: Request,
  { code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown },
  { mistake, reportBug }: { readonly mistake: string | null } & Pick<ExchangeOptions, 'reportBug'>,
): RpcError {
  const { id } = request;
  switch (code) {
    case RPC_CODES.methodNotFound:
      return noSuchMethod(request);
    case RPC_CODES.invalidParams:
      return invalidParams(request, mistake ?? BAD_META);
    case RPC_CODES.headerMismatch:
      return mismatch(id);
    case RPC_CODES.unsupportedVersion:
      return unsupported(id, isJsonObject(data) ? String(data.requested) : '');
    default:
      reportBug(new Error(`the SDK answered ${code}: ${message}`));
      return rpcError(id, 'internalError', 'internal error');
  }
}

/** Characters of a request that an error repeats at most. */
const MAX_REPEATED = 2000;

/** An unknown resource is repeated, as the protocol recommends. */
function invalidParams({ id, method, params }: Request, message: string): RpcError {
  const data =
    method === 'resources/read' && typeof params.uri === 'string'
      ? { uri: withoutCups(params.uri.slice(0, MAX_REPEATED)) }
      : undefined;
  return rpcError(id, 'invalidParams', message, data);
}

function noSuchMethod({ id }: Request): RpcError {
  return rpcError(id, 'methodNotFound', 'no such method');
}

function mismatch(id: MessageId | null): RpcError {
  return rpcError(id, 'headerMismatch', 'MCP-Protocol-Version, Mcp-Method and Mcp-Name must say what the message says');
}

function unsupported(id: MessageId | null, requested: string): RpcError {
  const data = { supported: VERSIONS, requested: withoutCups(requested.slice(0, MAX_REPEATED)) };
  return rpcError(id, 'unsupportedVersion', 'this version of the protocol is not spoken here', data);
}
