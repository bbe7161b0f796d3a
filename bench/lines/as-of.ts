import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { fillAccount } from '../account.ts';
import { ask } from '../asking.ts';
import { line, type Row } from '../line.ts';
import { sideBySide } from '../measure.ts';
import { onPostgres } from '../postgres.ts';
import { type BenchService, openPostgresService, openService } from '../service-work.ts';

const OFFERS = 5_000;
/** Changes of each offer of an account: with the few, too, each month has one that is undone. */
const [FEW, MANY] = [26, 88];
/** A version has tiers only where they change. Here none does, so those of the offer are looked for the longest way. */
const NOT_COPIED = ['id', 'owner_id', 'revision', 'consumption_tiers', 'power_tiers'];

type Run = (statement: string) => Promise<readonly unknown[]>;

/** Half of the changes are of terms, half of months; a millisecond lies between two. */
function changes(
  accountId: number,
  count: number,
  { columns, startMs }: { readonly columns: string; readonly startMs: number },
): readonly string[] {
  return Array.from({ length: count }, (_, n) => {
    const at = new Date(startMs + n).toISOString();
    const month = `2025-${String(1 + ((n >> 1) % 12)).padStart(2, '0')}-01`;
    const price = `{"supplyType":"LUZ","month":"${month}","energyEurPerKwh":[0.${n + 10},0.1,0.1,null,null,null],"powerEurPerKwDay":[null,null,null,null,null,null]}`;
    const [before, copied] =
      n % 2 === 0 ? ['{"kind":"terms"}', `, ${columns}`] : [`{"kind":"month","month":"${month}","price":${price}}`, ''];
    return `insert into offer_versions (owner_id, offer_id, revision, changed_at, before${copied})
      select owner_id, id, ${n + 100}, '${at}', '${before}'${copied} from offers where owner_id = ${accountId}`;
  });
}

async function rowOf(store: string, { service, accountId, key }: Opened, run: Run, columns: Columns): Promise<Row> {
  const few = await fillAccount(service, OFFERS, 'few');
  const offered = await columns('offers');
  const shared = (await columns('offer_versions')).filter(
    (name) => offered.includes(name) && !NOT_COPIED.includes(name),
  );
  const startMs = Date.now();
  // Before all changes but the first.
  const as_of = new Date(startMs).toISOString();
  for (const [id, count] of [[few.accountId, FEW] as const, [accountId, MANY] as const]) {
    for (const change of changes(id, count, { columns: shared.join(', '), startMs })) await run(change);
  }
  await run('analyze');
  const micros = await sideBySide(
    {
      few: (turn) => ask(service, 'rankOffers', { apiKey: few.key, turn, as_of }),
      many: (turn) => ask(service, 'rankOffers', { apiKey: key, turn, as_of }),
    },
    { rounds: 5 },
  );
  return {
    what: `${store}, ${OFFERS.toLocaleString('en')} offers of ${MANY} changes`,
    ...{ oursMicros: micros.many, peer: `of ${FEW}`, peerMicros: micros.few, ratio: 'ours/theirs' },
    goal: { atMost: 1.5 },
  };
}

type Opened = Pick<BenchService, 'service' | 'accountId' | 'key'>;
type Columns = (table: string) => Promise<readonly string[]>;
const namesIn = (rows: readonly unknown[]) => rows.map((row) => String(Object(row).name));

async function onSqlite(): Promise<Row> {
  const { file, close, ...opened } = await openService(OFFERS);
  const database = new DatabaseSync(file);
  const run: Run = async (statement) => database.prepare(statement).all();
  try {
    return await rowOf('SQLite', opened, run, async (table) =>
      namesIn(await run(`select name from pragma_table_info('${table}')`)),
    );
  } finally {
    database.close();
    await close();
  }
}

async function onServer(url: string): Promise<readonly Row[]> {
  const { close, ...opened } = await openPostgresService(url, OFFERS);
  const client = new pg.Client(url);
  await client.connect();
  const run: Run = async (statement) => (await client.query(statement)).rows;
  const ofTable = 'select column_name as name from information_schema.columns where table_name =';
  try {
    return [await rowOf('PostgreSQL', opened, run, async (table) => namesIn(await run(`${ofTable} '${table}'`)))];
  } finally {
    await client.end();
    await close();
  }
}

/**
 * A ranking as of an instant before most changes of each offer, against the same of offers with few changes: a longer
 * history costs little more. Whole requests inside the process, without HTTP; processor time of this thread.
 */
export const asOfLine = line({
  name: 'Rankings as of an instant',
  run: async () => {
    const row = await onSqlite();
    const others = await onPostgres(onServer);
    return 'notRun' in others ? [row] : [row, ...others];
  },
});
