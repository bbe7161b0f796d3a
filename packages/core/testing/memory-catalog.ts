import type { CatalogWriteTerms, Reader, WriteContext } from '../src/service.ts';
import { type MemoryState, pageOf, required } from './memory-state.ts';

/** The catalog that all accounts share. */
export function catalogReads(state: MemoryState): Pick<Reader, 'catalogWrites'> {
  return {
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
