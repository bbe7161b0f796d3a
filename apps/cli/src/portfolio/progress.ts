const EVERY_MS = { terminal: 100, other: 5000 };
const WIDTH = 30;

/** Shows progress on a stream: a bar on a terminal, otherwise a line from time to time. */
export function createProgress(stream: NodeJS.WriteStream, now: () => number = () => performance.now()) {
  const everyMs = stream.isTTY ? EVERY_MS.terminal : EVERY_MS.other;
  let lastMs = now();
  const text = (share: number, customers: number) => {
    const percent = `${Math.floor(share * 100)} %`;
    if (!stream.isTTY) return `${percent}, ${customers} customers\n`;
    const filled = Math.floor(share * WIDTH);
    return `\r[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${percent}, ${customers} customers`;
  };
  return {
    /** @param share - Of the file, 0 to 1. */
    tell(share: number, customers: number): void {
      if (now() - lastMs < everyMs) return;
      lastMs = now();
      stream.write(text(Math.min(1, share), customers));
    },
    /** Removes the bar. */
    end(): void {
      if (stream.isTTY) stream.write(`\r${' '.repeat(WIDTH + 40)}\r`);
    },
  };
}
