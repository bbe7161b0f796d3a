import { spawn } from 'node:child_process';

/** Runs a program in place of this one, as far as whoever started this one can tell. */
export function runInPlace(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
