import { isJsonObject, type JsonMembers } from '@tarifario/api';

export type MessageId = string | number;

/** A JSON-RPC message, as far as a stateless server has to distinguish them. */
export type Message =
  | { readonly kind: 'request'; readonly id: MessageId; readonly method: string; readonly params: JsonMembers }
  /** Accepted without an answer, like a response, although we send no requests. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonMembers }
  | { readonly kind: 'response' }
  | { readonly kind: 'refused'; readonly refusal: RpcError };

/** A message that needs an answer. */
export type Request = Extract<Message, { kind: 'request' }>;
export type Notification = Extract<Message, { kind: 'notification' }>;

/** A JSON-RPC error. `id: null`: the id of the message could not be read. */
export interface RpcError {
  readonly jsonrpc: '2.0';
  readonly id: MessageId | null;
  readonly error: { readonly code: RpcCode; readonly message: string; readonly data?: unknown };
}

export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Our own code: the source of the request is not permitted. */
  notAllowed: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;
type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES];

export function rpcError(
  id: MessageId | null,
  name: keyof typeof RPC_CODES,
  message: string,
  data?: unknown,
): RpcError {
  return { jsonrpc: '2.0', id, error: { code: RPC_CODES[name], message, ...(data === undefined ? {} : { data }) } };
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Reads one message. Batches are refused, because each message has to pass the limits on its own. */
export function readMessage(json: unknown): Message {
  if (Array.isArray(json)) return refused(null, 'batches are not taken: send one message at a time');
  if (!isJsonObject(json) || json.jsonrpc !== '2.0') return refused(null, 'the body is not a JSON-RPC 2.0 message');
  const { id, method } = json;
  const params = json.params ?? {};
  if (id !== undefined && !isId(id)) return refused(null, 'id must be text or a whole number');
  if (method === undefined && id !== undefined && ('result' in json || 'error' in json)) return { kind: 'response' };
  if (typeof method !== 'string') return refused(id ?? null, 'method must be text');
  if (!isJsonObject(params)) {
    return { kind: 'refused', refusal: rpcError(id ?? null, 'invalidParams', 'params must be an object') };
  }
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

function refused(id: MessageId | null, message: string): Message {
  return { kind: 'refused', refusal: rpcError(id, 'invalidRequest', message) };
}

/** The arguments of a call, or of a prompt: none where null is sent, and as a text their JSON; `null`: no object. */
export function argumentsIn({ arguments: sent }: JsonMembers): JsonMembers | null {
  const args = typeof sent === 'string' ? fromJson(sent) : (sent ?? {});
  return isJsonObject(args) ? args : null;
}

/** What a text says in JSON; `undefined`: it is none. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The version that a message itself names in `_meta`, as only the newest does; `undefined`: none. */
export function claimOf(meta: unknown): unknown {
  return isJsonObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
}
