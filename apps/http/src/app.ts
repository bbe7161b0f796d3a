import { type ApiAnswer, type ApiRequest, answerTo, type Operation, operations } from '@tarifario/api';
import { DomainError, type RefusalCode } from '@tarifario/core';
import { type Log, requestIdFor, shownPrefixFor, withRequestId } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { readJsonBody } from './json-body.ts';

/** What the REST door needs from the rest of the house. */
export interface AppParts {
  readonly dispatch: (request: ApiRequest) => Promise<ApiAnswer>;
  readonly log: Log;
  /** `false` while the server drains or the database cannot be used. */
  readonly isReady: () => Promise<boolean>;
  readonly trustedProxyHops: number;
}

type Handler = (request: Request) => Promise<ApiAnswer>;

/** The REST door: one route for each row of `operations`, and the two questions of a load balancer. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustedProxyHops);
  app.use(follow(parts.log));
  addRoute(app, '/healthz', new Map([['GET', async () => okay('ok')]]));
  addRoute(app, '/readyz', new Map([['GET', () => readiness(parts)]]));
  for (const [path, rows] of specificPathsFirst(operations)) {
    const handlers = rows.map((row): [string, Handler] => [
      row.method,
      (request) => parts.dispatch(toApiRequest(row, request)),
    ]);
    addRoute(app, path, new Map(handlers));
  }
  app.use((_request, response) => send(response, answerTo(refusal('not_found', 'no such path'))));
  app.use(answerFailure(parts.log));
  return app;
}

function okay(status: string): ApiAnswer {
  return { status: 200, headers: {}, body: { status } };
}

async function readiness({ isReady }: AppParts): Promise<ApiAnswer> {
  return (await isReady()) ? okay('ready') : answerTo(refusal('unavailable', 'not ready'));
}

/**
 * The rows of each path, fixed segments before parameters: `/v1/offers/compare` must win over `/v1/offers/{id}`,
 * and a method that it lacks is refused there and not tried with `compare` as an id.
 */
function specificPathsFirst(rows: readonly Operation[]): [string, Operation[]][] {
  const order = (path: string) => path.replaceAll(/\{\w+\}/g, '~');
  return [...Map.groupBy(rows, ({ path }) => path)].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1));
}

function addRoute(app: Express, path: string, handlers: ReadonlyMap<string, Handler>): void {
  const allowed = [...handlers.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  app.route(path.replaceAll(/\{(\w+)\}/g, ':$1')).all(async (request, response) => {
    response.locals.route = path;
    // The body of an answer to HEAD is left out by Node.
    const handle = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handle) send(response, await handle(request));
    else {
      response.set('Allow', allowed);
      send(response, answerTo(refusal('method_not_allowed', `allowed here: ${allowed}`)));
    }
  });
}

function toApiRequest(operation: Operation, request: Request): ApiRequest {
  const queryStart = request.url.indexOf('?');
  return {
    operation,
    // Sent twice, it arrives joined by a comma: no key looks like that.
    apiKey: request.get('x-api-key') ?? null,
    params: Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)])),
    query: new URLSearchParams(queryStart < 0 ? '' : request.url.slice(queryStart + 1)),
    readBody: () => readJsonBody(request),
  };
}

/** Gives the request its id, and one line in the log when it is over. */
function follow(log: Log) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const requestId = requestIdFor(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    withRequestId(requestId, () => {
      response.once('close', () => {
        const line = {
          method: request.method,
          // The template: a path holds ids, and in a mistaken request perhaps a secret.
          route: response.locals.route ?? null,
          status: response.statusCode,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          keyPrefix: shownPrefixFor(request.get('x-api-key')),
          ...(response.writableFinished ? {} : { aborted: true }),
        };
        withRequestId(requestId, () => log.info(line, 'request'));
      });
      next();
    });
  };
}

/** The last resort. What express or a handler throws is logged, if it is a bug, and never shown. */
function answerFailure(log: Log) {
  // Express tells an error handler by its four parameters.
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) {
      log.error({ error }, 'a bug after the answer had begun');
      response.destroy();
    } else if (error instanceof DomainError) {
      send(response, answerTo(error));
    } else if (error instanceof URIError) {
      send(response, answerTo(refusal('invalid_request', 'the path is not well-formed')));
    } else {
      log.error({ error }, 'a bug in the REST door');
      send(response, answerTo(error));
    }
  };
}

function refusal(code: RefusalCode, message: string): DomainError {
  return new DomainError(code, { message });
}

function send(response: Response, { status, headers, body }: ApiAnswer): void {
  response.status(status).set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers });
  if (body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length) });
  response.end(bytes);
}
