export * from './clock.ts';
export * from './compose.ts';
export * from './config.ts';
export * from './ids.ts';
export * from './log.ts';
export * from './metrics.ts';
export { createSecrets, shownPrefixFor } from './secrets.ts';
