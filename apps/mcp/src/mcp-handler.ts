import {
  type AdmittedCall,
  type ApiAnswer,
  answerTo,
  inLanguage,
  type MessageAnswer,
  operationFor,
  toToolResult,
} from '@tarifario/api';
import { DomainError, say } from '@tarifario/core/service';
import { isLoopback, type MakeMount, type MountedRequest } from '@tarifario/http';
import type { Log } from '@tarifario/runtime';
import { exchange, refusalOf } from './exchange.ts';
import { argumentsIn, type Message, type Request, RPC_CODES, type RpcError, readMessage, rpcError } from './message.ts';
import { sourceProblem } from './origin-guard.ts';

const MCP_PATH = '/mcp';
/** A tool call needs about 2 kB, but clients may describe themselves at length when they initialize. */
const MAX_MESSAGE_BYTES = 256 * 1024;

/** What the endpoint of a tool begins with. */
const ENDPOINT = 'mcp:';

/**
 * Handles MCP: Streamable HTTP without sessions. Each POST carries one message, is admitted on its own and answered in
 * JSON. There is no stream to open (GET) and no session to end (DELETE).
 *
 * @see docs/assumptions.md, A-47, A-48 and A-93
 */
export const mcpMount: MakeMount = ({ dispatch, config, log, traffic }) => {
  const allowed = { origins: config.mcpAllowedOrigins, hosts: config.mcpAllowedHosts };
  if (!isLoopback(config.host) && allowed.hosts.length === 0) {
    log.warn('/mcp answers under names of this machine only: MCP_ALLOWED_HOSTS has no other');
  }
  return {
    path: MCP_PATH,
    handle: async (request) => {
      const headers = { origin: request.header('origin'), host: request.header('host') };
      const problem = sourceProblem(headers, allowed);
      if (problem !== null) return rpcAnswer(403, rpcError(null, 'notAllowed', problem));
      if (request.method !== 'POST') {
        const message = say('allowed here: {methods}', { methods: 'POST' });
        const refusal = answerTo(new DomainError('method_not_allowed', { message }));
        return inLanguage({ ...refusal, headers: { Allow: 'POST' } });
      }
      return dispatch({
        kind: 'message',
        method: request.method,
        path: MCP_PATH,
        apiKey: request.apiKey,
        traceparent: request.traceparent ?? null,
        address: request.address,
        ...(request.closing && { closing: request.closing }),
        answer: async (admittedCall) => {
          const startedAt = performance.now();
          const answered = await answerAdmittedCall(request, admittedCall, log);
          const { endpoint, statusCode: status } = answered;
          const seconds = (performance.now() - startedAt) / 1000;
          if (endpoint !== null) traffic?.toolCallEnded({ tool: endpoint.slice(ENDPOINT.length), status, seconds });
          return answered;
        },
      });
    },
  };
};

async function answerAdmittedCall(
  request: MountedRequest,
  admittedCall: AdmittedCall,
  log: Log,
): Promise<MessageAnswer> {
  const message = await readRequest(request, admittedCall.caller.accountId);
  if (admittedCall.rateRefusal !== null) return overLimit(message, admittedCall.rateRefusal);
  if (message.kind === 'refused') return plainAnswer(rpcAnswer(400, message.refusal), 400);
  if (message.kind === 'request') return answerRequest(request, message, { admittedCall, log });
  const refusal = message.kind === 'notification' ? refusalOf(message, request) : null;
  if (refusal !== null) return plainAnswer(rpcAnswer(400, refusal), 400);
  return plainAnswer({ status: 202, headers: {}, body: undefined }, 202);
}

async function readRequest(request: MountedRequest, accountId: number): Promise<Message> {
  try {
    return readMessage(await request.readBody(MAX_MESSAGE_BYTES, accountId));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return { kind: 'refused', refusal: rpcError(null, 'parseError', 'the body is not well-formed JSON in UTF-8') };
  }
}

/**
 * The answer beyond a limit: a tool call gets a result that asks the model to wait; any other message is refused as in
 * REST.
 */
function overLimit(message: Message, refusal: ApiAnswer): MessageAnswer {
  if (message.kind !== 'request' || message.method !== 'tools/call') return plainAnswer(refusal, refusal.status);
  const body = { jsonrpc: '2.0', id: message.id, result: toToolResult(refusal) };
  return { answer: { ...refusal, status: 200, body }, endpoint: endpointOf(message), statusCode: refusal.status };
}

async function answerRequest(
  { header }: MountedRequest,
  request: Request,
  { admittedCall, log }: { readonly admittedCall: AdmittedCall; readonly log: Log },
): Promise<MessageAnswer> {
  let statusCode = 200;
  const { status, body } = await exchange(request, {
    caller: admittedCall.caller,
    header,
    call: async () => {
      const operation = operationFor(String(request.params.name));
      if (operation === null) throw new RangeError('looked up before');
      const args = argumentsIn(request.params) ?? {};
      const answer = await admittedCall.perform(operation, args);
      statusCode = answer.status;
      return toToolResult(answer, { name: String(request.params.name), args });
    },
    reportBug: (error) => log.error({ error }, 'a bug in the MCP handler'),
  });
  return {
    answer: rpcAnswer(status, body),
    endpoint: endpointOf(request),
    statusCode: 'error' in body ? statusOf(body) : statusCode,
  };
}

/** What is recorded about an error: the status that REST would have. */
function statusOf({ error }: RpcError): number {
  if (error.code === RPC_CODES.internalError) return 500;
  return error.code === RPC_CODES.methodNotFound ? 404 : 400;
}

/**
 * The endpoint under which a call is recorded: tool calls by the name of the tool; `null` for other messages, which are
 * recorded under the path.
 */
function endpointOf({ method, params }: Request): string | null {
  const isTool = method === 'tools/call' && typeof params.name === 'string' && operationFor(params.name) !== null;
  return isTool ? `${ENDPOINT}${params.name}` : null;
}

function plainAnswer(answer: ApiAnswer, statusCode: number): MessageAnswer {
  return { answer, endpoint: null, statusCode };
}

function rpcAnswer(status: number, body: object): ApiAnswer {
  return { status, headers: {}, body };
}
