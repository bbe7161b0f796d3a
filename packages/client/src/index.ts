export { type Call, type CallOptions, createTarifario, type Tarifario, type TarifarioOptions } from './client.ts';
export { TarifarioError, type TarifarioErrorCode } from './errors.ts';
export type * from './generated.ts';
export type { Reduced } from './reduced.ts';
export type { Answered, Fetch, Progress } from './send.ts';
