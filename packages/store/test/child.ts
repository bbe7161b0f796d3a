import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  /** The next line that the process prints; fails when it ends first. */
  line(): Promise<string>;
  /** Lets one that holds something go on. */
  release(): void;
  /** Ends the process as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Waits for the end: its exit status. */
  ended(): Promise<number | null>;
}

/** Starts one of the programs of `child-program.ts` in a process of its own. */
export function startChild(program: string, ...args: readonly string[]): Child {
  const file = fileURLToPath(new URL('./child-program.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=tarifario-source', file, program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 600_000,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const end = new Promise<number | null>((resolve) => {
    child.once('exit', (status) => resolve(status));
  });
  return {
    line: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program ${program} ended early`);
      return value;
    },
    release: () => void child.stdin.end(),
    kill: async () => {
      child.kill('SIGKILL');
      await end;
    },
    ended: () => end,
  };
}
