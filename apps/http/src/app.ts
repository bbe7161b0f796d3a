import {
  type ApiAnswer,
  type ApiRequest,
  answerTo,
  type Dispatch,
  type Operation,
  operations,
  type StrayRequest,
} from '@tarifario/api';
import { DomainError, type RefusalCode } from '@tarifario/core';
import { type Log, requestIdFor, shownPrefixFor, type Traffic, withRequestId } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type BodyReader, createBodyReader } from './body.ts';
import { documentPages } from './docs.ts';
import { type Mount, toMountedRequest } from './mount.ts';
import { sendText } from './send-text.ts';

/** What the REST door needs from the rest of the house. */
export interface AppParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  /** `false` while the server drains or the database cannot be used. */
  readonly isReady: () => Promise<boolean>;
  readonly trustedProxyHops: number;
  /** Told about every request. */
  readonly traffic?: Pick<Traffic, 'requestBegan' | 'requestEnded'> | undefined;
  /** Doors at paths of their own. */
  readonly mounts?: readonly Mount[];
  /** `false`: only the mounted doors and the two questions of a load balancer. */
  readonly servesRest?: boolean;
}

type Handler = (request: Request) => Promise<ApiAnswer>;

/** The REST door: one route for each row of `operations`, the mounted doors, the two questions of a load balancer. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustedProxyHops);
  app.use(follow(parts));
  const addRoute = routeAdder(app, parts);
  addRoute('/healthz', new Map([['GET', async () => okay('ok')]]));
  addRoute('/readyz', new Map([['GET', () => readiness(parts)]]));
  for (const mount of parts.mounts ?? []) {
    app.all(mount.path, async (request, response) => {
      response.locals.route = mount.path;
      send(response, await mount.handle(toMountedRequest(request)));
    });
  }
  if (parts.servesRest !== false) addRestRoutes(addRoute, parts);
  app.use(async (request, response) => {
    send(response, await parts.dispatch(toStrayRequest(request, null, refusal('not_found', 'no such path'))));
  });
  app.use(answerFailure(parts));
  return app;
}

function addRestRoutes(addRoute: ReturnType<typeof routeAdder>, { dispatch }: AppParts): void {
  const readBody = createBodyReader();
  for (const [path, page] of documentPages()) addRoute(path, new Map([['GET', page]]));
  for (const [path, rows] of specificPathsFirst(operations)) {
    const handlers = rows.map((row): [string, Handler] => [
      row.method,
      (request) => dispatch(toApiRequest(row, { request, readBody })),
    ]);
    addRoute(path, new Map(handlers));
  }
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

function routeAdder(app: Express, { dispatch }: AppParts) {
  return (path: string, handlers: ReadonlyMap<string, Handler>): void => {
    const methods = [...handlers.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allowed = methods.join(', ');
    app.route(path.replaceAll(/\{(\w+)\}/g, ':$1')).all(async (request, response) => {
      response.locals.route = path;
      // The body of an answer to HEAD is left out by Node.
      const handle = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
      if (handle) {
        const answer = await handle(request);
        if (answer.text === undefined) send(response, answer);
        else await sendText(withHead(response, answer), answer.text);
        return;
      }
      const noSuchMethod = refusal('method_not_allowed', `allowed here: ${allowed}`);
      const answer = await dispatch(toStrayRequest(request, path, noSuchMethod));
      if (answer.status === 405) response.set('Allow', allowed);
      send(response, answer);
    });
  };
}

const NO_QUERY = new URLSearchParams();

function toApiRequest(
  operation: Operation,
  { request, readBody }: { readonly request: Request; readonly readBody: BodyReader },
): ApiRequest {
  const queryStart = request.url.indexOf('?');
  return {
    operation,
    ...senderOf(request),
    params: Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)])),
    query: queryStart < 0 ? NO_QUERY : new URLSearchParams(request.url.slice(queryStart + 1)),
    takesJson: true,
    idempotencyKeys: request.headersDistinct['idempotency-key'] ?? [],
    readBody: (sentAs, permitForm) => readBody(request, { sentAs, permitForm, maxJsonBytes: operation.bodyCaps.bytes }),
  };
}

function toStrayRequest(request: Request, path: string | null, refusal: DomainError): StrayRequest {
  return { operation: null, ...senderOf(request), method: request.method, path, refusal };
}

function senderOf(request: Request): Pick<ApiRequest, 'apiKey' | 'address'> {
  return {
    // Sent twice, it arrives joined by a comma: no key looks like that.
    apiKey: request.get('x-api-key') ?? null,
    // A connection that is gone has no address any more.
    address: request.ip ?? 'unknown',
  };
}

/** Gives the request its id; when it is over it is counted and has one line in the log. */
function follow({ log, traffic }: AppParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    traffic?.requestBegan();
    const requestId = requestIdFor(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    withRequestId(requestId, () => {
      response.once('close', () => {
        const ms = performance.now() - startedAt;
        const ended = {
          method: request.method,
          // The template: a path holds ids, and in a mistaken request perhaps a secret.
          route: typeof response.locals.route === 'string' ? response.locals.route : null,
          status: response.statusCode,
        };
        traffic?.requestEnded({ ...ended, seconds: ms / 1000 });
        const line = {
          ...ended,
          ms: Math.round(ms * 10) / 10,
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
function answerFailure({ dispatch, log }: AppParts) {
  // Express tells an error handler by its four parameters.
  return async (error: unknown, request: Request, response: Response, _next: NextFunction): Promise<void> => {
    if (response.headersSent) {
      log.error({ error }, 'a bug after the answer had begun');
      response.destroy();
    } else if (error instanceof DomainError) {
      send(response, answerTo(error));
    } else if (error instanceof URIError) {
      const malformed = refusal('invalid_request', 'the path is not well-formed');
      send(response, await dispatch(toStrayRequest(request, null, malformed)));
    } else {
      log.error({ error }, 'a bug in the REST door');
      send(response, answerTo(error));
    }
  };
}

function refusal(code: RefusalCode, message: string): DomainError {
  return new DomainError(code, { message });
}

/** Node's own `setHeader`: express would look each of them up in its tables first. */
function withHead(response: Response, { status, headers }: ApiAnswer): Response {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  return response;
}

function send(response: Response, answer: ApiAnswer): void {
  withHead(response, answer);
  const { body, bytes, json } = answer;
  if (bytes !== undefined) response.setHeader('Content-Length', String(bytes.length)).end(bytes);
  else if (json !== undefined) sendJson(response, json);
  else if (body === undefined) response.end();
  else sendJson(response, Buffer.from(JSON.stringify(body)));
}

function sendJson(response: Response, bytes: Uint8Array): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', String(bytes.length));
  response.end(bytes);
}
