import {
  type ApiAnswer,
  type MessageRequest,
  operationFor,
  type Tool,
  type ToolResult,
  toolsFor,
  toToolResult,
} from '@tarifario/api';
import type { CallInput, World } from './world.ts';

/** A call of a tool, admitted and counted as one message: what REST would have answered, and its result. */
export interface ToolCall {
  readonly answer: ApiAnswer;
  readonly result: ToolResult;
}

type Caller = Pick<World, 'dispatch' | 'fullKey'>;

/** Sends a message of MCP. */
export function postMessage(
  { dispatch }: Pick<World, 'dispatch'>,
  apiKey: string | null,
  answer: MessageRequest['answer'],
): Promise<ApiAnswer> {
  return dispatch({ kind: 'message', method: 'POST', path: '/mcp', apiKey, address: '203.0.113.7', answer });
}

export async function callTool(world: Caller, name: string, args: unknown, key = world.fullKey): Promise<ToolCall> {
  const operation = operationFor(name);
  if (!operation) throw new Error(`no tool ${name}`);
  let answered: ApiAnswer | undefined;
  await postMessage(world, key, async ({ perform }) => {
    answered = await perform(operation, structuredClone(Object(args)));
    return { answer: answered, endpoint: `mcp:${name}`, statusCode: answered.status };
  });
  if (!answered) throw new Error('the key was not admitted');
  return { answer: answered, result: toToolResult(answered, { name, args: structuredClone(Object(args)) }) };
}

/** The tools that a key is shown. */
export async function toolsOf(world: Caller, key = world.fullKey): Promise<readonly Tool[]> {
  let tools: readonly Tool[] = [];
  await postMessage(world, key, async ({ caller }) => {
    tools = toolsFor(caller);
    return { answer: { status: 200, headers: {}, body: {} }, endpoint: null, statusCode: 200 };
  });
  return tools;
}

interface Aviso {
  readonly codigo: string;
  readonly total?: number;
  readonly offer_ids?: readonly number[];
}

/** The avisos of a ranking in the order of a tool: 0 the question and the first result, 1 the others. */
function weighed(avisos: readonly Aviso[], first: unknown): readonly unknown[] {
  const isOfHistory = ({ codigo }: Aviso) => codigo.startsWith('historico_') || codigo === 'ventanas_distintas';
  const ids = new Set(avisos.filter(isOfHistory).flatMap(({ offer_ids = [] }) => offer_ids));
  const mensaje = 'Los meses de estas ofertas indexadas no son un año entero y reciente: su coste puede ser otro';
  const one = { codigo: 'historicos', mensaje, total: ids.size, offer_ids: [...ids] };
  const isMany = avisos.filter(isOfHistory).length > 1;
  const told = isMany ? [...avisos.filter((aviso) => !isOfHistory(aviso)), one] : avisos;
  const weightOf = ({ total, offer_ids = [] }: Aviso) => (total === 0 || offer_ids.some((id) => id === first) ? 0 : 1);
  return told.toSorted((a, b) => weightOf(a) - weightOf(b));
}

/** What a tool shows of the body of its endpoint, written a second time; `undefined`: left out. */
export function shownOf(body: unknown, name = ''): unknown {
  if (Array.isArray(body)) {
    const entries = name === 'excluded' ? body.slice(0, 5) : name === 'offer_ids' ? body.slice(0, 10) : body;
    return (name === 'indexed_prices' ? entries.slice(-12) : entries).map((entry) => shownOf(entry));
  }
  if (typeof body !== 'object' || body === null) return body ?? undefined;
  const { avisos, results } = Object(body);
  const told = avisos && results && { avisos: weighed(avisos, results[0]?.offer?.id) };
  const prices = 'e1 e2 e3 e4 e5 e6 p1 p2 p3 p4 p5 p6 gas_energy gas_fixed'.split(' ');
  const hidden = ['logo_url', 'image_url', 'updated_at', ...(name === 'offer' ? prices : [])];
  return Object.fromEntries(
    Object.entries({ ...body, ...told }).map(([key, value]) => [
      key,
      hidden.includes(key) ? undefined : shownOf(value, key),
    ]),
  );
}

/** What a result holds. */
export function contentOf({ content }: Pick<ToolResult, 'content'>): Readonly<Record<string, unknown>> {
  return JSON.parse(content[0]?.text ?? '');
}

interface Field {
  readonly type?: unknown;
  readonly items?: Field;
}

/** A request of REST as the arguments of the tool: text that says a value of the field's type becomes that value. */
export function toArguments(tool: Tool, { params = {}, query = {}, body }: CallInput): Record<string, unknown> {
  const properties: Readonly<Record<string, Field>> = JSON.parse(JSON.stringify(tool.inputSchema.properties ?? {}));
  const queryTexts = typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : query;
  const texts = Object.entries({ ...params, ...queryTexts }).map(([name, text]) => [
    name,
    jsonFor(text, properties[name]),
  ]);
  // The default limit of REST.
  const limit = properties.limit ? { limit: 50 } : {};
  return { ...limit, ...Object.fromEntries(texts), ...(typeof body === 'object' ? body : {}) };
}

function jsonFor(text: string | readonly string[], field: Field | undefined): unknown {
  if (typeof text !== 'string') return text.map((each) => jsonFor(each, field?.items ?? field));
  if (field?.items) return [jsonFor(text, field.items)];
  if (/^(number|integer)$/.test(String(field?.type)) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (field?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
