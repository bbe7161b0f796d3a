import {
  type BulkFormat,
  type Caller,
  type Command,
  type ExtraLimit,
  maySeeCommissions,
  type RefusalCode,
  type Scope,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answerFields, wantedOf } from './answer-fields.ts';
import type { Call, LongRead, Outcome, Prepared } from './call.ts';
import { CLIENT_QUERY, companyIdField, idField, monthField } from './fields.ts';
import { storedOutcome } from './idempotency.ts';
import type { Example } from './openapi/example.ts';
import { answerRead, answerWrite } from './pipeline.ts';
import {
  BODY_CAPS,
  type BodyCaps,
  type InputSchemas,
  inputReader,
  type JsonArguments,
  type ParsedInput,
  type RawInput,
} from './read-input.ts';
import { type BodyForm, formsOf } from './sent-form.ts';
import type { Visibility } from './wire/answer.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What callers learn about an operation that will be removed. */
interface Deprecation {
  /** The day on which it was deprecated, `YYYY-MM-DD`. */
  readonly since: string;
  /** The first day on which it may be missing. */
  readonly sunset: string;
  /** The address of a page that says what to call in its place. */
  readonly link: string;
}

/** The headers of every answer of an operation that will be removed (RFC 9745 and RFC 8594). */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Readonly<Record<string, string>> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"`,
  };
}

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
  /** The path at which what is queued shows, where it is no record with an id of its own. */
  readonly shownAt: string | null;
  /** `true`: the answer follows from records of the account and the catalog alone, and has an `ETag`. */
  readonly tagged: boolean;
  /** `true`: a tagged read, which supports the header `If-None-Match`. */
  readonly revalidated: boolean;
  /** When it was deprecated; `null`: it is not. */
  readonly deprecated: Deprecation | null;
  /** `true`: the header `If-Match` is supported. */
  readonly conditional: boolean;
  /** Rate limits in addition to the limit on all calls. */
  readonly limits: readonly ExtraLimit[];
  /** The queue in which a call waits for others of its account; `null`: it does not wait. */
  readonly longRead: LongRead | null;
  /** `true`: only a key with full access, bound to no firm, may call it. */
  readonly fullAccess: boolean;
  /** `body: null`: the operation takes none. `sentAs`: the ways in which its body may be sent. */
  readonly input: InputSchemas & { readonly sentAs: readonly BodyForm[] };
  /** `null`: the answer has no body. */
  readonly output: z.ZodType | null;
  /** How large a JSON body may be. */
  readonly bodyCaps: BodyCaps;
  /** The content type of a success; refusals are always JSON. */
  readonly contentType: 'application/json' | 'text/csv' | 'text/html' | typeof XLSX_TYPE;
  /**
   * Called before any of a form is read. It refuses callers who may not send one, if the scopes do not say so, and
   * takes the point of the file, if no limit of the operation does. Its result becomes `charged` of the call.
   */
  readonly beforeForm?: (call: Call) => Promise<BulkFormat | null>;
  /** `true`: the parameter `fields` reduces the answer; every GET that answers JSON has it. */
  readonly takesFields: boolean;
  /** Statuses of success; most have one. */
  readonly success: readonly number[];
  /** Refusals beyond those of every operation (`COMMON_REFUSALS`). */
  readonly refusals: readonly RefusalCode[];
  /** Name of the MCP tool, or `null` where there is none. */
  readonly mcp: string | null;
  /** Calls with their answers that the document shows; the first one also fills in the parameters. */
  readonly examples: readonly Example[];
  /** Reads the input. @throws DomainError `invalid_request`. */
  prepare(raw: RawInput): Prepared;
  /** The same for path, query and body in one flat object of JSON values. */
  prepareArguments(caller: Caller, args: JsonArguments): Prepared;
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

