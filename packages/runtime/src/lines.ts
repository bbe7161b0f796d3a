/** How long what is told later waits at most, and how many entries wait. */
const WAIT_MS = 20;
const MAX_WAITING = 64;

/** Takes the lines of a log. */
export interface Lines<Entry> {
  /** Written before this returns, after what waits. */
  line(line: string): void;
  /** Waits for others: what is made and written alone takes several times as long. Not lost when the process ends. */
  later(entry: Entry): void;
}

/**
 * @param write - Takes whole lines, and has written them when it returns.
 * @param toLine - Makes the line of an entry, as it is about to be written.
 */
export function createLines<Entry>(write: (text: string) => void, toLine: (entry: Entry) => string): Lines<Entry> {
  let waiting: Entry[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    write(entries.map(toLine).join(''));
  };
  process.on('exit', flush);
  return {
    line(line) {
      flush();
      write(line);
    },
    later(entry) {
      waiting.push(entry);
      if (waiting.length >= MAX_WAITING) flush();
      else timer ??= setTimeout(flush, WAIT_MS).unref();
    },
  };
}
