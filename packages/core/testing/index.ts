export * from './arbitraries.ts';
export { createMemoryStore } from './memory-store.ts';
export { type StoreCase, storeContract } from './store-contract.ts';
