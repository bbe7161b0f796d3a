import type { ApiAnswer } from '../errors.ts';
import { isJsonObject, type JsonMembers } from '../json.ts';
import type { JsonArguments } from '../read-input.ts';
import { NOT_FOR_MODELS } from '../wire/answer.ts';
import { TOOL_TEXTS } from './texts.ts';

/** The result of a tool call, as defined by MCP: one text, which is JSON. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError: boolean;
}

/** A call of a tool with its arguments. */
interface ToolCall {
  readonly name: string;
  readonly args: JsonArguments;
}

const NO_CALL: ToolCall = { name: '', args: {} };

/** Members that no model needs unless it names them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['logo_url', 'image_url', 'updated_at']);

/**
 * Prices of an offer that is part of a result: the costs beside it are what they come to, and `get_offer` has them. They
 * were a quarter of a ranking with six periods.
 */
const PRICE = /^([ep][1-6]|gas_energy|gas_fixed)$/;

/** Lists inside records, of which only the most useful entries are shown. */
const SHORTENED: Readonly<Record<string, (entries: readonly unknown[]) => readonly unknown[]>> = {
  excluded: (entries) => entries.slice(0, 5),
  offer_ids: (entries) => entries.slice(0, 10),
  indexed_prices: (months) => months.slice(-12),
};

/**
 * Turns the answer of an endpoint into the result of its tool: its body as JSON text, without null members and members
 * that no model needs unless `fields` names them, and with long inner lists shortened. A refusal also has the seconds to wait if there are any,
 * because a model does not see headers; an empty list has the note of its tool, and one with more to come `next_offset`.
 * A table of columns took 1 805 tokens in place of 2 803, and models took one of 30 columns for its neighbour.
 *
 * @param call - Left out for what no tool answered.
 * @see docs/assumptions.md, A-48 and A-92
 */
export function toToolResult({ status, headers, body }: ApiAnswer, { name, args }: ToolCall = NO_CALL): ToolResult {
  if (!isJsonObject(body)) throw new RangeError('a tool answers an object');
  const isError = status >= 400;
  const named = new Set(String(args.fields ?? '').split(/[\s.,]+/));
  const text = isError
    ? JSON.stringify(withSecondsToWait(body, headers['Retry-After']), refusedFor)
    : JSON.stringify(withNote(withNextOffset(byWeight(body), args), TOOL_TEXTS[name]?.whenEmpty), (member, value) =>
        value === null || NOT_FOR_MODELS.has(member) || (LEFT_OUT.has(member) && !named.has(member))
          ? undefined
          : shortened(member, value, named),
      );
  return { content: [{ type: 'text', text }], isError };
}

const OF_HISTORIES: readonly unknown[] = [
  'historico_corto',
  'historico_antiguo',
  'historico_sin_actualizar',
  'ventanas_distintas',
];
const HISTORIES = {
  codigo: 'historicos',
  mensaje: 'Los meses de estas ofertas indexadas no son un año entero y reciente: su coste puede ser otro',
};

/**
 * `avisos` that are about the question or the first result before those about others; about histories there is one. Of
 * one that names a part of its offers alone nobody can tell, nor of several how many they are of.
 */
function byWeight(body: JsonMembers): JsonMembers {
  const { avisos, results } = body;
  if (!Array.isArray(avisos) || !Array.isArray(results)) return body;
  const idsOf = (some: readonly JsonMembers[]) => [...new Set(some.flatMap(({ offer_ids }) => offer_ids ?? []))];
  const histories = avisos.filter(({ codigo }) => OF_HISTORIES.includes(codigo));
  const ids = idsOf(histories);
  const others = avisos.filter((aviso) => !histories.includes(aviso));
  const isWhole = ({ total, offer_ids }: JsonMembers) => total === idsOf([{ offer_ids }]).length;
  const total = histories.every(isWhole) ? ids.length : undefined;
  const told = histories.length < 2 ? avisos : [...others, { ...HISTORIES, total, offer_ids: ids }];
  const isLight = (aviso: JsonMembers) =>
    aviso.total !== 0 && isWhole(aviso) && !idsOf([aviso]).includes(results[0]?.offer?.id);
  return { ...body, avisos: [...told.filter((aviso) => !isLight(aviso)), ...told.filter(isLight)] };
}

/** A page with the `offset` of the next one; `null`, and so left out, after the last. */
function withNextOffset(body: JsonMembers, { offset = 0 }: JsonArguments): JsonMembers {
  const { total, results } = body;
  if (typeof total !== 'number' || !Array.isArray(results)) return body;
  const next = Number(offset) + results.length;
  return { ...body, next_offset: results.length > 0 && next < total ? next : null };
}

function withNote(body: JsonMembers, note: string | undefined): JsonMembers {
  return note === undefined || body.total !== 0 ? body : { ...body, note };
}

function shortened(name: string, value: unknown, named: ReadonlySet<string>): unknown {
  if (name === 'offer' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).filter(([member]) => named.has(member) || !PRICE.test(member)));
  }
  return Array.isArray(value) && Object.hasOwn(SHORTENED, name) ? SHORTENED[name]?.(value) : value;
}

/** What a refusal says to who can ask on: he would ask a customer about laws, or for an offer that he named. */
const REFUSED: readonly (readonly [said: RegExp, forModels: string])[] = [
  [
    / is undecided: | is not known on that day: /,
    'the taxes of this day are not settled: say so and ask nobody about it; rank with each tipos of opciones, or without impuestos and say that costs are before tax',
  ],
  [/^is not ranked$/, 'is not among the ranked offers: rank without the filter that hides it, or see excluded'],
];

function refusedFor(member: string, value: unknown): unknown {
  if (member === 'alternativas' || member === 'condicion') return undefined;
  if (member !== 'errors' || !Array.isArray(value)) return value;
  const told = value.map((one) => {
    const error = REFUSED.find(([said]) => said.test(one.error))?.[1] ?? one.error;
    return [`${one.path} ${error}`, { ...one, error }] as const;
  });
  // Several taxes of a day may be undecided.
  return [...new Map(told).values()];
}

function withSecondsToWait(body: JsonMembers, retryAfter: string | undefined): JsonMembers {
  if (retryAfter === undefined || !isJsonObject(body.detail)) return body;
  return { ...body, detail: { ...body.detail, retry_after_seconds: Number(retryAfter) } };
}
