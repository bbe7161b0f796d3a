import type { CodeAnswer, CodeQuestion } from './code-reader.ts';
import { Unread } from './file-kind.ts';

const MAX_PDF_BYTES = 10 * 1024 * 1024;
const MAX_MS = 30_000;

/**
 * The address in the QR code of an invoice, in a photo or a PDF. They are read in the browser, and are not sent.
 *
 * @throws Unread where there is none that can be read; the reason of `signal` where it is aborted.
 */
export async function readCode(question: CodeQuestion, signal: AbortSignal): Promise<string> {
  if (question.kind === 'pdf' && question.file.size > MAX_PDF_BYTES) throw new Unread('pdfLarge');
  const worker = new Worker(new URL('./code-reader.js', import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<CodeAnswer>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<CodeAnswer>) => resolve(data);
    worker.onerror = () => resolve({ advice: 'noServer' });
    timer = setTimeout(() => resolve({ advice: 'tooSlow' }), MAX_MS);
    signal.onabort = () => reject(signal.reason);
    worker.postMessage(question, [port2]);
  });
  try {
    const read = await answer;
    if ('advice' in read) throw new Unread(read.advice);
    return read.text;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
