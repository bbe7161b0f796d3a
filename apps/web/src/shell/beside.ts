/**
 * Asks a program beside the page, which stays usable. The program ends with its answer.
 *
 * @returns What to say where there is no answer: the program could not be loaded, or took too long.
 * @throws The reason of `signal` where it is aborted.
 */
export async function askBeside<Answer>(
  program: string,
  question: unknown,
  { maxMs, signal }: { readonly maxMs: number; readonly signal?: AbortSignal },
): Promise<Answer | 'noServer' | 'tooSlow'> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL(program, import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<Answer | 'noServer' | 'tooSlow'>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    worker.onerror = () => resolve('noServer');
    timer = setTimeout(() => resolve('tooSlow'), maxMs);
    signal?.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(question, [port2]);
  });
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
