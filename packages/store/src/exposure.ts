import pg from 'pg';

/**
 * Who else may read, or answer in place of the database: `plain` is not encrypted, `unverified` is encrypted towards
 * whoever answers.
 */
export type Exposure = 'plain' | 'unverified';

/**
 * How a database is reached over a network: as the driver would, by its address and by what the environment says
 * besides. `null`: on this machine, or with TLS and a certificate that is checked.
 *
 * @param databaseUrl - One that can be opened.
 */
export function exposureOf(databaseUrl: string): Exposure | null {
  if (databaseUrl.startsWith('sqlite:')) return null;
  const client = new pg.Client(databaseUrl);
  // The types know only of yes and no.
  const { host, ssl }: { readonly host: string; readonly ssl: unknown } = client;
  if (isOnThisMachine(host)) return null;
  if (ssl === false) return 'plain';
  const isChecked = typeof ssl !== 'object' || ssl === null || !('rejectUnauthorized' in ssl) || ssl.rejectUnauthorized;
  return isChecked ? null : 'unverified';
}

/** Among them the folder of a socket. */
function isOnThisMachine(host: string): boolean {
  return host === '' || host === 'localhost' || host.startsWith('/') || /^127(\.\d+){3}$|^\[?::1\]?$/.test(host);
}
