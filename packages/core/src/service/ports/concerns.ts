import { assert } from '../../engine/errors.ts';
import type { Concern, Reader, WriteContext, Writer, Writes } from './stores.ts';

/** What a change is about. `nobody`: nothing that can be declared. `anybody`: whatever was declared. */
type About<Write> = Write extends (...args: infer Args) => unknown
  ? (...args: Args) => Concern | 'nobody' | 'anybody'
  : never;

const first = (owner: Concern) => owner;
const anybody = () => 'anybody' as const;

const CONCERNS: {
  readonly [Noun in keyof Writes]: { readonly [Name in keyof Writes[Noun]]: About<Writes[Noun][Name]> };
} = {
  accounts: { insert: () => 'nobody', update: first, putSubscription: first },
  // A revoked key stays revoked and every request reads the key, so this waits for no unit of work, least of all for
  // one of somebody who uses the key. No unit of work relies on the last use.
  keys: { insert: ({ accountId }) => accountId, revoke: anybody, markUsed: anybody },
  firms: { insert: first, update: first },
  companies: { insert: first, update: first },
  offers: { insert: first, update: first },
  months: { put: first, delete: first },
  indices: { put: () => 'catalog' },
  catalog: { putSubscription: first, recordWrite: () => 'catalog' },
  proposals: { insert: first, update: first, delete: first },
  uploads: { insert: first, update: first, dropFile: first },
  queue: { claim: () => 'queue', extendLease: first, sweepFiles: () => 'queue' },
  // Leases, and comparisons in the database, decide between those who send, and no change waits to be told.
  webhooks: {
    ...{ insert: first, rotate: first, delete: first, queueFor: first, queueAgain: first },
    ...{ disable: anybody, queue: anybody, moveOn: anybody, claim: anybody, settle: anybody },
    keepAttempt: anybody,
  },
  usage: { insert: () => 'usage', deleteBefore: () => 'usage' },
  // The API key and the idempotency key identify the answer: of two concurrent ones the unique index of the store
  // accepts one.
  answers: { store: anybody, deleteBefore: anybody },
};

/** Runs a change, and remembers when it fails that the unit of work must not be committed. */
type Run = <T>(change: () => Promise<T>) => Promise<T>;

/**
 * A writer that changes nothing but what its unit of work declared in `concerns`: other units of work run at the same
 * time and rely on it. Every store makes its writers with this.
 */
export function scopedWriter(reads: Reader, writes: Writes, { concerns }: WriteContext, run: Run): Writer {
  const scoped = Object.entries(CONCERNS).map(([noun, about]) => {
    const methods = Object.entries<(...args: never) => unknown>(about).map(([name, concernOf]) => {
      const method = (...args: readonly unknown[]) =>
        run(async () => {
          const concern = Reflect.apply(concernOf, undefined, args);
          const isWithin = concerns === undefined || concern === 'anybody' || concerns.includes(concern as Concern);
          assert(isWithin, 'a unit of work changes nothing but what it is about');
          return await Object(writes)[noun][name](...args);
        });
      return [name, method] as const;
    });
    return [noun, { ...Object(reads)[noun], ...Object.fromEntries(methods) }] as const;
  });
  return { ...reads, ...Object.fromEntries(scoped) } as Writer;
}
