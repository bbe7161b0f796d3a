import { answerInForce, answersInForceSince, type IdempotencyRequest } from '../access/idempotency.ts';
import { assert, DomainError } from '../errors.ts';
import type { Imports } from '../ports/imports.ts';
import type { Store, WriteContext, Writer } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import { isReport, reportIn } from './stored-reports.ts';

/**
 * Maximum length of a stored answer, in characters. The longest real one, an offer with 100 tiers, has about 15 000.
 */
const MAX_ANSWER_LENGTH = 262_144;
/** How often a task is tried when the store repeats its unit of work. */
const MAX_ATTEMPTS = 3;

/**
 * Work that returns its answer as text. It makes all its changes through `deps.store` in one `write`, or by passing a
 * file to `deps.imports`.
 */
interface IdempotentTask {
  readonly idempotencyRequest: IdempotencyRequest;
  readonly perform: (deps: Deps) => Promise<string>;
}

/**
 * Performs a task, or returns the answer of its first execution. The changes of a task and its answer are committed
 * together or not at all. A refusal is not stored: nothing has changed, so the next attempt runs again. The answer of a
 * task that changes nothing is not stored either.
 *
 * @throws DomainError `idempotency_in_flight` while this process is performing the same request,
 *   `idempotency_mismatch`, `idempotency_rights_changed`, and what the task throws.
 * @see docs/assumptions.md, A-53
 */
export type IdempotencyGuard = (
  deps: Deps,
  task: IdempotentTask,
) => Promise<{ readonly answer: string; readonly isReplay: boolean }>;

/** One per process: it knows which requests are in progress. */
export function createIdempotencyGuard(): IdempotencyGuard {
  const underWay = new Set<string>();
  return async (deps, task) => {
    const name = `${task.idempotencyRequest.keyId} ${task.idempotencyRequest.idempotencyKey}`;
    if (underWay.has(name)) throw new DomainError('idempotency_in_flight');
    underWay.add(name);
    try {
      return await replayOrPerform(deps, task);
    } finally {
      underWay.delete(name);
    }
  };
}

const replayOrPerform: IdempotencyGuard = async (deps, task) => {
  const earlier = await lookUp(deps, task.idempotencyRequest);
  if (earlier !== null) return { answer: await answerFrom(earlier, deps, task), isReplay: true };
  try {
    return { answer: await performAndStore(deps, task), isReplay: false };
  } catch (error) {
    // Another process may have performed the same request, and its effect made this one fail (the name is taken, the
    // password has changed). Or the commit succeeded and only its confirmation was lost.
    const meanwhile = await lookUp(deps, task.idempotencyRequest);
    if (meanwhile === null) throw error;
    return { answer: await answerFrom(meanwhile, deps, task), isReplay: true };
  }
};

/** For a file the report is stored, and the task makes its answer from it, as it did the first time. */
async function answerFrom(stored: string, deps: Deps, { perform }: IdempotentTask): Promise<string> {
  const report = reportIn(stored);
  if (report === null) return stored;
  return perform({ ...deps, imports: { ...deps.imports, run: async () => report } });
}

function lookUp(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  idempotencyRequest: IdempotencyRequest,
): Promise<string | null> {
  return store.read(async (reader) => {
    const stored = await reader.storedAnswer(idempotencyRequest.keyId, idempotencyRequest.idempotencyKey);
    return answerInForce(idempotencyRequest, stored, { now: clock.now() });
  });
}

async function performAndStore(deps: Deps, { idempotencyRequest, perform }: IdempotentTask): Promise<string> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const unit = prepareUnit(deps, idempotencyRequest);
    try {
      const answer = await perform({ ...deps, store: unit.store, imports: unit.imports });
      assert(answer.length <= MAX_ANSWER_LENGTH, 'a stored answer is not that long');
      assert(!isReport(answer), 'an answer of the api does not look like a stored report');
      await unit.finish(answer);
      return answer;
    } catch (error) {
      await unit.abandon(error);
      if (!(error instanceof UnitOfWorkRepeated)) throw error;
    }
  }
  throw new DomainError('unavailable', { message: 'the database is busy', retryAfterSeconds: 1 });
}

const ONE_PLACE = 'a task makes its changes in one unit of work, which stores its answer';

/** Thrown when the store runs a unit of work again: the rest of the task, which came after it, would be missing. */
class UnitOfWorkRepeated extends Error {}

/**
 * A store for one task. The first `write` begins the unit of work as usual, but it ends only with the task, so that the
 * answer, which depends on what was written, is stored in the same transaction. Before that `write` the task reads and
 * computes without making other writers wait. A file is applied in a transaction of its own, so the idempotency request
 * is passed along with it.
 */
function prepareUnit({ store, imports }: Pick<Deps, 'store' | 'imports'>, idempotencyRequest: IdempotencyRequest) {
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
      if (hasWritten) throw new UnitOfWorkRepeated();
      const value = await work(writer);
      hasWritten = true;
      opened.resolve(writer);
      result.resolve(value);
      const answer = await answered.promise;
      await writer.storeAnswer({ ...idempotencyRequest, answer }, { replacesOlderThan: answersInForceSince(at) });
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
    return imports.run({ ...job, idempotencyRequest });
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
