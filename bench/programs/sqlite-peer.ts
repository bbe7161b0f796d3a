import Database from 'better-sqlite3';
import { answerParent } from '../child.ts';
import { answerDatabase, type DatabaseDriver } from '../database-peer.ts';
import { createTables, rankingQuery, tableRows } from '../sql.ts';

/** SQLite in memory, through better-sqlite3 and a prepared statement: no file, no lock, no query builder. */
const driver: DatabaseDriver = {
  form: {
    parameter: (n) => `@p${n}`,
    double: 'real',
    id: 'integer',
    clustered: 'without rowid',
    greatest: (a, b) => `max(${a}, ${b})`,
    least: (a, b) => `min(${a}, ${b})`,
  },
  async load(offers) {
    const db = new Database(':memory:');
    for (const sql of createTables(driver.form)) db.exec(sql);
    db.transaction(() => {
      for (const { table, columns, rows } of tableRows(offers)) {
        const insert = db.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`);
        for (const row of rows) insert.run(...row);
      }
    })();
    db.exec('analyze');
    const statement = db.prepare<Record<string, number>, number>(rankingQuery(driver.form)).pluck();
    return async (parameters) => statement.all(Object.fromEntries(parameters.map((value, i) => [`p${i + 1}`, value])));
  },
};

answerParent(answerDatabase(driver));
