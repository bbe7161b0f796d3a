import type { IncomingMessage } from 'node:http';
import type { BodyForm } from '@tarifario/api';
import { DomainError } from '@tarifario/core';
import { createFormReader } from './form-body.ts';
import { readJsonBody } from './json-body.ts';

/** Reads the body of a request in one of the ways in which it may be sent; of a form nothing before it is permitted. */
export type BodyReader = (
  request: IncomingMessage,
  how: { readonly sentAs: readonly BodyForm[]; readonly beforeForm: () => void; readonly maxJsonBytes: number },
) => Promise<unknown>;

/**
 * A reader for one process. It rejects with DomainError `unsupported_media_type` for what may not be sent, and as the
 * readers of forms and of JSON do.
 */
export function createBodyReader(): BodyReader {
  const readForm = createFormReader();
  const readEither: BodyReader = async (request, { sentAs, beforeForm, maxJsonBytes }) => {
    const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = request.headers;
    const type = contentType.split(';')[0]?.trim().toLowerCase();
    if (type === 'multipart/form-data' && encoding.trim().toLowerCase() === 'identity') {
      beforeForm();
      return readForm(request);
    }
    if (sentAs.includes('json') && type !== 'multipart/form-data') return readJsonBody(request, maxJsonBytes);
    throw new DomainError('unsupported_media_type', { message: 'the body must be multipart/form-data' });
  };
  return (request, how) =>
    how.sentAs.includes('multipart') ? readEither(request, how) : readJsonBody(request, how.maxJsonBytes);
}
