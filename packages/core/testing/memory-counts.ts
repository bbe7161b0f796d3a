import type { CountScope, OfferCount, RecordCounts, SupplyType, UploadStatus } from '../src/service.ts';
import { type MemoryState, ownedRecord, recordsOf } from './memory-state.ts';

export function recordCounts(state: MemoryState, { owner, firmId }: CountScope): RecordCounts {
  const isCounted = (ofFirm: number | null | undefined) => firmId === null || ofFirm === firmId;
  const firms = recordsOf(state.firms, owner).filter((firm) => isCounted(firm.id));
  const companies = recordsOf(state.companies, owner).filter((company) => isCounted(company.firmId));
  const offers = recordsOf(state.offers, owner).filter((offer) =>
    isCounted(ownedRecord(state.companies, owner, offer.companyId)?.firmId),
  );
  const uploads = [...state.uploads.values()].flatMap((stored) =>
    stored.accountId === owner && isCounted(stored.upload.firmId) ? [stored.upload.status] : [],
  );

  const offerCount = (supplyType: SupplyType): OfferCount => {
    const ofSupply = offers.filter((offer) => offer.supplyType === supplyType);
    return { ...activeCount(ofSupply), indexed: ofSupply.filter((offer) => offer.isActive && offer.isIndexed).length };
  };
  const uploadCount = (status: UploadStatus) => uploads.filter((each) => each === status).length;
  return {
    offers: { LUZ: offerCount('LUZ'), GAS: offerCount('GAS') },
    firms: activeCount(firms),
    companies: activeCount(companies),
    uploads: {
      pending: uploadCount('pending'),
      processing: uploadCount('processing'),
      completed: uploadCount('completed'),
      failed: uploadCount('failed'),
      cancelled: uploadCount('cancelled'),
    },
  };
}

function activeCount(records: readonly { readonly isActive: boolean }[]) {
  return { total: records.length, active: records.filter((record) => record.isActive).length };
}
