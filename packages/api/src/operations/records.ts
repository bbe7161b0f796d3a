import type { Caller, Deps, ExtraLimit, Scope } from '@tarifario/core/service';
import type { z } from 'zod';
import type { Call } from '../call.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation } from '../operation.ts';

/** The noun of a stored record. */
export interface RecordInput {
  readonly path: { readonly id: number };
  readonly firmId: number | null;
}

type UseCase<Result> = (
  deps: Deps,
  caller: Caller,
  input: { readonly id: number; readonly firmId: number | null },
) => Promise<Result>;

/** The schemas of the answers. */
interface Answered<Result> {
  readonly shape: z.ZodType;
  readonly toWire: (record: Result, caller: Caller) => unknown;
}

/** A kind of record that can be deactivated; one is read as `Detail`, and changed as `Result`. */
export interface Noun<Result, Detail = Result> {
  /** As the ids of operations have it: `CatalogCompany`. */
  readonly name: string;
  readonly path: '/v1/clients' | '/v1/companies' | '/v1/catalog/companies' | '/v1/offers' | '/v1/catalog/offers';
  /** In sentences: `one` as in "Read one ...", `a` with its article, `short` without the words that distinguish it from others. */
  readonly words: { readonly one: string; readonly a: string; readonly short: string };
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  readonly limits?: readonly ExtraLimit[];
  readonly detail: Answered<Detail>;
  readonly changed: Answered<Result>;
  readonly cases: {
    readonly get: UseCase<Detail>;
    readonly toggle: UseCase<Result>;
    readonly deactivate: UseCase<Result>;
  };
  /** Limits and flags besides those that every change of a record has. */
  readonly toggleRefusals?: Operation['refusals'];
  readonly about: { readonly get: string; readonly toggle: string };
  /** The name of the tool that reads one. */
  readonly mcp?: string;
  /** How one is read, and the parameter of the record whose state changes. */
  readonly examples: { readonly get: readonly Example[]; readonly changed: number };
}

/** The rows that every noun has: read a record, activate or deactivate it, deactivate it. */
export function recordRows<Result, Detail>(noun: Noun<Result, Detail>) {
  const { name, path, words, scopes, limits = [], detail, changed, cases, about, examples } = noun;
  const read = async ({ deps, caller }: Call, { path: { id }, firmId }: RecordInput) =>
    detail.toWire(await cases.get(deps, caller, { id, firmId }), caller);
  const change =
    (useCase: UseCase<Result>) =>
    async ({ deps, caller }: Call, { path: { id }, firmId }: RecordInput) =>
      changed.toWire(await useCase(deps, caller, { id, firmId }), caller);
  const get = defineOperation({
    id: `get${name}`,
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Read one ${words.one}`,
    description: about.get,
    scopes: [scopes.read],
    output: detail.shape,
    tagged: true,
    mcp: noun.mcp ?? null,
    examples: examples.get,
    answer: read,
  });
  const toggle = defineOperation({
    id: `toggle${name}`,
    method: 'PATCH',
    path: `${path}/{id}/toggle`,
    summary: `Activate or deactivate ${words.a}`,
    description: about.toggle,
    scopes: [scopes.write],
    limits,
    replayable: true,
    output: changed.shape,
    refusals: noun.toggleRefusals ?? [],
    examples: [{ summary: `An active ${words.short} becomes inactive`, params: { id: examples.changed } }],
    current: read,
    answer: change(cases.toggle),
  });
  const remove = defineOperation({
    id: `delete${name}`,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Deactivate ${words.a}`,
    description: `The ${words.short} is kept, inactive. Also when it already was.`,
    scopes: [scopes.write],
    limits,
    output: changed.shape,
    examples: [{ summary: `The ${words.short} is kept, inactive`, params: { id: examples.changed } }],
    current: read,
    answer: change(cases.deactivate),
  });
  return { read, get, toggle, remove };
}
