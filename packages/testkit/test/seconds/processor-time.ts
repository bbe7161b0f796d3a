import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of children in ticks of a hundredth of a second. */
const MS_A_TICK = 10;

/** The processor time of all children of this process, those that have ended included, or of the running ones of a name. */
export function childrenMs(named?: RegExp): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, program = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      const fields = rest.split(' ').map(Number);
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
      const ended = childUser + childSystem;
      parents.set(Number(name), fields[1] ?? 0);
      if (Number(name) === process.pid) ticks.set(process.pid, named ? 0 : ended);
      else if (named?.test(program) ?? true) ticks.set(Number(name), user + system + ended);
    } catch {
      // It ended after it was listed.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return [...ticks].reduce((sum, [pid, count]) => sum + (isOurs(pid) ? count * MS_A_TICK : 0), 0);
}

/** That of this process. */
export function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
