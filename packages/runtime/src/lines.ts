/** How long a line about a request waits for others at most, and how much of them is written at once. */
const WAIT_MS = 20;
const MAX_WAITING_CHARACTERS = 16 * 1024;

/** Takes the lines of a log. */
export interface Lines {
  /** Written before this returns, after what waits. */
  line(line: string): void;
  /** Waits for others: to write a line alone takes longer than to make it. Written in any case when the process ends. */
  requestLine(line: string): void;
}

/** @param write - Takes whole lines, and has written them when it returns. */
export function createLines(write: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  };
  process.on('exit', flush);
  return {
    line(line) {
      flush();
      write(line);
    },
    requestLine(line) {
      waiting += line;
      if (waiting.length >= MAX_WAITING_CHARACTERS) flush();
      else timer ??= setTimeout(flush, WAIT_MS).unref();
    },
  };
}
