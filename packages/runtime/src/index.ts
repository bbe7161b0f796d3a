export * from './clock.ts';
export * from './compose.ts';
export * from './config.ts';
export { createYieldQueue } from './event-loop.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './request-id.ts';
export { createSecrets, shownPrefixFor } from './secrets.ts';
export * from './thread.ts';
