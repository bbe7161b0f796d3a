import { only, reduced, type Wanted } from './answer-fields.ts';
import type { Call, Outcome } from './call.ts';
import { isJsonObject, utf8 } from './json.ts';
import { bodyIn, headersIn } from './messages/words.ts';

/** How many entries of a list are written between two pauses. */
const AT_ONCE = 25;

/**
 * An answer reduced to what is wanted. The JSON of a long list is written in pieces where bytes are taken: a portfolio has
 * megabytes, and others are served in between.
 *
 * @param wanted - Left out: the whole answer.
 */
export async function written(call: Call, outcome: Outcome, wanted: Wanted | undefined): Promise<Outcome> {
  const { body, headers } = outcome;
  const { language = 'en' } = call;
  const isLong = (value: unknown) => Array.isArray(value) && value.length > AT_ONCE;
  const [name, list] =
    (call.takesJson && isJsonObject(body) && Object.entries(body).find(([, one]) => isLong(one))) || [];
  if (outcome.json || name === undefined || !Array.isArray(list)) return reduced(outcome, wanted);
  let isWorded = false;
  const inWords = (value: unknown) => {
    const words = bodyIn(value, language);
    isWorded ||= words !== value;
    return words;
  };
  const rest = reduced({ ...outcome, body: { ...Object(body), [name]: [] } }, wanted).body;
  const others = Object.entries(Object(inWords(rest)));
  const inner = wanted?.get(name) ?? null;
  const pieces: Uint8Array[] = [];
  for (const [index, [member, value]] of others.entries()) {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(member)}:`;
    if (member !== name) {
      pieces.push(utf8(start + JSON.stringify(value)));
      continue;
    }
    for (let from = 0; from < list.length; from += AT_ONCE) {
      await call.deps.yieldToEventLoop?.(call.caller.accountId);
      const some = list.slice(from, from + AT_ONCE).map((entry) => (inner ? only(entry, inner) : entry));
      pieces.push(utf8((from === 0 ? `${start}[` : ',') + JSON.stringify(inWords(some)).slice(1, -1)));
    }
    pieces.push(utf8(']'));
  }
  pieces.push(utf8(others.length === 0 ? '{}' : '}'));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const types = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) };
  return {
    ...outcome,
    body: undefined,
    text: pieces,
    headers: { ...headers, ...(isWorded ? headersIn(language) : {}), ...types },
  };
}
