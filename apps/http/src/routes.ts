import type { Operation } from '@tarifario/api';

/** The operations of one path. */
export interface Route {
  /** The template: `/v1/offers/{id}`. */
  readonly path: string;
  readonly byMethod: ReadonlyMap<string, Operation>;
}

export interface FoundRoute {
  readonly route: Route;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Which operations a path is for; `null`: none. Letters count as they are written, and so does a slash at the end. */
export type FindRoute = (path: string) => FoundRoute | null;

interface Pattern {
  readonly route: Route;
  /** What stands between slashes; `name`: a parameter. */
  readonly segments: readonly ({ readonly text: string } | { readonly name: string })[];
}

const NO_PARAMS = {};

/**
 * The paths of a table of operations. Fixed segments come before parameters: `/v1/offers/compare` is never an offer
 * with the id `compare`, whatever the method.
 *
 * @throws RangeError when two paths differ in the names of their parameters only; what is returned throws URIError for
 *   a parameter that cannot be decoded.
 */
export function createRoutes(rows: readonly Operation[]): FindRoute {
  const routes = [...Map.groupBy(rows, ({ path }) => path)].map(([path, ofPath]): Route => {
    return { path, byMethod: new Map(ofPath.map((row) => [row.method, row])) };
  });
  const fixed = new Map<string, FoundRoute>();
  const patterns = new Map<number, Pattern[]>();
  for (const route of routes.toSorted(specificFirst)) {
    if (!route.path.includes('{')) {
      fixed.set(route.path, { route, params: NO_PARAMS });
      continue;
    }
    const segments = route.path.split('/').map((text) => {
      return text.startsWith('{') ? { name: text.slice(1, -1) } : { text };
    });
    patterns.set(segments.length, [...(patterns.get(segments.length) ?? []), { route, segments }]);
  }
  return (path) => {
    const found = fixed.get(path);
    if (found) return found;
    const sent = path.split('/');
    const pattern = patterns.get(sent.length)?.find(({ segments }) => matches(segments, sent));
    return pattern ? { route: pattern.route, params: paramsOf(pattern.segments, sent) } : null;
  };
}

function specificFirst(a: Route, b: Route): number {
  // A tilde comes after every letter of a fixed segment.
  const [first, second] = [a, b].map(({ path }) => path.replaceAll(/\{\w+\}/g, '~'));
  if (first === second) throw new RangeError(`${a.path} and ${b.path} are the same path`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

function matches(segments: Pattern['segments'], sent: readonly string[]): boolean {
  return segments.every((segment, index) => ('text' in segment ? segment.text === sent[index] : sent[index] !== ''));
}

function paramsOf(segments: Pattern['segments'], sent: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if ('name' in segment) params[segment.name] = decodeURIComponent(sent[index] ?? '');
  }
  return params;
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The path and the query of a request target, which may name this server before them. A fragment is for whoever follows
 * a link, and is passed over wherever it stands.
 */
export function targetOf(url: string): { readonly path: string; readonly query: string | null } {
  const local = url.startsWith('/') ? url : url.replace(ORIGIN, '');
  const fragmentStart = local.indexOf('#');
  const sent = fragmentStart < 0 ? local : local.slice(0, fragmentStart);
  const queryStart = sent.indexOf('?');
  if (queryStart < 0) return { path: sent, query: null };
  return { path: sent.slice(0, queryStart), query: sent.slice(queryStart + 1) };
}
