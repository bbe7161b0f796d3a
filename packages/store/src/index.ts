export { backUp } from './backup.ts';
export { exposureOf } from './exposure.ts';
export { type Database, examine, isForgetful, migrate, openDatabase, openStore, pendingMigrations } from './open.ts';
