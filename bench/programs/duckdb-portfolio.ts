import { answerParent } from '../child.ts';
import { customers, market, questionFor } from '../market.ts';
import { wallMicros } from '../measure.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import { type FilledTable, PORTFOLIO_QUERY, portfolioTables } from '../portfolio-sql.ts';

/** As much of @duckdb/node-api as is used here: it is installed with the benchmark alone. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}

interface Connection {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<Prepared>;
  createAppender(table: string): Promise<Appender>;
}

interface Prepared {
  run(): Promise<{ getColumns(): Promise<readonly [readonly unknown[], readonly List[]]> }>;
}

interface List {
  readonly items: readonly number[];
}

interface Appender {
  appendInteger(value: number): void;
  appendDouble(value: number): void;
  endRow(): void;
  closeSync(): void;
}

const specifier: string = '@duckdb/node-api';
const { DuckDBInstance }: DuckDb = await import(specifier);
const [threads, offerCount, customerCount] = process.argv.slice(2).map(Number);

async function fill(connection: Connection, { name, whole, columns, rows }: FilledTable): Promise<void> {
  const types = [...whole.map((column) => `${column} integer`), ...columns.map((column) => `${column} double`)];
  await connection.run(`create table ${name} (${types.join(', ')})`);
  const appender = await connection.createAppender(name);
  for (const row of rows) {
    for (const [place, value] of row.entries()) {
      if (place < whole.length) appender.appendInteger(value);
      else appender.appendDouble(value);
    }
    appender.endRow();
  }
  appender.closeSync();
}

/** DuckDB in memory with a prepared statement over a portfolio. Arguments: threads, offers, customers. */
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`set threads to ${threads}`);
const offers = toPeerOffers(market('LUZ', offerCount ?? 0));
const questions = customers(customerCount ?? 0).map((customer) => toPeerQuestion(questionFor(customer)));
for (const table of portfolioTables(offers, questions)) await fill(connection, table);
const statement = await connection.prepare(PORTFOLIO_QUERY);

answerParent({
  rank: async () => {
    let ids: readonly (readonly number[])[] = [];
    const micros = await wallMicros(async () => {
      const [, lists] = await (await statement.run()).getColumns();
      ids = lists.map(({ items }) => items);
    });
    return { ids, micros };
  },
});
