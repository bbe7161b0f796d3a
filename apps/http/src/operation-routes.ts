import type { IncomingMessage } from 'node:http';
import { type ApiRequest, type Operation, operations } from '@tarifario/api';
import type { Express, Request, Response } from 'express';
import { type BodyReader, createBodyReader } from './body.ts';
import { type AnswerParts, answerWrongMethod, type Exchange } from './failures.ts';
import type { ReadSender } from './request-head.ts';
import { send } from './send.ts';

/** The request that express gives to a route, with the context that it got when it arrived. */
export function exchangeOf(request: IncomingMessage, response: Response): Exchange {
  return { request, response, context: response.locals.context };
}

/**
 * The operations of the table, each at its path.
 *
 * @see docs/decisions/0037-libraries-for-what-is-not-ours.md
 */
export function addOperations(app: Express, parts: AnswerParts): void {
  const readBody = createBodyReader();
  for (const [path, rows] of Map.groupBy(operations.toSorted(specificFirst), (row) => row.path)) {
    const byMethod = new Map<string, Operation>(rows.map((row) => [row.method, row]));
    app.route(path.replaceAll(/\{(\w+)\}/g, ':$1')).all(async (request: Request<ApiRequest['params']>, response) => {
      const to = exchangeOf(request, response);
      to.context.route = path;
      // The body of an answer to HEAD is left out by Node.
      const operation = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method);
      if (!operation) return answerWrongMethod(parts, to, byMethod.keys());
      const answer = await parts.dispatch(toApiRequest(operation, { request, response, readBody }, parts.readSender));
      return send(response, to.context, answer);
    });
  }
}

/** Fixed words come before parameters: `/v1/offers/compare` is never an offer with the id `compare`. */
function specificFirst(a: Operation, b: Operation): number {
  // A tilde comes after every letter of a fixed word; one more at the end, after whatever follows a parameter.
  const [first = '', second = ''] = [a, b].map(({ path }) => `${path.replaceAll(/\{\w+\}/g, '~')}~`);
  return first === second ? 0 : first < second ? -1 : 1;
}

const NO_QUERY = new URLSearchParams();

function toApiRequest(
  operation: Operation,
  exchange: {
    readonly request: Request<ApiRequest['params']>;
    readonly response: Response;
    readonly readBody: BodyReader;
  },
  readSender: ReadSender,
): ApiRequest {
  const { request, response, readBody } = exchange;
  const queryStart = request.url.indexOf('?');
  return {
    ...readSender(request),
    kind: 'operation',
    operation,
    params: request.params,
    query: queryStart < 0 ? NO_QUERY : new URLSearchParams(request.url.slice(queryStart + 1)),
    takesJson: true,
    // Node makes a second table of all headers for this, so it is read only where it is needed.
    idempotencyKeys: operation.replayable ? (request.headersDistinct['idempotency-key'] ?? []) : [],
    ifMatch: operation.conditional ? (request.headersDistinct['if-match'] ?? []) : [],
    ifNoneMatch: operation.revalidated ? (request.headersDistinct['if-none-match'] ?? []) : [],
    readBody: (sentAs, form) => readBody({ request, response }, { sentAs, form, caps: operation.bodyCaps }),
  };
}
