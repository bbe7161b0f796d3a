import type { ApiAnswer } from '../errors.ts';
import { isJsonObject, type JsonMembers } from '../json.ts';

/** The result of a tool call, as defined by MCP. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  /** The body of the endpoint, as it is. Absent from a refusal. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/**
 * Turns the answer of an endpoint into the result of its tool. A success has a sentence with numbers only, and the body
 * twice: structured, and as JSON text for clients that only read text. A refusal has its body as JSON text, with the
 * seconds to wait if there are any, because a model does not see headers.
 *
 * @see docs/assumptions.md, A-48
 */
export function toToolResult({ status, headers, body }: ApiAnswer): ToolResult {
  if (!isJsonObject(body)) throw new RangeError('a tool answers an object');
  if (status >= 400) return { content: [textOf(withSecondsToWait(body, headers['Retry-After']))], isError: true };
  return {
    content: [{ type: 'text', text: sentenceFor(body) }, textOf(body)],
    structuredContent: body,
    isError: false,
  };
}

function textOf(json: unknown): ToolResult['content'][number] {
  return { type: 'text', text: JSON.stringify(json) };
}

function withSecondsToWait(body: JsonMembers, retryAfter: string | undefined): JsonMembers {
  if (retryAfter === undefined || !isJsonObject(body.detail)) return body;
  return { ...body, detail: { ...body.detail, retry_after_seconds: Number(retryAfter) } };
}

/** Numbers only: no text of a record stands outside of JSON. */
function sentenceFor({ results, total, excluded_count: excluded, offset }: JsonMembers): string {
  if (!Array.isArray(results)) return 'One record:';
  const shown = `${results.length} of ${Number(total)}`;
  if (excluded !== undefined)
    return `${shown} ranked offers, highest nota first; ${Number(excluded)} could not be priced:`;
  return `${shown} results, from position ${Number(offset ?? 0)}:`;
}
