import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ApiAnswer, answerTo, type Dispatch } from '@tarifario/api';
import type { Log, Traffic } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { documentPages } from './docs.ts';
import { type AnswerParts, answerFailure, answerStray, answerWrongMethod, refusal } from './failures.ts';
import { type Mount, toMountedRequest } from './mount.ts';
import { addOperations, exchangeOf } from './operation-routes.ts';
import type { Page } from './page.ts';
import { send } from './send.ts';
import { ambiguityIn, createSenderReader } from './sender.ts';
import { targetOf } from './target.ts';
import { follower } from './trail.ts';

/** What the REST door needs from the rest of the house. */
export interface AppParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  /** `false` while the server drains or the database cannot be used. */
  readonly isReady: () => Promise<boolean>;
  readonly trustedProxyHops: number;
  /** Told about every request. */
  readonly traffic?: Pick<Traffic, 'requestBegan' | 'requestEnded'> | undefined;
  /** Called after each request that is over, also when its caller went away. */
  readonly whenOver?: () => void;
  /** Doors at paths of their own. */
  readonly mounts?: readonly Mount[];
  /** `false`: only the mounted doors and the two questions of a load balancer. */
  readonly servesRest?: boolean;
}

/**
 * Everything that is asked over HTTP, routed by express: the operations of the table, the mounted doors, the pages about
 * the API, the two questions of a load balancer, and what is none of ours.
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
  addPage(app, common, '/healthz', async () => okay('ok'));
  addPage(app, common, '/readyz', () => readiness(parts));
  for (const mount of parts.mounts ?? []) addMount(app, common, mount);
  if (servesRest) for (const [path, page] of documentPages()) addPage(app, common, path, page);
  app.use((request, response) => {
    return answerStray(common, exchangeOf(request, response), { code: 'not_found', message: 'no such path' });
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const to = exchangeOf(request, response);
    if (!(error instanceof URIError)) return answerFailure(log, error, to);
    return answerStray(common, to, { code: 'invalid_request', message: 'the path is not well-formed' });
  });
  const follow = follower(parts);
  return (request: IncomingMessage, response: ServerResponse) => {
    follow(request, response, (trail) => {
      const ambiguity = ambiguityIn(request);
      if (ambiguity !== null) {
        answerFailure(log, refusal('invalid_request', ambiguity), { request, response, trail });
        return;
      }
      request.url = localTarget(request);
      app(request, Object.assign(response, { locals: { trail } }));
    });
  };
}

/**
 * What express is given of a target. Where one does not begin with a slash, express reads it with a parser that refuses
 * some and warns of them in full, and answers those in a shape of its own. Nothing is at `/`.
 */
function localTarget({ url = '' }: IncomingMessage): string {
  const { path, query } = targetOf(url);
  if (!path.startsWith('/')) return '/';
  return query === null ? path : `${path}?${query}`;
}

function addMount(app: Express, { readSender }: AnswerParts, mount: Mount): void {
  app.all(mount.path, async (request, response) => {
    const { trail } = exchangeOf(request, response);
    trail.route = mount.path;
    await send(response, trail, await mount.handle(toMountedRequest({ request, response }, readSender)));
  });
}

/** What is read by anybody, and in no other way than by GET and HEAD. */
function addPage(app: Express, parts: AnswerParts, path: string, page: Page): void {
  app.all(path, async (request, response) => {
    const to = exchangeOf(request, response);
    to.trail.route = path;
    if (request.method === 'GET' || request.method === 'HEAD') await send(response, to.trail, await page(request));
    else await answerWrongMethod(parts, to, ['GET']);
  });
}

function okay(status: string): ApiAnswer {
  return { status: 200, headers: {}, body: { status } };
}

async function readiness({ isReady }: AppParts): Promise<ApiAnswer> {
  return (await isReady()) ? okay('ready') : answerTo(refusal('unavailable', 'not ready'));
}
