import { askBeside } from '../shell/beside.ts';
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
  const read = await askBeside<CodeAnswer>('./code-reader.js', question, { maxMs: MAX_MS, signal });
  if (typeof read === 'string') throw new Unread(read);
  if ('advice' in read) throw new Unread(read.advice);
  return read.text;
}
