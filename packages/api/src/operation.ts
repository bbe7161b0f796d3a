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
  /** All are required; a refusal names the first that is missing. */
  readonly scopes: readonly Scope[];
  /** `true`: any valid key may call it. Must be explicit, so that forgotten scopes do not open an operation. */
  readonly anyKey: boolean;
  /**
   * `true`: the header `Idempotency-Key` is supported. Otherwise it is ignored, because repeating the operation does no
   * harm.
   */
  readonly replayable: boolean;
  /** `true`: the answer is one record, and has an `ETag`. */
  readonly tagged: boolean;
  /** `true`: the header `If-Match` is supported. */
  readonly conditional: boolean;
  /** Rate limits in addition to the limit on all calls. */
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
   * Called before any of a form is read. It refuses callers who may not send one, if the scopes do not say so, and
   * takes the point of the file, if no limit of the operation does. Its result becomes `charged` of the call.
   */
  readonly beforeForm?: (call: Call) => Promise<BulkFormat | null>;
  /** Statuses of success; most have one. */
  readonly success: readonly number[];
  /** Refusals beyond those of every operation (`COMMON_REFUSALS`). */
  readonly refusals: readonly RefusalCode[];
  /** Name of the MCP tool, or `null` where there is none. */
  readonly mcp: string | null;
  /**
   * Reads the input and returns a function that performs the operation.
   *
   * @throws DomainError `invalid_request`. The returned function throws the other refusals.
   */
  prepare(raw: RawInput): PreparedCall;
  /**
   * Reads and performs, with path, query and body in one flat object of JSON values.
   *
   * @throws DomainError for every refusal.
   */
  runArguments(call: Call, args: JsonArguments): Promise<Outcome>;
}

/** A call with parsed input. */
export interface PreparedCall {
  /** How many rows it touches, where that costs more than one point; else 1. */
  readonly rows: number;
  readonly perform: (call: Call) => Promise<Outcome>;
}

/** Refusals of every operation. */
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

/** Additional refusals of an operation that supports `Idempotency-Key`. */
const REPLAY_REFUSALS: readonly RefusalCode[] = [
  'idempotency_in_flight',
  'idempotency_rights_changed',
  'idempotency_mismatch',
];

/** The body schema of an operation that takes none. */
export const NO_BODY = z.undefined();
export const NO_PATH = z.strictObject({});

type OperationDefaults = Pick<
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

/** Defaults of a row. */
const OPERATION_DEFAULTS: OperationDefaults = {
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

interface ParsedInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly path: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

interface OperationRow<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>
  extends Omit<Operation, 'input' | 'prepare' | 'runArguments' | 'conditional' | keyof OperationDefaults>,
    Partial<OperationDefaults> {
  /** How many rows a call touches, where that costs more than one point. */
  readonly rowsOf?: (body: z.output<B>) => number;
  readonly input: InputSchemas<P, Q, B>;
  readonly perform: (call: Call, input: ParsedInput<P, Q, B>) => Promise<Outcome>;
  /**
   * The current record as this caller would get it. An operation with this function supports `If-Match`, makes all
   * changes in one `write`, and answers with that record or nothing.
   *
   * @throws DomainError `not_found`.
   */
  readonly current?: (call: Call, input: ParsedInput<P, Q, B>) => Promise<unknown>;
}

/** Creates a row of the table from schemas and a function that gets the parsed input. */
export function defineOperation<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  row: OperationRow<P, Q, B>,
): Operation {
  const { input, perform, rowsOf, current, ...said } = row;
  const conditional = current !== undefined;
  const facts = { ...OPERATION_DEFAULTS, ...said };
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
