import { connect, createServer, type Socket } from 'node:net';

/** Counts the statements that a server sends to its database. */
export interface StatementCounter {
  /** The address of the database, through the counter. */
  readonly url: string;
  /** Statements of reads since the counter was made, without those that begin and end a transaction. */
  queries(): number;
  close(): Promise<void>;
}

const LETTER_BYTES = 1;
const SIMPLE = 'Q';
/** One for each time a statement runs; one with a name is parsed once only. */
const EXECUTE = 'E';

/**
 * A messenger between a server and PostgreSQL that looks at each message. Units of work that write are not counted: a
 * server records calls twice a second, and that is no part of a request that reads.
 */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const { hostname, port } = new URL(databaseUrl);
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port === '' ? 5432 : port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const counted = countOne();
    client.on('data', (data: Buffer) => {
      count += counted(data);
      upstream.write(data);
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address ? address.port : 0);
  return {
    url: url.href,
    queries: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Takes what one connection sends, in pieces as they come, and tells how many statements of reads each completed. */
function countOne(): (data: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let isGreeted = false;
  let isWriting = false;
  /** 1 for a statement that counts. */
  const look = (letter: string, text: string): number => {
    if (letter !== SIMPLE && letter !== EXECUTE) return 0;
    if (letter === SIMPLE && /^(commit|rollback)/.test(text)) {
      isWriting = false;
      return 0;
    }
    if (letter === SIMPLE && text.startsWith('begin')) {
      isWriting = !text.includes('read only');
      return 0;
    }
    return isWriting ? 0 : 1;
  };
  return (data) => {
    rest = Buffer.concat([rest, data]);
    let matches = 0;
    for (;;) {
      // The first message of a connection has no letter.
      const start = isGreeted ? LETTER_BYTES : 0;
      const end = rest.length < start + 4 ? Number.POSITIVE_INFINITY : start + rest.readUInt32BE(start);
      if (rest.length < end) return matches;
      if (isGreeted) {
        matches += look(String.fromCharCode(rest[0] ?? 0), rest.toString('latin1', start + 4, end));
      }
      isGreeted = true;
      rest = rest.subarray(end);
    }
  };
}
