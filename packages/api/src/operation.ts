import type { BulkFormat, ExtraLimit, RefusalCode, Scope } from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, LongRead, Outcome } from './call.ts';
import { type JsonArguments, readArguments } from './read-arguments.ts';
import { BODY_CAPS, type BodyCaps, type InputSchemas, inputReader, type RawInput } from './read-input.ts';
import { type BodyForm, formsOf } from './sent-form.ts';
import { performTagged } from './tags.ts';

/** The content type of a workbook. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * One endpoint. REST routes, MCP tools, the OpenAPI document and the access tests all come from the table of these.
 */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Parameters in braces: `/v1/offers/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** All of them are needed; the first that lacks is named. */
  readonly scopes: readonly Scope[];
  /** `true`: any valid key may call it. Said expressly, so that forgotten scopes open nothing. */
  readonly anyKey: boolean;
  /** `true`: the header `Idempotency-Key` is heeded. Elsewhere it is passed over: what is asked twice does no harm. */
  readonly replayable: boolean;
  /** `true`: the answer is one record, and has an `ETag`. */
  readonly tagged: boolean;
  /** `true`: the header `If-Match` is heeded. */
  readonly conditional: boolean;
  /** Rate limits besides the ceiling on all calls. */
  readonly limits: readonly ExtraLimit[];
  /** The queue in which a call waits for others of its account; `null`: it does not wait. */
  readonly longRead: LongRead | null;
  /** `true`: only a key with full access, bound to no firm, may call it. */
  readonly fullAccess: boolean;
  /** `body: null`: the operation takes none. `sentAs`: the ways in which its body may be sent. */
  readonly input: {
    readonly path: z.ZodObject;
    readonly query: z.ZodObject;
    readonly body: z.ZodType | null;
    readonly sentAs: readonly BodyForm[];
  };
  /** `null`: the answer has no body. */
  readonly output: z.ZodType | null;
  /** How large a JSON body may be. */
  readonly bodyCaps: BodyCaps;
  /** What a success is written in; refusals are always JSON. */
  readonly contentType: 'application/json' | 'text/csv' | typeof XLSX_TYPE;
  /**
   * Called before a byte of a form is read: refuses whoever may send none, where the scopes do not say it, and takes
   * the point of the file, where no limit of the operation does. What it returns is `charged` of the call.
   */
  readonly beforeForm?: (call: Call) => Promise<BulkFormat | null>;
  /** Statuses of success; most have one. */
  readonly success: readonly number[];
  /** Refusals beyond those of every operation (`COMMON_REFUSALS`). */
  readonly refusals: readonly RefusalCode[];
  /** Name of the MCP tool, or `null` where there is none. */
  readonly mcp: string | null;
  /**
   * Reads the input, for what does it and says the answer.
   *
   * @throws DomainError `invalid_request`; what is returned throws one for every other refusal.
   */
  prepare(raw: RawInput): Prepared;
  /**
   * Both in one, asked with path, query and body in one flat object of JSON values.
   *
   * @throws DomainError for every refusal.
   */
  runArguments(call: Call, args: JsonArguments): Promise<Outcome>;
}

/** An operation whose input was read. */
export interface Prepared {
  /** How many rows it touches, where that costs more than one point; else 1. */
  readonly rows: number;
  readonly perform: (call: Call) => Promise<Outcome>;
}

/** What any operation may answer besides its own refusals. */
export const COMMON_REFUSALS: readonly RefusalCode[] = [
  'invalid_request',
  'unauthenticated',
  'account_inactive',
  'firm_inactive',
  'missing_scope',
  'foreign_firm',
  'rate_limited',
  'unavailable',
];

/** What besides these an operation may answer that heeds `Idempotency-Key`. */
const REPLAY_REFUSALS: readonly RefusalCode[] = [
  'idempotency_in_flight',
  'idempotency_rights_changed',
  'idempotency_mismatch',
];

/** The body schema of an operation that takes none. */
export const NO_BODY = z.undefined();
export const NO_PATH = z.strictObject({});

type Usual = Pick<
  Operation,
  | 'anyKey'
  | 'replayable'
  | 'tagged'
  | 'limits'
  | 'longRead'
  | 'fullAccess'
  | 'bodyCaps'
  | 'contentType'
  | 'success'
  | 'refusals'
  | 'mcp'
>;

/** What a row says by leaving it out. */
const USUAL: Usual = {
  anyKey: false,
  replayable: false,
  tagged: false,
  limits: [],
  longRead: null,
  fullAccess: false,
  bodyCaps: BODY_CAPS,
  contentType: 'application/json',
  success: [200],
  refusals: [],
  mcp: null,
};

interface Read<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly path: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

interface OperationRow<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>
  extends Omit<Operation, 'input' | 'prepare' | 'runArguments' | 'conditional' | keyof Usual>,
    Partial<Usual> {
  /** How many rows a call touches, where that costs more than one point. */
  readonly rowsOf?: (body: z.output<B>) => number;
  readonly input: InputSchemas<P, Q, B>;
  readonly perform: (call: Call, input: Read<P, Q, B>) => Promise<Outcome>;
  /**
   * The record that is written, as it would be answered to this caller before. An operation that has it heeds `If-Match`,
   * changes all it changes in one `write`, and answers that record, or nothing.
   *
   * @throws DomainError `not_found`.
   */
  readonly current?: (call: Call, input: Read<P, Q, B>) => Promise<unknown>;
}

/** A row of the table, from schemas and a function that gets what they read. */
export function defineOperation<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  row: OperationRow<P, Q, B>,
): Operation {
  const { input, perform, rowsOf, current, ...said } = row;
  const conditional = current !== undefined;
  const facts = { ...USUAL, ...said };
  const body = input.body instanceof z.ZodUndefined ? null : input.body;
  const readInput = inputReader(input, row.bodyCaps);
  const run = (call: Call, read: Parameters<typeof perform>[1]): Promise<Outcome> => {
    const queue = facts.longRead === null ? undefined : call.deps.longReads?.[facts.longRead];
    const work = () => perform(call, read);
    return queue === undefined ? work() : queue.run(call.caller.accountId, work);
  };
  return {
    ...facts,
    conditional,
    tagged: facts.tagged || conditional,
    refusals: [
      ...facts.refusals,
      ...(conditional ? (['precondition_failed'] as const) : []),
      ...(facts.replayable ? REPLAY_REFUSALS : []),
    ],
    input: { path: input.path, query: input.query, body, sentAs: body === null ? [] : formsOf(body) },
    prepare: (raw) => {
      const read = readInput(raw);
      const tagged = {
        perform: (call: Call) => run(call, read),
        current: current ? (call: Call) => current(call, read) : null,
      };
      return { rows: rowsOf?.(read.body) ?? 1, perform: (call) => performTagged(call, tagged) };
    },
    runArguments: async (call, args) => run(call, readArguments(input, args)),
  };
}
