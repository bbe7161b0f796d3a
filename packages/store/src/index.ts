export { copyDatabase, digestsOf } from './copy/copy.ts';
export type { Database } from './database.ts';
export { examine, forgetsStatements, migrate, openDatabase, openStore, pendingMigrations } from './open.ts';
export { exposureOf } from './postgres/exposure.ts';
export { backUp } from './sqlite/backup.ts';
