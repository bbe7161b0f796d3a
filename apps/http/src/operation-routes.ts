import { type ApiRequest, type Operation, operations, type Sender } from '@tarifario/api';
import type { Express, Request } from 'express';
import { type BodyReader, createBodyReader } from './body.ts';
import { type AnswerParts, answerWrongMethod } from './failures.ts';
import type { RequestContext } from './request-context.ts';
import { send } from './send.ts';

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
      const { context } = response.locals;
      context.route = path;
      // The body of an answer to HEAD is left out by Node.
      const operation = byMethod.get(request.method === 'HEAD' ? 'GET' : request.method);
      if (!operation) return answerWrongMethod(parts, context, byMethod.keys());
      return send(context, await parts.dispatch(withOperation(context, operation, { request, readBody })));
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

/** Adds to a request what its operation needs. */
function withOperation(
  context: RequestContext,
  operation: Operation,
  { request, readBody }: { readonly request: Request<ApiRequest['params']>; readonly readBody: BodyReader },
): ApiRequest {
  const { url, params } = request;
  const queryStart = url.indexOf('?');
  const added: Omit<ApiRequest, keyof Sender> = {
    kind: 'operation',
    operation,
    params,
    query: queryStart < 0 ? NO_QUERY : new URLSearchParams(url.slice(queryStart + 1)),
    takesJson: true,
    // Node makes a second table of all headers for this, so it is read only where it is needed.
    idempotencyKeys: operation.replayable ? (request.headersDistinct['idempotency-key'] ?? []) : [],
    ifMatch: operation.conditional ? (request.headersDistinct['if-match'] ?? []) : [],
    ifNoneMatch: operation.revalidated ? (request.headersDistinct['if-none-match'] ?? []) : [],
    readBody: (sentAs, form) => readBody(context, { sentAs, form, caps: operation.bodyCaps }),
  };
  return Object.assign(context, added);
}
