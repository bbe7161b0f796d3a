import { answerTo, type Dispatch, inLanguage } from '@tarifario/api';
import { createLog } from '@tarifario/runtime';
import { expect, onTestFinished } from 'vitest';
import { type HttpServer, openHttpServer } from '../src/http-server.ts';

export const RANK = '/v1/offers/efficient';

/** The account of a form, for tests in which the account does not matter. */
export const NO_FORM = { accountId: 1, beforeForm: async () => {} };

/** Answers with the request as the server passed it on. */
const echo: Dispatch = async (request) => {
  if (request.kind !== 'operation') return inLanguage(answerTo(request.kind === 'unrouted' ? request.refusal : null));
  const { operation, apiKey, params, query, readBody } = request;
  try {
    const { body: takes, sentAs } = operation.input;
    const body = takes === null ? undefined : await readBody(sentAs, NO_FORM);
    return { status: 200, headers: {}, body: { id: operation.id, apiKey, params, query: [...query], body } };
  } catch (error) {
    return inLanguage(answerTo(error));
  }
};

type ServerParts = Parameters<typeof openHttpServer>[0];

/** A server on a free port, with the lines of its log; closed after the test. */
export async function open({
  dispatch = echo,
  isReady = async () => true,
  ...options
}: Partial<ServerParts & ServerParts['service']> = {}): Promise<
  HttpServer & { readonly lines: Record<string, unknown>[] }
> {
  const lines: Record<string, unknown>[] = [];
  const httpServer = await openHttpServer({
    config: { host: '127.0.0.1', port: 0, trustedProxyHops: 0 },
    log: createLog('info', (line) => lines.push(JSON.parse(line))),
    service: { dispatch, isReady },
    drainMs: 100,
    ...options,
  });
  onTestFinished(httpServer.close);
  return { ...httpServer, lines };
}

export function post(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + RANK, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
}

/** The code of a refusal, which says nothing else but its message. */
export async function codeOf(response: Response): Promise<unknown> {
  const { detail, ...others } = JSON.parse(await response.text());
  expect(others).toEqual({});
  expect(detail.message).toEqual(expect.any(String));
  return detail.code;
}
