import type { Caller } from '../../access/caller.ts';
import type { Deps } from './deps.ts';

/** Runs steps, and yields to the event loop between them. */
export async function inTurns<T>(
  steps: Generator<undefined, T>,
  { yieldToEventLoop }: Pick<Deps, 'yieldToEventLoop'>,
  { accountId }: Pick<Caller, 'accountId'>,
): Promise<T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await yieldToEventLoop?.(accountId);
  return step.value;
}
