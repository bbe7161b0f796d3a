import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host is known',
};

/**
 * How many new connections may wait until they are accepted; the system may allow fewer. Beyond it Linux lets a caller
 * try again after 1, 3 and 7 seconds, so a burst of others, with Node's 511, makes him wait that long.
 */
const BACKLOG = 4096;

/**
 * Makes a server listen.
 *
 * @param place - `setting`: the name of the setting for the port, used in the error.
 * @returns The address of the server, e.g. `http://127.0.0.1:3000`.
 * @throws Error with one line for the operator.
 */
export function listen(
  server: Server,
  place: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<string> {
  const { host, port, setting } = place;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? 'unknown';
      const reason = REASONS[code] ?? 'the system refuses';
      reject(new Error(`cannot listen on ${setting} ${port} of ${host}: ${reason} (${code})`, { cause: error }));
    };
    server.once('error', fail);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', fail);
      resolve(urlOf(server, host));
    });
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = addressOf(server);
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new RangeError('the server listens on a port');
  return address;
}

/** Whether only programs on this machine can connect to this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^127(\.\d+){3}$/.test(host) || /^\[?::1\]?$/.test(host);
}
