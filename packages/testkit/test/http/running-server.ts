import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ServerOptions, startServer } from '@tarifario/http';
import { type Config, compose, createLog, migrate, readConfig, type Service } from '@tarifario/runtime';
import { childEnvironment } from '../child-environment.ts';
import { type Operator, operatorOf } from '../service.ts';
import { migratedBytes } from '../temporary-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { FORM_TYPE } from './forms.ts';

/** A server on a free port over a temporary SQLite file, with accounts made through a store of its own. */
export interface RunningServer extends Operator {
  readonly url: string;
  /** `null` unless the settings ask for a port of metrics. */
  readonly metricsUrl: string | null;
  readonly config: Config;
  /** A second store on the same file, as another process would have. */
  readonly service: Service;
  /** Every finished line of the server's log. */
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

/**
 * A server inside this process.
 *
 * @param bytes - Those of its database; an empty one when left out.
 */
export async function startTestServer(
  settings: Partial<Config> = {},
  handlers: Pick<ServerOptions, 'mounts' | 'servesRest'> = {},
  bytes?: Uint8Array,
): Promise<RunningServer> {
  const { folder, config, service } = await newDatabase(settings, bytes);
  const logLines: string[] = [];
  const log = createLog(config.logLevel, (line) => logLines.push(line));
  const server = await startServer({ config, log, ...handlers });
  const close = async () => {
    await server.close();
    await service.close();
    await rm(folder, { recursive: true });
  };
  return { ...server, config, service, logLines, ...operatorOf(service), close };
}

export interface ServerProcess extends RunningServer {
  /** For how many milliseconds its thread worked at most without looking at anything else, since the last look. */
  longestStretchMs(): Promise<number>;
  /** Ends the server as a loss of power would, and leaves everything else. */
  kill(): Promise<void>;
  /** Stops it where it is, lets it go on, or ends it on the spot. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Ends the server as a stop of the machine would, and leaves everything else. */
  stop(): Promise<{
    readonly status: number | null;
    /** All that it wrote on stderr. */
    readonly stderr: string;
    /** Names that were added to prototypes while it ran. */
    readonly leaks: readonly string[];
  }>;
}

export interface ProcessOptions {
  readonly nodeFlags?: readonly string[];
  /** For how long it stops everything, twice a second. */
  readonly blockMs?: number;
  /** When it is ended at the latest: whatever a failed test leaves behind ends by itself. */
  readonly lifetimeMs?: number;
}

/** A server in a process of its own. */
export async function startServerProcess(
  settings: Partial<Config> = {},
  { nodeFlags = [], blockMs = 0, lifetimeMs = 900_000 }: ProcessOptions = {},
): Promise<ServerProcess> {
  const { folder, config, service } = await newDatabase(settings);
  const program = fileURLToPath(new URL('./child-server.ts', import.meta.url));
  const args = ['--conditions=tarifario-source', ...nodeFlags, program, JSON.stringify(config), String(blockMs)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // What it would put into a temporary file is found where its database is.
    env: { ...childEnvironment, TMPDIR: folder },
    timeout: lifetimeMs,
    killSignal: 'SIGKILL',
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('both are piped');
  const printed = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const logLines: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => logLines.push(line));
  const ended = once(child, 'close');
  const nextLine = async () => {
    const { value, done } = await printed.next();
    if (done) throw new Error(`the server ended early: ${logLines.join('\n')}`);
    return JSON.parse(value);
  };
  const addresses: { readonly url: string; readonly metricsUrl: string | null } = await nextLine();
  const stop: ServerProcess['stop'] = async () => {
    child.kill('SIGTERM');
    const { leaks } = await nextLine();
    const [status] = await ended;
    return { status, stderr: logLines.join('\n'), leaks };
  };
  const longestStretchMs = async () => {
    const answer = once(child, 'message');
    child.send('look');
    const [ms] = await answer;
    return Number(ms);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const close = async () => {
    await kill();
    await service.close();
    await rm(folder, { recursive: true });
  };
  const signal: ServerProcess['signal'] = (name) => void child.kill(name);
  const acts = { longestStretchMs, kill, signal, stop, close };
  return { ...addresses, config, service, logLines, ...operatorOf(service), ...acts };
}

async function newDatabase(settings: Partial<Config>, bytes?: Uint8Array) {
  const folder = temporaryFolder();
  const file = join(folder, 'test.db');
  const config = { ...readConfig({}), databaseUrl: `sqlite:${file}`, port: 0, ...settings };
  if (settings.databaseUrl === undefined) await writeFile(file, bytes ?? (await migratedBytes()));
  else await migrate(settings.databaseUrl);
  return { folder, config, service: await compose(config.databaseUrl, createLog('silent')) };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One request with a key; a body is sent as JSON, or as the form that it is. */
export async function ask(
  server: Pick<RunningServer, 'url'>,
  key: string,
  request: {
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly formBody?: Uint8Array<ArrayBuffer>;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Answer> {
  const { path, body, formBody, headers: more } = request;
  const { method = body === undefined && formBody === undefined ? 'GET' : 'POST' } = request;
  const json = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const sent = formBody ?? json;
  const type = formBody ? FORM_TYPE : 'application/json';
  const headers = { 'X-API-Key': key, ...more, ...(sent === undefined ? {} : { 'Content-Type': type }) };
  const response = await fetch(server.url + path, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The same, for an answer that must be a success: its body. */
export async function askFor<T>(
  server: Pick<RunningServer, 'url'>,
  key: string,
  request: { readonly method?: string; readonly path: string; readonly body?: unknown },
): Promise<T> {
  const { status, text } = await ask(server, key, request);
  if (status >= 300) throw new Error(`${request.path} was answered ${status}: ${text}`);
  return JSON.parse(text);
}
