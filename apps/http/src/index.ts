export type { Door } from './door.ts';
export * from './server.ts';
