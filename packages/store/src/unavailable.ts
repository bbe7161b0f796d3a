import { DomainError, type Message } from '@tarifario/core/service';

/** The refusal of work that has waited too long for others. */
export const BUSY = { message: 'the database is busy', retryAfterSeconds: 1 } as const;

export function unavailable(message: Message = 'the database cannot be used for now'): DomainError {
  return new DomainError('unavailable', { message, retryAfterSeconds: 1 });
}
