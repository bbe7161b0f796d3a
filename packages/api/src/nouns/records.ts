import type { Caller, Command, Deps, ExtraLimit, ListChoice, PageOf, Scope } from '@tarifario/core/service';
import type { z } from 'zod';
import { LIST_QUERY, listAnswer, listChoice } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation } from '../operation.ts';
import type { Answer } from '../wire/answer.ts';

interface RecordInput {
  readonly path: { readonly id: number };
  readonly firmId: number | null;
}

/** One record, and the firm to which the request is narrowed. */
interface RecordChoice {
  readonly id: number;
  readonly firmId: number | null;
}

type UseCase<Result, Input = RecordChoice> = (deps: Deps, caller: Caller, input: Input) => Promise<Result>;

/** The row that creates a record from a body, or changes one. */
interface FromBody<Result, Found, Body extends z.ZodType, In> {
  readonly summary?: string;
  readonly description: string;
  readonly body: Body;
  readonly refusals: Operation['refusals'];
  readonly examples: readonly Example[];
  readonly command: Command<In, Result, Found>;
  /** `id`: the record to be changed. */
  readonly input: (input: RecordChoice & { readonly body: z.output<Body> }) => NoInfer<In>;
}

/** A kind of record that can be deactivated; one is read as `Detail`, and changed as `Result`. */
export interface Noun<
  Result,
  Detail,
  New extends z.ZodType = z.ZodType,
  Edit extends z.ZodType = z.ZodType,
  Creation = never,
  Change = never,
> {
  /** As the ids of operations have it: `CatalogCompany`. */
  readonly name: string;
  readonly path: '/v1/clients' | '/v1/companies' | '/v1/catalog/companies' | '/v1/offers' | '/v1/catalog/offers';
  /** In sentences: `one` as in "Read one ...", `a` with its article, `short` without the words that distinguish it from others. */
  readonly words: { readonly one: string; readonly a: string; readonly short: string };
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly limits?: readonly ExtraLimit[];
  readonly detail: Answer<[Detail, Caller]>;
  readonly changed: Answer<[Result, Caller]>;
  readonly cases: {
    readonly get: UseCase<Detail>;
    readonly toggle: Command<RecordChoice, Result, Result>;
    readonly deactivate: Command<RecordChoice, Result, Result>;
  };
  readonly create: FromBody<Result, unknown, New, Creation>;
  readonly update: FromBody<Result, Result, Edit, Change>;
  /** Limits and flags besides those that every change of a record has. */
  readonly toggleRefusals?: Operation['refusals'];
  readonly deleteRefusals?: Operation['refusals'];
  readonly about: { readonly get: string; readonly toggle: string };
  /** The name of the tool that reads one. */
  readonly mcp?: string;
  /** How one is read, and the parameter of the record whose state changes. */
  readonly examples: { readonly get: readonly Example[]; readonly changed: number };
}

/** The row that lists records; with `include_inactive` deactivated ones too. */
export function listRow<Result>(
  noun: Pick<Noun<Result, unknown>, 'path' | 'scopes' | 'changed'>,
  list: UseCase<PageOf<Result>, ListChoice>,
  texts: Pick<Operation, 'id' | 'summary' | 'description' | 'mcp' | 'examples'>,
): Operation {
  return defineOperation({
    ...texts,
    method: 'GET',
    path: noun.path,
    scopes: [noun.scopes.read],
    query: LIST_QUERY,
    tagged: true,
    output: listAnswer(noun.changed),
    answer: ({ deps, caller }, { query, firmId }) => list(deps, caller, { firmId, ...listChoice(query) }),
  });
}

/** The rows that every noun has: create, read and change a record, activate or deactivate it, deactivate it. */
export function recordRows<Result, Detail, New extends z.ZodType, Edit extends z.ZodType, Creation, Change>(
  noun: Noun<Result, Detail, New, Edit, Creation, Change>,
) {
  const { name, path, words, scopes, limits = [], detail, changed, cases, about, examples } = noun;
  const choice = ({ path: { id }, firmId }: RecordInput) => ({ id, firmId });
  const { toWire } = changed;
  const writing = { scopes: [scopes.write], limits, output: changed };
  const { input: creationOf, ...creation } = noun.create;
  const create = defineOperation({
    ...writing,
    id: `create${name}`,
    method: 'POST',
    path,
    summary: `Create ${words.a}`,
    ...creation,
    replayable: true,
    success: [201],
    tagged: true,
    input: ({ firmId, body }) => creationOf({ id: 0, firmId, body }),
  });
  const get = defineOperation({
    id: `get${name}`,
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Read one ${words.one}`,
    description: about.get,
    scopes: [scopes.read],
    output: detail,
    tagged: true,
    mcp: noun.mcp ?? null,
    examples: examples.get,
    answer: ({ deps, caller }, { path: { id }, firmId }) => cases.get(deps, caller, { id, firmId }),
  });
  const { input: editOf, ...edit } = noun.update;
  const update = defineOperation({
    ...writing,
    id: `update${name}`,
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: `Change ${words.a}`,
    ...edit,
    current: toWire,
    input: ({ path: { id }, firmId, body }) => editOf({ id, firmId, body }),
  });
  const toggle = defineOperation({
    ...writing,
    id: `toggle${name}`,
    method: 'PATCH',
    path: `${path}/{id}/toggle`,
    summary: `Activate or deactivate ${words.a}`,
    description: about.toggle,
    replayable: true,
    refusals: noun.toggleRefusals ?? [],
    examples: [{ summary: `An active ${words.short} becomes inactive`, params: { id: examples.changed } }],
    current: toWire,
    command: cases.toggle,
    input: choice,
  });
  const remove = defineOperation({
    ...writing,
    id: `delete${name}`,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Deactivate ${words.a}`,
    description: `The ${words.short} is kept, inactive. Also when it already was.`,
    refusals: noun.deleteRefusals ?? [],
    examples: [{ summary: `The ${words.short} is kept, inactive`, params: { id: examples.changed } }],
    current: toWire,
    command: cases.deactivate,
    input: choice,
  });
  return { create, one: [get, update, toggle, remove] };
}
