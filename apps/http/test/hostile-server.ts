import { DatabaseSync } from 'node:sqlite';
import type { Operation } from '@tarifario/api';
import { fillServer, type HttpRequest, requestOf } from '@tarifario/testkit/http/http-world';
import { type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';

/** A server in a process of its own, filled with the sample, and what tests of hostile input ask of it. */
export interface HostileServer {
  readonly server: ServerProcess;
  readonly world: Awaited<ReturnType<typeof fillServer>>;
  /** The call of an operation that would succeed. */
  requestFor(operation: Operation): HttpRequest;
  /** Sends bytes as the body of an operation. An operation with its own limits gets a new account for each call. */
  send(sent: Sent): Promise<{ readonly status: number; readonly text: string }>;
  /** Every record and the own account as they are stored, by table. Calls and other accounts are left out. */
  allRows(): ReadonlyMap<string, string>;
  /** The columns of every table. */
  allColumns(): readonly string[];
}

interface Sent {
  readonly operation: Operation;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LEFT_OUT = /^(sqlite_|usage_|migrations$|accounts$|subscriptions$|api_keys$)/;

export async function startHostileServer(nodeFlags: readonly string[] = []): Promise<HostileServer> {
  const server = await startServerProcess({ logLevel: 'warn' }, { nodeFlags });
  const world = await fillServer(server, 'nuestra');
  const requestFor = ({ id }: Operation) => requestOf(id, world.calls[id]);
  let accountCount = 0;
  const keyFor = async ({ limits }: Operation) => {
    if (limits.length === 0) return world.key;
    accountCount += 1;
    return server.addKey(await server.addAccount(`otra-${accountCount}`), {});
  };
  const openFile = () => new DatabaseSync(server.config.databaseUrl.replace('sqlite:', ''), { readOnly: true });
  return {
    server,
    world,
    requestFor,
    async send({ operation, body, contentType = 'application/json', headers = {} }) {
      const { method, path } = requestFor(operation);
      const response = await fetch(server.url + path, {
        method,
        headers: { 'X-API-Key': await keyFor(operation), 'Content-Type': contentType, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, text: await response.text() };
    },
    allRows() {
      const database = openFile();
      const names = tablesOf(database).filter((name) => !LEFT_OUT.test(name));
      const rows = names.map((name): [string, unknown] => [name, database.prepare(`SELECT * FROM ${name}`).all()]);
      const own = database.prepare('SELECT * FROM accounts WHERE id = ?').get(world.accountId);
      database.close();
      return new Map([...rows, ['accounts', own] as const].map(([name, records]) => [name, JSON.stringify(records)]));
    },
    allColumns() {
      const database = openFile();
      const columns = database.prepare('SELECT name FROM pragma_table_xinfo(?)');
      const names = tablesOf(database).flatMap((table) => columns.all(table).map(({ name }) => String(name)));
      database.close();
      return names;
    },
  };
}

function tablesOf(database: DatabaseSync): readonly string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return rows.map(({ name }) => String(name));
}

/** What a refusal says. */
export function refusalOf({ text }: { readonly text: string }): {
  readonly code: string;
  readonly errors?: readonly { readonly path: string; readonly error: string }[];
} {
  return JSON.parse(text).detail;
}
