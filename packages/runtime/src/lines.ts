/** How long an entry may wait, in milliseconds, and how many may wait, before they are written together. */
const WAIT_MS = 20;
const MAX_WAITING = 64;

/** The output of a log. */
export interface Lines<Entry> {
  /** Writes a line at once, after the entries that wait. */
  line(line: string): void;
  /**
   * Writes an entry together with others: one by one takes several times as long. Entries are not lost when the process
   * exits.
   */
  later(entry: Entry): void;
}

/**
 * @param write - Writes whole lines synchronously.
 * @param toLine - Formats an entry, just before it is written.
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
