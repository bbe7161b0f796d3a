import type { IncomingMessage } from 'node:http';
import { type ApiAnswer, bodyInSpanish, prefersSpanish } from '@tarifario/api';
import { headerOf } from './request-head.ts';

/** An answer with its messages in the language that the caller prefers. An answer with an `ETag` has no messages. */
export function inLanguageOf(request: IncomingMessage, answer: ApiAnswer): ApiAnswer {
  const { body, headers } = answer;
  if (headers.ETag !== undefined || !prefersSpanish(headerOf(request, 'accept-language'))) return answer;
  const translated = bodyInSpanish(body);
  if (translated === body) return answer;
  return { ...answer, body: translated, headers: { ...headers, 'Content-Language': 'es', Vary: 'Accept-Language' } };
}
