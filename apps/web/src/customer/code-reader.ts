import { decodeQRBatch } from 'qr/decode.js';
import type { TextName } from '../texts/texts.ts';
import { isInvoiceAddress } from './file-kind.ts';
import { pagePixels, photoPixels, ReaderMissing } from './pictures.ts';

export interface CodeQuestion {
  readonly kind: 'photo' | 'pdf';
  readonly file: Blob;
}

/** The text of the code, or what to do where there is none. */
export type CodeAnswer = { readonly text: string } | { readonly advice: TextName };

/** Runs beside the page, which stays usable. */
addEventListener('message', async ({ data, ports: [port] }: MessageEvent<CodeQuestion>) => {
  // The reader of PDFs sends and takes messages of the worker itself. A port has none of them.
  port?.postMessage(await answerTo(data));
});

async function answerTo({ kind, file }: CodeQuestion): Promise<CodeAnswer> {
  try {
    for await (const pixels of kind === 'pdf' ? pagePixels(file) : photoPixels(file)) {
      const [found = []] = await decodeQRBatch([pixels]);
      // There may be other codes, such as that of a shop. They are of nobody's concern.
      for (const text of found) if (typeof text === 'string' && isInvoiceAddress(text)) return { text };
    }
    return { advice: kind === 'pdf' ? 'pdfAdvice' : 'photoAdvice' };
  } catch (error) {
    if (error instanceof ReaderMissing) return { advice: 'noServer' };
    if (kind === 'photo') return { advice: 'photoUnknown' };
    return { advice: error instanceof Error && error.name === 'PasswordException' ? 'pdfLocked' : 'pdfBroken' };
  }
}
