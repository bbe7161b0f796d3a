import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';
import Database from 'better-sqlite3';

/**
 * Imported by a server before anything else, it ends the process as a power cut would when the first answer is kept:
 * right before the commit, or right after, in whichever thread it is kept. `?after`: after.
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

// A thread has modules of its own.
class Preloaded extends workerThreads.Worker {
  constructor(file: string | URL, options: workerThreads.WorkerOptions = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), `--import=${import.meta.url}`] });
  }
}
Object.assign(workerThreads, { Worker: Preloaded });
syncBuiltinESMExports();
