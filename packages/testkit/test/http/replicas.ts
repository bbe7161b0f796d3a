import { newDatabase } from '../postgres/databases.ts';
import { type Answer, ask, type RunningServer, type ServerProcess, startServerProcess } from './running-server.ts';

/** Several servers, each in its own process, over one PostgreSQL database. */
export interface Replicas {
  readonly all: readonly ServerProcess[];
  /** The first replica, through a store that the test opens. */
  readonly first: RunningServer;
  readonly databaseUrl: string;
  /** The next replica, in turn. */
  any(): ServerProcess;
  /** Starts one more replica, with a correct clock. */
  startAnother(): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** The option of Node that sets the clock of a process ahead. */
function clockAhead(milliseconds: number): string {
  const program = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length === 0) super(Real.now() + ${milliseconds}); else super(...given); }
      static now() { return Real.now() + ${milliseconds}; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

/**
 * Three replicas, the last of which has a clock that is 61 s ahead.
 *
 * @param options - `lifetimeMs`: processes that a failed test leaves running end after this time.
 */
export async function startReplicas({ lifetimeMs = 900_000 } = {}): Promise<Replicas> {
  const database = await newDatabase();
  const settings = { databaseUrl: database.url, databasePoolMax: 8 };
  const flags = [[], [], [clockAhead(61_000)]];
  const all = await Promise.all(flags.map((nodeFlags) => startServerProcess(settings, { nodeFlags, lifetimeMs })));
  const [first] = all;
  if (!first) throw new Error('there are three');
  let turn = 0;
  const others: ServerProcess[] = [];
  return {
    startAnother: async () => {
      const other = await startServerProcess(settings, { lifetimeMs });
      others.push(other);
      return other;
    },
    all,
    first,
    databaseUrl: database.url,
    any: () => {
      turn += 1;
      return all[turn % all.length] ?? first;
    },
    close: async () => {
      for (const { close } of [...all, ...others]) await close();
      await database.drop();
    },
  };
}

/** An account with a client, a company and offers that all cost the same. */
export interface Market {
  readonly accountId: number;
  readonly key: string;
  readonly clientId: number;
  readonly companyId: number;
  readonly offerIds: readonly number[];
}

export async function openMarket(
  { first }: Pick<Replicas, 'first'>,
  name: string,
  offerCount: number,
): Promise<Market> {
  const accountId = await first.addAccount(name);
  const key = await first.addKey(accountId, {});
  const create = async (path: string, body: object) => {
    const { status, text } = await ask(first, key, { path, body });
    if (status !== 201) throw new Error(`${path}: ${text}`);
    return Number(JSON.parse(text).id);
  };
  const clientId = await create('/v1/clients', { name: 'Cliente' });
  const companyId = await create('/v1/companies', { client_id: clientId, name: 'Comercializadora' });
  const terms = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true, e1: 0.1 };
  const offerIds: number[] = [];
  for (let i = 0; i < offerCount; i += 1) {
    const offer = { company_id: companyId, offer_name: `Tarifa ${i}`, ...terms, services_cost: 0, commission: 0 };
    offerIds.push(await create('/v1/offers', offer));
  }
  return { accountId, key, clientId, companyId, offerIds };
}

/** The number of answers with each status. */
export function tally(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
