import { type Revisions, rightsOf } from '@tarifario/core/service';
import type { Call, Outcome } from './call.ts';
import type { Operation } from './operation.ts';
import type { RawInput } from './read-input.ts';
import { isKnownTag } from './tags.ts';

/** The tag of the answer to a question, with the revisions of its records. */
interface KnownAnswer extends Revisions {
  readonly tag: string;
}

/** The most recent questions that were repeated, by a hash of the caller and the question. */
export type TagMemory = Map<string, KnownAnswer>;

/** Questions that are remembered: about 3 MB. */
const MAX_QUESTIONS = 10_000;

/** A caller that caches the answer asks each time whether it is still current, and no shared cache stores it. */
const KEPT_PRIVATELY = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Authorization' };

/**
 * Answers 304 to a caller who has the answer already. The tag is that of the present answer. It is remembered with the
 * revisions of the records, so a repeated question costs one query while nothing is written.
 *
 * @see docs/decisions/0054-tags-and-cursors-of-what-is-seen.md
 */
export async function answerUnlessKnown(
  call: Call,
  request: {
    readonly operation: Operation;
    readonly raw: RawInput;
    /** Every header `If-None-Match` as received. */
    readonly ifNoneMatch: readonly string[];
    readonly memory: TagMemory;
  },
  perform: (call: Call) => Promise<Outcome>,
): Promise<Outcome> {
  const { operation, ifNoneMatch, memory } = request;
  if (!operation.revalidated) return perform(call);
  if (ifNoneMatch.length === 0) return privately(await perform(call));
  const { store } = call.deps;
  // Read before the records. The records may be newer, and then these revisions never occur again.
  const revisions = await store.latest.revisions(call.caller.accountId);
  const question = nameOf(call, request);
  const known = memory.get(question);
  if (known?.own === revisions.own && known.catalog === revisions.catalog && isKnownTag(ifNoneMatch, known.tag)) {
    return unchanged(known.tag);
  }
  const latest = { ...store.latest, revisions: async () => revisions };
  const outcome = await perform({ ...call, deps: { ...call.deps, store: { ...store, latest } } });
  const tag = outcome.headers?.ETag;
  if (tag === undefined) return outcome;
  remember(memory, question, { ...revisions, tag });
  return isKnownTag(ifNoneMatch, tag) ? unchanged(tag) : privately(outcome);
}

function nameOf({ deps, caller }: Call, { operation, raw }: { operation: Operation; raw: RawInput }): string {
  const parts = [caller.keyId, rightsOf(caller), operation.id, raw.params, [...raw.query]];
  return deps.secrets.sha256(JSON.stringify(parts));
}

/** Maps remember the order of insertion, so the first entry is the question that was not repeated for longest. */
function remember(memory: TagMemory, question: string, answer: KnownAnswer): void {
  memory.delete(question);
  memory.set(question, answer);
  for (const oldest of memory.keys()) {
    if (memory.size <= MAX_QUESTIONS) return;
    memory.delete(oldest);
  }
}

function unchanged(tag: string): Outcome {
  return { status: 304, headers: { ...KEPT_PRIVATELY, ETag: tag }, body: undefined };
}

function privately(outcome: Outcome): Outcome {
  return { ...outcome, headers: { ...outcome.headers, ...KEPT_PRIVATELY } };
}
