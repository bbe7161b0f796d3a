import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerTo, type Dispatch } from '@tarifario/api';
import { DomainError, type RefusalCode } from '@tarifario/core/service';
import type { Log } from '@tarifario/runtime';
import { send } from './send.ts';
import type { ReadSender } from './sender.ts';
import type { Trail } from './trail.ts';

/** What is being answered. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trail: Trail;
}

/** What every route answers with. */
export interface AnswerParts {
  readonly dispatch: Dispatch;
  readonly log: Log;
  readonly readSender: ReadSender;
}

export function refusal(code: RefusalCode, message: string): DomainError {
  return new DomainError(code, { message });
}

/** Answers what is for no operation; with a key it is admitted and counted first. */
export function answerStray(
  parts: AnswerParts,
  to: Exchange,
  told: { readonly code: RefusalCode; readonly message: string; readonly allowed?: string },
): Promise<void> {
  const { request, response, trail } = to;
  const { method = '' } = request;
  const answering = async () => {
    const refused = refusal(told.code, told.message);
    const { apiKey, address } = parts.readSender(request);
    const stray = { operation: null, apiKey, address, method, path: trail.route, refusal: refused };
    const answer = await parts.dispatch(stray);
    const allow = answer.status === 405 && told.allowed !== undefined ? { Allow: told.allowed } : {};
    await send(response, trail, { ...answer, headers: { ...answer.headers, ...allow } });
  };
  return answering().catch((error: unknown) => answerFailure(parts.log, error, to));
}

/** Answers a method that a path does not have. */
export function answerWrongMethod(parts: AnswerParts, to: Exchange, methods: Iterable<string>): Promise<void> {
  const allowed = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return answerStray(parts, to, { code: 'method_not_allowed', message: `allowed here: ${allowed}`, allowed });
}

/** The last resort. What express or a handler throws is logged, if it is a bug, and never shown. */
export function answerFailure(log: Log, error: unknown, { response, trail }: Exchange): void {
  if (response.headersSent) {
    log.error({ error }, 'a bug after the answer had begun');
    response.destroy();
    return;
  }
  if (!(error instanceof DomainError)) log.error({ error }, 'a bug in the REST door');
  // Of an answer that could not be sent nothing is left for this one.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  send(response, trail, answerTo(error));
}
