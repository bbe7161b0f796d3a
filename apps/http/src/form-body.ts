import { pipeline } from 'node:stream/promises';
import type { SentForm } from '@tarifario/api';
import { DomainError, FILE_CAPS, type Message, say } from '@tarifario/core/service';
import busboy from 'busboy';
import { type Arriving, readBytes } from './arriving-body.ts';
import { release } from './collected-bytes.ts';
import { piecesOf, withPauses } from './send.ts';

/** How many bytes a form may have besides its file: text fields, headers of parts, boundaries. */
const FRAME_BYTES = 64 * 1024;
export const MAX_FORM_BYTES = FILE_CAPS.sentBytes + FRAME_BYTES;
export const FILE_TOO_LARGE = say('the file is larger than {bytes} bytes', { bytes: FILE_CAPS.sentBytes });
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 20,
  fieldSize: 4096,
  // The parser also reports a file of exactly this size.
  fileSize: FILE_CAPS.sentBytes + 1,
};

/** A file that is sent alone. It has no name, because its readers ask for none. */
export async function readFile(sent: Arriving, accountId: number): Promise<SentForm> {
  const bytes = await readBytes(sent, accountId, { bytes: FILE_CAPS.sentBytes });
  return { fields: new URLSearchParams(), file: { name: 'body.csv', bytes } };
}

/**
 * A form of several parts. Nothing of it is written to a disk.
 *
 * @throws DomainError `invalid_request` unless it is a well-formed form with one file called `file` and text fields,
 *   `too_large` above 10 MB, and what `readBytes` throws.
 */
export async function readForm(sent: Arriving, accountId: number): Promise<SentForm> {
  const parser = createParser(sent);
  const body = await readBytes(sent, accountId, { bytes: MAX_FORM_BYTES, tooLarge: FILE_TOO_LARGE });
  const form = collectParts(parser);
  // The parser's message is not passed on, only that it failed.
  await pipeline(withPauses(piecesOf(body)), parser).catch(() => form.refuse('the body is not a well-formed form'));
  const { fileName, pieces, fields } = form;
  const { buffer, byteOffset, length } = Buffer.concat(pieces);
  release(body);
  if (fileName === null) form.refuse('the form must have one file, in the part file');
  if (form.refusal !== null) throw form.refusal;
  const bytes = new Uint8Array(buffer, byteOffset, length);
  return { fields: new URLSearchParams(fields), file: { name: fileName ?? '', bytes } };
}

function createParser({ request: { headers } }: Arriving): busboy.Busboy {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw new DomainError('invalid_request', { message: 'the content type has no boundary' });
  }
}

/** What a parser finds in a form. */
interface CollectedForm {
  readonly fields: [string, string][];
  /** Of the file; they share the memory of the body. */
  readonly pieces: Buffer[];
  fileName: string | null;
  /** What is wrong first. */
  refusal: DomainError | null;
  refuse(message: Message, code?: 'invalid_request' | 'too_large'): void;
}

function collectParts(parser: busboy.Busboy): CollectedForm {
  const form: CollectedForm = {
    fields: [],
    pieces: [],
    fileName: null,
    refusal: null,
    refuse(message, code = 'invalid_request') {
      form.refusal ??= new DomainError(code, { message });
    },
  };
  parser.on('file', (name, file, { filename }) => {
    // The parser reports it as well.
    file.on('error', () => {});
    file.on('limit', () => form.refuse(FILE_TOO_LARGE, 'too_large'));
    file.on('data', (chunk: Buffer) => form.pieces.push(chunk));
    if (name !== 'file') form.refuse('the part with the file must be called file');
    else if (!filename) form.refuse('the part file has no file name');
    else form.fileName = filename;
  });
  parser.on('field', (name, text, { valueTruncated }) => {
    if (!name) form.refuse('a part has no name');
    else if (name === 'file') form.refuse('the part file has no file name');
    else if (valueTruncated)
      form.refuse(say('a text of the form is {bytes} bytes or longer', { bytes: LIMITS.fieldSize }));
    // For an unknown encoding the parser gives no text at all.
    else if (typeof text !== 'string') form.refuse('a text of the form is in an unknown encoding');
    else form.fields.push([name, text]);
  });
  parser.on('filesLimit', () => form.refuse('the form must have one file'));
  parser.on('fieldsLimit', () => form.refuse('the form has too many parts'));
  parser.on('partsLimit', () => form.refuse('the form has too many parts'));
  return form;
}
