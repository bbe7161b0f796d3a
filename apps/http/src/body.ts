import type { BodyForm } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import type { Arriving } from './arriving-body.ts';
import { createFormReader, type FormSender } from './form-body.ts';
import { readJsonBody, readUnexpectedBody } from './json-body.ts';

/** Reads the body of a request in one of the ways in which it may be sent; of a form nothing before it is permitted. */
export type BodyReader = (
  arriving: Arriving,
  how: { readonly sentAs: readonly BodyForm[]; readonly form: FormSender; readonly maxJsonBytes: number },
) => Promise<unknown>;

/**
 * A reader for one process. It rejects with DomainError `unsupported_media_type` for what may not be sent, and as the
 * readers of forms and of JSON do.
 */
export function createBodyReader(): BodyReader {
  const readForm = createFormReader();
  const readEither: BodyReader = async (arriving, { sentAs, form, maxJsonBytes }) => {
    const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = arriving.request.headers;
    const type = contentType.split(';')[0]?.trim().toLowerCase();
    const isIdentity = encoding.trim().toLowerCase() === 'identity';
    if (type === 'multipart/form-data' && isIdentity) return readForm(arriving, form, 'form');
    if (type === 'text/csv' && sentAs.includes('csv') && isIdentity) return readForm(arriving, form, 'file');
    if (sentAs.includes('json') && type !== 'multipart/form-data') return readJsonBody(arriving, maxJsonBytes);
    throw new DomainError('unsupported_media_type', { message: 'the body must be multipart/form-data' });
  };
  return (arriving, how) => {
    if (how.sentAs.length === 0) return readUnexpectedBody(arriving, how.maxJsonBytes);
    return how.sentAs.includes('multipart') ? readEither(arriving, how) : readJsonBody(arriving, how.maxJsonBytes);
  };
}
