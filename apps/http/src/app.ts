import type { IncomingMessage } from 'node:http';
import { type ApiAnswer, answerTo, type Dispatch } from '@tarifario/api';
import { type Log, metadataOf, metadataPathOf, type OAuthConfig } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ADVISOR_PAGES } from './advisor-page.ts';
import type { AnswerRequest } from './connections.ts';
import { documentPages } from './docs.ts';
import { type AnswerParts, answerFailure, answerUnrouted, answerWrongMethod, refusal } from './failures.ts';
import { type Mount, toMountedRequest } from './mount.ts';
import { addOperations } from './operation-routes.ts';
import type { Page } from './page.ts';
import { type ArrivalParts, createArrival, type RequestContext } from './request-context.ts';
import { ambiguityIn, targetOf } from './request-head.ts';
import { send } from './send.ts';
import { START_PAGE } from './start-page.ts';

/** What the HTTP application needs from the other packages. */
export interface AppParts extends ArrivalParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  /** `false` while the server drains or the database cannot be used. */
  readonly isReady: () => Promise<boolean>;
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
export function createApp(parts: AppParts): AnswerRequest {
  const { dispatch, log, servesRest = true } = parts;
  const common: AnswerParts = { dispatch, log };
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
  for (const mount of parts.mounts ?? []) addMount(app, mount);
  const pages = new Map([['/', START_PAGE], ...documentPages(), ...ADVISOR_PAGES]);
  if (servesRest) for (const [path, page] of pages) addPage(app, common, path, page);
  app.use((_request, response) => {
    return answerUnrouted(common, response.locals.context, { code: 'not_found', message: 'no such path' });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const { context } = response.locals;
    if (!(error instanceof URIError)) return answerFailure(log, error, context);
    return answerUnrouted(common, context, { code: 'invalid_request', message: 'the path is not well-formed' });
  });
  const arrive = createArrival(parts);
  return (request, response) =>
    arrive(request, response, (context) => {
      const ambiguity = ambiguityIn(request);
      if (ambiguity !== null) return answerFailure(log, refusal('invalid_request', ambiguity), context);
      request.url = localTarget(request);
      app(request, Object.assign(response, { locals: { context } }));
    });
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

function addMount(app: Express, mount: Mount): void {
  // Clients add a slash to an address, and do not follow a redirect with a body.
  app.route([mount.path, `${mount.path}/`]).all(async (_request, response) => {
    const { context } = response.locals;
    context.route = mount.path;
    await send(context, await mount.handle(toMountedRequest(context)));
  });
}

/** A `Page`, or one that sets something of the request. */
type ContextPage = (request: Request, context: RequestContext) => Promise<ApiAnswer>;

/** Adds a page that anybody may read, with GET and HEAD only. */
function addPage(app: Express, parts: AnswerParts, path: string, page: ContextPage): void {
  app.route(path).all(async (request, response) => {
    const { context } = response.locals;
    context.route = path;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead) await send(context, await page(request, context));
    else await answerWrongMethod(parts, context, ['GET']);
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