/** Refusals that follow from the other fields of a row. */
function derivedRefusals({ path, scopes = [], fullAccess }: Pick<Row, 'path' | 'scopes' | 'fullAccess'>) {
  return [
    ...(scopes.includes('catalog:write') ? (['bound_key', 'not_catalog_editor'] as const) : []),
    ...(fullAccess ? (['not_full_access'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
  ];
}

/** What a parameter in braces is. */
const PATH_FIELDS = {
  id: idField,
  company_id: companyIdField,
  delivery_id: idField,
  month: monthField.describe('A month, `YYYY-MM` or any day of it.'),
  indice: z.string().max(100).describe('The name of an index.'),
};

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** The checked input of an operation. */
interface Input<Path extends string, Query extends z.ZodRawShape, Body extends z.ZodType> {
  /** The firm to which `client_id` narrows the call; `null`: to none. */
  readonly firmId: number | null;
  readonly path: {
    readonly [Name in ParameterOf<Path> & keyof typeof PATH_FIELDS]: z.output<(typeof PATH_FIELDS)[Name]>;
  };
  readonly query: z.output<z.ZodObject<Query>>;
  readonly body: z.output<Body>;
}

/** The values that most rows share, so that they leave them out. */
const DEFAULTS = {
  scopes: [],
  anyKey: false,
  replayable: false,
  shownAt: null,
  tagged: false,
  deprecated: null,
  limits: [],
  longRead: null,
  fullAccess: false,
  bodyCaps: BODY_CAPS,
  contentType: 'application/json',
  takesFields: false,
  success: [200],
  mcp: null,
} satisfies Partial<Operation>;

type Row = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'description' | 'examples'> &
  Partial<Pick<Operation, keyof typeof DEFAULTS | 'refusals' | 'beforeForm'>>;

/** An `Answer` to what a row makes. */
interface Converted<Out, In> {
  readonly shape: z.ZodType;
  readonly toWire: (out: Out, caller: Caller, input: In) => unknown;
}

type OperationRow<
  Path extends string,
  Query extends z.ZodRawShape,
  Body extends z.ZodType,
  Out,
  Found,
  In,
  Ready,
> = Row & {
  readonly path: Path;
  /** Parameters in addition to `client_id`, which every operation takes. */
  readonly query?: Query;
  /** Absent: the operation takes no body. */
  readonly body?: Body;
  /** The body made from what was stored, where a thread stores something else than the answer. */
  readonly replay?: (stored: string) => unknown;
  /** The answer with its conversion, or the shape of what the row makes by itself; `null`: no body. */
  readonly output: Converted<Out, Input<Path, Query, Body>> | z.ZodType | null;
  /** The status of a write, where `success` has several. */
  readonly status?: (out: Out) => number;
  /**
   * The record before a write as this caller would get it, `null`: there is none. An operation with this function
   * supports `If-Match`.
   */
  readonly current?: (found: Found, caller: Caller) => unknown;
} & (
    | {
        /** Performs an operation that is no write. Its result is converted, and sent under the first status of `success`. */
        readonly answer: (call: Call, input: Input<Path, Query, Body>) => Promise<Out>;
        readonly perform?: never;
        readonly command?: never;
        readonly input?: never;
      }
    | {
        /** Used instead, where the answer is a file, or its status or headers depend on the call. */
        readonly perform: (call: Call, input: Input<Path, Query, Body>) => Promise<Outcome>;
        readonly answer?: never;
        readonly command?: never;
        readonly input?: never;
      }
    | {
        /** What a write does, and what it gets. */
        readonly command: Command<In, Out, Found, Ready>;
        readonly input: (input: Input<Path, Query, Body>, call: Call) => NoInfer<In>;
        readonly answer?: never;
        readonly perform?: never;
      }
  );

/** Creates a row of the table. A field that it leaves out has the usual value, or follows from the other fields. */
export function defineOperation<
  const Path extends string,
  Query extends z.ZodRawShape = Record<never, never>,
  Body extends z.ZodType = z.ZodUndefined,
  Out = unknown,
  Found = unknown,
  In = unknown,
  Ready = In,
>(row: OperationRow<Path, Query, Body, Out, Found, In, Ready>): Operation {
  const {
    query,
    body = null,
    perform,
    answer,
    command,
    input: inputOf,
    replay,
    output,
    status,
    current,
    ...rest
  } = row;
  const facts = { ...DEFAULTS, ...rest };
  const conditional = current !== undefined;
  const converted = output !== null && 'toWire' in output ? output : null;
  const shape = converted ? converted.shape : (output as z.ZodType | null);
  const takesFields = facts.takesFields || (row.method === 'GET' && facts.contentType === 'application/json');
  const queryFor = (tool: Visibility | null) => {
    const fields = takesFields && shape ? { fields: answerFields(shape, tool).optional() } : {};
    return z.strictObject({ ...CLIENT_QUERY, ...query, ...fields });
  };
  const schemas = { path: pathSchemaOf(row.path), query: queryFor(null), body };
  const [whole, masked] = [queryFor({ seesCommissions: true }), queryFor({ seesCommissions: false })];
  const reader = inputReader(schemas, facts.bodyCaps, (sees) => (sees ? whole : masked));
  const [usual = 200] = facts.success;
  const prepared = (read: ParsedInput): Prepared => {
    // The schemas were made from the types of the row, so the cast is safe.
    const input = { firmId: read.query.client_id ?? null, ...read } as unknown as Input<Path, Query, Body>;
    return {
      perform: async (call) => {
        const { caller } = call;
        const bodyOf = (out: Out) =>
          converted ? converted.toWire(out, caller, input) : output === null ? undefined : out;
        const toWire = (out: Out) => ({ status: status?.(out) ?? usual, headers: {}, body: bodyOf(out) });
        if (!command) {
          const outcome = async (asked: Call) => (answer ? toWire(await answer(asked, input)) : perform(asked, input));
          return answerRead(call, { longRead: facts.longRead, outcome, wanted: wantedOf(read.query.fields) });
        }
        return answerWrite(call, {
          command,
          input: inputOf(input, call),
          toWire,
          current: current && ((found: Found) => current(found, caller)),
        });
      },
      replay: (stored) => (replay ? { status: usual, body: replay(stored) } : storedOutcome(stored)),
    };
  };
  return {
    ...facts,
    output: shape,
    takesFields,
    conditional,
    tagged: facts.tagged || conditional,
    revalidated: facts.tagged && row.method === 'GET',
    refusals: [
      ...new Set<RefusalCode>([
        ...derivedRefusals(row),
        ...(row.refusals ?? []),
        ...(conditional ? (['precondition_failed'] as const) : []),
        ...(facts.replayable ? REPLAY_REFUSALS : []),
      ]),
    ],
    input: { ...schemas, sentAs: body === null ? [] : formsOf(body) },
    prepare: (raw) => prepared(reader.fromRequest(raw)),
    prepareArguments: (caller, args) =>
      prepared(reader.fromArguments(args, { seesCommissions: maySeeCommissions(caller) })),
  };
}

function pathSchemaOf(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return z.strictObject(Object.fromEntries(Object.entries(PATH_FIELDS).filter(([name]) => names.includes(name))));
}
