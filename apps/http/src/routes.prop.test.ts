import { operations } from '@tarifario/api';
import express from 'express';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRoutes, targetOf } from './routes.ts';

const find = createRoutes(operations);

/** What express makes of a target when it has a route for every path of the table: another router as a second opinion. */
function createSecondOpinion() {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  const order = (path: string) => path.replaceAll(/\{\w+\}/g, '~');
  const paths = [...new Set(operations.map(({ path }) => path))].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  let told: object | null = null;
  for (const path of paths) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (request) => {
      told = { path, params: { ...request.params } };
    });
  }
  return (url: string): object | 'malformed' | null => {
    told = null;
    let isMalformed = false;
    const request = Object.assign(Object.create(express.request), { method: 'GET', url, headers: {} });
    const response = Object.assign(Object.create(express.response), { setHeader: () => undefined });
    // Express's types do not tell that an app calls what comes after it.
    Reflect.apply(app, undefined, [
      request,
      response,
      (error: unknown) => {
        isMalformed = error instanceof URIError;
      },
    ]);
    return isMalformed ? 'malformed' : told;
  };
}

function ours(url: string): object | 'malformed' | null {
  try {
    const found = find(targetOf(url).path);
    return found && { path: found.route.path, params: { ...found.params } };
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}

const words = [...new Set(operations.flatMap(({ path }) => path.split('/')))];
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words.filter((word) => !word.startsWith('{'))) },
  fc.constantFrom('', '1', 'x%2Fy', '%', '%ZZ', '%C3%B1', '%c3%28', '.', '..', '%2e%2e', 'Offers', ';a=1', '~', '{id}'),
  fc.string({ unit: fc.constantFrom(..."abz019-_.~!$&'()*+,;=:@%") }),
);
/** A path of the table with something else in the place of its parameters, or in another place. */
const nearMiss = fc.tuple(fc.constantFrom(...operations), fc.infiniteStream(segment), fc.nat(12)).map((drawn) => {
  const [{ path }, stream, changed] = drawn;
  const next = () => stream.next().value ?? '';
  return path
    .split('/')
    .map((word, index) => (word.startsWith('{') || (index > 0 && index === changed) ? next() : word))
    .join('/');
});
const path = fc.oneof(
  nearMiss,
  fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`),
);
const target = fc
  .tuple(
    fc.constantFrom('', '', '', 'http://x', 'https://host:1', 'HTTP://x'),
    path,
    fc.constantFrom('', '?', '?a=1', '?x=/v1/offers'),
  )
  .map((parts) => parts.join(''));

describe('the operation that a target is for', () => {
  const secondOpinion = createSecondOpinion();

  it('is the one that express would find, with the same parameters', () => {
    let foundCount = 0;
    fc.assert(
      fc.property(target, (url) => {
        const found = ours(url);
        if (found !== null) foundCount += 1;
        expect(found).toEqual(secondOpinion(url));
      }),
      { seed: 20_261_120, numRuns: 3000 },
    );
    expect(foundCount).toBeGreaterThan(500);
  });

  it('is found in every path of the table, by each of its methods', () => {
    for (const row of operations) {
      const found = find(row.path.replaceAll(/\{\w+\}/g, '7'));
      expect(found?.route.path).toBe(row.path);
      expect(found?.route.byMethod.get(row.method)).toBe(row);
    }
  });

  it('does not depend on what follows a question mark, nor anything on what follows a number sign', () => {
    expect(targetOf('/v1/offers?limit=1&b=/x?y#z')).toEqual({ path: '/v1/offers', query: 'limit=1&b=/x?y' });
    expect(targetOf('/v1/offers#a?limit=1')).toEqual({ path: '/v1/offers', query: null });
    expect(targetOf('/v1/offers#a')).toEqual({ path: '/v1/offers', query: null });
    expect(targetOf('http://x/v1/offers?a')).toEqual({ path: '/v1/offers', query: 'a' });
    expect(targetOf('*')).toEqual({ path: '*', query: null });
  });
});

it('two paths that differ in the names of parameters only are no table', () => {
  const [first] = operations.filter(({ path }) => path === '/v1/offers/{id}');
  if (!first) throw new RangeError('there is such a path');
  expect(() => createRoutes([first, { ...first, path: '/v1/offers/{offer_id}' }])).toThrow('are the same path');
});
