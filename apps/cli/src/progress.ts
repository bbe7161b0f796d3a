import type { Arguments } from './command.ts';

/** The shortest time between two lines of progress. */
const EVERY_MS = { terminal: 100, other: 5000 };
const WIDTH = 30;

/** The progress of a long command. */
export interface Progress {
  /**
   * @param share - The part of the whole that is done, 0 to 1.
   * @param note - What is done, e.g. `350 customers`.
   */
  tell(share: number, note: string): void;
  /** Removes the bar. */
  end(): void;
}

export interface ProgressStream {
  readonly isTerminal: boolean;
  /** Whether `--progress` was given. */
  readonly isAsked: boolean;
  readonly write: (text: string) => void;
  readonly now?: () => number;
}

/** The progress of a command on stderr, because stdout has its answer alone. */
export function progressFor(args: Arguments): Progress {
  const { stderr } = process;
  const write = (text: string) => void stderr.write(text);
  return createProgress({ isTerminal: stderr.isTTY === true, isAsked: args.flag('progress'), write });
}

/** A bar on a terminal; elsewhere nothing by default, or a line from time to time with `--progress`. */
export function createProgress(stream: ProgressStream): Progress {
  const { isTerminal, isAsked, write, now = () => performance.now() } = stream;
  const everyMs = isTerminal ? EVERY_MS.terminal : EVERY_MS.other;
  let nextMs = Number.NEGATIVE_INFINITY;
  let longest = 0;
  const text = (share: number, note: string) => {
    const percent = `${Math.floor(share * 100)} %`;
    if (!isTerminal) return `${percent}, ${note}\n`;
    const filled = Math.floor(share * WIDTH);
    const bar = `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent}, ${note}`;
    longest = Math.max(longest, bar.length);
    return `\r${bar.padEnd(longest)}`;
  };
  return {
    tell(share, note) {
      if ((!isTerminal && !isAsked) || now() < nextMs) return;
      nextMs = now() + everyMs;
      write(text(Math.min(1, Math.max(0, share)), note));
    },
    end() {
      if (longest > 0) write(`\r${' '.repeat(longest)}\r`);
    },
  };
}
