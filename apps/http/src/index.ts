export type { Door } from './door.ts';
export { isLoopback, listen } from './listen.ts';
export type { MakeMount, Mount, MountedRequest } from './mount.ts';
export * from './server.ts';
