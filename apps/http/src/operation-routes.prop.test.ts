import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { operations } from '@tarifario/api';
import { createLog } from '@tarifario/runtime';
import { runsOf } from '@tarifario/testkit/share';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { targetOf } from './request-head.ts';

const called: unknown[] = [];
const app = createApp({
  dispatch: async (request) => {
    called.push('refusal' in request ? request.refusal : request);
    return { status: 204, headers: {}, body: undefined };
  },
  log: createLog('silent'),
  isReady: async () => true,
  trustedProxyHops: 0,
});

/** What dispatch is given for a request. */
function dispatched(method: string, url: string): unknown {
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
  called.length = 0;
  app(request, new ServerResponse(request));
  return called[0];
}

const parameter = fc.oneof(
  fc.constantFrom('compare', '..', '%', 'x/y', 'ñ', '{id}', '1?a=1#b'),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

describe('the operation that a target is for', () => {
  it.each(operations.map((row) => [row.method, row.path, row] as const))(
    'is found: %s %s, with decoded parameters and the query',
    (method, path, operation) => {
      const words = new Set(operations.map((other) => other.path).filter((other) => other !== path));
      fc.assert(
        fc.property(
          fc.infiniteStream(parameter),
          fc.constantFrom('', 'http://x', 'HTTPS://host:1'),
          (stream, origin) => {
            const params: Record<string, string> = {};
            const sent = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
              const value = stream.next().value ?? '';
              params[name] = value;
              return encodeURIComponent(value);
            });
            fc.pre(!words.has(sent));
            const request = dispatched(method, `${origin}${sent}?limit=1&b=/x?y#z`);
            // The same one, and not an equal one: comparing the schemas of one takes long.
            expect(Object(request).operation).toBe(operation);
            expect(request).toMatchObject({ query: new URLSearchParams('limit=1&b=/x?y') });
            expect(request).toHaveProperty('params', expect.objectContaining(params));
          },
        ),
        { seed: 20_261_120, numRuns: runsOf(10, 30) },
      );
    },
  );

  it.each(['/v1/offers/%ZZ', '/v1/offers/%c3%28'])('does not exist for %s, which cannot be decoded', (url) => {
    expect(dispatched('GET', url)).toMatchObject({ code: 'invalid_request' });
  });
});

it('a target has a path and a query, and may name this server and a fragment', () => {
  expect(targetOf('/v1/offers?limit=1&b=/x?y#z')).toEqual({ path: '/v1/offers', query: 'limit=1&b=/x?y' });
  expect(targetOf('/v1/offers#a?limit=1')).toEqual({ path: '/v1/offers', query: null });
  expect(targetOf('http://x/v1/offers?a')).toEqual({ path: '/v1/offers', query: 'a' });
  expect(targetOf('*')).toEqual({ path: '*', query: null });
});
