import { type Caller, maySeeCommissions, refusalFor } from '@tarifario/core/service';
import type { Operation } from '../operation.ts';
import { operations } from '../operations.ts';
import { inputSchemaOf, type ObjectSchema, type Reader } from './schemas.ts';
import { TOOL_TEXTS } from './texts.ts';

/** A tool as a client sees it, in the terms of MCP. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: typeof READING;
}

const READING = { readOnlyHint: true, openWorldHint: false } as const;

/** The rows of the table that are tools, by name. */
const ROWS: ReadonlyMap<string, Operation> = new Map(
  operations.flatMap((row): [string, Operation][] => (row.mcp === null ? [] : [[row.mcp, row]])),
);

/** The operation of a tool; `null`: there is no such tool. */
export function operationFor(toolName: string): Operation | null {
  return ROWS.get(toolName) ?? null;
}

/**
 * The tools that a caller may call, in the order of the table. They depend only on the rights of the key: equal rights
 * give identical bytes, whatever is stored.
 *
 * @see docs/assumptions.md, A-47 and A-48
 */
export function toolsFor(caller: Caller): readonly Tool[] {
  const reader = { seesCommissions: maySeeCommissions(caller), isBound: caller.firmId !== null };
  return rowsFor(caller).map(([name, row]) => toolOf(name, row, reader));
}

/** The rows of the tools that a caller may call, with their names. */
export function rowsFor(caller: Caller): readonly (readonly [name: string, row: Operation])[] {
  return [...ROWS].filter(([, row]) => refusalFor(caller, row) === null);
}

const made = new Map<string, Tool>();

/** Created once for each kind of reader: generating schemas takes a while, and they never change. */
function toolOf(name: string, row: Operation, reader: Reader): Tool {
  const key = `${name} ${reader.seesCommissions} ${reader.isBound}`;
  const tool = made.get(key) ?? makeTool(name, row, reader);
  made.set(key, tool);
  return tool;
}

function makeTool(name: string, row: Operation, reader: Reader): Tool {
  const text = TOOL_TEXTS[name];
  if (text === undefined) throw new RangeError(`the tool ${name} has no text`);
  const { title = row.summary, onCommissions, example } = text;
  const description = example ? `${text.description} Example: ${JSON.stringify(example)}.` : text.description;
  const more = onCommissions !== undefined && reader.seesCommissions ? ` ${onCommissions}` : '';
  return {
    name,
    title,
    description: description + more,
    inputSchema: inputSchemaOf(row, reader),
    annotations: READING,
  };
}
