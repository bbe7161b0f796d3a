import { isKnownHost, isLoopback } from '@tarifario/http';

/** Besides those of the loopback interface. */
export interface Allowed {
  /** `https://example.org`. */
  readonly origins: readonly string[];
  /** `example.org`, at any port, or `example.org:8080`. */
  readonly hosts: readonly string[];
}

/**
 * Why a request may not come in at all; `null` when it may. A browser tells the page that asks (`Origin`) and the name
 * under which it found us (`Host`): a page of somebody else, also one whose name was bent to this machine, is kept out
 * before its key is looked at. Programs send no `Origin`.
 */
export function strangerFor(
  headers: { readonly origin: string | null; readonly host: string | null },
  allowed: Allowed,
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
