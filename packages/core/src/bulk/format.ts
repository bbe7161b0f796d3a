/** `own`: offers of an account's firms. `catalog`: those of the shared catalog, which have no firm. */
export const BULK_FORMATS = ['own', 'catalog'] as const;
export type BulkFormat = (typeof BULK_FORMATS)[number];
