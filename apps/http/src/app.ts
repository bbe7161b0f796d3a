import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ApiAnswer, answerTo, type Dispatch } from '@tarifario/api';
import { type Log, metadataOf, metadataPathOf, type OAuthConfig } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ADVISOR_PAGES } from './advisor-page.ts';
import { documentPages } from './docs.ts';
import { type AnswerParts, answerFailure, answerUnrouted, answerWrongMethod, refusal } from './failures.ts';
import { type Mount, toMountedRequest } from './mount.ts';
import { addOperations, exchangeOf } from './operation-routes.ts';
import type { Page } from './page.ts';
import { type RequestContext, type RequestLoggerParts, requestLogger } from './request-context.ts';
import { ambiguityIn, createSenderReader, targetOf } from './request-head.ts';
import { send } from './send.ts';
import { START_PAGE } from './start-page.ts';

/** What the HTTP application needs from the other packages. */
export interface AppParts extends RequestLoggerParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  /** `false` while the server drains or the database cannot be used. */
  readonly isReady: () => Promise<boolean>;
  readonly trustedProxyHops: number;
  /** The issuer whose tokens are accepted; `null`: tokens are refused. */
  readonly oauth?: OAuthConfig | null;
  /** Handlers mounted at their own paths. */
  readonly mounts?: readonly Mount[];
  /** `false`: only the mounted handlers, `/healthz` and `/readyz`. */
  readonly servesRest?: boolean;
}

/**
 * Handles every HTTP request with express: the operations of the table, the mounted handlers, the pages about the API,
 * the two health checks, and unknown paths.
 */
export function createApp(parts: AppParts): RequestListener {
  const { dispatch, log, servesRest = true } = parts;
  const common: AnswerParts = { dispatch, log, readSender: createSenderReader(parts.trustedProxyHops) };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  if (servesRest) addOperations(app, common);
  addProbe(app, common, '/healthz', async () => okay('ok'));
  addProbe(app, common, '/readyz', () => readiness(parts));
  if (parts.oauth) addPage(app, common, metadataPathOf(parts.oauth.audience), metadataPage(parts.oauth));
  for (const mount of parts.mounts ?? []) addMount(app, common, mount);
  const pages = new Map([['/', START_PAGE], ...documentPages(), ...ADVISOR_PAGES]);
  if (servesRest) for (const [path, page] of pages) addPage(app, common, path, page);
  app.use((request, response) => {
    return answerUnrouted(common, exchangeOf(request, response), { code: 'not_found', message: 'no such path' });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const to = exchangeOf(request, response);
    if (!(error instanceof URIError)) return answerFailure(log, error, to);
    return answerUnrouted(common, to, { code: 'invalid_request', message: 'the path is not well-formed' });
  });
  const logRequest = requestLogger(parts);
  return (request: IncomingMessage, response: ServerResponse) => {
    logRequest(request, response, (context) => {
      const ambiguity = ambiguityIn(request);
      if (ambiguity !== null) {
        answerFailure(log, refusal('invalid_request', ambiguity), { request, response, context });
        return;
      }
      request.url = localTarget(request);
      app(request, Object.assign(response, { locals: { context } }));
    });
  };
}

/**
 * The target that express gets. Express reads a target that does not begin with a slash with another parser, which
 * refuses some targets, prints them in full as a warning, and answers them in its own form. Nothing is at `/*`.
 */
function localTarget({ url = '' }: IncomingMessage): string {
  const { path, query } = targetOf(url);
  if (!path.startsWith('/')) return '/*';
  return query === null ? path : `${path}?${query}`;
}

function addMount(app: Express, { readSender }: AnswerParts, mount: Mount): void {
  app.route(mount.path).all(async (request, response) => {
    const { context } = exchangeOf(request, response);
    context.route = mount.path;
    await send(response, context, await mount.handle(toMountedRequest({ request, response }, readSender)));
  });
}

/** A `Page`, or one that sets something of the request. */
type ContextPage = (request: Request, context: RequestContext) => Promise<ApiAnswer>;

/** Adds a page that anybody may read, with GET and HEAD only. */
function addPage(app: Express, parts: AnswerParts, path: string, page: ContextPage): void {
  app.route(path).all(async (request, response) => {
    const to = exchangeOf(request, response);
    to.context.route = path;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead) await send(response, to.context, await page(request, to.context));
    else await answerWrongMethod(parts, to, ['GET']);
  });
}

/** Adds a page that load balancers ask every second: its line in the log is at `debug`, unless the answer has changed. */
function addProbe(app: Express, parts: AnswerParts, path: string, ask: () => Promise<ApiAnswer>): void {
  let lastStatus: number | null = null;
  addPage(app, parts, path, async (_request, context) => {
    const answer = await ask();
    if (answer.status === lastStatus) context.level = 'debug';
    else if (answer.status !== 200) context.level = 'warn';
    lastStatus = answer.status;
    return answer;
  });
}

/** Anybody may read it, also a program in a browser of another site. */
function metadataPage(oauth: OAuthConfig): Page {
  const headers = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' };
  return async () => ({ status: 200, headers, body: metadataOf(oauth) });
}

function okay(status: string): ApiAnswer {
  return { status: 200, headers: {}, body: { status } };
}

async function readiness({ isReady }: AppParts): Promise<ApiAnswer> {
  return (await isReady()) ? okay('ready') : answerTo(refusal('unavailable', 'not ready'));
}
