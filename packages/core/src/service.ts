// All that the packages of the service need, by noun. For programs that rank offers by themselves there is `index.ts`.

export * from './service/exports/accounts.ts';
export * from './service/exports/files.ts';
export * from './service/exports/offers.ts';
export * from './service/exports/rankings.ts';
export * from './service/exports/readings.ts';
export * from './service/exports/requests.ts';
