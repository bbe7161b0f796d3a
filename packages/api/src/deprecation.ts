import type { Deprecation } from './operation.ts';

/** The headers of every answer of an operation that will be removed (RFC 9745 and RFC 8594). */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"`,
  };
}
