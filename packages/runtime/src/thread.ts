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

interface Question<Answer> {
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
export function askThread<Answer>(question: Question<Answer>): Promise<Answer> {
  const { worker, name, message, transferred = [], isAnswer = () => true, lossOf = (cause) => cause } = question;
  return new Promise((resolve, reject) => {
    const listeners = {
      message: (sent: Answer) => isAnswer(sent) && settle(() => resolve(sent)),
      error: (error: unknown) => settle(() => reject(lossOf(error))),
      exit: () => settle(() => reject(new Error(`${name} has ended`))),
    };
    const settle = (act: () => void) => {
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      act();
    };
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    worker.postMessage(message, transferred);
  });
}
