import type { Caller } from '../../access/caller.ts';
import type { Concern, WriteContext, Writer } from '../../ports/stores.ts';
import type { Deps } from './deps.ts';

/**
 * A change of stored records. `find` and `run` belong to one unit of work, which may be repeated: they have no effect
 * except through the writer and their results.
 */
export interface Command<In, Out, Found = unknown, Ready = In> {
  /** All that it changes; left out: the caller's account. */
  concerns?(caller: Caller): readonly Concern[];
  /**
   * What is slow or needs more than the store, done before the unit of work. Left out: `Ready` is `In`.
   *
   * @param at - The instant of the unit of work.
   */
  before?(deps: Deps, caller: Caller, input: In, at: string): Promise<Ready>;
  /** Checks the firm of the request, and reads what is changed, as it is now. */
  find(writer: Writer, caller: Caller, input: Ready): Promise<Found>;
  run(writer: Writer, caller: Caller, input: Ready, found: Found): Promise<Out>;
  /** Done after the commit. */
  after?(deps: Deps, out: Out): unknown;
}

/** A command with its input, and who gives it. */
interface Order<In, Out, Found, Ready> {
  readonly command: Command<In, Out, Found, Ready>;
  readonly input: NoInfer<In>;
  readonly deps: Deps;
  readonly caller: Caller;
}

/**
 * Carries out a command in one unit of work.
 *
 * @param work - Finds and runs, with whatever else belongs to the same transaction. It may be repeated.
 */
export async function carryOut<In, Out, Found, Ready, Answer>(
  { command, input, deps, caller }: Order<In, Out, Found, Ready>,
  work: (unit: {
    readonly writer: Writer;
    readonly at: string;
    find(): Promise<Found>;
    run(found: Found): Promise<Out>;
  }) => Promise<Answer>,
): Promise<Answer> {
  const at = deps.clock.now();
  const ready = command.before ? await command.before(deps, caller, input, at) : (input as unknown as Ready);
  const concerns = command.concerns?.(caller) ?? [caller.accountId];
  let afterwards = () => {};
  const answer = await deps.store.write({ ...writerOf(caller), at, concerns }, (writer) =>
    work({
      writer,
      at,
      find: () => command.find(writer, caller, ready),
      run: async (found) => {
        const out = await command.run(writer, caller, ready, found);
        afterwards = () => command.after?.(deps, out);
        return out;
      },
    }),
  );
  afterwards();
  return answer;
}

/** Who writes for a caller. */
export function writerOf({ keyId, traceparent }: Caller): Pick<WriteContext, 'keyId' | 'traceparent'> {
  return { keyId, traceparent };
}
