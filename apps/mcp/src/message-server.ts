import { type HandlerResultTypeMap, ProtocolError, type RequestMethod, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import {
  instructionsFor,
  invoicePrompt,
  type JsonMembers,
  promptsFor,
  RESOURCES,
  resourceText,
  type ToolResult,
  toolsFor,
} from '@tarifario/api';
import { type Caller, maySeeCommissions } from '@tarifario/core/service';
import { argumentsIn, type Request, RPC_CODES } from './message.ts';

/** The caller of a message. */
export interface MessageServerOptions {
  readonly caller: Caller;
  /** Answers the message if it is a tool call. */
  readonly call: () => Promise<ToolResult>;
}

const ABOUT = { name: 'tarifario', title: 'Tarifario', version: '0.2.0' };
/** The SDK uses it for requests to the client, which we never send. Shared, because each server would create one. */
const VALIDATOR = new AjvJsonSchemaValidator();
/** What is cached depends on the rights of a key, which seldom change. */
const CACHE_HINT = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'server/discover': CACHE_HINT,
  'tools/list': CACHE_HINT,
  'prompts/list': CACHE_HINT,
  'resources/list': CACHE_HINT,
  'resources/templates/list': CACHE_HINT,
  'resources/read': CACHE_HINT,
};
const CAPABILITIES = { tools: {}, prompts: {}, resources: {} };

/** The server that answers one message, in any version of the protocol. */
export function serverFor({ params }: Request, mistake: string | null, { caller, call }: MessageServerOptions): Server {
  const instructions = instructionsFor({ seesCommissions: maySeeCommissions(caller) });
  const options = { capabilities: CAPABILITIES, cacheHints: CACHE_HINTS, jsonSchemaValidator: VALIDATOR, instructions };
  const server = new Server(ABOUT, options);
  const on = <Method extends RequestMethod>(
    method: Method,
    answer: () => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>,
  ) =>
    server.setRequestHandler(method, () => {
      if (mistake !== null) throw new ProtocolError(RPC_CODES.invalidParams, mistake);
      return answer();
    });
  on('tools/list', () => ({ tools: [...toolsFor(caller)] }));
  on('tools/call', async () => {
    const { content, isError } = await call();
    return { content: [...content], isError };
  });
  on('prompts/list', () => ({
    prompts: promptsFor(caller).map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  on('prompts/get', () => {
    const text = invoicePrompt(invoiceOf(params) ?? '');
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  on('resources/list', () => ({ resources: [...RESOURCES] }));
  on('resources/templates/list', () => ({ resourceTemplates: [] }));
  on('resources/read', () => ({
    contents: RESOURCES.filter(({ uri }) => uri === params.uri).map((resource) => {
      const { uri, mimeType } = resource;
      return { uri, mimeType, text: resourceText(resource, caller) };
    }),
  }));
  return server;
}

/** Characters of an invoice: more than one has, and few enough to look for a CUPS in them at once. */
const MAX_INVOICE = 20_000;

/** What is wrong with the parameters of a request, apart from what the SDK checks; `null`: nothing. */
export function mistakeIn({ method, params }: Request, caller: Caller): string | null {
  if (method.endsWith('/list') && (params.cursor ?? null) !== null) return 'there is one page, and no cursor';
  switch (method) {
    case 'initialize':
      return typeof params.protocolVersion === 'string' ? null : 'protocolVersion must be text';
    case 'tools/call':
      if (typeof params.name !== 'string') return 'name must be text';
      if (argumentsIn(params) === null) return 'arguments must be an object, such as {"limit":5}';
      return toolsFor(caller).some(({ name }) => name === params.name) ? null : 'no such tool: tools/list names them';
    case 'prompts/get':
      if (!promptsFor(caller).some(({ name }) => name === params.name))
        return 'no such prompt: prompts/list names them';
      return (invoiceOf(params)?.length ?? Number.POSITIVE_INFINITY) > MAX_INVOICE
        ? `arguments.invoice must be text of at most ${MAX_INVOICE} characters`
        : null;
    case 'resources/read':
      return RESOURCES.some(({ uri }) => uri === params.uri) ? null : 'no such resource: resources/list names them';
    default:
      return null;
  }
}

function invoiceOf(params: JsonMembers): string | null {
  const { invoice } = argumentsIn(params) ?? {};
  return typeof invoice === 'string' ? invoice : null;
}
