import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ApiAnswer, answerTo, type Dispatch } from '@tarifario/api';
import type { Log, Traffic } from '@tarifario/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { documentPages } from './docs.ts';
import { answerFailure, answerStray, answerWrongMethod, refusal } from './failures.ts';
import { type Mount, toMountedRequest } from './mount.ts';
import type { Page } from './page.ts';
import { createRest } from './rest.ts';
import { targetOf } from './routes.ts';
import { send } from './send.ts';
import { ambiguityIn, createSenderReader } from './sender.ts';
import { follower, type Trail } from './trail.ts';

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

interface Pages extends Pick<AppParts, 'dispatch' | 'log'> {
  readonly readSender: ReturnType<typeof createSenderReader>;
  trailOf(response: ServerResponse): Trail;
}

/**
 * Everything that is asked over HTTP: the operations at once, the rest through express. That is the mounted doors, the
 * pages about the API, the two questions of a load balancer, and what is none of ours.
 */
export function createApp(parts: AppParts): RequestListener {
  const { dispatch, log, servesRest = true } = parts;
  const readSender = createSenderReader(parts.trustedProxyHops);
  const answerRest = servesRest ? createRest({ dispatch, log, readSender }) : () => false;
  const trails = new WeakMap<ServerResponse, Trail>();
  const trailOf = (response: ServerResponse) => {
    const trail = trails.get(response);
    if (!trail) throw new RangeError('express answers what was followed');
    return trail;
  };
  const app = createExpress(parts, { dispatch, log, readSender, trailOf });
  const follow = follower(parts);
  return (request: IncomingMessage, response: ServerResponse) => {
    follow(request, response, (trail) => {
      const ambiguity = ambiguityIn(request);
      if (ambiguity !== null) {
        answerFailure(log, refusal('invalid_request', ambiguity), { request, response, trail });
        return;
      }
      if (answerRest(request, response, trail)) return;
      trails.set(response, trail);
      request.url = pathFor(request);
      app(request, response);
    });
  };
}

/**
 * What express is given of a target. Where one does not begin with a slash, express reads it with a parser that refuses
 * some and warns of them in full, and answers those in a shape of its own. No page is at `/`.
 */
function pathFor({ url = '' }: IncomingMessage): string {
  const { path } = targetOf(url);
  return path.startsWith('/') ? path : '/';
}

function createExpress(parts: AppParts, pages: Pages): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  addPage(app, pages, { path: '/healthz', page: async () => okay('ok') });
  addPage(app, pages, { path: '/readyz', page: () => readiness(parts) });
  for (const mount of parts.mounts ?? []) {
    app.all(mount.path, async (request, response) => {
      const trail = pages.trailOf(response);
      trail.route = mount.path;
      await send(response, trail, await mount.handle(toMountedRequest({ request, response }, pages.readSender)));
    });
  }
  if (parts.servesRest !== false) {
    for (const [path, page] of documentPages()) addPage(app, pages, { path, page });
  }
  app.use((request, response) => {
    const to = { request, response, trail: pages.trailOf(response) };
    return answerStray(pages, to, { code: 'not_found', message: 'no such path' });
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerFailure(parts.log, error, { request, response, trail: pages.trailOf(response) });
  });
  return app;
}

/** What is read by anybody, and in no other way than by GET and HEAD. */
function addPage(app: Express, pages: Pages, { path, page }: { readonly path: string; readonly page: Page }): void {
  app.route(path).all(async (request, response) => {
    const trail = pages.trailOf(response);
    trail.route = path;
    if (request.method === 'GET' || request.method === 'HEAD') await send(response, trail, await page(request));
    else await answerWrongMethod(pages, { request, response, trail }, ['GET']);
  });
}

function okay(status: string): ApiAnswer {
  return { status: 200, headers: {}, body: { status } };
}

async function readiness({ isReady }: AppParts): Promise<ApiAnswer> {
  return (await isReady()) ? okay('ready') : answerTo(refusal('unavailable', 'not ready'));
}
