import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** Leads to whichever of some servers can be written, as HAProxy does with a check, and ends what led to another one. */
export interface WritableProxy {
  /** The address of a database, through it. */
  url(direct: string): string;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 100;
/** After that a server that does not answer counts as gone. */
const ANSWER_MS = 1000;

export async function startWritableProxy(ports: readonly number[]): Promise<WritableProxy> {
  const sockets = new Set<Socket>();
  let writable: number | null = null;
  let isClosed = false;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const look = async () => {
    const found = await Promise.all(ports.map(isWritable));
    const next = ports.find((_, index) => found[index]) ?? null;
    if (next !== writable) endAll();
    writable = next;
  };
  const looking = (async () => {
    while (!isClosed) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  const server = createServer((client) => {
    if (writable === null) {
      client.destroy();
      return;
    }
    const upstream = connect(writable, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await look();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url(direct) {
      const url = new URL(direct);
      url.port = String(port);
      return url.href;
    },
    async close() {
      isClosed = true;
      await looking;
      endAll();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function isWritable(port: number): Promise<boolean> {
  const patience = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`, ...patience });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
    return rows[0]?.is_standby === false;
  } catch {
    return false;
  } finally {
    // A server that hangs does not answer this either.
    void client.end().catch(() => {});
  }
}
