import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a store and its server, and does what networks do. */
export interface Network {
  /** The address of a database, through the proxy. */
  url(direct: string): string;
  /**
   * Cuts the next connection that sends `commit`: before the server has it, or once it has answered. With `thenHold`
   * nothing gets through from then on.
   */
  cutAtCommit(moment: 'before' | 'after', options?: { readonly thenHold: boolean }): void;
  /** As `hold(true)`, from the next message on that has a text in it. */
  holdAt(text: string): void;
  /** From now on nothing gets through in either direction, and no connection is closed; or it does again. */
  hold(isHeld: boolean): void;
  /** Waits until something with a text in it came from a client and was held. */
  swallowed(text: string): Promise<void>;
  /** From now on "ready for the next" comes apart from what the server says before it, as it may. */
  splitReady(): void;
  close(): Promise<void>;
}

/** A letter, a length, and the state of the transaction. */
const READY_BYTES = 6;
const READY_MS = 30;
const READY = 'Z'.charCodeAt(0);

export async function startNetwork(serverPort: number): Promise<Network> {
  let cut: 'before' | 'after' | null = null;
  let isHeld = false;
  let heldText: string | null = null;
  let holdsAfterCut = false;
  let isSplit = false;
  const heldBytes: Buffer[] = [];
  const arrivals = new EventEmitter();
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let isCutting = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (heldText !== null && data.includes(heldText)) isHeld = true;
      if (isHeld) {
        heldBytes.push(data);
        arrivals.emit('data');
        return;
      }
      // A simple query is its letter, its length, and its text in the clear.
      if (cut !== null && data.includes('commit\0')) {
        isCutting = true;
        if (cut === 'before') {
          cut = null;
          isHeld = holdsAfterCut;
          client.destroy();
          return;
        }
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isHeld) return;
      if (isCutting && cut === 'after') {
        cut = null;
        isHeld = holdsAfterCut;
        client.destroy();
        return;
      }
      const readyAt = data.length - READY_BYTES;
      if (!isSplit || readyAt <= 0 || data[readyAt] !== READY) {
        client.write(data);
        return;
      }
      client.write(data.subarray(0, readyAt));
      setTimeout(() => client.write(data.subarray(readyAt)), READY_MS);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url(direct) {
      const url = new URL(direct);
      url.port = String(port);
      url.hostname = '127.0.0.1';
      return url.href;
    },
    cutAtCommit(moment, { thenHold } = { thenHold: false }) {
      cut = moment;
      holdsAfterCut = thenHold;
    },
    holdAt(text) {
      heldText = text;
    },
    hold(value) {
      isHeld = value;
      heldText = null;
    },
    async swallowed(text) {
      while (!heldBytes.some((data) => data.includes(text))) await once(arrivals, 'data');
    },
    splitReady() {
      isSplit = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
