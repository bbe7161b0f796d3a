import type { Caller } from './access/caller.ts';

/** What may let other work run, of an account. */
interface Pauses {
  readonly yieldToEventLoop?: ((accountId: number) => Promise<void>) | undefined;
}

/** Runs steps, and yields to the event loop between them. */
export async function inTurns<T>(
  steps: Generator<undefined, T>,
  { yieldToEventLoop }: Pauses,
  { accountId }: Pick<Caller, 'accountId'>,
): Promise<T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await yieldToEventLoop?.(accountId);
  return step.value;
}
