import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * The first line of a stream, which may stay open. Where somebody types it, it is asked for and not shown.
 *
 * @param terminal - Where the question is written; `null`: nobody types.
 * @returns An empty text when the stream ends before.
 */
export async function firstLineOf(
  input: NodeJS.ReadableStream,
  { terminal, question }: { readonly terminal: NodeJS.WritableStream | null; readonly question: string },
): Promise<string> {
  terminal?.write(question);
  // What readline would show of what is typed goes nowhere.
  const output = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal: terminal !== null });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    // Who stops asking for lines goes on reading, and the process with him.
    lines.close();
    terminal?.write('\n');
  }
}
