import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiRequest, type Dispatch, type Operation, operations } from '@tarifario/api';
import type { Log } from '@tarifario/runtime';
import type { Arriving } from './arriving-body.ts';
import { type BodyReader, createBodyReader } from './body.ts';
import { answerFailure, answerStray, answerWrongMethod } from './failures.ts';
import { createRoutes, type FoundRoute, targetOf } from './routes.ts';
import { send } from './send.ts';
import type { ReadSender } from './sender.ts';
import type { Trail } from './trail.ts';

interface RestParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  readonly readSender: ReadSender;
}

/** Answers a request if it is for the path of an operation; `false`: it is not. */
export type AnswerRest = (request: IncomingMessage, response: ServerResponse, trail: Trail) => boolean;

/**
 * The operations of the table, each at its path.
 *
 * @see docs/decisions/0018-operations-before-express.md
 */
export function createRest(parts: RestParts): AnswerRest {
  const find = createRoutes(operations);
  const readBody = createBodyReader();
  return (request, response, trail) => {
    const { path, query } = targetOf(request.url ?? '');
    const to = { request, response, trail };
    let found: FoundRoute | null;
    try {
      found = find(path);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      answerStray(parts, to, { code: 'invalid_request', message: 'the path is not well-formed' });
      return true;
    }
    if (found === null) return false;
    const { route, params } = found;
    trail.route = route.path;
    // The body of an answer to HEAD is left out by Node.
    const operation = route.byMethod.get(request.method === 'HEAD' ? 'GET' : (request.method ?? ''));
    if (!operation) {
      answerWrongMethod(parts, to, route.byMethod.keys());
      return true;
    }
    const asked = { request, response, params, query, readBody };
    parts
      .dispatch(toApiRequest(operation, asked, parts.readSender))
      .then((answer) => send(response, trail, answer))
      .catch((error: unknown) => answerFailure(parts.log, error, to));
    return true;
  };
}

const NO_QUERY = new URLSearchParams();

function toApiRequest(
  operation: Operation,
  asked: Arriving & {
    readonly params: ApiRequest['params'];
    readonly query: string | null;
    readonly readBody: BodyReader;
  },
  readSender: ReadSender,
): ApiRequest {
  const { request, response, params, query, readBody } = asked;
  const { apiKey, address } = readSender(request);
  return {
    operation,
    apiKey,
    address,
    params,
    query: query === null ? NO_QUERY : new URLSearchParams(query),
    takesJson: true,
    // Each of them for itself is a second table of all headers: only where somebody looks.
    idempotencyKeys: operation.replayable ? (request.headersDistinct['idempotency-key'] ?? []) : [],
    ifMatch: operation.conditional ? (request.headersDistinct['if-match'] ?? []) : [],
    readBody: (sentAs, form) =>
      readBody({ request, response }, { sentAs, form, maxJsonBytes: operation.bodyCaps.bytes }),
  };
}
