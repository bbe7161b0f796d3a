import { type Command, carryOut, DomainError } from '@tarifario/core/service';
import type { Wanted } from './answer-fields.ts';
import type { Call, EntityTags, LongRead, Outcome } from './call.ts';
import { storeOutcome } from './idempotency.ts';
import { utf8 } from './json.ts';
import { written } from './long-lists.ts';
import { lookBack, privately, remember, unchanged } from './revalidation.ts';
import { isKnownTag, taggedText } from './tags.ts';

/** How a row answers a read. */
interface Read {
  /** The queue in which it waits; `null`: it does not wait. */
  readonly longRead: LongRead | null;
  readonly outcome: (call: Call) => Promise<Outcome>;
  /** Which members are wanted; left out: all. */
  readonly wanted: Wanted | undefined;
}

/**
 * Answers a read in steps, of which most reads have few: 304 to a known tag, wait in a queue, read, make the whole text
 * of an answer with a tag, add the tag, 304 if the caller has sent that, leave out members that are not wanted.
 */
export async function answerRead(call: Call, { wanted, ...read }: Read): Promise<Outcome> {
  return written(call, linked(call, await readInTurn(call, read)), wanted);
}

/** With the links of a page, which its members that are not wanted are for. */
function linked({ pageLinks }: Call, answer: Outcome): Outcome {
  if (!pageLinks || answer.body === undefined) return answer;
  const Link = pageLinks(answer.body);
  return Link === '' ? answer : { ...answer, headers: { ...answer.headers, Link } };
}

async function readInTurn(call: Call, { longRead, outcome }: Omit<Read, 'wanted'>): Promise<Outcome> {
  const { deps, caller, revalidation } = call;
  const known = revalidation ? await lookBack(call, revalidation) : null;
  if (revalidation && known?.tag) return unchanged(known.tag);
  const asked = known ? { ...call, deps: { ...deps, revisions: known.revisions } } : call;
  // Includes the text, which takes more memory and time than the records.
  const work = async () => withWholeText(asked, await outcome(asked));
  // Its connection may have closed while it waited.
  const inTurn = async () => {
    await deps.yieldToEventLoop?.(caller.accountId);
    return work();
  };
  const queue = longRead === null ? undefined : deps.longReads?.[longRead];
  const answer = withTag(call, await (queue ? queue.run(caller.accountId, inTurn) : work()));
  const tag = answer.headers?.ETag;
  if (!revalidation || tag === undefined) return answer;
  if (known) remember(revalidation.memory, known, tag);
  return isKnownTag(revalidation.ifNoneMatch, tag) ? unchanged(tag) : privately(answer);
}

/** How a row performs and words a write. */
interface Write<In, Out, Found, Ready> {
  readonly command: Command<In, Out, Found, Ready>;
  readonly input: NoInfer<In>;
  readonly toWire: (out: Out) => Pick<Outcome, 'status' | 'body'>;
  /** The record before the write, as its caller reads it; `null`: there is none. Absent: no `If-Match`. */
  readonly current: ((found: Found) => unknown) | undefined;
}

/**
 * Answers a write. In one transaction the record is found, compared with `If-Match`, changed and worded, and the answer
 * is stored if the request has an idempotency key: all of it or nothing. So of concurrent writes that expect the same
 * state one succeeds.
 *
 * @throws DomainError `precondition_failed`, and what the command throws.
 * @see docs/assumptions.md, A-53 and A-66
 */
export function answerWrite<In, Out, Found, Ready>(
  call: Call,
  { command, input, toWire, current }: Write<In, Out, Found, Ready>,
): Promise<Outcome> {
  const { deps, caller, entityTags, idempotencyRequest } = call;
  return carryOut({ command, input, deps, caller }, async ({ writer, at, find, run }) => {
    const found = await find();
    const record = entityTags?.expected && current ? current(found) : undefined;
    if (entityTags && record) requireTag(entityTags, record);
    const { status, body } = toWire(await run(found));
    // A missing record is refused only now: what `run` refuses, such as with 404 or 422, comes before the 412.
    if (record === null) throw changed();
    const isTextNeeded = body !== undefined && (entityTags !== undefined || idempotencyRequest !== undefined);
    const text = isTextNeeded ? JSON.stringify(body) : undefined;
    const outcome = withTag(call, { status, headers: {}, body }, text);
    if (idempotencyRequest) await storeOutcome(writer, idempotencyRequest, { outcome, text, at });
    return outcome;
  });
}

/** @throws DomainError `precondition_failed` for a record with none of the expected tags. */
function requireTag({ expected, tagOf }: EntityTags, record: unknown): void {
  const isKnown = expected === '*' || expected?.includes(tagOf([taggedText(record, JSON.stringify(record))]));
  if (!isKnown) throw changed();
}

function changed(): DomainError {
  return new DomainError('precondition_failed');
}

/** @param text - The body as JSON, which is hashed and sent. */
function withTag({ entityTags, takesJson }: Call, outcome: Outcome, text?: string): Outcome {
  if (!entityTags) return outcome;
  const { tagOf } = entityTags;
  const { body, json, bytes, text: parts } = outcome;
  const tagged = (ETag: string) => ({ ...outcome, headers: { ...outcome.headers, ETag } });
  if (body !== undefined) {
    const whole = text ?? JSON.stringify(body);
    return { ...tagged(tagOf([taggedText(body, whole)])), ...(takesJson ? { json: utf8(whole) } : {}) };
  }
  const whole = json ?? bytes;
  if (whole) return tagged(tagOf([whole]));
  return parts ? tagged(tagOf(parts)) : outcome;
}

/**
 * Makes the whole text of an answer whose tag is sent before it; others are served in between. In bytes, which are outside
 * of the heap and freed once they are sent.
 */
async function withWholeText({ deps, caller, entityTags }: Call, outcome: Outcome): Promise<Outcome> {
  if (outcome.text === undefined || !entityTags) return outcome;
  const pieces: Uint8Array[] = [];
  for (const piece of outcome.text) {
    pieces.push(typeof piece === 'string' ? utf8(piece) : piece);
    await deps.yieldToEventLoop?.(caller.accountId);
  }
  return { ...outcome, text: pieces };
}
