import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@tarifario/core';
import { type Config, compose, createLog, migrate, readConfig, type Service } from '@tarifario/runtime';
import { startServer } from '../src/server.ts';

/** A server on a free port over a temporary SQLite file, with accounts made through a store of its own. */
export interface RunningServer {
  readonly url: string;
  readonly config: Config;
  /** A second store on the same file, as another process would have. */
  readonly service: Service;
  /** Every finished line of the server's log. */
  readonly logLines: readonly string[];
  addAccount(name: string): Promise<number>;
  addKey(accountId: number, rights: KeyRights): Promise<string>;
  close(): Promise<void>;
}

export interface KeyRights {
  /** Full access without. */
  readonly scopes?: readonly Scope[];
  readonly firmId?: number;
}

export async function startTestServer(): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tarifario-http-'));
  const config = { ...readConfig({}), databaseUrl: `sqlite:${join(folder, 'test.db')}`, port: 0 };
  const logLines: string[] = [];
  const log = createLog('info', (line) => logLines.push(line));
  await migrate(config.databaseUrl);
  const service = await compose(config.databaseUrl, log);
  const server = await startServer({ config, log });
  const { store, clock, secrets } = service;
  const context = () => ({ keyId: null, at: clock.now() });
  return {
    url: server.url,
    config,
    service,
    logLines,
    addAccount: (name) =>
      store.write(context(), async (writer) => {
        const email = `${name}@tarifario.example`;
        const account = await writer.insertAccount({ name, email, passwordHash: '-', isCatalogEditor: false });
        const terms = { status: 'active', firmLimit: 200, trialEndsAt: null, currentPeriodEnd: null } as const;
        const ceilings = { callsPerMinute: null, firmCallsPerMinute: null };
        await writer.putSubscription(account.id, { plan: 'business', ...terms, ...ceilings });
        return account.id;
      }),
    async addKey(accountId, { scopes, firmId = null }) {
      const { key, prefix, secretHash } = secrets.newKey();
      const rights = { fullAccess: scopes === undefined, scopes: scopes ?? [] };
      await store.write(context(), (writer) =>
        writer.insertKey({ accountId, firmId, name: null, prefix, secretHash, ...rights }),
      );
      return key;
    },
    async close() {
      await server.close();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One request with a key; a body is sent as JSON. */
export async function ask(
  server: Pick<RunningServer, 'url'>,
  key: string,
  request: { readonly method?: string; readonly path: string; readonly body?: unknown },
): Promise<Answer> {
  const { method = request.body === undefined ? 'GET' : 'POST', path, body } = request;
  const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const headers = { 'X-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const response = await fetch(server.url + path, { method, headers, ...json });
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
