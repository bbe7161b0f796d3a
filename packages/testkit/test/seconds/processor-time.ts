import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of children in ticks of a hundredth of a second. */
const MS_A_TICK = 10;

/** The processor time of all children of this process, those that have ended included. */
export function childrenMs(): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
      const ended = childUser + childSystem;
      parents.set(Number(name), fields[1] ?? 0);
      ticks.set(Number(name), Number(name) === process.pid ? ended : user + system + ended);
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
