import { setImmediate } from 'node:timers/promises';
import { type ApiAnswer, type ApiRequest, createDispatch } from '@tarifario/api';
import { type Clock, createShelves, type Secrets, type Store } from '@tarifario/core';
import { openStore, pendingMigrations } from '@tarifario/store';
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { createSecrets } from './secrets.ts';

/** The parts of one process, wired together. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Answers one request of any door. Never rejects. */
  readonly dispatch: (request: ApiRequest) => Promise<ApiAnswer>;
  /** Whether the database can be reached and has every migration. */
  readonly isReady: () => Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the store and puts everything together. Nothing is migrated. */
export async function compose(databaseUrl: string, log: Log): Promise<Service> {
  const store = await openStore(databaseUrl);
  const machine = { store, clock: systemClock, secrets: createSecrets() };
  const shelves = createShelves({ pause: () => setImmediate() });
  const reportBug = (error: unknown) => log.error({ error }, 'a bug: the caller was told "internal error"');
  const dispatch = createDispatch({ ...machine, shelves, reportBug });
  const isReady = async () => {
    try {
      await store.read((reader) => reader.account(0));
      return (await pendingMigrations(databaseUrl)).length === 0;
    } catch (error) {
      log.warn({ error }, 'the database cannot be used');
      return false;
    }
  };
  return { ...machine, dispatch, isReady, close: () => store.close() };
}

export { backUp, migrate } from '@tarifario/store';
