import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type JSONRPCMessage, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { instructionsFor, type Tool, type ToolResult } from '@tarifario/api';
import { type Message, RPC_CODES, type RpcError, rpcError } from './message.ts';

type Request = Extract<Message, { kind: 'request' }>;

type ResponseMessage = Exclude<JSONRPCMessage, { error: unknown }> | RpcError;

/** What the SDK server for one message needs. */
export interface MessageServerOptions {
  readonly seesCommissions: boolean;
  readonly tools: readonly Tool[];
  /** Answers the message if it is a tool call. */
  readonly call: () => Promise<ToolResult>;
  readonly reportBug: (error: unknown) => void;
}

const ABOUT = { name: 'tarifario', title: 'Tarifario', version: '0.1.0' };
/**
 * The SDK uses it for requests to the client, which we never send. Shared, because otherwise each server would create
 * one.
 */
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * Lets the SDK answer one request. A server and a transport are created for it and closed after it, so nothing can leak
 * from one caller to another. The transport is our own: without sessions and streams, Streamable HTTP is one message in
 * and one out. Error texts of the SDK are replaced.
 */
export async function exchange(request: Request, options: MessageServerOptions): Promise<ResponseMessage> {
  const server = serverFor(options);
  const { promise, resolve, reject } = Promise.withResolvers<ResponseMessage>();
  server.onerror = reject;
  try {
    const transport = oneAnswer((message) => resolve(inOurWords(message, options.reportBug)));
    await server.connect(transport);
    transport.onmessage?.({ jsonrpc: '2.0', ...sentOf(request) });
    return await promise;
  } finally {
    await server.close();
  }
}

function serverFor({ seesCommissions, tools, call }: MessageServerOptions): Server {
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

/** The part of a request that is passed to the SDK: what it needs to answer, and nothing that could make it fail. */
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

function inOurWords(message: JSONRPCMessage, reportBug: (error: unknown) => void): ResponseMessage {
  if (!('error' in message)) return message;
  const { code, message: said } = message.error;
  const id = message.id ?? null;
  if (code === RPC_CODES.methodNotFound) return rpcError(id, 'methodNotFound', 'no such method');
  reportBug(new Error(`the SDK answered ${code}: ${said}`));
  return rpcError(id, 'internalError', 'internal error');
}
