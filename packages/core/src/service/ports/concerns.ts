import { assert } from '../../engine/errors.ts';
import type { Concern, Reader, WriteContext, Writer } from './stores.ts';

type Changes = Omit<Writer, keyof Reader>;

/**
 * Restricts a writer to what its unit of work declared in `concerns`: other units of work run at the same time and rely
 * on it. Every store wraps its writers in this.
 *
 * @param abort - Called with the error before it is thrown, when something else was to be changed: the unit of work
 *   must not be committed.
 */
export function scopedWriter(writer: Writer, { concerns }: WriteContext, abort: (error: unknown) => void): Writer {
  if (concerns === undefined) return writer;
  const within = async <T>(about: Concern | null, change: () => Promise<T>): Promise<T> => {
    try {
      assert(about !== null && concerns.includes(about), 'a unit of work changes nothing but what it is about');
    } catch (error) {
      abort(error);
      throw error;
    }
    return await change();
  };
  const changes: Changes = {
    insertAccount: (...args) => within(null, () => writer.insertAccount(...args)),
    updateAccount: (...args) => within(args[0], () => writer.updateAccount(...args)),
    putSubscription: (...args) => within(args[0], () => writer.putSubscription(...args)),
    insertKey: (...args) => within(args[0].accountId, () => writer.insertKey(...args)),
    // A revoked key stays revoked and every request reads the key, so this waits for no unit of work, least of all for
    // one of somebody who uses the key.
    revokeKey: writer.revokeKey,
    insertFirm: (...args) => within(args[0], () => writer.insertFirm(...args)),
    updateFirm: (...args) => within(args[0], () => writer.updateFirm(...args)),
    insertCompany: (...args) => within(args[0], () => writer.insertCompany(...args)),
    updateCompany: (...args) => within(args[0], () => writer.updateCompany(...args)),
    putCatalogSubscription: (...args) => within(args[0], () => writer.putCatalogSubscription(...args)),
    recordCatalogWrite: (...args) => within('catalog', () => writer.recordCatalogWrite(...args)),
    insertOffers: (...args) => within(args[0], () => writer.insertOffers(...args)),
    updateOffers: (...args) => within(args[0], () => writer.updateOffers(...args)),
    putMonths: (...args) => within(args[0], () => writer.putMonths(...args)),
    deleteMonth: (...args) => within(args[0], () => writer.deleteMonth(...args)),
    insertProposal: (...args) => within(args[0], () => writer.insertProposal(...args)),
    insertUpload: (...args) => within(args[0], () => writer.insertUpload(...args)),
    updateUpload: (...args) => within(args[0], () => writer.updateUpload(...args)),
    claimUpload: (...args) => within('queue', () => writer.claimUpload(...args)),
    extendLease: (...args) => within(args[0], () => writer.extendLease(...args)),
    dropUploadFile: (...args) => within(args[0], () => writer.dropUploadFile(...args)),
    sweepUploadFiles: (...args) => within('queue', () => writer.sweepUploadFiles(...args)),
    insertUsage: (...args) => within('usage', () => writer.insertUsage(...args)),
    deleteUsageBefore: (...args) => within('usage', () => writer.deleteUsageBefore(...args)),
    // The API key and the idempotency key identify the answer: of two concurrent ones the unique index of the store
    // accepts one.
    storeAnswer: writer.storeAnswer,
    deleteAnswersBefore: writer.deleteAnswersBefore,
  };
  return { ...writer, ...changes };
}
