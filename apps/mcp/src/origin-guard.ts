import { isKnownHost, isLoopback } from '@tarifario/http';

/** Permitted in addition to names of this machine. */
interface AllowedSources {
  /** `https://example.org`. */
  readonly origins: readonly string[];
  /** `example.org`, at any port, or `example.org:8080`. */
  readonly hosts: readonly string[];
}

/**
 * Why a request is refused by its source; `null` when it is not. A browser sends the site that asks (`Origin`) and the
 * name it used for this server (`Host`). Other sites, also with DNS rebinding, are refused before their key is checked.
 * Programs send no `Origin`.
 */
export function sourceProblem(
  headers: { readonly origin: string | null; readonly host: string | null },
  allowed: AllowedSources,
): string | null {
  if (!isKnownHost(headers.host, allowed.hosts)) return 'this server is not reached under the name in the header Host';
  if (headers.origin !== null && !isKnownOrigin(headers.origin, allowed.origins)) {
    return 'pages of the site in the header Origin may not ask this server';
  }
  return null;
}

function isKnownOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && /^https?:$/.test(url.protocol) && isLoopback(url.hostname);
}
