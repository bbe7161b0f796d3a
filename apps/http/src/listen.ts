import { lookup } from 'node:dns/promises';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net';

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
 * How many sockets listen on the port of the API. Node accepts one connection of a socket in each turn of the event loop, so
 * with one socket a caller waits for as many turns as there are connections before his. Other systems than Linux cannot
 * divide connections between sockets.
 */
const LISTENERS = process.platform === 'linux' ? 16 : 1;
/** How long a program may take to answer on a port that looks free. */
const LOOK_MS = 500;

interface Listening {
  readonly host: string;
  readonly port: number;
  /** The name of the setting for the port, used in the error. */
  readonly setting: string;
}

/**
 * Makes a server listen.
 *
 * @returns The address of the server, e.g. `http://127.0.0.1:3000`.
 * @throws Error with one line for the operator.
 */
export async function listen(server: Server, place: Listening): Promise<string> {
  await open(server, place, { backlog: BACKLOG });
  return urlOf(server, place.host);
}

/**
 * Makes a server listen on several sockets of one port.
 *
 * @returns The address of the server, and `close`, which stops listening and resolves when every connection is closed.
 * @throws Error with one line for the operator.
 */
export async function listenOnMany(
  server: HttpServer,
  place: Listening,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const host = await lookUp(place);
  const options = { host, backlog: BACKLOG / LISTENERS, reusePort: LISTENERS > 1 };
  const sockets: Server[] = [];
  const close = async () => {
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))));
  };
  try {
    if (LISTENERS > 1 && place.port > 0) {
      sockets.push(await reserve(place, host));
      if (await isAnswered(host, place.port)) {
        throw failure(place, Object.assign(new Error('another program listens there'), { code: 'EADDRINUSE' }));
      }
    }
    sockets.push(server);
    await open(server, place, options);
    const { port } = addressOf(server);
    for (let more = 1; more < LISTENERS; more += 1) {
      // The same options as Node's HTTP server uses.
      const socket = createServer({ allowHalfOpen: true, noDelay: true }, (one) => server.emit('connection', one));
      await open(socket, { ...place, port }, options);
      sockets.push(socket);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { url: urlOf(server, place.host), close };
}

/** The address of a host, so that all names of one address are the same place. */
async function lookUp(place: Listening): Promise<string> {
  try {
    return (await lookup(place.host)).address;
  } catch (error) {
    throw failure(place, Object(error));
  }
}

/**
 * The system lets processes of one user share a port, also two that look at it at the same moment. A name that only one
 * can have keeps the second out: on Linux a name that begins with a zero is no file and goes with its process.
 */
async function reserve(place: Listening, address: string): Promise<Server> {
  const name = createServer((socket) => socket.destroy());
  await begin(name, place, { path: `\0tarifario ${address} ${place.port}` });
  return name;
}

/** Whether a program accepts connections there. */
function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: LOOK_MS });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => settle(false));
  });
}

function open(server: Server, place: Listening, options: ListenOptions): Promise<void> {
  const { host, port } = place;
  return begin(server, place, { host, port, ...options });
}

function begin(server: Server, place: Listening, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(failure(place, error));
    server.once('error', fail);
    server.listen(options, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function failure({ host, port, setting }: Listening, error: NodeJS.ErrnoException): Error {
  const code = error.code ?? 'unknown';
  const reason = REASONS[code] ?? 'the system refuses';
  return new Error(`cannot listen on ${setting} ${port} of ${host}: ${reason} (${code})`, { cause: error });
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
