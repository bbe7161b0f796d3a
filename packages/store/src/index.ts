export { backUp } from './backup.ts';
export type { Database } from './database.ts';
export { exposureOf } from './exposure.ts';
export { examine, forgetsStatements, migrate, openDatabase, openStore, pendingMigrations } from './open.ts';
