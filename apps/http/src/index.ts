export type { Door } from './door.ts';
export { listen } from './listen.ts';
export * from './server.ts';
