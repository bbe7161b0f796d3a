import type { CatalogWriteTerms, Reader, WriteContext } from '../src/service.ts';
import { type MemoryState, pageOf, recordsOf, required } from './memory-state.ts';

type CatalogReads = Pick<Reader, 'catalogCounts' | 'catalogWrites'>;

/** The catalog that all accounts share. */
export function catalogReads(state: MemoryState): CatalogReads {
  return {
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
