import { type Caller, type Deps, type Revisions, rightsOf } from '@tarifario/core/service';
import type { Call, Outcome, Revalidation, TagMemory } from './call.ts';
import type { RawInput } from './read-input.ts';
import { isKnownTag } from './tags.ts';

/** Questions that are remembered: about 3 MB. */
const MAX_QUESTIONS = 10_000;

/** A caller that caches the answer asks each time whether it is still current, and no shared cache stores it. */
const KEPT_PRIVATELY = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Authorization' };

/** What a caller has sent that may have the answer already. */
interface KnownAnswer {
  readonly name: string;
  readonly revisions: Revisions;
  /** The tag of the present answer, if the caller has sent it; `null`: it is not known. */
  readonly tag: string | null;
}

/**
 * Looks for the tag of the present answer. It is remembered with the revisions of the records, so a repeated question
 * costs one query while nothing is written.
 *
 * @returns `null` for a caller who has sent no tag.
 * @see docs/decisions/0012-answers-with-their-effect-and-tag.md
 */
export async function lookBack(
  { deps, caller }: Call,
  { ifNoneMatch, memory, nameOf }: Revalidation,
): Promise<KnownAnswer | null> {
  if (ifNoneMatch.length === 0) return null;
  // Read before the records. The records may be newer, and then these revisions never occur again.
  const revisions = await deps.store.latest.changes.revisions(caller.accountId);
  const name = nameOf();
  const known = memory.get(name);
  const isPresent = known?.own === revisions.own && known.catalog === revisions.catalog;
  return { name, revisions, tag: isPresent && isKnownTag(ifNoneMatch, known.tag) ? known.tag : null };
}

/** The name of a question of a caller. */
export function questionName(
  { secrets }: Pick<Deps, 'secrets'>,
  caller: Caller,
  { id, raw }: { readonly id: string; readonly raw: RawInput },
): string {
  return secrets.sha256(JSON.stringify([caller.keyId, rightsOf(caller), id, raw.params, [...raw.query]]));
}

/** Maps remember the order of insertion, so the first entry is the question that was not repeated for longest. */
export function remember(memory: TagMemory, { name, revisions }: KnownAnswer, tag: string): void {
  memory.delete(name);
  memory.set(name, { ...revisions, tag });
  for (const oldest of memory.keys()) {
    if (memory.size <= MAX_QUESTIONS) return;
    memory.delete(oldest);
  }
}

export function unchanged(tag: string): Outcome {
  return { status: 304, headers: { ...KEPT_PRIVATELY, ETag: tag }, body: undefined };
}

export function privately(outcome: Outcome): Outcome {
  return { ...outcome, headers: { ...outcome.headers, ...KEPT_PRIVATELY } };
}
