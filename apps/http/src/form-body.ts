import type { IncomingMessage } from 'node:http';
import type { SentForm } from '@tarifario/api';
import { DomainError, FILE_CAPS } from '@tarifario/core';
import busboy from 'busboy';
import { endedEarly } from './json-body.ts';

/** What a form may hold besides its file: the texts, the headers of its parts, what stands between them. */
const FRAME_BYTES = 64 * 1024;
/** Largest body that is a form. */
export const MAX_FORM_BYTES = FILE_CAPS.sentBytes + FRAME_BYTES;
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 20,
  fieldSize: 1024,
  // The parser reports a file that is as long as this, too.
  fileSize: FILE_CAPS.sentBytes + 1,
};
/** Forms that are read at the same time: each is held in memory until it is whole. */
const FORMS_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 10;

/** Reads forms of several parts, of which one is a file; a few at a time. */
export type FormReader = (request: IncomingMessage) => Promise<SentForm>;

/**
 * A reader for one process. Nothing of a form is written to a disk.
 *
 * It rejects with DomainError `invalid_request` for what is no well-formed form with one file called `file` and texts
 * beside it, `too_large` past 10 MB, `unavailable` with `isQueueFull` while others fill all places.
 */
export function createFormReader(): FormReader {
  let reading = 0;
  return async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge();
    if (reading >= FORMS_AT_ONCE) {
      const message = 'too many files are being received: try again in some seconds';
      throw new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, isQueueFull: true });
    }
    reading += 1;
    try {
      return await readForm(request);
    } finally {
      reading -= 1;
    }
  };
}

/** A form as it grows. */
interface Collected {
  readonly fields: [string, string][];
  readonly chunks: Buffer[];
  fileName: string | null;
}

function readForm(request: IncomingMessage): Promise<SentForm> {
  return new Promise((resolve, reject) => {
    const collected: Collected = { fields: [], chunks: [], fileName: null };
    const parser = createParser(request);
    let isOver = false;
    const end = (outcome: DomainError | null) => {
      if (isOver) return;
      isOver = true;
      request.unpipe(parser);
      // What is still to come is passed over, so that the answer can be read on the same connection.
      request.resume();
      if (outcome) reject(outcome);
      else finish(collected).then(resolve, reject);
    };
    let bodyBytes = 0;
    request.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length;
      if (bodyBytes > MAX_FORM_BYTES) end(tooLarge());
    });
    // The caller went away, or took too long. Without anybody to hear of it before, there is no error any more.
    request.on('error', () => end(endedEarly()));
    request.on('close', () => {
      if (!request.readableEnded) end(endedEarly());
    });
    if (request.destroyed) end(endedEarly());
    collect(parser, collected, end);
    request.pipe(parser);
  });
}

function createParser({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw malformed('the content type has no boundary');
  }
}

function collect(parser: busboy.Busboy, collected: Collected, end: (outcome: DomainError | null) => void): void {
  const refuse = (message: string) => end(malformed(message));
  parser.on('file', (name, file, { filename }) => {
    // Told by the parser as well.
    file.on('error', () => {});
    file.on('limit', () => end(tooLarge()));
    file.on('data', (chunk: Buffer) => collected.chunks.push(chunk));
    if (name !== 'file') refuse('the part with the file must be called file');
    else if (!filename) refuse('the part file has no file name');
    else collected.fileName = filename;
  });
  parser.on('field', (name, text, { valueTruncated }) => {
    if (!name) refuse('a part has no name');
    else if (name === 'file') refuse('the part file has no file name');
    else if (valueTruncated) refuse(`a text of the form is ${LIMITS.fieldSize} bytes or longer`);
    // Of an encoding that is not known the parser makes no text at all.
    else if (typeof text !== 'string') refuse('a text of the form is in an unknown encoding');
    else collected.fields.push([name, text]);
  });
  parser.on('filesLimit', () => refuse('the form must have one file'));
  parser.on('fieldsLimit', () => refuse('the form has too many parts'));
  parser.on('partsLimit', () => refuse('the form has too many parts'));
  // The parser's message is not passed on: only the fact is.
  parser.on('error', () => refuse('the body is not a well-formed form'));
  parser.on('finish', () => end(null));
}

async function finish({ fields, chunks, fileName }: Collected): Promise<SentForm> {
  if (fileName === null) throw malformed('the form must have one file, in the part file');
  // Memory of its own: chunks share theirs with others.
  const bytes = new Uint8Array(chunks.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return { fields: new URLSearchParams(fields), file: { name: fileName, bytes } };
}

function malformed(message: string): DomainError {
  return new DomainError('invalid_request', { message });
}

function tooLarge(): DomainError {
  return new DomainError('too_large', { message: `the file is larger than ${FILE_CAPS.sentBytes} bytes` });
}
