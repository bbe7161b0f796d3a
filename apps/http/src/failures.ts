import { answerTo, type Dispatch, inLanguage } from '@tarifario/api';
import { DomainError, type Message, type RefusalCode, say } from '@tarifario/core/service';
import type { Log } from '@tarifario/runtime';
import type { RequestContext } from './request-context.ts';
import { send } from './send.ts';

/** What every route needs to answer. */
export interface AnswerParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
}

export function refusal(code: RefusalCode, message: Message): DomainError {
  return new DomainError(code, { message });
}

/** Answers a request that belongs to no operation; with a key it is admitted and counted first. */
export function answerUnrouted(
  parts: AnswerParts,
  context: RequestContext,
  reason: { readonly code: RefusalCode; readonly message: Message; readonly allowed?: string },
): Promise<void> {
  const { method = '' } = context.request;
  const answering = async () => {
    const unrouted = { method, path: context.route, refusal: refusal(reason.code, reason.message) };
    const answer = await parts.dispatch(Object.assign(context, { kind: 'unrouted' as const, ...unrouted }));
    const allow = answer.status === 405 && reason.allowed !== undefined ? { Allow: reason.allowed } : {};
    const headers = { ...answer.headers, ...allow };
    await send(context, { ...answer, headers });
  };
  return answering().catch((error: unknown) => answerFailure(parts.log, error, context));
}

/** Answers a method that a path does not have. */
export function answerWrongMethod(
  parts: AnswerParts,
  context: RequestContext,
  methods: Iterable<string>,
): Promise<void> {
  const allowed = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return answerUnrouted(parts, context, {
    code: 'method_not_allowed',
    message: say('allowed here: {methods}', { methods: allowed }),
    allowed,
  });
}

/** The last resort for errors of express or a handler: bugs are logged, and never shown to the caller. */
export function answerFailure(log: Log, error: unknown, context: RequestContext): void {
  const { response, language } = context;
  if (response.headersSent) {
    log.error({ error }, 'a bug after the answer had begun');
    response.destroy();
    return;
  }
  if (!(error instanceof DomainError)) log.error({ error }, 'a bug in an HTTP handler');
  // Removes the headers of the answer that could not be sent.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  send(context, inLanguage(answerTo(error), language));
}
