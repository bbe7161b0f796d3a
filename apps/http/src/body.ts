import type { ApiRequest, BodyCaps, BodyForm, SentForm } from '@tarifario/api';
import { DomainError, type Message, say } from '@tarifario/core/service';
import type { Arriving } from './arriving-body.ts';
import { FILE_TOO_LARGE, MAX_FORM_BYTES, readFile, readForm } from './form-body.ts';
import { readJsonBody, readUnexpectedBody } from './json-body.ts';

/** How many files are received at the same time; each is held in memory until it is complete. */
const FILES_AT_ONCE = 8;
/** How many of them may belong to one account, so that no account blocks the others. */
const FILES_OF_ACCOUNT = 2;
const RETRY_AFTER_SECONDS = 10;

/** The account that sends a body, and a function that is called before any of a file is read. */
type FormSender = Parameters<ApiRequest['readBody']>[1];

/** Reads the body of a request in one of the permitted formats. Nothing of a file is read before it is permitted. */
export type BodyReader = (
  sent: Arriving,
  how: { readonly sentAs: readonly BodyForm[]; readonly form: FormSender; readonly caps: BodyCaps },
) => Promise<unknown>;

/**
 * A reader for one process. It rejects with DomainError `unsupported_media_type` for other formats, `unavailable` with
 * `isQueueFull` when too many files are being received, or two of the same account, and like the readers of forms and of
 * JSON.
 */
export function createBodyReader(): BodyReader {
  /** The account of each file that is being received. */
  const senders: number[] = [];
  const receive = async (
    sent: Arriving,
    { accountId, beforeForm }: FormSender,
    read: (sent: Arriving, accountId: number) => Promise<SentForm>,
  ) => {
    if (Number(sent.request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
      throw new DomainError('too_large', { message: FILE_TOO_LARGE });
    }
    const own = senders.filter((id) => id === accountId);
    if (own.length >= FILES_OF_ACCOUNT)
      throw busy(say('{count} files of this account are being received', { count: FILES_OF_ACCOUNT }));
    if (senders.length >= FILES_AT_ONCE) throw busy('too many files are being received');
    senders.push(accountId);
    try {
      await beforeForm();
      return await read(sent, accountId);
    } finally {
      senders.splice(senders.indexOf(accountId), 1);
    }
  };
  return async (sent, { sentAs, form, caps }) => {
    const { accountId } = form;
    if (sentAs.length === 0) return readUnexpectedBody(sent, accountId, caps);
    if (!sentAs.includes('multipart')) return readJsonBody(sent, accountId, caps);
    const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = sent.request.headers;
    const type = contentType.split(';')[0]?.trim().toLowerCase();
    const isIdentity = encoding.trim().toLowerCase() === 'identity';
    if (type === 'multipart/form-data' && isIdentity) return receive(sent, form, readForm);
    if (type === 'text/csv' && sentAs.includes('csv') && isIdentity) return receive(sent, form, readFile);
    if (sentAs.includes('json') && type !== 'multipart/form-data') return readJsonBody(sent, accountId, caps);
    throw new DomainError('unsupported_media_type', { message: 'the body must be multipart/form-data' });
  };
}

function busy(why: Message): DomainError {
  const message = say('{=why}: try again in some seconds', { why });
  return new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, isQueueFull: true });
}
