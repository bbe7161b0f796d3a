import { DomainError, type Reader, type StoredAnswer } from '../src/service.ts';
import { type MemoryState, required } from './memory-state.ts';

export function answerReads(state: MemoryState): Pick<Reader, 'storedAnswer'> {
  return {
    storedAnswer: async (keyId, idempotencyKey) => state.answers.get(nameOf({ keyId, idempotencyKey })) ?? null,
  };
}

function nameOf({ keyId, idempotencyKey }: Pick<StoredAnswer, 'keyId' | 'idempotencyKey'>): string {
  return `${keyId} ${idempotencyKey}`;
}

export function storeAnswer(
  { state, at }: { readonly state: MemoryState; readonly at: string },
  answer: StoredAnswer,
  replacesOlderThan: string,
): void {
  required(state.keys.get(answer.keyId), 'an answer is kept for a key');
  const earlier = state.answers.get(nameOf(answer));
  if (earlier && earlier.storedAt >= replacesOlderThan) throw new DomainError('idempotency_in_flight');
  state.answers.delete(nameOf(answer));
  state.answers.set(nameOf(answer), { ...answer, storedAt: at });
}

export function deleteAnswersBefore(state: MemoryState, instant: string, limit: number): number {
  const old = [...state.answers]
    .filter(([, { storedAt }]) => storedAt < instant)
    .sort(([, a], [, b]) => (a.storedAt < b.storedAt ? -1 : 1))
    .slice(0, limit);
  for (const [name] of old) state.answers.delete(name);
  return old.length;
}
