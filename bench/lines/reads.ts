import { createOfferCache } from '@tarifario/core/service';
import Database from 'better-sqlite3';
import pg from 'pg';
import { fillAccount } from '../account.ts';
import { ask } from '../asking.ts';
import { line, type Row } from '../line.ts';
import { sideBySide } from '../measure.ts';
import { onPostgres } from '../postgres.ts';
import { postgresCpu } from '../postgres-cpu.ts';
import { type BenchService, openPostgresService, openService } from '../service-work.ts';

const OFFERS = 5_000;
const ACCOUNT_OFFERS = 300;
const ACCOUNTS = 20;
const DATABASE_CALLS = 300;

type Opened = Pick<BenchService, 'service' | 'key'>;
/** Reads the rows of an account as the driver gives them. */
type ReadRaw = (accountId: number) => unknown;

async function listRow(store: string, { service, key: apiKey }: Opened): Promise<Row> {
  const { list, ranking } = await sideBySide({
    ranking: (turn) => ask(service, 'rankOffers', { apiKey, turn }),
    list: (turn) => ask(service, 'listOffers', { apiKey, turn }),
  });
  const peer = {
    peer: `a ranking of ${OFFERS.toLocaleString('en')}`,
    peerMicros: ranking,
    ratio: 'ours/theirs',
  } as const;
  return { what: `${store}, list of 100 offers`, oursMicros: list, ...peer, goal: { atMost: 1 } };
}

/** What a list costs the server of PostgreSQL. */
async function databaseRows(url: string, { service, key: apiKey }: Opened): Promise<readonly Row[]> {
  const cpu = await postgresCpu(url);
  if (!cpu) return [];
  const microsOf = async (id: 'listOffers' | 'rankOffers') => {
    const before = cpu();
    for (let turn = 0; turn < DATABASE_CALLS; turn++) await ask(service, id, { apiKey, turn });
    return (cpu() - before) / DATABASE_CALLS;
  };
  const [ranking, list] = [await microsOf('rankOffers'), await microsOf('listOffers')];
  const peer = { peer: 'a ranking, in the database', peerMicros: ranking, ratio: 'ours/theirs' } as const;
  return [{ what: 'PostgreSQL, list of 100 offers, in the database', oursMicros: list, ...peer, goal: { atMost: 1 } }];
}

async function coldRow(name: string, { service }: Opened, readRaw: ReadRaw): Promise<Row> {
  const ids: number[] = [];
  while (ids.length < ACCOUNTS) ids.push((await fillAccount(service, ACCOUNT_OFFERS, `cold${ids.length}`)).accountId);
  const idAt = (turn: number) => ids[turn % ACCOUNTS] ?? 0;
  const { ours, raw } = await sideBySide({
    ours: (turn) => service.store.read((reader) => createOfferCache().current(reader, idAt(turn))),
    raw: (turn) => readRaw(idAt(turn)),
  });
  const peer = { peer: 'its rows raw', peerMicros: raw, ratio: 'ours/theirs' } as const;
  return {
    what: `${name}, a cold account of ${ACCOUNT_OFFERS} offers`,
    oursMicros: ours,
    ...peer,
    goal: { atMost: 3 },
  };
}

/** Offers and months of an account, whose id is the parameter. */
const rawQueries = (parameter: string) => [
  `select * from offers where owner_id = ${parameter} order by id`,
  `select * from monthly_prices where owner_id = ${parameter}`,
];

async function onSqlite(): Promise<readonly Row[]> {
  const { file, close, ...opened } = await openService(OFFERS);
  const handle = new Database(file, { readonly: true });
  const queries = rawQueries('?').map((text) => handle.prepare(text).raw(true));
  const readRaw = (accountId: number) => queries.map((query) => query.all(accountId));
  try {
    return [await listRow('SQLite', opened), await coldRow('SQLite', opened, readRaw)];
  } finally {
    handle.close();
    await close();
  }
}

async function onServer(url: string): Promise<readonly Row[]> {
  const { close, ...opened } = await openPostgresService(url, OFFERS);
  const client = new pg.Client(url);
  await client.connect();
  await client.query('vacuum analyze');
  const queries = rawQueries('$1').map((text, index) => ({ name: `raw${index}`, text, rowMode: 'array' as const }));
  const readRaw = async (accountId: number) => {
    for (const query of queries) await client.query({ ...query, values: [accountId] });
  };
  try {
    const rows = [await listRow('PostgreSQL', opened), ...(await databaseRows(url, opened))];
    return [...rows, await coldRow('PostgreSQL', opened, readRaw)];
  } finally {
    await client.end();
    await close();
  }
}

/**
 * A list of 100 offers against a ranking of 5,000, whole requests inside the process, without HTTP; and an account
 * that is not in memory read and made ready to be ranked, against its offers and months read raw through the driver.
 * Processor time of this thread; in the database, that of PostgreSQL and its connections.
 */
export const readsLine = line({
  name: 'Lists and cold accounts',
  run: async () => {
    const rows = await onSqlite();
    const others = await onPostgres(onServer);
    return 'notRun' in others ? rows : [...rows, ...others];
  },
});
