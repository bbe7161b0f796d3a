export * from './arbitraries.ts';
export * from './bulk.ts';
export { createMemoryStore } from './memory-store.ts';
export { type StoreCase, storeContract } from './store-contract.ts';
