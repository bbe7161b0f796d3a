import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type JSONRPCMessage, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { instructionsFor, type Tool, type ToolResult } from '@tarifario/api';
import { type Message, RPC_CODES, type RpcError, rpcError } from './message.ts';

type Request = Extract<Message, { kind: 'request' }>;

type Outgoing = Exclude<JSONRPCMessage, { error: unknown }> | RpcError;

/** What a server of one message offers. */
export interface Offering {
  readonly seesCommissions: boolean;
  readonly tools: readonly Tool[];
  /** Answers the call that the message is, if it is one. */
  readonly call: () => Promise<ToolResult>;
  readonly reportBug: (error: unknown) => void;
}

const ABOUT = { name: 'tarifario', title: 'Tarifario', version: '0.1.0' };
/** Used for questions to the client, which we never ask; without it each server would make one of its own. */
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * What the SDK answers to one request. A server and a transport are made for it and closed after it, so nothing of one
 * caller can reach another. The transport is ours: without sessions and streams, Streamable HTTP is one message in and
 * one out, and nothing that the library says of a mistake goes out in its words.
 */
export async function exchange(request: Request, offering: Offering): Promise<Outgoing> {
  const server = serverFor(offering);
  const { promise, resolve, reject } = Promise.withResolvers<Outgoing>();
  server.onerror = reject;
  try {
    const transport = oneAnswer((message) => resolve(inOurWords(message, offering.reportBug)));
    await server.connect(transport);
    transport.onmessage?.({ jsonrpc: '2.0', ...sentOf(request) });
    return await promise;
  } finally {
    await server.close();
  }
}

function serverFor({ seesCommissions, tools, call }: Offering): Server {
  const instructions = instructionsFor({ seesCommissions });
  const server = new Server(ABOUT, { capabilities: { tools: {} }, instructions, jsonSchemaValidator: VALIDATOR });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async () => {
    const { content, ...result } = await call();
    return { content: [...content], ...result };
  });
  return server;
}

function oneAnswer(send: (message: JSONRPCMessage) => void): Transport {
  const transport: Transport = {
    start: async () => {},
    send: async (message) => send(message),
    close: async () => transport.onclose?.(),
  };
  return transport;
}

/** What the library is given of a request: what it needs to answer, and nothing that it could stumble over. */
function sentOf({ id, method, params }: Request) {
  switch (method) {
    case 'tools/call':
      return { id, method, params: { name: String(params.name) } };
    case 'initialize': {
      const client = { name: 'client', version: '0' };
      return { id, method, params: { protocolVersion: params.protocolVersion, capabilities: {}, clientInfo: client } };
    }
    default:
      return { id, method };
  }
}

function inOurWords(message: JSONRPCMessage, reportBug: (error: unknown) => void): Outgoing {
  if (!('error' in message)) return message;
  const { code, message: said } = message.error;
  const id = message.id ?? null;
  if (code === RPC_CODES.methodNotFound) return rpcError(id, 'methodNotFound', 'no such method');
  reportBug(new Error(`the SDK answered ${code}: ${said}`));
  return rpcError(id, 'internalError', 'internal error');
}
