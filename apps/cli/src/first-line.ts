import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * The first line of a stream, which may stay open. On a terminal there is a prompt, and the input is not shown.
 *
 * @param terminal - The stream for the prompt; `null`: not a terminal.
 * @returns An empty text if the stream ends first.
 */
export async function firstLineOf(
  input: NodeJS.ReadableStream,
  { terminal, question }: { readonly terminal: NodeJS.WritableStream | null; readonly question: string },
): Promise<string> {
  terminal?.write(question);
  // Discards the echo of readline.
  const output = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal: terminal !== null });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    // Leaving the loop does not stop reading, and the open stream would keep the process alive.
    lines.close();
    terminal?.write('\n');
  }
}
