import { assert } from '../errors.ts';
import type { Concern, Reader, WriteContext, Writer } from './stores.ts';

type Changes = Omit<Writer, keyof Reader>;

/**
 * A writer that changes what its unit of work is about and nothing else: other units of work may run at the same time,
 * and rely on it. For stores to wrap theirs in.
 *
 * @param doom - Told when something else was to be changed, which is then thrown: the unit of work must not be kept.
 */
export function keptToConcerns(writer: Writer, { concerns }: WriteContext, doom: (error: unknown) => void): Writer {
  if (concerns === undefined) return writer;
  const within = async <T>(about: Concern | null, change: () => Promise<T>): Promise<T> => {
    try {
      assert(about !== null && concerns.includes(about), 'a unit of work changes nothing but what it is about');
    } catch (error) {
      doom(error);
      throw error;
    }
    return await change();
  };
  const changes: Changes = {
    insertAccount: (...args) => within(null, () => writer.insertAccount(...args)),
    updateAccount: (...args) => within(args[0], () => writer.updateAccount(...args)),
    putSubscription: (...args) => within(args[0], () => writer.putSubscription(...args)),
    insertKey: (...args) => within(args[0].accountId, () => writer.insertKey(...args)),
    // It only ever goes one way and every request looks: nobody has to be waited for, least of all whoever has the key.
    revokeKey: writer.revokeKey,
    insertFirm: (...args) => within(args[0], () => writer.insertFirm(...args)),
    updateFirm: (...args) => within(args[0], () => writer.updateFirm(...args)),
    insertCompany: (...args) => within(args[0], () => writer.insertCompany(...args)),
    updateCompany: (...args) => within(args[0], () => writer.updateCompany(...args)),
    putCatalogSubscription: (...args) => within(args[0], () => writer.putCatalogSubscription(...args)),
    recordCatalogWrite: (...args) => within('catalog', () => writer.recordCatalogWrite(...args)),
    insertOffers: (...args) => within(args[0], () => writer.insertOffers(...args)),
    updateOffers: (...args) => within(args[0], () => writer.updateOffers(...args)),
    putMonth: (...args) => within(args[0], () => writer.putMonth(...args)),
    putMonths: (...args) => within(args[0], () => writer.putMonths(...args)),
    deleteMonth: (...args) => within(args[0], () => writer.deleteMonth(...args)),
    insertUpload: (...args) => within(args[0], () => writer.insertUpload(...args)),
    updateUpload: (...args) => within(args[0], () => writer.updateUpload(...args)),
    claimUpload: (...args) => within('queue', () => writer.claimUpload(...args)),
    extendLease: (...args) => within(args[0], () => writer.extendLease(...args)),
    dropUploadFile: (...args) => within(args[0], () => writer.dropUploadFile(...args)),
    sweepUploadFiles: (...args) => within('queue', () => writer.sweepUploadFiles(...args)),
    insertUsage: (...args) => within('usage', () => writer.insertUsage(...args)),
    deleteUsageBefore: (...args) => within('usage', () => writer.deleteUsageBefore(...args)),
    // Whose they are, their key and name say: the store lets one of two through, whatever else goes on.
    keepAnswer: writer.keepAnswer,
    deleteAnswersBefore: writer.deleteAnswersBefore,
  };
  return { ...writer, ...changes };
}
