import { DomainError, type KeptAnswer, type Reader } from '../src/service.ts';
import { type MemoryState, required } from './memory-state.ts';

export function answerReads(state: MemoryState): Pick<Reader, 'keptAnswer'> {
  return {
    keptAnswer: async (keyId, idempotencyKey) => state.answers.get(nameOf({ keyId, idempotencyKey })) ?? null,
  };
}

function nameOf({ keyId, idempotencyKey }: Pick<KeptAnswer, 'keyId' | 'idempotencyKey'>): string {
  return `${keyId} ${idempotencyKey}`;
}

export function keepAnswer(
  { state, at }: { readonly state: MemoryState; readonly at: string },
  answer: KeptAnswer,
  insteadOf: string,
): void {
  required(state.keys.get(answer.keyId), 'an answer is kept for a key');
  const earlier = state.answers.get(nameOf(answer));
  if (earlier && earlier.keptAt >= insteadOf) throw new DomainError('idempotency_in_flight');
  state.answers.delete(nameOf(answer));
  state.answers.set(nameOf(answer), { ...answer, keptAt: at });
}

export function deleteAnswersBefore(state: MemoryState, instant: string, limit: number): number {
  const old = [...state.answers]
    .filter(([, { keptAt }]) => keptAt < instant)
    .sort(([, a], [, b]) => (a.keptAt < b.keptAt ? -1 : 1))
    .slice(0, limit);
  for (const [name] of old) state.answers.delete(name);
  return old.length;
}
