import type pg from 'pg';
import { MIGRATIONS, UNFINISHED_COPY } from '../migrations/index.ts';
import { apply, beginMigration, nameOf, onClient, PATIENCE, problemOf } from '../postgres/open.ts';
import { getTypeParser } from '../postgres/pool.ts';
import { isBegun, MARK, type Source, type Target } from './ends.ts';
import {
  type Cell,
  type Cells,
  inOrder,
  namesOf,
  pieceRows,
  rowsText,
  sizeText,
  type Table,
  tablesOf,
  writtenColumns,
} from './tables.ts';

const OURS = "relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind = 'r'";
const TABLES = `select relname from pg_class where ${OURS}`;
/** An id that the database gives is the whole key: it is unique over all owners, and SQLite has no other. */
const COLUMNS = `select relname, attname, format_type(atttypid, null), attgenerated <> '',
    case when attidentity <> '' or not exists (select from pg_attribute as given where given.attrelid = pg_class.oid and given.attidentity <> '')
      then array_position(indkey::int2[], attnum) end
  from pg_class join pg_attribute on attrelid = pg_class.oid left join pg_index on indrelid = pg_class.oid and indisprimary
  where ${OURS} and attnum > 0 and not attisdropped`;
const REFERENCES = `select relname, (select relname from pg_class where oid = confrelid) from pg_class
  join pg_constraint on conrelid = pg_class.oid where ${OURS} and contype = 'f'`;
const LAST_IDS = `select relname, attname, sequence, coalesce(pg_sequence_last_value(sequence), 0) from (
    select relname, attname, pg_get_serial_sequence(quote_ident(relname), attname)::regclass as sequence
    from pg_class join pg_attribute on attrelid = pg_class.oid where ${OURS} and attidentity <> ''
  ) as counted`;
const WITH_TRIGGERS = `select distinct relname from pg_class join pg_trigger on tgrelid = pg_class.oid
  where ${OURS} and not tgisinternal`;

/** Longer than reading and ordering the largest table takes. */
const QUERY_MS = 3_600_000;
/** Numbers come and go to the last bit, and the other side may take its time. */
const SETTINGS =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local extra_float_digits = 1';

const SNAPSHOT = `begin isolation level repeatable read read only; ${SETTINGS}`;

type Ask = (text: string, parameters?: readonly unknown[]) => Promise<readonly Cell[][]>;

/** Works on a snapshot of a database, which stays as it is. @throws DatabaseProblem. */
export function fromPostgres<T>(databaseUrl: string, work: (source: Source) => Promise<T>): Promise<T> {
  return asking(databaseUrl, async (ask) => {
    await ask(SNAPSHOT);
    return await work(sourceOn(databaseUrl, ask));
  });
}

/** Works on a database to fill. @throws DatabaseProblem. */
export function toPostgres<T>(databaseUrl: string, work: (target: Target) => Promise<T>): Promise<T> {
  return asking(databaseUrl, async (ask, client) => {
    await ask(SNAPSHOT);
    const source = sourceOn(databaseUrl, ask);
    const explained = async (step: () => Promise<void>) => {
      try {
        await step();
      } catch (error) {
        throw problemOf(databaseUrl, error);
      }
    };
    const isMarked = async () => isBegun(await source.tableNames(), await source.applied());
    const begin = async () => {
      await client.query('rollback');
      await beginMigration(client);
      if (!(await isMarked())) await apply(client, [MARK]);
      await client.query('commit');
      await client.query(`begin; ${SETTINGS}`);
      // Another copy into this database holds this row, for a moment also after it was killed. All read it until the end.
      await ask('set local lock_timeout = 15000');
      await ask('select name from migrations where name = $1 for update', [UNFINISHED_COPY]);
      await isMarked();
      await ask('delete from migrations');
      await apply(client, MIGRATIONS);
      await switchTriggers(ask, 'disable');
    };
    return await work({
      ...source,
      begin: () => explained(begin),
      insert: (table, rows) => insertInto(ask, table, rows),
      async commit(lastIds) {
        for (const [table, column, sequence, own] of await ask(LAST_IDS)) {
          const greatest = `greatest($2::bigint, $3::bigint, (select max("${column}") from "${table}"))`;
          const given = [sequence, own, lastIds.get(String(table)) ?? 0];
          await ask(`select setval($1::regclass, ${greatest}) where ${greatest} > 0`, given);
        }
        await switchTriggers(ask, 'enable');
        // Without statistics the first questions would be answered by reading whole tables.
        await ask(`analyze ${(await source.tables()).map(({ name }) => `"${name}"`).join(', ')}`);
        await ask('commit');
      },
    });
  });
}

