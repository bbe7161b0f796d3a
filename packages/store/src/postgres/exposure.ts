import pg from 'pg';

/**
 * The risk of a network connection: `plain` is not encrypted, `unverified` is encrypted but the certificate is not
 * checked.
 */
type Exposure = 'plain' | 'unverified';

/**
 * How exposed the connection to a database is, from its address and the environment variables that the driver reads.
 * `null`: on this machine, or with TLS and a verified certificate.
 *
 * @param databaseUrl - A valid address.
 */
export function exposureOf(databaseUrl: string): Exposure | null {
  if (databaseUrl.startsWith('sqlite:')) return null;
  const client = new pg.Client(databaseUrl);
  // The types only allow booleans.
  const { host, ssl }: { readonly host: string; readonly ssl: unknown } = client;
  if (isOnThisMachine(host)) return null;
  if (ssl === false) return 'plain';
  const isChecked = typeof ssl !== 'object' || ssl === null || !('rejectUnauthorized' in ssl) || ssl.rejectUnauthorized;
  return isChecked ? null : 'unverified';
}

/** Including the folder of a Unix socket. */
function isOnThisMachine(host: string): boolean {
  return host === '' || host === 'localhost' || host.startsWith('/') || /^127(\.\d+){3}$|^\[?::1\]?$/.test(host);
}
