export { isKnownHost } from './host-name.ts';
export type { HttpServer } from './http-server.ts';
export { isLoopback, listen } from './listen.ts';
export type { MakeMount, MountedRequest } from './mount.ts';
export * from './server.ts';
