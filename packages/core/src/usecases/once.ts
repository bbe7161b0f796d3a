import { answerInForce, answersInForceSince, type Claim } from '../access/claim.ts';
import { assert, DomainError } from '../errors.ts';
import type { Imports } from '../ports/imports.ts';
import type { Clock } from '../ports/machine.ts';
import type { Store, WriteContext, Writer } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import { isReport, reportIn } from './kept-reports.ts';

/** Longest answer that is kept, in characters. The longest there is, an offer with 100 tiers, has some 15 000. */
const MAX_ANSWER_LENGTH = 262_144;
/** How often work begins anew when the store repeats its unit of work. */
const MAX_ROUNDS = 3;

/**
 * Work that answers with a text. All that it changes it changes through `deps.store`, in one `write`, or by a file that
 * it hands to `deps.imports`.
 */
interface Task {
  readonly claim: Claim;
  readonly perform: (deps: Deps) => Promise<string>;
}

/**
 * Does a task, or answers what was answered when it was done. What a task changes and its answer are kept together or
 * not at all. What it refuses is not kept: nothing happened, and the next try is judged anew. A task that changes
 * nothing is not kept either.
 *
 * @throws DomainError `idempotency_in_flight` while this process does the same, `idempotency_mismatch`,
 *   `idempotency_rights_changed`, and what the task throws.
 * @see docs/assumptions.md, A-53
 */
export type Once = (deps: Deps, task: Task) => Promise<{ readonly answer: string; readonly isReplay: boolean }>;

/** One per process: it knows what is under way. */
export function createOnce(): Once {
  const underWay = new Set<string>();
  return async (deps, task) => {
    const name = `${task.claim.keyId} ${task.claim.idempotencyKey}`;
    if (underWay.has(name)) throw new DomainError('idempotency_in_flight');
    underWay.add(name);
    try {
      return await replayOrPerform(deps, task);
    } finally {
      underWay.delete(name);
    }
  };
}

const replayOrPerform: Once = async (deps, task) => {
  const earlier = await lookUp(deps, task.claim);
  if (earlier !== null) return { answer: await answerFrom(earlier, deps, task), isReplay: true };
  try {
    return { answer: await performAndKeep(deps, task), isReplay: false };
  } catch (error) {
    // Another process may have been faster, and then it is because of what it did that this one failed (a name is taken,
    // a password is not right any more). Or it is done and only the store's word for it was lost.
    const meanwhile = await lookUp(deps, task.claim);
    if (meanwhile === null) throw error;
    return { answer: await answerFrom(meanwhile, deps, task), isReplay: true };
  }
};

/** Of a file the report is kept; the task makes its answer of that, as it did the first time. */
async function answerFrom(kept: string, deps: Deps, { perform }: Task): Promise<string> {
  const report = reportIn(kept);
  if (report === null) return kept;
  return perform({ ...deps, imports: { ...deps.imports, run: async () => report } });
}

function lookUp({ store, clock }: Pick<Deps, 'store' | 'clock'>, claim: Claim): Promise<string | null> {
  return store.read(async (reader) => {
    const kept = await reader.keptAnswer(claim.keyId, claim.idempotencyKey);
    return answerInForce(claim, kept, { now: clock.now() });
  });
}

async function performAndKeep(deps: Deps, { claim, perform }: Task): Promise<string> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const unit = prepareUnit(deps, claim);
    try {
      const answer = await perform({ ...deps, store: unit.store, imports: unit.imports });
      assert(answer.length <= MAX_ANSWER_LENGTH, 'an answer that is kept is not that long');
      assert(!isReport(answer), 'what a door writes does not look like a kept report');
      await unit.finish(answer);
      return answer;
    } catch (error) {
      await unit.abandon(error);
      if (!(error instanceof Repeated)) throw error;
    }
  }
  throw new DomainError('unavailable', { message: 'the database is busy', retryAfterSeconds: 1 });
}

const ONE_PLACE = 'what is done once is done in one place, so that it is kept there';

/** A store that repeats a unit of work would repeat it without what came after it in the task. */
class Repeated extends Error {}

/**
 * A store for one task. The first `write` begins the unit of work as ever, but ends only with the task: so the answer,
 * which is made of what was written, gets into the same unit. Before it the task reads and computes without keeping
 * other writers waiting. A file is applied elsewhere, in a unit of its own: the claim goes with it.
 */
function prepareUnit({ store, imports }: Pick<Deps, 'store' | 'imports'>, claim: Claim) {
  const answered = Promise.withResolvers<string>();
  const opened = Promise.withResolvers<Writer>();
  let ended: Promise<void> | null = null;
  let hasWritten = false;
  let isHandedOver = false;
  for (const { promise } of [answered, opened]) promise.catch(() => undefined);

  const begin = <T>(context: WriteContext, work: (writer: Writer) => Promise<T>): Promise<T> => {
    const result = Promise.withResolvers<T>();
    const { at } = context;
    assert(!isHandedOver, ONE_PLACE);
    ended = store.write(context, async (writer) => {
      if (hasWritten) throw new Repeated();
      const value = await work(writer);
      hasWritten = true;
      opened.resolve(writer);
      result.resolve(value);
      const answer = await answered.promise;
      await writer.keepAnswer({ ...claim, answer }, { insteadOf: answersInForceSince(at) });
    });
    ended.catch((error: unknown) => {
      opened.reject(error);
      result.reject(error);
    });
    return result.promise;
  };
  const bound: Store = {
    latest: {
      keyByHash: async (secretHash) => (ended === null ? store.latest : await opened.promise).keyByHash(secretHash),
      revisions: async (accountId) => (ended === null ? store.latest : await opened.promise).revisions(accountId),
    },
    read: async (work) => (ended === null ? store.read(work) : work(await opened.promise)),
    write: async (context, work) => (ended === null ? begin(context, work) : work(await opened.promise)),
    close: () => store.close(),
  };
  const run: Imports['run'] = async (job) => {
    assert(ended === null && !isHandedOver, ONE_PLACE);
    isHandedOver = true;
    return imports.run({ ...job, claim });
  };
  return {
    store: bound,
    imports: { ...imports, run },
    async finish(answer: string): Promise<void> {
      answered.resolve(answer);
      await ended;
    },
    async abandon(error: unknown): Promise<void> {
      answered.reject(error);
      await ended?.catch(() => undefined);
    },
  };
}

/** The most kept answers that one unit of work deletes. */
const SWEEP_SLICE = 1000;

/**
 * Deletes answers that are no longer in force, in slices between which others can write.
 *
 * @param options - `keepGoing` is asked before each slice.
 * @returns How many were deleted.
 */
export async function sweepAnswers(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { keepGoing }: { readonly keepGoing: () => boolean },
): Promise<number> {
  let total = 0;
  while (keepGoing()) {
    const at = clock.now();
    const deleted = await store.write({ keyId: null, at, concerns: [] }, (writer) =>
      writer.deleteAnswersBefore(answersInForceSince(at), SWEEP_SLICE),
    );
    total += deleted;
    if (deleted < SWEEP_SLICE) break;
  }
  return total;
}
