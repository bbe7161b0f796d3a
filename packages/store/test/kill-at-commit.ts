import Database from 'better-sqlite3';

/**
 * Imported by a server before anything else, it ends the process as a power cut would when the first answer is kept:
 * right before the commit, or right after. `?after`: after.
 */
const isAfter = new URL(import.meta.url).search === '?after';
const exec = Database.prototype.exec;

Database.prototype.exec = function (this: Database.Database, sql: string) {
  const isKept = sql === 'commit' && !this.readonly && this.prepare('select 1 from kept_answers').get() !== undefined;
  if (isKept && !isAfter) process.kill(process.pid, 'SIGKILL');
  const result = exec.call(this, sql);
  if (isKept) process.kill(process.pid, 'SIGKILL');
  return result;
};
