import type { IncomingMessage } from 'node:http';
import type { ApiRequest, SentForm } from '@tarifario/api';
import { DomainError, FILE_CAPS } from '@tarifario/core/service';
import busboy from 'busboy';
import { beginBody, type HttpExchange, MINIMUM_RATE } from './arriving-body.ts';
import { type CollectedBytes, collectBytes, release } from './collected-bytes.ts';
import { endedEarly, readBytes } from './json-body.ts';

/** How many bytes a form may have besides its file: text fields, headers of parts, boundaries. */
const FRAME_BYTES = 64 * 1024;
/** The largest body of a form. */
export const MAX_FORM_BYTES = FILE_CAPS.sentBytes + FRAME_BYTES;
const LIMITS = {
  files: 1,
  fields: 10,
  parts: 20,
  fieldSize: 1024,
  // The parser also reports a file of exactly this size.
  fileSize: FILE_CAPS.sentBytes + 1,
};
/** How many forms are read at the same time; each is held in memory until it is complete. */
const FORMS_AT_ONCE = 8;
/** How many of them may belong to one account, so that no account blocks the others. */
const FORMS_OF_ACCOUNT = 2;
const RETRY_AFTER_SECONDS = 10;

/** The account that sends the form, and a function that is called before any of it is read. */
export type FormSender = Parameters<ApiRequest['readBody']>[1];

/** Reads forms of several parts, one of which is a file, or files that are sent alone; a few at a time. */
export type FormReader = (exchange: HttpExchange, sender: FormSender, how: 'form' | 'file') => Promise<SentForm>;

/**
 * A reader for one process. Nothing of a form is written to a disk.
 *
 * It rejects with DomainError `invalid_request` unless it is a well-formed form with one file called `file` and text
 * fields, `too_large` above 10 MB, `request_timeout` for one that arrives too slowly, and `unavailable` with
 * `isQueueFull` when too many forms are being read, or two of the same account.
 */
export function createFormReader(): FormReader {
  const reading = new Map<number, number>();
  return async (exchange, { accountId, beforeForm }, how) => {
    if (Number(exchange.request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge();
    const own = reading.get(accountId) ?? 0;
    const all = [...reading.values()].reduce((total, count) => total + count, 0);
    if (own >= FORMS_OF_ACCOUNT) throw busy(`${FORMS_OF_ACCOUNT} files of this account are being received`);
    if (all >= FORMS_AT_ONCE) throw busy('too many files are being received');
    reading.set(accountId, own + 1);
    try {
      await beforeForm();
      return await (how === 'form' ? readForm(exchange) : readFile(exchange));
    } finally {
      const remaining = (reading.get(accountId) ?? 1) - 1;
      if (remaining > 0) reading.set(accountId, remaining);
      else reading.delete(accountId);
    }
  };
}

function busy(why: string): DomainError {
  const message = `${why}: try again in some seconds`;
  return new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, isQueueFull: true });
}

/** The parts of a form received so far. */
interface CollectedForm {
  readonly fields: [string, string][];
  readonly bytes: CollectedBytes;
  fileName: string | null;
}

/** It has no name, because its readers ask for none. */
async function readFile(exchange: HttpExchange): Promise<SentForm> {
  const bytes = await readBytes(exchange, FILE_CAPS.sentBytes);
  return { fields: new URLSearchParams(), file: { name: 'body.csv', bytes } };
}

function readForm(exchange: HttpExchange): Promise<SentForm> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    const collected: CollectedForm = { fields: [], bytes: collectBytes(), fileName: null };
    const parser = createParser(request);
    let isOver = false;
    const end = (outcome: DomainError | null) => {
      if (isOver) return;
      isOver = true;
      endRateCheck();
      request.unpipe(parser);
      // Discards the rest of the body, so that the client can read the answer on the same connection.
      request.on('data', release).resume();
      if (outcome) {
        collected.bytes.clear();
        reject(outcome);
      } else finish(collected).then(resolve, reject);
    };
    const endRateCheck = beginBody(exchange, MINIMUM_RATE, end);
    let bodyBytes = 0;
    request.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length;
      if (bodyBytes > MAX_FORM_BYTES) end(tooLarge());
    });
    // The client disconnected, or took too long.
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

function collect(parser: busboy.Busboy, collected: CollectedForm, end: (outcome: DomainError | null) => void): void {
  const refuse = (message: string) => end(malformed(message));
  parser.on('file', (name, file, { filename }) => {
    // The parser reports it as well.
    file.on('error', () => {});
    file.on('limit', () => end(tooLarge()));
    file.on('data', (chunk: Buffer) => collected.bytes.add(chunk));
    if (name !== 'file') refuse('the part with the file must be called file');
    else if (!filename) refuse('the part file has no file name');
    else collected.fileName = filename;
  });
  parser.on('field', (name, text, { valueTruncated }) => {
    if (!name) refuse('a part has no name');
    else if (name === 'file') refuse('the part file has no file name');
    else if (valueTruncated) refuse(`a text of the form is ${LIMITS.fieldSize} bytes or longer`);
    // For an unknown encoding the parser gives no text at all.
    else if (typeof text !== 'string') refuse('a text of the form is in an unknown encoding');
    else collected.fields.push([name, text]);
  });
  parser.on('filesLimit', () => refuse('the form must have one file'));
  parser.on('fieldsLimit', () => refuse('the form has too many parts'));
  parser.on('partsLimit', () => refuse('the form has too many parts'));
  // The parser's message is not passed on, only that it failed.
  parser.on('error', () => refuse('the body is not a well-formed form'));
  parser.on('finish', () => end(null));
}

async function finish({ fields, bytes, fileName }: CollectedForm): Promise<SentForm> {
  if (fileName === null) throw malformed('the form must have one file, in the part file');
  const { buffer, byteOffset, length } = bytes.all();
  return {
    fields: new URLSearchParams(fields),
    file: { name: fileName, bytes: new Uint8Array(buffer, byteOffset, length) },
  };
}

function malformed(message: string): DomainError {
  return new DomainError('invalid_request', { message });
}

function tooLarge(): DomainError {
  return new DomainError('too_large', { message: `the file is larger than ${FILE_CAPS.sentBytes} bytes` });
}
