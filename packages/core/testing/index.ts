export * from './arbitraries.ts';
export { arbitraryRequest, arbitraryWeight } from './arbitrary-requests.ts';
export { createMemoryWorkbooks, type MemoryWorkbooks } from './books/memory-workbooks.ts';
export * from './bulk.ts';
export { type ImportContractOptions, importContract } from './import-contract.ts';
export { createMemoryStore } from './memory-store.ts';
export { type LimiterWorld, rateLimiterContract } from './rate-limiter-contract.ts';
export { type StoreCase, storeContract } from './store-contract.ts';