async function switchTriggers(ask: Ask, state: 'enable' | 'disable'): Promise<void> {
  for (const [table] of await ask(WITH_TRIGGERS)) await ask(`alter table "${table}" ${state} trigger user`);
}

async function insertInto(ask: Ask, table: Table, rows: readonly Cells[]): Promise<void> {
  const columns = writtenColumns(table);
  const places = columns.map(({ name }) => ({ key: JSON.stringify(name), place: placeOf(table, name) }));
  const jsonOf = (cell: Cell = null) =>
    JSON.stringify(cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell);
  const lines = rows.map((cells) => `{${places.map(({ key, place }) => `${key}:${jsonOf(cells[place])}`).join()}}`);
  const names = namesOf(columns);
  const given = `json_populate_recordset(null::"${table.name}", $1)`;
  await ask(`insert into "${table.name}" (${names}) select ${names} from ${given}`, [`[${lines.join()}]`]);
}

const placeOf = ({ columns }: Table, name: string) => columns.findIndex((column) => column.name === name);

/** Only errors of its own questions are those of the database: others pass through. */
async function asking<T>(databaseUrl: string, work: (ask: Ask, client: pg.Client) => Promise<T>): Promise<T> {
  const ended = await onClient(databaseUrl, PATIENCE, async (client) => {
    const ask: Ask = async (text, parameters = []) => {
      try {
        const how = { rowMode: 'array' as const, types: { getTypeParser }, query_timeout: QUERY_MS };
        return (await client.query<Cell[]>({ text, values: [...parameters], ...how })).rows;
      } catch (error) {
        throw problemOf(databaseUrl, error);
      }
    };
    try {
      return { value: await work(ask, client) };
    } catch (error) {
      return { error };
    }
  });
  if ('error' in ended) throw ended.error;
  return ended.value;
}

function sourceOn(databaseUrl: string, ask: Ask): Source {
  const names = async (text: string) => (await ask(text)).map(([name]) => String(name));
  return {
    name: nameOf(databaseUrl),
    tableNames: () => names(TABLES),
    applied: async () => ((await names(TABLES)).includes('migrations') ? names('select name from migrations') : null),
    async tables() {
      const columns = (await ask(COLUMNS)).map(([of, name, type, isGenerated, keyPlace]) => ({
        ...{ of: String(of), name: String(name), type: String(type), isGenerated: Boolean(isGenerated) },
        keyPlace: typeof keyPlace === 'number' ? keyPlace : null,
      }));
      const references = (await ask(REFERENCES)).map(([from, to]) => [String(from), String(to)] as const);
      return inOrder(tablesOf(columns), references);
    },
    async sizeOf(table) {
      const [rows, widest] = (await ask(sizeText(table))).flat().map(Number);
      return { rows: rows ?? 0, pieceRows: pieceRows(widest ?? 0) };
    },
    async *pieces(table, rows) {
      await ask(`declare copied no scroll cursor for ${rowsText(table, '"C"')}`);
      for (let piece = await ask(`fetch ${rows} from copied`); piece.length > 0; ) {
        yield piece;
        piece = await ask(`fetch ${rows} from copied`);
      }
      await ask('close copied');
    },
    lastIds: async () => new Map((await ask(LAST_IDS)).map(([table, , , last]) => [String(table), Number(last)])),
  };
}
