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
