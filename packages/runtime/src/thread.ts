import { on } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a program as a thread.
 *
 * @param program - Its TypeScript source; in a built package, the built file.
 */
export function startThread(program: URL, options: WorkerOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const flags = process.execArgv.filter((flag) => flag === '--experimental-strip-types');
  return new Worker(isSource ? program : new URL(program.href.replace(/\.ts$/, '.js')), {
    execArgv: isSource ? ['--conditions=tarifario-source', ...flags] : [],
    ...options,
  });
}

interface ThreadCall<Answer> {
  readonly worker: Worker;
  /** The name of the thread in the error when it ends without an answer. */
  readonly name: string;
  readonly message: unknown;
  /** Buffers that are transferred. */
  readonly transferred?: readonly ArrayBuffer[];
  readonly isAnswer?: (sent: Answer) => boolean;
  /** What the caller gets for an error that ended the thread; the error itself if left out. */
  readonly lossOf?: (cause: unknown) => unknown;
}

/** Sends a message to a thread and waits for its answer. Rejects when the thread ends. */
export async function askThread<Answer>(question: ThreadCall<Answer>): Promise<Answer> {
  const { worker, name, message, transferred, isAnswer = () => true, lossOf = (cause) => cause } = question;
  const answers = on(worker, 'message', { close: ['exit'] });
  worker.postMessage(message, transferred);
  try {
    for await (const [answer] of answers) if (isAnswer(answer)) return answer;
  } catch (error) {
    throw lossOf(error);
  }
  throw new Error(`${name} has ended`);
}
