import type { BodyForm } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import type { HttpExchange } from './arriving-body.ts';
import { createFormReader, type FormSender } from './form-body.ts';
import { type JsonCaps, readJsonBody, readUnexpectedBody } from './json-body.ts';

/** Reads the body of a request in one of the permitted formats. Nothing of a form is read before it is permitted. */
export type BodyReader = (
  exchange: HttpExchange,
  how: { readonly sentAs: readonly BodyForm[]; readonly form: FormSender; readonly caps: JsonCaps },
) => Promise<unknown>;

/**
 * A reader for one process. It rejects with DomainError `unsupported_media_type` for other formats, and like the
 * readers of forms and of JSON.
 */
export function createBodyReader(): BodyReader {
  const readForm = createFormReader();
  const readEither: BodyReader = async (exchange, { sentAs, form, caps }) => {
    const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = exchange.request.headers;
    const type = contentType.split(';')[0]?.trim().toLowerCase();
    const isIdentity = encoding.trim().toLowerCase() === 'identity';
    if (type === 'multipart/form-data' && isIdentity) return readForm(exchange, form, 'form');
    if (type === 'text/csv' && sentAs.includes('csv') && isIdentity) return readForm(exchange, form, 'file');
    if (sentAs.includes('json') && type !== 'multipart/form-data') return readJsonBody(exchange, caps);
    throw new DomainError('unsupported_media_type', { message: 'the body must be multipart/form-data' });
  };
  return (exchange, how) => {
    if (how.sentAs.length === 0) return readUnexpectedBody(exchange, how.caps);
    return how.sentAs.includes('multipart') ? readEither(exchange, how) : readJsonBody(exchange, how.caps);
  };
}
