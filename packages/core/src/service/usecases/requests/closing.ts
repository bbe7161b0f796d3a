import { DomainError } from '../../../engine/errors.ts';
import type { Closing } from '../../ports/machine.ts';
import type { Deps } from './deps.ts';

/** The refusal of a call whose connection has closed. It is sent to no one. */
export function connectionClosed(): DomainError {
  return new DomainError('invalid_request', { message: 'the connection was closed' });
}

/**
 * Calls a function once the connection closes.
 *
 * @returns A function to call when that is of no interest any more: one connection carries many calls.
 */
export function onceClosed(closing: Closing | undefined, end: () => void): () => void {
  closing?.addEventListener('abort', end);
  return () => closing?.removeEventListener('abort', end);
}

/**
 * Dependencies whose work ends with a connection: between customers, months and rows every loop pauses, reads or writes
 * through one of these, and each throws `connectionClosed` from then on. What is stored is stored whole or not at all.
 *
 * @param closing - Left out: the work is done to its end.
 */
export function whileOpen<D extends Pick<Deps, 'yieldToEventLoop' | 'workbooks' | 'imports'>>(
  deps: D,
  closing: Closing | undefined,
): D {
  if (closing === undefined) return deps;
  const { workbooks, imports, yieldToEventLoop } = deps;
  const check = () => {
    if (closing.aborted) throw connectionClosed();
  };
  function* checked<T>(rows: Iterable<T>): Generator<T> {
    for (const row of rows) {
      check();
      yield row;
    }
  }
  return {
    ...deps,
    async yieldToEventLoop(accountId) {
      check();
      await yieldToEventLoop?.(accountId);
      check();
    },
    workbooks: {
      async *read(bytes, form) {
        try {
          for await (const part of workbooks.read(bytes, form, closing)) {
            check();
            yield part;
          }
        } finally {
          // In place of the fault of a file whose reading was ended.
          check();
        }
      },
      write: (sheets) =>
        workbooks.write(sheets.map((sheet) => ('rows' in sheet ? { ...sheet, rows: checked(sheet.rows) } : sheet))),
    },
    imports: { ...imports, run: (job) => imports.run(job, closing) },
  };
}
