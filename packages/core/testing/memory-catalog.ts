import type { CatalogWriteTerms, Reader, WriteContext } from '../src/service.ts';
import { atDepth, type MemoryState, ownedRecord, pageOf, recordsOf, required } from './memory-state.ts';

type CatalogReads = Pick<Reader, 'catalogCompanies' | 'catalogOffers' | 'catalogCounts' | 'catalogWrites'>;

/** The catalog that all accounts share. */
export function catalogReads(state: MemoryState): CatalogReads {
  return {
    catalogCompanies: async ({ includeInactive }, page) =>
      pageOf(
        recordsOf(state.companies, 'catalog').filter((company) => includeInactive || company.isActive),
        page,
      ),
    catalogOffers: async ({ includeInactive, companyId, supplyType, customerType, ...depth }, page) => {
      const matching = recordsOf(state.offers, 'catalog').filter(
        (offer) =>
          (includeInactive || offer.isActive) &&
          (companyId === null || offer.companyId === companyId) &&
          (supplyType === null || offer.supplyType === supplyType) &&
          (customerType === null || offer.accepts[customerType]),
      );
      const records = matching.map((offer) => ({
        offer: atDepth(offer, depth),
        company: required(
          ownedRecord(state.companies, 'catalog', offer.companyId),
          'an offer has a company of its owner',
        ),
        firm: null,
      }));
      return pageOf(records, page);
    },
    catalogCounts: async () => {
      const [companies, offers] = [recordsOf(state.companies, 'catalog'), recordsOf(state.offers, 'catalog')];
      const counted = (records: readonly { readonly isActive: boolean }[]) => ({
        total: records.length,
        active: records.filter(({ isActive }) => isActive).length,
      });
      const months = offers.flatMap(({ id }) => state.months.get(id) ?? []).length;
      return { companies: counted(companies), offers: counted(offers), months };
    },
    catalogWrites: async (page) => pageOf(state.catalogWrites, page),
  };
}

interface Unit {
  readonly state: MemoryState;
  readonly context: WriteContext;
}

export function recordCatalogWrite({ state, context }: Unit, terms: CatalogWriteTerms): void {
  required(state.accounts.get(terms.accountId), 'an account writes the catalog');
  const { keyId, at } = context;
  state.catalogWrites.push({ ...terms, keyId, at, id: state.catalogWrites.length + 1 });
}
