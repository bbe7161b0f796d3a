import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Microseconds of processor time that a PostgreSQL server and its connections have used so far; `null` where the system
 * does not tell, or the server is on another machine.
 */
export async function postgresCpu(url: string): Promise<(() => number) | null> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return server === null
    ? null
    : () => microsOf(server) + childrenOf(server).reduce((sum, pid) => sum + microsOf(pid), 0);
}

/** The process that a connection of PostgreSQL belongs to; `null` when the number is that of something else here. */
function parentOf(pid: number): number | null {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.includes('(postgres)') ? parentPidIn(stat) : null;
}

function parentPidIn(stat: string): number {
  // pid (name) state parent ...: a name may have blanks.
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

function childrenOf(server: number): readonly number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => parentPidIn(textOf(`/proc/${pid}/stat`)) === server);
}

/** The first number of the file is nanoseconds on a processor, of a process of one thread. */
function microsOf(pid: number): number {
  const nanos = Number(textOf(`/proc/${pid}/schedstat`).split(' ')[0]);
  return nanos / 1000;
}

/** Empty when there is no such file or process. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
