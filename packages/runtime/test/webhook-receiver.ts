import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receivers } from '../src/webhook-sender.ts';

/** An event as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, arrived: Arrived) => void;

/** Answers that no honest receiver gives, by path. */
const LIES: Readonly<Record<string, Answer>> = {
  '/slow': () => {},
  '/drip': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nX-A: ');
    const timer = setInterval(() => response.socket?.write('a'), 20);
    response.socket?.on('close', () => clearInterval(timer));
  },
  '/garbage': (response) => void response.socket?.end('not HTTP at all\r\n\r\n'),
  '/reset': (response) => void response.socket?.resetAndDestroy(),
  '/head': (response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`);
  },
  '/again': (response) => {
    const timer = setInterval(() => response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
    response.socket?.on('close', () => clearInterval(timer));
  },
  // An upgrade that nobody asked for: Node then closes the connection without an answer and without an error.
  '/upgrade': (response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  },
  '/elsewhere': (response) => void response.writeHead(307, { Location: '/stolen' }).end(),
  '/gone': (response) => void response.writeHead(410).end(),
  '/error': (response) => void response.writeHead(500).end(),
};

/** Delivered, though the answer never ends: only its head is read. */
const endless: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a'.repeat(10_000)), 5);
  response.on('close', () => clearInterval(timer));
};

export interface Receiver {
  readonly port: number;
  readonly arrived: readonly Arrived[];
  /** The address at which it is registered; no name server knows the host. */
  urlOf(path: string): string;
  /** Leads to the receiver, whatever the host. */
  readonly receivers: Receivers;
  close(): Promise<void>;
}

/** A server on the loopback interface that takes events, and tells lies on some paths. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const piece of incoming) body += piece;
    const { url: path = '', headers } = incoming;
    const one = { path, id: String(headers['webhook-id']), headers, body };
    arrived.push(one);
    const answer = path === '/endless' ? endless : LIES[path];
    if (answer) answer(response, one);
    else response.writeHead(204).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    arrived,
    urlOf: (path) => `https://receptor.example.com:${address.port}${path}`,
    receivers: loopbackReceivers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** For tests alone: every host is this machine, and asked without TLS. */
export const loopbackReceivers: Receivers = {
  addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
  request: (options, onAnswer) => request({ ...options, protocol: 'http:' }, onAnswer),
};

/** The signature that a receiver expects, computed from the text of Standard Webhooks. */
export function expectedSignature(secret: string, { headers, body }: Pick<Arrived, 'headers' | 'body'>): string {
  const content = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
